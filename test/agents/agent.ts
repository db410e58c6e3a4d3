/** What a test must know of an agent to let it work: how it is started, and what its shell tool is called. */
import type { Workspace } from '../support/workspace.ts';
import type { MockModel } from './model/server.ts';
import type { Turn } from './model/turn.ts';

export interface Agent {
  /** The host's id. */
  readonly id: string;
  /** On npm, with the version that was tried. */
  readonly packages: Readonly<Record<string, string>>;
  /** The model's call of the tool that runs a command. */
  shell(command: string): Extract<Turn, { call: string }>;
  /** What it wants to find besides its entries: settings, trust in the folder. */
  prepare?(workspace: Workspace, model: MockModel): void;
  /** The command line that carries out a prompt without anybody at the terminal, allowed all that its own rules could forbid. */
  start(
    prompt: string,
    model: MockModel,
    installed: string,
  ): { readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>> };
  /** Why a law does not hold there, by its name; what is not named must hold. */
  readonly except?: Readonly<Record<string, string>>;
}
