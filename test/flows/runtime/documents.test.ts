/**
 * Every event of the five documents fires from a living agent. A hook in the format of each document writes down what it gets, so the test also
 * shows that the payload is the document's own.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Channel, OutgoingMessage } from '../../../src/agent.ts';
import { DIALECTS } from '../../../src/builtins.ts';
import { call, createScene } from '../../support/agents.ts';
import { NATIVE } from '../../support/native-hooks.ts';
import { POLL } from '../../support/patience.ts';
import type { Prompt, Step } from '../../support/scripted-model.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';

/** Document, event, and the keys that the document gives its payload. */
const TABLE: readonly (readonly [document: string, event: string, keys: string])[] = [
  ['skillkit', 'PreToolUse', 'agent_name tool input skill'],
  ['skillkit', 'PostToolUse', 'agent_name tool input skill result'],
  ['skillkit', 'PreSubagent', 'agent_name name task depth'],
  ['skillkit', 'PostSubagent', 'agent_name name task result'],
  ['skillkit', 'PreSkillActivation', 'agent_name skill skill_name arguments'],
  ['skillkit', 'PostSkillActivation', 'agent_name skill skill_name arguments'],
  ['skillkit', 'PreLlmRequest', 'agent_name model message_count tool_count'],
  ['skillkit', 'PostLlmRequest', 'agent_name model message_count tool_count'],
  ['skillkit', 'PreConversationSave', 'agent_name message_count'],
  ['skillkit', 'PostConversationSave', 'agent_name message_count'],
  ['skillkit', 'PreConversationLoad', 'agent_name'],
  ['skillkit', 'PostConversationLoad', 'agent_name'],
  ['skillkit', 'PreTurn', 'agent_name message_count'],
  ['skillkit', 'PostTurn', 'agent_name message_count'],
  ['skillkit', 'PreAgent', 'agent_name definition'],
  ['skillkit', 'PostAgent', 'agent_name definition'],
  ['claude-agent', 'PreToolUse', 'event session_id tool_name tool_input'],
  ['claude-agent', 'PostToolUse', 'event session_id tool_name tool_result'],
  ['claude-agent', 'PostToolUseFailure', 'event session_id tool_name error'],
  ['claude-agent', 'UserPromptSubmit', 'event session_id prompt'],
  ['claude-agent', 'Stop', 'event session_id'],
  ['claude-agent', 'SubagentStart', 'event session_id subagent_id subagent_type description'],
  ['claude-agent', 'SubagentStop', 'event session_id subagent_id success'],
  ['claude-agent', 'PreCompact', 'event session_id'],
  ['claude-agent', 'SessionStart', 'event session_id'],
  ['claude-agent', 'SessionEnd', 'event session_id'],
  ['agenthooks', 'session_start', 'event_type timestamp session_id work_dir context model args'],
  ['agenthooks', 'session_end', 'event_type timestamp session_id work_dir context duration_seconds total_steps exit_reason'],
  ['agenthooks', 'before_agent', 'event_type timestamp session_id work_dir context prompt'],
  ['agenthooks', 'after_agent', 'event_type timestamp session_id work_dir context'],
  ['agenthooks', 'before_stop', 'event_type timestamp session_id work_dir context stop_reason step_count final_message'],
  ['agenthooks', 'before_tool', 'event_type timestamp session_id work_dir context tool_name tool_input tool_use_id'],
  ['agenthooks', 'after_tool', 'event_type timestamp session_id work_dir context tool_name tool_input tool_use_id'],
  ['agenthooks', 'after_tool_failure', 'event_type timestamp session_id work_dir context tool_name tool_input tool_use_id'],
  ['agenthooks', 'subagent_start', 'event_type timestamp session_id work_dir context subagent_name subagent_type task_description'],
  ['agenthooks', 'subagent_stop', 'event_type timestamp session_id work_dir context subagent_name subagent_type task_description'],
  ['agenthooks', 'pre_compact', 'event_type timestamp session_id work_dir context'],
  ['hooktoml', 'on_gateway_start', 'event'],
  ['hooktoml', 'on_gateway_stop', 'event'],
  ['hooktoml', 'on_session_start', 'event session_id'],
  ['hooktoml', 'on_session_end', 'event session_id'],
  ['hooktoml', 'on_llm_input', 'event session_id input model'],
  ['hooktoml', 'on_llm_output', 'event session_id output model'],
  ['hooktoml', 'on_after_tool_call', 'event session_id tool args'],
  ['hooktoml', 'on_message_sent', 'event session_id content channel user'],
  ['hooktoml', 'on_heartbeat_tick', 'event'],
  ['hooktoml', 'before_model_resolve', 'event session_id model'],
  ['hooktoml', 'before_prompt_build', 'event session_id prompt'],
  ['hooktoml', 'before_llm_call', 'event session_id model'],
  ['hooktoml', 'before_tool_call', 'event session_id tool args'],
  ['hooktoml', 'on_message_received', 'event session_id content channel user'],
  ['hooktoml', 'on_message_sending', 'event session_id content channel user'],
  ['hooktoml', 'on_cron_delivery', 'event session_id content'],
  ['hooktoml', 'on_docs_sync_notify', 'event content'],
  ['arawn', 'PreToolUse', 'tool params'],
  ['arawn', 'PostToolUse', 'tool params result'],
  ['arawn', 'PostToolUseFailure', 'tool params error'],
  ['arawn', 'PermissionRequest', 'tool params'],
  ['arawn', 'UserPromptSubmit', 'prompt'],
  ['arawn', 'Notification', 'message'],
  ['arawn', 'SubagentStop', 'parent_session_id subagent_name result_preview duration_ms success'],
  ['arawn', 'PreCompact', 'reason'],
  ['arawn', 'SessionStart', 'session_id'],
  ['arawn', 'SessionEnd', 'session_id turn_count'],
  ['arawn', 'Stop', 'response'],
  ['arawn', 'SubagentStarted', 'parent_session_id subagent_name task_preview'],
  ['arawn', 'SubagentCompleted', 'parent_session_id subagent_name result_preview duration_ms success'],
];
const DOCUMENTS = ['skillkit', 'claude-agent', 'agenthooks', 'hooktoml', 'arawn'];

test('the table has every event of the five documents', () => {
  const all = DOCUMENTS.flatMap((id) =>
    Object.keys(DIALECTS.find((dialect) => dialect.id === id)?.profile.events ?? {}).map((event) => `${id} ${event}`),
  );
  expect(all).toHaveLength(67);
  expect(TABLE.map(([document, event]) => `${document} ${event}`).sort()).toEqual(all.sort());
});

test('every event of the five documents fires from a living agent, with the payload of its document', async () => {
  const workspace = createWorkspace({
    'own-skills/greet/SKILL.md': '---\nname: greet\ndescription: Greets someone.\n---\nGreet $ARGUMENTS.\n',
  });
  const out = workspace.at('out');
  workspace.write({ 'out/.keep': '', ...hookFiles(out) });
  await live(workspace);
  const payloads = (): Map<string, Set<string>> => {
    const found = new Map<string, Set<string>>();
    for (const name of readdirSync(out)) {
      const text = readFileSync(path.join(out, name), 'utf8');
      const [document = '', event = ''] = name.split('~');
      if (!text.trim().endsWith('}')) continue;
      const keys = Object.entries(JSON.parse(text)).flatMap(([key, value]) => (value === null ? [] : [key]));
      found.set(`${document} ${event}`, new Set([...(found.get(`${document} ${event}`) ?? []), ...keys]));
    }
    return found;
  };
  // Hooks of void events run in the background.
  await vi.waitFor(() => {
    const found = payloads();
    const missing = TABLE.flatMap(([document, event, keys]) => {
      const got = found.get(`${document} ${event}`);
      const absent = keys.split(' ').filter((key) => !got?.has(key));
      return got && absent.length === 0 ? [] : [`${document} ${event}: ${got ? `without ${absent.join(', ')}` : 'did not fire'}`];
    });
    expect(missing).toEqual([]);
  }, POLL);
});

/** One hook for each event of each document. It keeps its input in a file of its own. */
function hookFiles(out: string): Record<string, string> {
  const files: Record<string, string> = {};
  const settings: Record<string, object> = {};
  for (const [document, event] of TABLE) {
    const file = `"${out}/${document}~${event}~$$"`;
    const command = document === 'skillkit' ? `printf '%s' "$HOOK_INPUT" > ${file}` : `cat > ${file}`;
    const name = `w-${event.replace(/[^A-Za-z]/g, '-').toLowerCase()}`;
    const written = NATIVE[document]?.({ event, command, name }) ?? {};
    for (const [place, text] of Object.entries(written))
      if (document === 'claude-agent') settings[event] = (JSON.parse(text) as { hooks: Record<string, object> }).hooks[event] as object;
      else files[place] = text;
  }
  return { ...files, '.claude/settings.json': JSON.stringify({ hooks: settings }) };
}

/** A day in the life of an agent: it crosses every boundary. */
async function live(workspace: Workspace): Promise<void> {
  const sent: OutgoingMessage[] = [];
  const chat: Channel = { name: 'chat', start() {}, stop() {}, send: (message) => void sent.push(message) };
  const script: Step[] = [
    call('skill', { skill: 'greet', args: 'Ada' }),
    call('task', { subagent_type: 'helper', prompt: 'Look it up.' }),
    call('broken', { text: 'x' }),
    call('echo', { text: 'guarded' }),
    'Hello Ada.',
  ];
  const step = (prompt: Prompt): Step => {
    const text = JSON.stringify(prompt);
    if (text.includes('You summarise')) return 'A summary.';
    if (text.includes('You help')) return 'Found it.';
    return script.shift() ?? 'fine';
  };
  const scene = await createScene({
    workspace,
    steps: Array.from({ length: 40 }, () => step),
    engine: { dialects: ['hookline', ...DOCUMENTS], readAs: { plugins: 'arawn', skills: 'skillkit' } },
    skills: [workspace.at('own-skills')],
    subagents: { helper: { description: 'Looks things up.', system: 'You help.' } },
    compaction: { budget: 1500, keep: 100 },
    channels: [chat],
    hooks: (hookline) =>
      void hookline.on('tool.before', ({ data }) =>
        data.input['text'] === 'guarded' ? { decision: 'hold', reason: 'Ask me.' } : undefined,
      ),
    onHold: async ({ ticket }) => {
      await scene.hookline.approvals.approve(ticket, { by: 'Ada' });
      return 'wait' as const;
    },
  });
  expect(await scene.agent.send('Greet Ada.', { channel: 'chat', user: 'ada' })).toMatchObject({
    status: 'done',
    text: 'Hello Ada.',
    sent: true,
  });
  expect(scene.ran).toEqual(['broken {"text":"x"}', 'echo {"text":"guarded"}']);
  await scene.agent.deliver({ type: 'document', path: 'notes.md', text: 'News.' });
  await scene.agent.deliver({ type: 'heartbeat', text: 'Anything due?' });
  await scene.agent.deliver({ type: 'cron', name: 'daily', text: 'Write the report.' });
  expect(await scene.agent.send('x'.repeat(8000))).toMatchObject({ status: 'done' });
  expect(await scene.agent.send('And now?')).toMatchObject({ status: 'done' });
  expect(sent.map(({ text }) => text)).toEqual(['Hello Ada.']);
  await scene.agent.stop();
  expect(scene.events.flatMap((event) => (event.type === 'problem' ? [event.message] : []))).toEqual([]);
}
