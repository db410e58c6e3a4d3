/** What a test must know of an agent to let it work: how it is started, and what its shell tool is called. */
import { test } from 'vitest';
import type { Workspace } from '../support/workspace.ts';
import type { MockModel } from './model/server.ts';
import type { Turn } from './model/turn.ts';

export interface Agent {
  /** The host's id. */
  readonly id: string;
  /** On npm, with the version that was tried. */
  readonly packages: Readonly<Record<string, string>>;
  /** Where its packages have a program to run, as `platform-arch`. Absent: everywhere. */
  readonly builds?: readonly string[];
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

/** Declares a test of an agent. It is shown as skipped, with the reason, if the agent is an exception to it or has no program for this platform. */
export function testIn(agent: Agent, name: string, timeout: number, run: () => Promise<void>): void {
  test(name, { timeout }, async ({ skip }) => {
    const reason = agent.except?.[name] ?? missingBuild(agent);
    skip(reason !== undefined, reason);
    await run();
  });
}

function missingBuild({ packages, builds }: Agent): string | undefined {
  const here = `${process.platform}-${process.arch}`;
  if (builds === undefined || builds.includes(here)) return undefined;
  const named = Object.entries(packages).map(([name, version]) => `${name} ${version}`);
  return `${named.join(' and ')} cannot be installed on ${here}`;
}
