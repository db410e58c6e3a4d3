import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dialect as claudeCode } from '../../../../src/agents/claude-code/dialect.ts';
import { profile } from '../../../../src/agents/claude-code/profile.ts';
import { FIELDS } from '../../../../src/agents/claude-code/wire.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';

const { wire } = claudeCode;
const event = (kind: HookEvent['kind'], data: HookEvent['data']): HookEvent => ({
  id: 'e',
  kind,
  at: '',
  session: { id: 's', cwd: '/p' },
  data,
});

test('every event has a fixture and a list of fields', () => {
  const names = Object.keys(profile.events).sort();
  expect(Object.keys(FIELDS).sort()).toEqual(names);
  expect(readdirSync(new URL('../../../fixtures/claude-code/events', import.meta.url)).sort()).toEqual(names.map((name) => `${name}.json`));
});

test('a payload as Claude Code writes it becomes a canonical event, and the rest of it is kept', () => {
  const payload = JSON.parse(readFileSync(new URL('../../../fixtures/claude-code/events/PreToolUse.json', import.meta.url), 'utf8'));
  expect(wire.decodeEvent('PreToolUse', payload)).toEqual({
    kind: 'tool.before',
    session: '0f5c',
    cwd: '/home/ann/p',
    data: {
      tool: 'Bash',
      input: { command: 'npm test', description: 'Run the tests' },
      toolUseId: 'toolu_01',
      metadata: {
        transcript_path: '/home/ann/.claude/projects/p/0f5c.jsonl',
        permission_mode: 'default',
        prompt_id: 'p1',
        effort: { level: 'high' },
      },
    },
  });
});

test('a canonical event is written with the base fields, and nothing it does not have', () => {
  expect(wire.encodeEvent(event('tool.before', { tool: 'Bash', input: { command: 'ls' } }), 'PreToolUse')).toEqual({
    session_id: 's',
    transcript_path: '',
    cwd: '/p',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  });
});

test('metadata never takes the place of what the event says', () => {
  const metadata = { session_id: 'x', hook_event_name: 'Stop', tool_name: 'Read', cwd: '/x', extra: 1 };
  expect(wire.encodeEvent(event('tool.before', { tool: 'Bash', input: {}, metadata }), 'PreToolUse')).toEqual({
    session_id: 's',
    transcript_path: '',
    cwd: '/p',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: {},
    extra: 1,
  });
});

test('a stop says whether a hook has sent the agent back before', () => {
  expect(wire.encodeEvent(event('stop.before', { continuations: 2 }), 'Stop')).toMatchObject({ stop_hook_active: true });
  expect(wire.encodeEvent(event('stop.before', {}), 'Stop')).toMatchObject({ stop_hook_active: false });
  expect(wire.decodeEvent('Stop', { stop_hook_active: true }).data).toEqual({ continuations: 1 });
});

test('subagent-type: the type is the name, and the name the type where there is no other', () => {
  expect(wire.decodeEvent('SubagentStart', { agent_type: 'Explore' }).data).toEqual({ type: 'Explore', name: 'Explore' });
  expect(wire.encodeEvent(event('subagent.before', { name: 'reviewer' }), 'SubagentStart')).toMatchObject({ agent_type: 'reviewer' });
});
