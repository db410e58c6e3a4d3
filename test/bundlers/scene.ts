/** A project with hook files of every kind. Each denies one tool, so a guard that a bundle loses is a call that passes. */
import { expect } from 'vitest';

const PLUGIN = {
  hooks: {
    PreToolUse: [
      { matcher: 'Plugin', hooks: [{ type: 'command', command: 'exit 1' }] },
      // Only the engine for regular expressions understands it.
      { matcher: '^(?:P[a-z]{2,5}ern|x+y?z)$', hooks: [{ type: 'command', command: 'exit 1' }] },
    ],
  },
};

export const HOOK_FILES: Readonly<Record<string, string>> = {
  '.claude/settings.json': `{
  // A comment, and a comma before each end.
  "hooks": { "PreToolUse": [{ "matcher": "Jsonc", "hooks": [{ "type": "command", "command": "exit 2" }] }], },
}`,
  'hooks/gate/HOOK.toml':
    '[hook]\nname = "gate"\nevent = "before_tool_call"\n\n[hook.action.shell]\ncommand = "exit 2"\n\n[hook.conditions]\npattern = "^toml$"\n',
  '.agents/hooks/gate/HOOK.md': '---\nname: gate\ndescription: A gate.\ntrigger: before_tool\nmatcher:\n  tool: Markdown\n---\n',
  '.agents/hooks/gate/scripts/run': '#!/bin/sh\nexit 2\n',
  'skills/guarded/SKILL.md':
    '---\nname: guarded\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: hookline guard\n---\n',
  'plugins/gate/hooks/hooks.json': JSON.stringify(PLUGIN),
};

/** The tool, its input, and the format whose hook denies it. */
const CALLS: readonly (readonly [tool: string, input: object, denies: string | undefined])[] = [
  ['Jsonc', {}, 'claude-code'],
  ['Toml', { text: 'toml' }, 'hooktoml'],
  ['Markdown', {}, 'agenthooks'],
  ['Bash', { command: 'rm -rf /' }, 'skillkit'],
  ['Plugin', {}, 'arawn'],
  ['Pattern', {}, 'arawn'],
  ['Free', {}, undefined],
];

export interface Scene {
  readonly root: string;
  readonly home: string;
}

/** The argument of the agent. */
export const requestFor = ({ root, home }: Scene): string =>
  JSON.stringify({ root, home, calls: CALLS.map(([tool, input]) => [tool, input]) });

/** The report of an agent in which every guard works. */
export function expectEveryGuard(report: Report): void {
  const decided = Object.entries(report.decisions).map(([tool, { decision, by }]) => [tool, decision, by[0]?.dialect]);
  expect(decided).toEqual(CALLS.map(([tool, , denies]) => [tool, denies === undefined ? 'pass' : 'deny', denies]));
  expect(report.guard).toEqual(['deny', 'none']);
  expect(report.isLarge).toBe(true);
  // Away from every package only Node's own SQLite can store the action. Without it the action is denied, with the reason.
  const hasSqlite = process.getBuiltinModule('node:sqlite') !== undefined;
  expect(report.held).toEqual(
    hasSqlite
      ? { decision: 'hold', reason: 'A person decides.', stored: 1 }
      : { decision: 'deny', reason: expect.stringContaining('better-sqlite3 cannot be loaded'), stored: 0 },
  );
  expect(report.heldInPostgres).toEqual({ decision: 'deny', reason: expect.stringContaining('needs the package `pg`'), stored: 0 });
}

export interface Report {
  readonly decisions: Readonly<Record<string, { readonly decision: string; readonly by: readonly { readonly dialect: string }[] }>>;
  readonly guard: readonly string[];
  readonly held: unknown;
  readonly heldInPostgres: unknown;
  readonly isLarge: boolean;
}
