/** A hook takes something out of what a tool brought back: each agent is told so in its own words, or somebody hears that it was not done. */
import { expect, test } from 'vitest';
import { answererFor, createWorkspace } from '../../support/workspace.ts';

const BASH = { stdout: 'key: abc', stderr: '', interrupted: false, isImage: false };
const CALL = { session_id: 's1', cwd: '/tmp', tool_use_id: 'u1', tool_name: 'Bash', tool_input: { command: 'env' } };

async function masked(host: string, payload: object, value: string | object = 'key: ***') {
  const hookline = await createWorkspace().open();
  hookline.on('tool.after', () => ({ replace: value as string }));
  const { stdout, stderr, exit } = await answererFor(hookline)(host, JSON.stringify(payload));
  return { exit, stderr, said: stdout === '' ? undefined : JSON.parse(stdout) };
}

test('Claude Code, in the shape of the result of that tool', async () => {
  const after = { ...CALL, hook_event_name: 'PostToolUse', tool_response: BASH };
  expect(await masked('claude-code', after)).toEqual({
    exit: 0,
    stderr: '',
    said: { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: { ...BASH, stdout: 'key: ***' } } },
  });
});

test('Claude Code is told what to take instead where a result of this shape can not be replaced, and it is said', async () => {
  const after = { ...CALL, hook_event_name: 'PostToolUse', tool_response: { rows: 3 } };
  const { said, stderr } = await masked('claude-code', after);
  expect(said.hookSpecificOutput).toEqual({ hookEventName: 'PostToolUse', additionalContext: expect.stringContaining('key: ***') });
  expect(stderr).toContain('the agent sees the original');
});

test('Copilot', async () => {
  const after = {
    ...{ sessionId: 's1', timestamp: 1, cwd: '/tmp', toolName: 'bash', toolArgs: { command: 'env' } },
    toolResult: { resultType: 'success', textResultForLlm: 'key: abc' },
  };
  const hookline = await createWorkspace().open();
  hookline.on('tool.after', () => ({ replace: 'key: ***' }));
  const { stdout } = await answererFor(hookline)('copilot', JSON.stringify(after), 'postToolUse');
  expect(JSON.parse(stdout)).toEqual({ modifiedResult: { resultType: 'success', textResultForLlm: 'key: ***' } });
});

test('OpenCode, as text', async () => {
  const after = {
    opencode: 'tool.execute.after',
    sessionID: 's',
    directory: '/tmp',
    tool: 'bash',
    args: {},
    callID: 'c',
    output: 'key: abc',
  };
  expect((await masked('opencode', after)).said).toEqual({ output: 'key: ***' });
  expect((await masked('opencode', after, { key: '***' })).said).toEqual({ output: '{"key":"***"}' });
});

test('Codex, where a block takes the place of the output', async () => {
  const after = { ...CALL, turn_id: 't1', hook_event_name: 'PostToolUse', tool_response: 'key: abc' };
  expect(await masked('codex', after)).toEqual({ exit: 2, stderr: 'key: ***', said: undefined });
});

test('an agent that can only be told more hears what to take instead, and it is said that it sees the original', async () => {
  const after = { ...CALL, hook_event_name: 'PostToolUse', tool_response: 'key: abc' };
  const { said, stderr } = await masked('droid', after);
  expect(said.hookSpecificOutput.additionalContext).toContain('key: ***');
  expect(stderr).toMatch(/sees the original.*replace → context/);
});
