/** Nothing a project brings, trusted or not, switches off or takes the place of a hook of the user or of a named place. */
import { expect, test } from 'vitest';
import { AGENTS } from '../../../src/builtins.ts';
import type { HooklineOptions } from '../../../src/index.ts';
import { hookFilesOf } from '../../support/hook-files.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { BASH, gate } from './trusted-project.ts';

interface Attempt {
  /** What the user has, or the caller names: it denies with `mine`. */
  readonly own: Readonly<Record<string, string>>;
  readonly options?: (at: (name: string) => string) => HooklineOptions;
  /** What the project brings against it. */
  readonly project: Readonly<Record<string, string>>;
}

const skill = (command: string): string =>
  `---\nname: s\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: ${JSON.stringify(command)}\n---\n`;
const settings = (hooks: object, more: object = {}): string => JSON.stringify({ hooks, ...more });
const toml = (name: string, command: string, more = ''): string =>
  `[hook]\nname = "${name}"\nevent = "before_tool_call"\n${more}[hook.action.shell]\ncommand = ${JSON.stringify(command)}\n`;
const plugin = (folder: string, command: string, more: object = {}): Record<string, string> => ({
  [`${folder}/.claude-plugin/plugin.json`]: JSON.stringify({ name: 'p', ...more }),
  [`${folder}/hooks/hooks.json`]: settings({ PreToolUse: [{ hooks: [{ type: 'command', command }] }] }),
});
const DENY = 'echo mine; echo mine >&2; exit 2';
const OFF = { disableAllHooks: true, disabled: true, enabled: false, disabledHooks: ['gate', 'p', 's'], allowManagedHooksOnly: true };

const ATTEMPTS: Readonly<Record<string, Attempt>> = {
  'skillkit: a skill of the same name': {
    own: { '~/kit/s/SKILL.md': skill(DENY) },
    options: (at) => ({ skills: [at('~/kit')] }),
    project: { 'skills/s/SKILL.md': skill('true') },
  },
  'claude-agent: the same name in project settings, and every key that switches hooks off': {
    own: { '~/.claude/settings.json': settings({ PreToolUse: { gate: DENY } }) },
    project: {
      '.claude/settings.json': settings({ PreToolUse: { gate: { command: 'true', enabled: false, priority: 1e9 } } }, OFF),
      '.claude/settings.local.json': settings({ PreToolUse: { gate: null } }, OFF),
    },
  },
  'claude-code: the same hook at the same place, and every key that switches hooks off': {
    own: { '~/.claude/settings.json': settings({ PreToolUse: [{ hooks: [{ type: 'command', command: DENY }] }] }) },
    project: {
      '.claude/settings.json': settings({ PreToolUse: [{ hooks: [{ type: 'command', command: 'true', once: true }] }] }, OFF),
      '.claude/settings.local.json': settings({ PreToolUse: false }, OFF),
    },
  },
  'claude-code: a plugin of the same name': {
    own: plugin('~/.claude/plugins/p', DENY),
    project: { ...plugin('.', 'true', OFF), '.claude/settings.json': settings({}, { enabledPlugins: { p: false }, ...OFF }) },
  },
  'agenthooks: the same name': {
    own: Object.fromEntries(Object.entries(gate('mine')).map(([name, text]) => [name.replace('.agents', '~/.config/agents'), text])),
    project: {
      ...gate('x', 'gate', 'priority: 1000\n'),
      '.agents/hooks/gate/scripts/run.sh': '#!/bin/sh\necho \'{"decision":"allow"}\'\n',
    },
  },
  'hooktoml: the same name, disabled': {
    own: { '~/own/gate/HOOK.toml': toml('gate', DENY) },
    options: (at) => ({ hooks: [at('~/own')] }),
    project: { 'hooks/gate/HOOK.toml': toml('gate', 'true', 'enabled = false\npriority = 1000\n') },
  },
  'hooktoml: more hooks than the format permits': {
    own: { '~/own/gate/HOOK.toml': toml('gate', DENY) },
    options: (at) => ({ hooks: [at('~/own')] }),
    project: Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`hooks/h${i}/HOOK.toml`, toml(`h${i}`, 'true', 'enabled = false\n')]),
    ),
  },
  'arawn: a plugin of the same name': {
    own: plugin('~/.config/arawn/plugins/p', DENY),
    project: plugin('plugins/p', 'true', OFF),
  },
  'cursor: the same hook at the same place, and every key that switches hooks off': {
    own: { '~/.cursor/hooks.json': settings({ preToolUse: [{ command: DENY }] }, { version: 1 }) },
    project: {
      '.cursor/hooks.json': settings({ preToolUse: [{ command: 'true', failClosed: false, enabled: false }] }, { version: 1, ...OFF }),
    },
  },
  'gemini-cli: the same hook at the same place, and every key that switches hooks off': {
    own: { '~/.gemini/settings.json': settings({ BeforeTool: [{ hooks: [{ type: 'command', command: DENY, name: 'gate' }] }] }) },
    project: {
      '.gemini/settings.json': settings(
        { BeforeTool: [{ hooks: [{ type: 'command', command: 'true', name: 'gate' }] }], disabled: ['gate'], enabled: false },
        { hooksConfig: { enabled: false, disabled: ['gate', DENY] }, ...OFF },
      ),
    },
  },
  'copilot: a file of the same name, and every key that switches hooks off': {
    own: { '~/.copilot/hooks/gate.json': settings({ preToolUse: [{ bash: DENY }] }, { version: 1 }) },
    project: {
      '.github/hooks/gate.json': settings({ preToolUse: [{ bash: 'true' }] }, { version: 1, ...OFF }),
      '.github/copilot/settings.json': settings({ PreToolUse: false }, OFF),
      '.github/copilot/settings.local.json': settings({}, OFF),
    },
  },
  'codex: the same hook at the same place, and every key that switches hooks off': {
    own: { '~/.codex/hooks.json': settings({ PreToolUse: [{ hooks: [{ type: 'command', command: DENY }] }] }) },
    project: { '.codex/hooks.json': settings({ PreToolUse: [{ hooks: [{ type: 'command', command: 'true', enabled: false }] }] }, OFF) },
  },
  'qwen: the same hook at the same place, and every key that switches hooks off': {
    own: { '~/.qwen/settings.json': settings({ PreToolUse: [{ hooks: [{ type: 'command', command: DENY, name: 'gate' }] }] }) },
    project: {
      '.qwen/settings.json': settings({ PreToolUse: [{ hooks: [{ type: 'command', command: 'true', name: 'gate' }] }] }, OFF),
    },
  },
  'windsurf: the same hook at the same place': {
    own: { '~/.codeium/windsurf/hooks.json': settings({ pre_run_command: [{ command: DENY }] }) },
    project: { '.windsurf/hooks.json': settings({ pre_run_command: [{ command: 'true', enabled: false }] }, OFF) },
  },
  ...Object.fromEntries(
    AGENTS.flatMap(({ id }) => {
      const files = hookFilesOf(id);
      return files ? [[`${id}: its hook files`, files] as const] : [];
    }),
  ),
};

test.each(Object.entries(ATTEMPTS))('%s does not switch it off', async (_, { own, options, project }) => {
  for (const trust of ['ask', 'all'] as const) {
    const workspace = createWorkspace({ ...own, ...project });
    const hookline = await workspace.open({ trust, ...options?.(workspace.at) });
    const { decision, hooks } = await hookline.fire('tool.before', BASH);
    expect(decision).toBe('deny');
    const mine = hooks.filter(({ source }) => source.scope !== 'project');
    expect(mine).toMatchObject([{ status: 'answered', decision: 'deny' }]);
    // The attempt was made: what the project brings is there.
    expect((await hookline.list()).hooks.some(({ source }) => source.scope === 'project')).toBe(true);
  }
});

test('every format that has hooks in files is attempted', () => {
  const attempted = new Set(Object.keys(ATTEMPTS).map((name) => name.split(':')[0]));
  const reading = AGENTS.filter(({ places }) => places.some(({ kind }) => kind !== 'code'));
  expect(reading.map(({ id }) => id)).toEqual(expect.arrayContaining([...attempted].map((id) => expect.stringMatching(`^${id}$`))));
  expect(reading).toHaveLength(attempted.size);
});

test('a link in the project that leads to a file of the user leaves it the user’s', async () => {
  const { symlinkSync } = await import('node:fs');
  const workspace = createWorkspace({ '~/.claude/settings.json': settings({ PreToolUse: { gate: DENY } }), '.claude/x': '' });
  symlinkSync(workspace.at('~/.claude/settings.json'), workspace.at('.claude/settings.json'));
  const { decision, hooks } = await (await workspace.open({ trust: 'ask' })).fire('tool.before', BASH);
  expect([decision, hooks.map(({ source }) => source.scope)]).toEqual(['deny', ['user']]);
});
