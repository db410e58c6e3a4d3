/** The first half of a story: what was about to happen, who was asked in which order, and what they changed. */
import type { AuditEntry } from './audit.ts';
import { type EventKind, kindRule } from './event.ts';
import { explainHook } from './explain.ts';
import type { Json } from './json.ts';
import { serialise } from './json.ts';
import type { HookReport } from './outcome.ts';
import type { Recorded } from './recorded-outcome.ts';

export function beginning(entry: AuditEntry): string[] {
  const { kind, at, session, root, data } = entry;
  const key = kindRule(kind).rewrites?.key;
  const subject = (key === undefined ? undefined : data[key]) ?? withoutTool(data);
  const shown = brief(subject);
  const what = (OPENINGS[kind] ?? (() => `the event \`${kind}\` was fired`))(entry.tool ?? 'a tool');
  return [
    `At ${new Date(at).toISOString()}, in session ${session} of ${root}, ${what}${shown === '' ? '' : `: ${shown}`}${shown.endsWith('.') ? '' : '.'}`,
  ];
}

export function hookSentences({ hooks, unmatched }: Recorded): string[] {
  const others = unmatched === 0 ? [] : [`${count(unmatched, 'other hook')} did not apply.`];
  if (hooks.length === 0) return unmatched === 0 ? ['There was no hook to ask.'] : ['No hook was asked.', ...others];
  let asked = 0;
  const sentences = hooks.map((hook) => {
    const turn = hook.status === 'answered' || hook.status === 'faulted' ? (asked++ === 0 ? 'First, ' : 'Then ') : '';
    const lead = turn === '' ? 'Hook' : `${turn}hook`;
    const took = hook.ms === undefined ? '' : ` (it took ${hook.ms < 10 ? Math.round(hook.ms * 10) / 10 : Math.round(hook.ms)} ms)`;
    return `${lead} '${hook.name}' (${hook.dialect}, ${place(hook)}) ${bare(explainHook(hook))}${took}.${alsoRewrote(hook)}${seen(hook)}`;
  });
  return [...sentences, ...others];
}

/** What the agent or the user got to see or run because of the hooks. */
export function changes({ rewrite, replace, context, contextSources, notices, kind, decision }: Recorded): string[] {
  const key = kindRule(kind).rewrites?.key ?? 'input';
  const would = decision === 'pass' || decision === 'allow' ? 'was' : 'would have been';
  return [
    ...(rewrite === undefined ? [] : [`The ${key} ${would} rewritten to: ${brief(rewrite)}`]),
    ...(replace === undefined ? [] : [`In the place of what came back the agent was to see: ${brief(replace)}`]),
    ...(context.length === 0 ? [] : [`${count(context.length, 'text')} went into the agent's context${givers(contextSources)}.`]),
    ...notices.map((notice) => `The user was told: ${shorten(notice)}`),
  ];
}

/** Whose the texts are, where that is on record. */
function givers(sources: Recorded['contextSources']): string {
  const names = sources.flatMap((source) => [source, ...(source.also ?? [])]).map(({ name }) => `'${name}'`);
  return names.length === 0 ? '' : `, given by ${[...new Set(names)].join(', ')}`;
}

/** Where a hook is written. */
export function place({ source: { file, line } }: HookReport): string {
  return line === undefined ? file : `${file}:${line}`;
}

const MOST = 400;

export function shorten(text: string): string {
  return text.length > MOST ? `${text.slice(0, MOST).trimEnd()}…` : text;
}

const OPENINGS: Partial<Readonly<Record<EventKind, (tool: string) => string>>> = {
  'tool.before': (tool) => `the agent was about to use ${tool}`,
  'tool.after': (tool) => `the agent had used ${tool}`,
  'tool.error': (tool) => `the use of ${tool} had failed`,
  'permission.request': (tool) => `the agent asked for permission to use ${tool}`,
  'prompt.submit': () => 'a prompt was submitted',
  'prompt.build': () => 'a prompt was built',
  'stop.before': () => 'the agent was about to stop',
  'session.start': () => 'the session started',
  'session.end': () => 'the session ended',
  'subagent.before': () => 'a subagent was about to start',
  'subagent.after': () => 'a subagent had ended',
  'message.received': () => 'a message came in',
  'message.sending': () => 'a message was about to be sent',
  'compact.before': () => 'the conversation was about to be compacted',
};

function withoutTool({ tool: _, ...rest }: AuditEntry['data']): Json {
  return rest;
}

/** One value on one line, no longer than a person reads. It was masked when it was written. */
function brief(value: Json): string {
  const text = typeof value === 'string' ? value : serialise(value);
  return text === '{}' ? '' : shorten(text);
}

/** Where a hook decides something, what it did besides is not in its sentence. */
function alsoRewrote({ decision, effects = [] }: HookReport): string {
  return decision !== undefined && decision !== 'pass' && effects.includes('rewrite') ? ' It rewrote the input as well.' : '';
}

function seen({ input }: HookReport): string {
  return input === undefined ? '' : ` It was shown what others had made of it: ${brief(input)}`;
}

function bare(text: string): string {
  return shorten(text.trim()).replace(/\.$/, '');
}

function count(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? '' : 's'}`;
}
