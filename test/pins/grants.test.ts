/** Which event of which dialect can be denied, held, asked about, rewritten: frozen. A red pin asks "on purpose?". */
import { describe, expect, test } from 'vitest';
import { DIALECTS } from '../../src/builtins.ts';
import { EVENT_KINDS } from '../../src/core/event.ts';
import type { EventRule } from '../../src/core/profile.ts';

const GRANTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  skillkit: {
    PreToolUse: 'deny hold',
    PreSubagent: 'deny hold',
    PreSkillActivation: 'deny hold',
    PreLlmRequest: 'deny hold',
    PreConversationSave: 'deny hold',
    PreConversationLoad: 'deny hold',
    PreTurn: 'deny hold',
    PreAgent: 'deny hold',
    PostToolUse: '',
    PostSubagent: '',
    PostSkillActivation: '',
    PostLlmRequest: '',
    PostConversationSave: '',
    PostConversationLoad: '',
    PostTurn: '',
    PostAgent: '',
  },
  'claude-agent': {
    PreToolUse: 'context deny quiet rewrite',
    UserPromptSubmit: 'context deny quiet',
    SessionStart: 'context deny quiet',
    SubagentStart: 'context deny quiet',
    PostToolUse: 'context quiet',
    PostToolUseFailure: 'context quiet',
    Stop: 'context quiet',
    SubagentStop: 'context quiet',
    PreCompact: 'context quiet',
    SessionEnd: 'context quiet',
  },
  agenthooks: {
    before_tool: 'allow ask context deny rewrite',
    before_agent: 'allow ask context deny rewrite',
    session_start: 'allow ask context deny',
    session_end: 'allow ask context deny',
    after_agent: 'allow ask context deny',
    before_stop: 'allow ask context deny',
    after_tool: 'allow ask context deny',
    after_tool_failure: 'allow ask context deny',
    subagent_start: 'allow ask context deny',
    subagent_stop: 'allow ask context deny',
    pre_compact: 'allow ask context deny',
  },
  hooktoml: {
    before_tool_call: 'deny',
    before_model_resolve: 'deny',
    before_prompt_build: 'deny rewrite',
    before_llm_call: 'deny',
    on_message_received: 'deny',
    on_message_sending: 'deny rewrite',
    on_cron_delivery: 'deny',
    on_docs_sync_notify: 'deny',
    on_gateway_start: '',
    on_gateway_stop: '',
    on_session_start: '',
    on_session_end: '',
    on_llm_input: '',
    on_llm_output: '',
    on_after_tool_call: '',
    on_message_sent: '',
    on_heartbeat_tick: '',
  },
  arawn: {
    PreToolUse: 'deny',
    PostToolUse: 'notice',
    PostToolUseFailure: 'notice',
    PermissionRequest: 'notice',
    UserPromptSubmit: 'notice',
    Notification: 'notice',
    SubagentStop: 'notice',
    PreCompact: 'notice',
    SessionStart: 'notice',
    SessionEnd: 'notice',
    Stop: 'notice',
    SubagentStarted: 'notice',
    SubagentCompleted: 'notice',
  },
};

const GATED_BY_FUNCTIONS = [
  'agent.start',
  'compact.before',
  'conversation.load.before',
  'conversation.save.before',
  'cron.delivery',
  'docs.sync',
  'llm.before',
  'message.received',
  'message.sending',
  'model.resolve',
  'permission.request',
  'prompt.build',
  'prompt.submit',
  'session.start',
  'skill.before',
  'stop.before',
  'subagent.before',
  'tool.before',
  'turn.before',
];

test('there are six dialects, functions first, and this is the order of their lanes', () => {
  expect(DIALECTS.map(({ id }) => id)).toEqual(['hookline', 'skillkit', 'claude-agent', 'agenthooks', 'hooktoml', 'arawn']);
});

describe.each(Object.keys(GRANTS))('%s', (id) => {
  test('grants exactly this, event by event', () => {
    const events = Object.entries<EventRule>(DIALECTS.find((dialect) => dialect.id === id)?.profile.events ?? {});
    expect(Object.fromEntries(events.map(([name, { grants }]) => [name, [...grants].sort().join(' ')]))).toEqual(GRANTS[id]);
  });
});

test('a function can hook every kind of event, and deny before things happen', () => {
  const [functions] = DIALECTS;
  expect(Object.keys(functions?.profile.events ?? {}).sort()).toEqual([...EVENT_KINDS].sort());
  const gated = Object.entries<EventRule>(functions?.profile.events ?? {}).filter(([, { grants }]) => grants.includes('deny'));
  expect(gated.map(([name]) => name).sort()).toEqual(GATED_BY_FUNCTIONS);
});
