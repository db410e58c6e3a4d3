/** A host that only tells of an event has denied it earlier, if a hook on that event denies and the host can be stopped before it. */
import { describe, expect, test } from 'vitest';
import { HOSTS } from '../../../src/builtins.ts';
import { isGating } from '../../../src/core/meaning/profile.ts';
import { ownValue } from '../../../src/core/values/json.ts';
import { answererFor, createWorkspace } from '../../support/workspace.ts';

const AGENT = { description: 'Look', prompt: 'Read the change.', subagent_type: 'reviewer', agent_type: 'reviewer' };
const snake = (event: string, tool: string) => ({
  hook_event_name: event,
  session_id: 's1',
  cwd: '/tmp',
  tool_name: tool,
  tool_input: AGENT,
});
const CALLS: readonly (readonly [host: string, payload: object, event: string])[] = [
  ['claude-code', snake('PreToolUse', 'Agent'), 'PreToolUse'],
  ['claude-code', snake('PreToolUse', 'Task'), 'PreToolUse'],
  ['codex', { ...snake('PreToolUse', 'spawn_agent'), turn_id: 't' }, 'PreToolUse'],
  ['qwen', snake('PreToolUse', 'agent'), 'PreToolUse'],
  ['kimi', snake('PreToolUse', 'Agent'), 'PreToolUse'],
  ['copilot', { sessionId: 's1', timestamp: 1, cwd: '/tmp', toolName: 'task', toolArgs: AGENT }, 'preToolUse'],
];

describe('a subagent', () => {
  test.each(CALLS)('of %s is denied when its tool is called', async (host, payload, event) => {
    const hookline = await createWorkspace().open();
    const seen: unknown[] = [];
    hookline.on('subagent.before', ({ data }) => {
      seen.push(data.name);
      return { decision: 'deny', reason: 'No helpers today.' };
    });
    const { stdout, stderr } = await answererFor(hookline)(host, JSON.stringify(payload), event);
    expect(`${stdout}${stderr}`).toContain('No helpers today.');
    expect(`${stdout}${stderr}`).toMatch(/deny|^No helpers/);
    expect(seen).toEqual(['reviewer']);
  });

  test('is no matter of another tool, and hooks on the tool itself are asked as before', async () => {
    const hookline = await createWorkspace().open();
    const seen: string[] = [];
    hookline.on('subagent.before', () => void seen.push('subagent'));
    hookline.on('tool.before', () => void seen.push('tool'));
    const answer = answererFor(hookline);
    await answer('claude-code', JSON.stringify(snake('PreToolUse', 'Bash')));
    expect(seen).toEqual(['tool']);
    await answer('claude-code', JSON.stringify(snake('PreToolUse', 'Agent')));
    expect(seen).toEqual(['tool', 'tool', 'subagent']);
  });

  test('gets context when it begins, and the agent that calls it gets none', async () => {
    const hookline = await createWorkspace().open();
    hookline.on('subagent.before', () => ({ context: 'Mind the gap.' }));
    const answer = answererFor(hookline);
    expect((await answer('claude-code', JSON.stringify(snake('PreToolUse', 'Agent')))).stdout).not.toContain('Mind the gap.');
    const begun = { hook_event_name: 'SubagentStart', session_id: 's1', cwd: '/tmp', agent_id: 'a', agent_type: 'reviewer' };
    expect((await answer('claude-code', JSON.stringify(begun))).stdout).toContain('Mind the gap.');
  });
});

test('a turn of Kimi Code is denied with the prompt that begins it', async () => {
  const hookline = await createWorkspace().open();
  hookline.on('turn.before', () => ({ decision: 'deny', reason: 'Not this turn.' }));
  const prompt = {
    hook_event_name: 'UserPromptSubmit',
    session_id: 's1',
    cwd: '/tmp',
    client_type: 'cli',
    prompt: [{ type: 'text', text: 'hi' }],
  };
  const { stdout } = await answererFor(hookline)('kimi', JSON.stringify(prompt), 'UserPromptSubmit');
  expect(JSON.parse(stdout)).toMatchObject({
    hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'Not this turn.' },
  });
});

test('every host asks ahead only for events that it cannot deny, on events that it can', () => {
  for (const host of HOSTS) {
    for (const { on, event } of host.asksAhead) {
      const rules = [ownValue(host.dialect.profile.events, on), ownValue(host.dialect.profile.events, event)];
      expect({ id: host.id, can: rules.map((rule) => rule && isGating(rule)) }).toEqual({ id: host.id, can: [true, false] });
    }
  }
});
