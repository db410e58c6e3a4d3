import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dialect as windsurf } from '../../../../src/agents/windsurf/dialect.ts';
import { load as loadFile } from '../../../../src/agents/windsurf/load.ts';
import { type EventName, isEventName, profile } from '../../../../src/agents/windsurf/profile.ts';
import { sampleEvent } from '../../../../src/api/testing/index.ts';
import { sampleHook } from '../../../../src/api/testing/samples.ts';
import type { LoadContext, Loaded } from '../../../../src/core/contracts/dialect.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import { mismatch } from '../../../../src/core/event/match.ts';
import { interpret, policyFor } from '../../../../src/core/meaning/interpret.ts';
import { checkPattern, compilePattern } from '../../../../src/engine/select/compile.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';

const context: LoadContext = {
  scope: 'project',
  folder: '/p/.windsurf',
  folderName: '.windsurf',
  idPrefix: 'windsurf:.windsurf/hooks.json',
  checkPattern,
  read: () => undefined,
  stat: () => undefined,
};

const load = (file: unknown, more: Partial<LoadContext> = {}): Loaded =>
  loadFile(parseJson('/p/.windsurf/hooks.json', JSON.stringify(file)), { ...context, ...more });
const codes = ({ diagnostics }: Loaded): string[] => diagnostics.map(({ severity, code }) => `${severity} ${code}`);

function answer(event: EventName, said: { exit: number; stdout?: string; stderr?: string }): unknown {
  const reply = { kind: 'process', stdout: '', stderr: '', ...said } as const;
  const sample = sampleEvent(profile.events[event].kinds[0] ?? 'notification');
  return interpret(reply, { ...sampleHook(windsurf, event), event }, profile.events[event], windsurf, sample);
}

test('every event loads as it stands', () => {
  const events = Object.keys(profile.events);
  const loaded = load({ hooks: Object.fromEntries(events.map((event) => [event, [{ command: `run ${event}`, show_output: true }]])) });
  expect([codes(loaded), loaded.hooks.map(({ event }) => event)]).toEqual([[], events]);
  expect(loaded.hooks[0]).toMatchObject({ id: 'windsurf:.windsurf/hooks.json#pre_run_command[0]', name: 'pre_run_command-1', cwd: '/p' });
});

test('no-time-limit: a hook that hangs is ended after a minute', () => {
  expect(load({ hooks: { pre_user_prompt: [{ command: 'x', timeout: 5 }] } })).toMatchObject({
    hooks: [{ timeoutMs: 60_000 }],
    diagnostics: [{ code: 'unknown-field' }],
  });
});

test('no-matcher: a matcher is no restriction, and that is said', () => {
  const loaded = load({ hooks: { pre_user_prompt: [{ command: 'x', matcher: 'secret' }] } });
  expect([loaded.hooks.map(({ when }) => when), codes(loaded)]).toEqual([[[]], ['warning unknown-field']]);
});

test('powershell-only: without a command there is nothing to run here', () => {
  const loaded = load({ hooks: { pre_run_command: [{ powershell: 'x.ps1' }, { command: 'y', powershell: 'y.ps1' }] } });
  expect([loaded.hooks.length, codes(loaded)]).toEqual([1, ['error missing-field']]);
});

test("working-directory: seen from the project's root, and known in full elsewhere", () => {
  const one = (folder: string, more: Partial<LoadContext> = {}): Loaded =>
    load({ hooks: { pre_run_command: [{ command: 'x', working_directory: folder }] } }, more);
  expect(one('./tools').hooks[0]?.cwd).toBe('/p/tools');
  expect(one('/opt').hooks[0]?.cwd).toBe('/opt');
  const user = { scope: 'user', folder: '/home/ann/.codeium/windsurf' } as const;
  expect([one('/opt', user).hooks[0]?.cwd, one('tools', user).hooks[0]?.cwd]).toEqual(['/opt', undefined]);
  expect(codes(one('tools', user))).toEqual(['warning bad-path']);
});

test('events-are-tools: an event fires for its tool under every name, and for no other', () => {
  const loaded = load({
    hooks: { pre_run_command: [{ command: 'x' }], pre_write_code: [{ command: 'x' }], pre_mcp_tool_use: [{ command: 'x' }] },
  });
  const firing = (event: HookEvent): string[] =>
    loaded.hooks
      .filter(
        (hook) =>
          isEventName(hook.event) && mismatch({ hook, rule: profile.events[hook.event], order: 0 }, event, compilePattern) === undefined,
      )
      .map(({ event: name }) => name);
  const tools = ['Bash', 'run_shell_command', 'Write', 'Edit', 'mcp__db__drop', 'Read'];
  expect(tools.map((tool) => firing(sampleEvent('tool.before', { tool, input: {} })))).toEqual([
    ['pre_run_command'],
    ['pre_run_command'],
    ['pre_write_code'],
    ['pre_write_code'],
    ['pre_mcp_tool_use'],
    [],
  ]);
});

describe('answers', () => {
  test('exit-code-only: exit 2 before something denies with stderr; stdout is never read', () => {
    const stdout = '{"permission": "deny"}';
    expect(answer('pre_run_command', { exit: 2, stdout, stderr: 'not here\n' })).toEqual({
      decision: { kind: 'deny', reason: 'not here' },
      effects: [],
    });
    expect(answer('pre_run_command', { exit: 0, stdout })).toEqual({ decision: { kind: 'pass' }, effects: [] });
    expect(answer('post_run_command', { exit: 2, stderr: 'late' })).toMatchObject({ fault: 'exit' });
  });

  test('other-exits-pass: any other code is a fault that lets things pass', () => {
    expect(answer('pre_run_command', { exit: 1, stderr: 'oops' })).toMatchObject({ fault: 'exit' });
    expect(policyFor('exit', profile.events.pre_run_command, profile.fail, false)).toBe('pass');
    expect(policyFor('timeout', profile.events.pre_run_command, profile.fail, true)).toBe('deny');
  });
});

test('worktree-is-setup and two-responses: what has happened is told as what it is', () => {
  const kindOf = (event: EventName, info: object) => windsurf.wire.decodeEvent(event, { tool_info: { ...info } });
  expect(kindOf('post_setup_worktree', { worktree_path: '/t' })).toMatchObject({ kind: 'setup', cwd: '/t', data: { reason: 'worktree' } });
  expect(kindOf('post_cascade_response', { response: 'Done.' })).toMatchObject({ kind: 'stop.before', data: { message: 'Done.' } });
  expect(kindOf('post_cascade_response_with_transcript', {}).kind).toBe('stop.before');
});

test('a tool of a server is what other formats call it', () => {
  const info = { mcp_server_name: 'db', mcp_tool_name: 'drop', mcp_tool_arguments: { t: 1 } };
  expect(windsurf.wire.decodeEvent('pre_mcp_tool_use', { tool_info: info }).data).toMatchObject({ tool: 'mcp__db__drop', input: { t: 1 } });
});

test.each([
  [{ hooks: [] }, 'error wrong-type'],
  [{ pre_run_command: [] }, 'error missing-field'],
  [{ hooks: { pre_run_comand: [] } }, 'warning unknown-event'],
  [{ hooks: { hooks: {} } }, 'warning unknown-event'],
  [{ hooks: { pre_run_command: 'x' } }, 'error wrong-type'],
  [{ hooks: { pre_run_command: { command: 'x' } } }, 'error wrong-type'],
  [{ hooks: { pre_run_command: ['x'] } }, 'error wrong-type'],
  [{ hooks: { pre_run_command: [{ command: ['x'] }] } }, 'error wrong-type'],
  [{ hooks: { pre_run_command: [{ command: '' }] } }, 'error missing-field'],
])('%j is said: %s', (file, code) => {
  expect(codes(load(file))).toContain(code);
});

test('any JSON loads without a throw, every complaint has a place, and a good hook beside it stays', () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const shapes = fc.oneof(
    json,
    json.map((value) => ({ hooks: value })),
    json.map((value) => ({ hooks: { pre_run_command: value } })),
    json.map((value) => ({ hooks: { pre_run_command: [{ command: value, working_directory: value, matcher: value }] } })),
  );
  fc.assert(
    fc.property(shapes, (value) => {
      for (const { line, column } of load(value).diagnostics) expect([line, column]).not.toContain(undefined);
    }),
  );
  fc.assert(
    fc.property(json, fc.string(), (value, event) => {
      const { hooks } = load({ hooks: { [event]: value, post_read_code: [value, { command: 'true' }] } });
      expect(hooks.some((hook) => hook.event === 'post_read_code' && hook.handler.config['command'] === 'true')).toBe(true);
    }),
  );
});
