import fc from 'fast-check';
import { expect, test } from 'vitest';
import { load as loadFile } from '../../../../src/agents/droid/load.ts';
import { type EventName, profile } from '../../../../src/agents/droid/profile.ts';
import { sampleEvent } from '../../../../src/api/testing/index.ts';
import type { LoadContext, Loaded } from '../../../../src/core/contracts/dialect.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import { mismatch } from '../../../../src/core/event/match.ts';
import { checkPattern, compilePattern } from '../../../../src/engine/select/compile.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';
import { answererFor, createWorkspace } from '../../../support/workspace.ts';

const CONTEXT: LoadContext = {
  scope: 'project',
  folder: '/p/.factory',
  folderName: '.factory',
  idPrefix: 'droid:.factory/hooks.json',
  checkPattern,
  read: () => undefined,
  stat: () => undefined,
};
const GOOD = { type: 'command', command: './gate.sh' };

const load = (value: unknown, file = 'hooks.json', more: Partial<LoadContext> = {}): Loaded =>
  loadFile(parseJson(`/p/.factory/${file}`, JSON.stringify(value, null, 1)), { ...CONTEXT, ...more });
const codes = ({ diagnostics }: Loaded): string[] => diagnostics.map(({ severity, code }) => `${severity} ${code}`);
const group = (more: object, event = 'PreToolUse'): object => ({ [event]: [{ ...more, hooks: [GOOD] }] });

function fires({ hooks }: Loaded, event: HookEvent): boolean {
  return hooks.some(
    (hook) => mismatch({ hook, rule: profile.events[hook.event as EventName], order: 0 }, event, compilePattern) === undefined,
  );
}

test('events-on-top: every event loads from the top of hooks.json, and from `hooks` of the settings', () => {
  const events = Object.keys(profile.events);
  const all = Object.fromEntries(events.map((event) => [event, [{ hooks: [GOOD] }]]));
  for (const [file, value] of [
    ['hooks.json', { ...all, showHookOutput: true }],
    ['settings.json', { model: 'x', hooks: { ...all, showHookOutput: true } }],
  ] as const) {
    const loaded = load(value, file);
    expect([codes(loaded), loaded.hooks.map(({ event }) => event)]).toEqual([[], events]);
  }
  expect(load(group({})).hooks).toMatchObject([
    {
      id: 'droid:.factory/hooks.json#PreToolUse[0].hooks[0]',
      name: 'gate.sh',
      timeoutMs: 60_000,
      facts: { FACTORY_PROJECT_DIR: 'project' },
    },
  ]);
  const wrapped = load({ hooks: group({}) });
  expect([wrapped.hooks.length, codes(wrapped)]).toEqual([1, ['warning loose-shape']]);
  expect(load({ model: 'x' }, 'settings.json')).toMatchObject({ hooks: [], diagnostics: [] });
});

test('file-before-settings: hooks that Droid passes over are asked, and that is told', () => {
  const stat = (name: string) => (name === 'hooks.json' ? ({ kind: 'file', executable: false } as const) : undefined);
  const loaded = load({ hooks: group({}) }, 'settings.json', { stat });
  expect([loaded.hooks.map((hook) => hook.skippedByAgent), codes(loaded)]).toEqual([[true], ['warning no-effect']]);
  expect(codes(load({ hooks: {} }, 'settings.json', { stat }))).toEqual([]);
});

test('a matcher is searched in the name of the tool and in the source of a session; elsewhere it is not looked at', () => {
  const tool = load(group({ matcher: 'Edit|Crea' }));
  const isAsked = (name: string): boolean => fires(tool, sampleEvent('tool.before', { tool: name, input: {} }));
  expect(['Edit', 'MultiEdit', 'Create', 'Read'].map(isAsked)).toEqual([true, true, true, false]);
  const start = load(group({ matcher: 'resume' }, 'SessionStart'));
  expect(['resume', 'startup'].map((source) => fires(start, sampleEvent('session.start', { source })))).toEqual([true, false]);
  expect(codes(load(group({ matcher: 'x' }, 'Stop')))).toEqual(['info matcher-ignored']);
  for (const matcher of ['', '*']) expect(load(group({ matcher })).hooks[0]?.when).toEqual([]);
  expect(codes(load(group({ matcher: '[' })))).toEqual(['error bad-pattern']);
  expect(codes(load(group({ matcher: 'Edit, Create' })))).toEqual(['warning matcher-never-fires']);
});

test('command-regex: it is for shell commands, by every name of the tool, and for nothing else', () => {
  const loaded = load(group({ matcher: 'Execute', commandRegex: '^git.*push' }));
  const isAsked = (tool: string, input: object): boolean => fires(loaded, sampleEvent('tool.before', { tool, input: { ...input } }));
  expect(isAsked('Execute', { command: 'git push' })).toBe(true);
  expect(isAsked('Execute', { command: 'cd x && git push' })).toBe(true);
  expect(isAsked('Execute', { command: 'ls' })).toBe(false);
  expect(isAsked('Create', { file_path: 'git push' })).toBe(false);
  expect(codes(load(group({ commandRegex: 'x' }, 'Stop')))).toEqual(['warning matcher-never-fires']);
  expect(codes(load(group({ commandRegex: '[' })))).toEqual(['error bad-pattern']);
  expect(load(group({ commandRegex: 5 }))).toMatchObject({ hooks: [], diagnostics: [{ code: 'wrong-type' }] });
});

test('a hook on the shell protects when another agent calls its own shell', async () => {
  const deny = { type: 'command', command: 'echo no >&2; exit 2' };
  const files = { '~/.factory/hooks.json': JSON.stringify({ PreToolUse: [{ matcher: 'Execute', commandRegex: 'push', hooks: [deny] }] }) };
  const ask = answererFor(await createWorkspace(files).open());
  const answer = (command: string) => ask('claude-code', { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } });
  expect([(await answer('git push')).stdout, (await answer('git pull')).stdout]).toEqual([expect.stringContaining('"deny"'), '']);
});

test('payload-in-variables: a command may look at variables instead of stdin, and a strange text does not keep it from running', async () => {
  const hook = (line: string): object => ({ hooks: [{ type: 'command', command: line }] });
  const hooks = {
    PreToolUse: [hook('[ "$tool_name" != Execute ] || exit 2')],
    UserPromptSubmit: [hook('case $prompt in secret*) exit 2;; esac; ! grep -q hidden || exit 2')],
  };
  const hookline = await createWorkspace({ '~/.factory/hooks.json': JSON.stringify(hooks) }).open();
  const tools = ['Execute', 'Read'].map(async (tool) => (await hookline.fire('tool.before', { tool, input: {} })).decision);
  expect(await Promise.all(tools)).toEqual(['deny', 'pass']);
  const prompts = ['secret', 'secret\u0000', `${'x'.repeat(300_000)}hidden`, 'hello'];
  const decided = prompts.map(async (prompt) => (await hookline.fire('prompt.submit', { prompt })).decision);
  expect(await Promise.all(decided)).toEqual(['deny', 'deny', 'deny', 'pass']);
});

test.each([
  [{ timeout: 5 }, 5000, []],
  [{ timeout: 0 }, 60_000, []],
  [{ timeout: 0.5 }, 500, []],
  [{ timeout: '5' }, 60_000, ['warning bad-timeout']],
  [{ timeout: -1 }, 60_000, ['warning bad-timeout']],
  [{ timeout: 30_000 }, 30_000_000, ['warning long-timeout']],
] as const)('a gate is not lost for a number: %j', (more, timeoutMs, said) => {
  const loaded = load({ PreToolUse: [{ hooks: [{ ...GOOD, ...more }] }] });
  expect([loaded.hooks[0]?.timeoutMs, codes(loaded)]).toEqual([timeoutMs, said]);
});

test('`hooksDisabled` of the user switches off hooks of the project, and one of the project only its own file', async () => {
  const hooks = JSON.stringify({ hooksDisabled: true, ...group({}) });
  const on = async (files: Record<string, string>) =>
    (await (await createWorkspace(files).open({ dialects: ['droid'] })).list()).hooks.map(({ source, enabled }) => [source.scope, enabled]);
  expect(await on({ '~/.factory/hooks.json': hooks, '.factory/hooks.json': JSON.stringify(group({})) })).toEqual([
    ['user', false],
    ['project', false],
  ]);
  expect(await on({ '~/.factory/settings.json': JSON.stringify({ hooks: group({}) }), '.factory/hooks.json': hooks })).toEqual([
    ['user', true],
    ['project', false],
  ]);
});

test.each([
  [[], 'error wrong-type'],
  [{ PreToolUs: [] }, 'warning unknown-event'],
  [{ PreToolUse: 5 }, 'error wrong-type'],
  [{ PreToolUse: [GOOD] }, 'warning loose-shape'],
  [{ PreToolUse: [{ hooks: [{ type: 'command' }] }] }, 'error missing-field'],
  [{ PreToolUse: [{ hooks: [{ type: 'command', command: [] }] }] }, 'error wrong-type'],
  [{ PreToolUse: [{ hooks: [{ command: 'x' }] }] }, 'warning loose-shape'],
  [{ PreToolUse: [{ hooks: [{ type: 'http', url: 'http://x' }] }] }, 'warning unknown-type'],
  [{ PreToolUse: [{ matchr: 'x', hooks: [GOOD] }] }, 'warning unknown-field'],
  [{ PreToolUse: [{ hooks: [{ ...GOOD, timeot: 1 }] }] }, 'warning unknown-field'],
])('%j is reported: %s', (value, code) => {
  expect(codes(load(value))).toEqual([code]);
});

test('any JSON loads without a throw, every diagnostic has a place, and a good hook beside it stays', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const beside = {
        PreToolUse: [value, { matcher: value, commandRegex: value, hooks: [value] }, { hooks: [value, GOOD] }],
        Stop: value,
      };
      for (const [one, file] of [
        [value, 'hooks.json'],
        [{ hooks: value }, 'settings.json'],
        [beside, 'hooks.json'],
      ] as const) {
        const loaded = load(one, file);
        for (const { line, column } of loaded.diagnostics) expect([line, column]).not.toContain(undefined);
        if (one === beside) expect(loaded.hooks.map(({ handler }) => handler.config['command'])).toContain(GOOD.command);
      }
    }),
  );
});
