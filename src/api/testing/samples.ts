/** Samples for the contract suites: an event of every kind, a minimal hook, and the verdicts that an event grants. */

import type { Dialect } from '../../core/contracts/dialect.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import { type Decision, type Effect, type Grant, PASS, type Verdict } from '../../core/decision/decision.ts';
import { addVerdict, emptyFoldState, type FoldState, joinLane } from '../../core/decision/fold.ts';
import { type EventKind, type HookEvent, kindRule } from '../../core/event/event.ts';
import type { EventPayloads } from '../../core/event/payloads.ts';
import type { EventRule, FoldRule } from '../../core/meaning/profile.ts';
import type { JsonObject } from '../../core/values/json.ts';

/** Returns an event with every key of its payload filled, so that every part of a dialect's encoder runs. */
export function sampleEvent(kind: EventKind, data: JsonObject = { ...PAYLOADS[kind] } as JsonObject): HookEvent {
  return { id: 'sample', kind, at: '2025-01-02T03:04:05.678Z', session: { id: 'session-1', cwd: '/project' }, data };
}

const tool = { tool: 'Bash', input: { command: 'ls -l "a b"', depth: { list: [1, null, true, 'ü'] } }, toolUseId: 'use-1', agent: 'main' };
const llm = { model: 'model-1', messageCount: 3, toolCount: 2, agent: 'main' };
const skill = { skill: 'deploy', arguments: { to: 'staging' }, definition: { name: 'deploy' }, agent: 'main' };
const subagent = { id: 'sub-1', name: 'reviewer', type: 'reviewer', task: 'Read the change.', depth: 1, agent: 'main' };
const counted = { messageCount: 3, agent: 'main' };
const message = { channel: 'general', user: 'ann', content: 'hello' };

const PAYLOADS: { readonly [K in EventKind]: EventPayloads[K] } = {
  'gateway.start': {},
  'gateway.stop': {},
  heartbeat: {},
  'session.start': { model: 'model-1', args: { verbose: true }, source: 'startup' },
  'session.end': { reason: 'exit', turnCount: 4, durationSeconds: 12, totalSteps: 9 },
  'session.delete': { id: 'session-0' },
  'agent.start': { agent: 'main', definition: { name: 'main' } },
  'agent.end': { agent: 'main', definition: { name: 'main' } },
  'prompt.submit': { prompt: 'Fix the test.' },
  'turn.before': counted,
  'turn.after': { ...counted, message: { role: 'assistant', content: 'Done.' } },
  'model.resolve': { model: 'model-1' },
  'prompt.build': { prompt: 'You are an agent.' },
  'llm.before': { ...llm, input: [{ role: 'user', content: 'hi' }] },
  'llm.after': { ...llm, output: { role: 'assistant', content: 'hello' } },
  'tool.before': tool,
  'tool.after': { ...tool, result: { output: 'done' } },
  'tool.error': { ...tool, error: 'no such file' },
  'permission.request': tool,
  'skill.before': skill,
  'skill.after': { ...skill, result: 'deployed' },
  'subagent.before': subagent,
  'subagent.after': { ...subagent, success: true, result: 'All is well.', durationMs: 1500 },
  'conversation.load.before': counted,
  'conversation.load.after': { ...counted, messages: [{ role: 'user', content: 'hi' }] },
  'conversation.save.before': counted,
  'conversation.save.after': counted,
  'compact.before': { reason: 'context full' },
  'stop.before': { reason: 'done', stepCount: 5, message: { role: 'assistant', content: 'All done.' }, continuations: 1 },
  'message.received': message,
  'message.sending': message,
  'message.sent': message,
  notification: { message: 'Waiting for you.', type: 'idle_prompt' },
  'tool.batch': { calls: [{ tool: 'Bash', input: { command: 'ls' } }] },
  'permission.denied': { ...tool, reason: 'not here' },
  'prompt.expand': { prompt: '/review the change', command: 'review', arguments: 'the change' },
  'model.switch.before': { from: 'model-1', to: 'model-2' },
  'model.switch.after': { from: 'model-1', to: 'model-2' },
  'llm.tools': llm,
  'compact.after': { reason: 'context full', summary: 'So far so good.' },
  'stop.error': { reason: 'overloaded', error: { message: 'try later' }, message: 'Sorry.' },
  'agent.interrupt': { agent: 'main' },
  'teammate.idle': { name: 'reviewer' },
  'task.created': { id: 'task-1', subject: 'Review', description: 'Read the change.' },
  'task.completed': { id: 'task-1', subject: 'Review', description: 'Read the change.' },
  'elicitation.before': { server: 'mail', message: 'Which account?' },
  'elicitation.after': { server: 'mail', message: 'Which account?', action: 'accept', content: { account: 'work' } },
  setup: { reason: 'init' },
  'config.change': { source: 'user', path: '/home/ann/settings.json' },
  'instructions.loaded': { path: '/project/NOTES.md', reason: 'start' },
  'cwd.changed': { from: '/project', to: '/project/src' },
  'directory.added': { path: '/other', source: 'user' },
  'file.changed': { path: '/project/a.txt', change: 'add' },
  'worktree.create': { name: 'topic' },
  'worktree.remove': { path: '/trees/topic' },
  'message.display': { text: 'Working on it.', final: true },
  'cron.delivery': message,
  'docs.sync': message,
};

/** Returns a minimal hook of a dialect on one of its events. */
export function sampleHook(dialect: Dialect, event: string): Hook {
  return {
    id: 'sample',
    name: 'sample',
    dialect: dialect.id,
    event,
    when: [],
    handler: { type: 'command', config: {} },
    timeoutMs: 1000,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: 'sample', scope: 'project' },
  };
}

/** Returns each granted decision and effect alone, and each decision with all effects. */
export function sampleVerdicts(grants: readonly Grant[], kind: EventKind): Verdict[] {
  const decisions = [PASS, ...DECISIONS.filter((decision) => grants.includes(decision.kind as Grant))];
  const effects = effectsOn(kind).filter((effect) => grants.includes(effect.kind));
  return [
    ...decisions.map((decision) => ({ decision, effects: [] })),
    ...effects.map((effect) => ({ decision: PASS, effects: [effect] })),
    ...decisions.map((decision) => ({ decision, effects })),
  ];
}

/** Returns the meaning of a verdict. The order and number of effects are details of the wire format and do not count. */
export function meaningOf(verdict: Verdict, fold: FoldRule): FoldState {
  const lane = emptyFoldState();
  addVerdict(lane, verdict, fold);
  const total = emptyFoldState();
  joinLane(total, lane, fold);
  return total;
}

const DECISIONS: readonly Decision[] = [
  { kind: 'allow' },
  { kind: 'allow', reason: 'It is only a listing.' },
  { kind: 'ask', reason: 'Better ask first.' },
  { kind: 'hold', reason: 'Waits for approval.', state: { step: 1 } },
  { kind: 'deny', reason: 'Not here: "rm" is off limits.\nUse trash.' },
];

function effectsOn(kind: EventKind): readonly Effect[] {
  const rewrite = kindRule(kind).rewrites?.type === 'text' ? 'Another text.' : { command: 'ls' };
  return [
    { kind: 'rewrite', value: rewrite },
    { kind: 'context', text: 'First things first.', at: 'start' },
    { kind: 'context', text: 'Mind the gap.' },
    { kind: 'notice', text: 'Formatted 3 files.' },
    { kind: 'replace', value: 'redacted' },
    { kind: 'continue', with: 'Run the tests.' },
    { kind: 'halt', reason: 'Enough.' },
    { kind: 'quiet' },
  ];
}

/** Returns a verdict as a format can say it: where its text is a notice and context at once, each notice is also context, and each context is also a notice. */
export function asSaid(verdict: Verdict, { read }: EventRule): Verdict {
  const isBoth = read?.exit?.some(({ means }) => means.say === 'notice' && means.alsoContext === true);
  if (!isBoth) return verdict;
  const effects = verdict.effects.flatMap((effect): Effect[] =>
    effect.kind === 'notice' || effect.kind === 'context'
      ? [
          { kind: 'notice', text: effect.text },
          { kind: 'context', text: effect.text },
        ]
      : [effect],
  );
  return { ...verdict, effects };
}
