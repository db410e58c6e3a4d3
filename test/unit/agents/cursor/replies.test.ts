import { describe, expect, test } from 'vitest';
import { dialect as cursor } from '../../../../src/agents/cursor/dialect.ts';
import { type EventName, profile } from '../../../../src/agents/cursor/profile.ts';
import { sampleEvent } from '../../../../src/api/testing/index.ts';
import { sampleHook } from '../../../../src/api/testing/samples.ts';
import type { Verdict } from '../../../../src/core/decision/decision.ts';
import type { Fault } from '../../../../src/core/decision/reply.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import { interpret, policyFor } from '../../../../src/core/meaning/interpret.ts';

const PERMISSION = [
  'preToolUse',
  'beforeShellExecution',
  'beforeMCPExecution',
  'beforeReadFile',
  'beforeTabFileRead',
  'subagentStart',
] as const;

const sample = (event: EventName): HookEvent => sampleEvent(profile.events[event].kinds[0] ?? 'notification');

function answer(event: EventName, said: { exit?: number; stdout?: unknown; stderr?: string }): Verdict | Fault {
  const stdout = typeof said.stdout === 'string' ? said.stdout : said.stdout === undefined ? '' : JSON.stringify(said.stdout);
  const reply = { kind: 'process', exit: said.exit ?? 0, stdout, stderr: said.stderr ?? '' } as const;
  return interpret(reply, { ...sampleHook(cursor, event), event }, profile.events[event], cursor, sample(event));
}

const policy = (event: EventName, meant: Verdict | Fault, strict = false): string =>
  'fault' in meant ? policyFor(meant.fault, profile.events[event], profile.fail, strict) : meant.decision.kind;

describe('exit codes', () => {
  test('exit 2 blocks with what was printed, stdout before stderr', () => {
    expect(answer('preToolUse', { exit: 2, stdout: 'no', stderr: 'log' })).toMatchObject({ decision: { kind: 'deny', reason: 'no' } });
    expect(answer('beforeSubmitPrompt', { exit: 2, stderr: 'not this' })).toMatchObject({ decision: { kind: 'deny', reason: 'not this' } });
  });

  test('other-exits-pass: any other code is a fault that lets things pass, unless the hook is strict', () => {
    for (const event of PERMISSION) {
      const meant = answer(event, { exit: 1, stdout: '{"permission": "deny"}' });
      expect(meant).toMatchObject({ fault: 'exit' });
      expect([policy(event, meant), policy(event, meant, true)]).toEqual(['pass', 'deny']);
    }
  });

  test('where nothing can be blocked, exit 2 is a fault that changes nothing', () => {
    const meant = answer('postToolUse', { exit: 2, stderr: 'no' });
    expect([meant, policy('postToolUse', meant)]).toMatchObject([{ fault: 'exit' }, 'pass']);
  });
});

describe('permission', () => {
  test('unreadable-denies: no JSON, no object and no word of the event deny on the six, without strictness', () => {
    for (const event of PERMISSION) {
      for (const stdout of ['oops', '"deny"', '[]', '{"permission": "maybe"}', '{"permission": 1}']) {
        const meant = answer(event, { stdout });
        expect({ event, stdout, policy: policy(event, meant) }).toEqual({ event, stdout, policy: 'deny' });
      }
    }
    expect(policy('beforeReadFile', answer('beforeReadFile', { stdout: { permission: 'ask' } }))).toBe('deny');
    expect(answer('stop', { stdout: 'oops' })).toEqual({ decision: { kind: 'pass' }, effects: [] });
  });

  test('nothing printed is no opinion', () => {
    for (const event of PERMISSION) expect(answer(event, {})).toEqual({ decision: { kind: 'pass' }, effects: [] });
  });

  test('allow, ask and deny, with what is for the agent before what is for the person', () => {
    const said = { user_message: 'U', agent_message: 'A' };
    expect(answer('preToolUse', { stdout: { permission: 'deny', ...said } })).toMatchObject({ decision: { kind: 'deny', reason: 'A' } });
    expect(answer('preToolUse', { stdout: { permission: 'ask', user_message: 'U' } })).toMatchObject({
      decision: { kind: 'ask', reason: 'U' },
    });
    expect(answer('beforeReadFile', { stdout: { permission: 'allow' } })).toEqual({ decision: { kind: 'allow' }, effects: [] });
  });

  test('a new input must be an object, else the answer is unreadable', () => {
    expect(answer('preToolUse', { stdout: { permission: 'allow', updated_input: { command: 'ls' } } })).toEqual({
      decision: { kind: 'allow' },
      effects: [{ kind: 'rewrite', value: { command: 'ls' } }],
    });
    expect(policy('preToolUse', answer('preToolUse', { stdout: { updated_input: 'ls' } }))).toBe('deny');
  });

  test('log-lines: lines before the JSON are skipped', () => {
    expect(answer('preToolUse', { stdout: 'checking…\n{x}\n{"permission": "deny", "agent_message": "no"}\n' })).toMatchObject({
      decision: { kind: 'deny', reason: 'no' },
    });
  });

  test('a model answers with ok and a reason', () => {
    const say = (value: unknown) => cursor.wire.decodeValue(value, 'preToolUse', sample('preToolUse'));
    expect(say('{"ok": false, "reason": "no"}')).toMatchObject({ decision: { kind: 'deny', reason: 'no' } });
    expect([say({ ok: true }), typeof say({ ok: 'no' })]).toMatchObject([{ decision: { kind: 'pass' } }, 'string']);
  });
});

test('stop-status: a follow-up is a deny, also in the words of another format, and the status tells the kinds apart', () => {
  expect(answer('stop', { stdout: { followup_message: 'Run the tests.' } })).toMatchObject({
    decision: { kind: 'deny', reason: 'Run the tests.' },
  });
  expect(answer('subagentStop', { stdout: { decision: 'block', reason: 'More.' } })).toMatchObject({
    decision: { kind: 'deny', reason: 'More.' },
  });
  const kinds = ['completed', 'error', 'aborted', undefined].map(
    (status) => cursor.wire.decodeEvent('stop', { ...(status && { status }) }).kind,
  );
  expect(kinds).toEqual(['stop.before', 'stop.error', 'agent.interrupt', 'stop.before']);
});

test('session-start-observes: `continue: false` stops nothing there, and keeps a prompt', () => {
  const said = { continue: false, user_message: 'no', additional_context: 'Use npm.' };
  expect(answer('sessionStart', { stdout: said })).toEqual({
    decision: { kind: 'pass' },
    effects: [{ kind: 'context', text: 'Use npm.' }],
  });
  expect(answer('beforeSubmitPrompt', { stdout: said })).toMatchObject({ decision: { kind: 'deny', reason: 'no' } });
});

test('mcp-output-stays: a new output of a tool is not taken over', () => {
  expect(answer('postToolUse', { stdout: { updated_mcp_tool_output: 'x' } })).toEqual({ decision: { kind: 'pass' }, effects: [] });
});

describe('the event', () => {
  test('a shell event is an event of the tool Shell', () => {
    const decoded = cursor.wire.decodeEvent('beforeShellExecution', {
      command: 'git push',
      cwd: '/p',
      conversation_id: 'c',
      workspace_roots: ['/w'],
    });
    expect(decoded).toMatchObject({
      kind: 'tool.before',
      session: 'c',
      cwd: '/p',
      data: { tool: 'Shell', input: { command: 'git push' } },
    });
  });

  test('a tool of a server is what other formats call it, and its input is an object', () => {
    const payload = { tool_name: 'drop', mcp_server_name: 'db', tool_input: '{"table": "users"}' };
    const { data } = cursor.wire.decodeEvent('beforeMCPExecution', payload);
    expect(data).toMatchObject({ tool: 'mcp__db__drop', input: { table: 'users' } });
    expect(cursor.wire.decodeEvent('beforeMCPExecution', { ...payload, tool_input: 'x' }).data['input']).toBe('x');
  });

  test('`MCP:` is written once, and a server takes its place', () => {
    const toolIn = (payload: HookEvent['data']) => cursor.wire.decodeEvent('beforeMCPExecution', payload).data['tool'];
    expect(toolIn({ tool_name: 'MCP:drop', mcp_server_name: 'db' })).toBe('mcp__db__drop');
    expect(toolIn({ tool_name: 'MCP:drop' })).toBe('MCP:drop');
    expect(toolIn({ tool_name: 'drop' })).toBe('MCP:drop');
  });

  test("another agent's tools are written as Cursor's events have them", () => {
    const write = (event: EventName, tool: string, input: HookEvent['data']) =>
      cursor.wire.encodeEvent(sampleEvent('tool.before', { tool, input }), event);
    expect(write('beforeShellExecution', 'shell', { command: ['git', 'push'] })).toMatchObject({ command: 'git push' });
    expect(write('beforeShellExecution', 'run_commands', { commands: ['a', 'b'] })).toMatchObject({ command: 'a\nb' });
    expect(write('beforeShellExecution', 'exec_command', { cmd: 'a' })).toMatchObject({ command: 'a' });
    expect(write('beforeReadFile', 'read_file', { path: '/x' })).toMatchObject({ file_path: '/x' });
    expect(write('afterFileEdit', 'Write', { file_path: '/x', content: 'new' })).toMatchObject({
      file_path: '/x',
      edits: [{ old_string: '', new_string: 'new' }],
    });
    expect(write('beforeMCPExecution', 'mcp__db__drop', { t: 1 })).toMatchObject({
      tool_name: 'drop',
      mcp_server_name: 'db',
      tool_input: '{"t":1}',
    });
  });
});
