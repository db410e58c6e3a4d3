/** A project whose hook was trusted the way the command does it, without starting the command. */

import { AGENTS } from '../../../src/builtins.ts';
import { entryFor, reviewHooks } from '../../../src/cli/hooks/trust-review.ts';
import { resolveHome } from '../../../src/load/find/home.ts';
import { openKeptTexts } from '../../../src/trust/kept-texts.ts';
import { openTrust, type Trust } from '../../../src/trust/trust-file.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';

/** An `agenthooks` hook that denies every tool with these words. */
export function gate(words: string, name = 'gate', more = ''): Readonly<Record<string, string>> {
  return {
    [`.agents/hooks/${name}/HOOK.md`]: `---\nname: ${name}\ndescription: Keeps the gate.\ntrigger: before_tool\n${more}---\n`,
    [`.agents/hooks/${name}/scripts/run.sh`]: `#!/bin/sh\necho '${words}' >&2\nexit 2\n`,
  };
}

export const SCRIPT = '.agents/hooks/gate/scripts/run.sh';
export const BASH = { tool: 'Bash', input: { command: 'ls' } } as const;

export function trustOf({ home }: Pick<Workspace, 'home'>): Trust {
  const { stateFolder } = resolveHome({ home }, {});
  return openTrust(stateFolder, openKeptTexts(stateFolder));
}

/** Trusts every hook of the project as it is now; answers with their digests by name. */
export async function trustAll(workspace: Pick<Workspace, 'root' | 'home'>): Promise<Record<string, string>> {
  const trust = trustOf(workspace);
  const { hooks } = await reviewHooks({ agents: AGENTS, root: workspace.root, paths: [] }, trust);
  const present = new Set(hooks.map(({ snapshot }) => snapshot.digest));
  for (const { review, snapshot } of hooks) trust.add(entryFor(review, { root: workspace.root, by: 'ann', via: 'yes' }), snapshot, present);
  return Object.fromEntries(hooks.map(({ review }) => [review.name, review.digest]));
}

/** To be called within a test. */
export async function trustedProject(files: Readonly<Record<string, string>>): Promise<Workspace> {
  const workspace = createWorkspace(files);
  await trustAll(workspace);
  return workspace;
}
