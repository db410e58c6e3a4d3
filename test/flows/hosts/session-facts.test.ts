/** Payloads carry what the host says or what Hookline saw of the session, in every process of it, and nothing else. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { facetValues } from '../../../src/core/event/facet.ts';
import type { JsonObject } from '../../../src/core/values/json.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { hookline } from '../cli/program.ts';

const NOTE = '#!/bin/sh\ncat > "$HOME/$(basename "$AGENT_HOOK_DIR")"\n';
const agentHook = (name: string, trigger: string): Record<string, string> => ({
  [`~/.config/agents/hooks/${name}/HOOK.md`]: `---\nname: ${name}\ndescription: Notes.\ntrigger: ${trigger}\n---\n`,
  [`~/.config/agents/hooks/${name}/scripts/run.sh`]: NOTE,
});
const pluginHook = (event: string): Record<string, string> => ({
  '~/.config/arawn/plugins/p/hooks/hooks.json': JSON.stringify({
    hooks: { [event]: [{ hooks: [{ type: 'command', command: 'cat > "$HOME/plugin"' }] }] },
  }),
});
const WATCHED = { ...agentHook('ended', 'session_end'), ...agentHook('stops', 'before_stop'), ...pluginHook('SessionEnd') };

/** Calls Hookline as the host does: a process for each event. */
async function call(workspace: Workspace, event: string, more: JsonObject = {}): Promise<void> {
  const stdin = JSON.stringify({ session_id: 's1', cwd: workspace.root, hook_event_name: event, ...more });
  await hookline(workspace, ['hook', 'claude-code'], { stdin });
}

const seen = (workspace: Workspace, name: string): JsonObject => JSON.parse(readFileSync(workspace.at(`~/${name}`), 'utf8')) as JsonObject;
const TOOL = { tool_name: 'Bash', tool_input: { command: 'ls' } };

test('the numbers of a session follow from its events, which are calls of their own', async () => {
  const workspace = createWorkspace(WATCHED);
  await call(workspace, 'SessionStart', { source: 'startup' });
  await call(workspace, 'UserPromptSubmit', { prompt: 'one' });
  await call(workspace, 'PreToolUse', TOOL);
  await call(workspace, 'UserPromptSubmit', { prompt: 'two' });
  await call(workspace, 'PreToolUse', TOOL);
  await call(workspace, 'PreToolUse', TOOL);
  await call(workspace, 'Stop');
  expect(seen(workspace, 'stops')).toMatchObject({ step_count: 2 });
  await call(workspace, 'SessionEnd', { reason: 'exit' });
  expect(seen(workspace, 'ended')).toMatchObject({ total_steps: 3, duration_seconds: expect.any(Number), exit_reason: 'exit' });
  expect(seen(workspace, 'plugin')).toEqual({ session_id: 's1', turn_count: 2 });
});

test('a session whose start was not seen has no numbers', async () => {
  const workspace = createWorkspace(WATCHED);
  await call(workspace, 'PreToolUse', TOOL);
  await call(workspace, 'Stop');
  await call(workspace, 'SessionEnd', { reason: 'exit' });
  expect(seen(workspace, 'stops')).not.toHaveProperty('step_count');
  for (const key of ['total_steps', 'duration_seconds']) expect(seen(workspace, 'ended')).not.toHaveProperty(key);
  expect(seen(workspace, 'plugin')).toEqual({ session_id: 's1' });
});

test('the time that a subagent took follows from its start, by its id', async () => {
  const workspace = createWorkspace(pluginHook('SubagentCompleted'));
  const agent = (id: string) => ({ agent_id: id, agent_type: 'researcher', last_assistant_message: 'Found 5 papers' });
  await call(workspace, 'SubagentStart', agent('a 1'));
  await call(workspace, 'SubagentStop', agent('a 1'));
  expect(seen(workspace, 'plugin')).toMatchObject({ duration_ms: expect.any(Number), result_preview: 'Found 5 papers' });
  await call(workspace, 'SubagentStop', agent('another'));
  expect(seen(workspace, 'plugin')).not.toHaveProperty('duration_ms');
});

const agentStarts = { ...agentHook('starts', 'subagent_start'), ...agentHook('ends', 'subagent_stop') };
const spawn = { tool_name: 'Agent', tool_input: { subagent_type: 'explorer', prompt: 'Look.' } };
const subagent = (id: string, type = 'explorer') => ({ agent_id: id, agent_type: type });
const depthIn = (workspace: Workspace, name: string): unknown => (seen(workspace, name)['context'] as JsonObject | undefined)?.['depth'];

test('the depth of a subagent follows from the calls that start one, before it starts as well', async () => {
  const workspace = createWorkspace(agentStarts);
  await call(workspace, 'SessionStart', { source: 'startup' });
  await call(workspace, 'PreToolUse', spawn);
  expect(depthIn(workspace, 'starts')).toBe(1);
  await call(workspace, 'SubagentStart', subagent('a1'));
  expect(depthIn(workspace, 'starts')).toBe(1);
  const nested = { ...spawn, tool_input: { subagent_type: 'writer' }, ...subagent('a1') };
  await call(workspace, 'PreToolUse', nested);
  expect(depthIn(workspace, 'starts')).toBe(2);
  expect((seen(workspace, 'starts')['context'] as JsonObject)['agent_id']).toBeUndefined();
  await call(workspace, 'SubagentStart', subagent('a2', 'writer'));
  expect(depthIn(workspace, 'starts')).toBe(2);
  await call(workspace, 'SubagentStop', subagent('a2', 'writer'));
  expect(depthIn(workspace, 'ends')).toBe(2);
  await call(workspace, 'SubagentStop', subagent('a1'));
  expect(depthIn(workspace, 'ends')).toBe(1);
});

test('a depth is left out if agents of different depths could have started the subagent, or the session began unseen', async () => {
  const workspace = createWorkspace(agentStarts);
  await call(workspace, 'PreToolUse', spawn);
  expect(depthIn(workspace, 'starts')).toBeUndefined();
  const other = createWorkspace(agentStarts);
  await call(other, 'SessionStart', { source: 'startup' });
  await call(other, 'PreToolUse', spawn);
  await call(other, 'SubagentStart', subagent('a1'));
  await call(other, 'PreToolUse', spawn);
  await call(other, 'PreToolUse', { ...spawn, ...subagent('a1') });
  await call(other, 'SubagentStart', subagent('a2'));
  expect(depthIn(other, 'starts')).toBeUndefined();
  await call(other, 'SubagentStop', subagent('unseen'));
  expect(depthIn(other, 'ends')).toBeUndefined();
});

test('tools are not noted for a hook that wants to know of subagents alone', async () => {
  const workspace = createWorkspace(agentStarts);
  await call(workspace, 'SessionStart', { source: 'startup' });
  await call(workspace, 'PreToolUse', TOOL);
  const lines = readFileSync(workspace.at('~/.local/state/hookline/trail-subagents/session-s1'), 'utf8');
  expect(lines).toMatch(/^start \d+ \n$/);
  expect(() => readFileSync(workspace.at('~/.local/state/hookline/trail/session-s1'))).toThrow();
});

test('a number that the caller says is not replaced', async () => {
  const workspace = createWorkspace(WATCHED);
  await hookline(workspace, ['fire', 'session.start', '--session', 's2']);
  await hookline(workspace, ['fire', 'session.end', '--session', 's2', '--payload', '{"totalSteps":41,"turnCount":7}']);
  expect(seen(workspace, 'plugin')).toEqual({ session_id: 's2', turn_count: 7 });
});

test('no event is noted if no hook wants a number', async () => {
  const workspace = createWorkspace(agentHook('tools', 'before_tool'));
  await call(workspace, 'SessionStart', { source: 'startup' });
  await call(workspace, 'PreToolUse', TOOL);
  const { stdout } = await hookline(workspace, ['list', '--json']);
  expect(JSON.parse(stdout).hooks).toHaveLength(1);
  expect(() => readFileSync(workspace.at('~/.local/state/hookline/trail/session-s1'))).toThrow();
});

test.each([
  ['the subagent that the host names', { agent_type: 'reviewer' }, 'reviewer'],
  ['the host, if it names no subagent', {}, 'claude-code'],
])('the agent of a payload is %s', async (_, more, name) => {
  const command = 'printf %s "$HOOK_INPUT" > "$HOME/skill"';
  const skill = `---\nname: s\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: ${JSON.stringify(command)}\n---\n`;
  const workspace = createWorkspace({ '../named/s/SKILL.md': skill });
  const stdin = JSON.stringify({ session_id: 's1', cwd: workspace.root, hook_event_name: 'PreToolUse', ...TOOL, ...more });
  await hookline(workspace, ['hook', 'claude-code', '--skills', workspace.at('../named')], { stdin });
  expect(seen(workspace, 'skill')).toMatchObject({ agent_name: name });
});

test('matchers on the name of the agent find the one that acts', () => {
  const event = { id: 'e', kind: 'turn.before', at: '', session: { id: 's', cwd: '/' }, data: {} } as const;
  const agentOf = (more: object) => facetValues({ ...event, ...more }, 'agent');
  expect(agentOf({ caller: { host: 'pebble', agent: 'reviewer' } })).toEqual(['reviewer']);
  expect(agentOf({ caller: { host: 'pebble' } })).toEqual(['pebble']);
  expect(agentOf({ caller: { host: 'pebble' }, data: { agent: 'given' } })).toEqual(['given']);
  // Here the host names the subagent that starts, and not the agent that starts it.
  expect(agentOf({ kind: 'subagent.before', caller: { host: 'pebble', agent: 'reviewer' } })).toEqual(['pebble']);
  expect(agentOf({ kind: 'subagent.before', ahead: true, caller: { host: 'pebble', agent: 'reviewer' } })).toEqual(['reviewer']);
  expect(agentOf({})).toBeUndefined();
});
