/** The first half of a story: what was about to happen, who was asked in which order, and what they changed. */
import type { LogEntry } from '../../core/contracts/decision-record.ts';
import type { TicketRecord } from '../../core/contracts/store.ts';
import { explain, explainHook } from '../../core/decision/explain.ts';
import type { HookReport } from '../../core/decision/outcome.ts';
import { type EventKind, kindRule } from '../../core/event/event.ts';
import { type Json, serialise } from '../../core/values/json.ts';
import { redact, redactText } from '../../core/values/redact.ts';
import { type Recorded, readRecorded } from './recorded-outcome.ts';

export function beginning(entry: LogEntry): string[] {
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

function withoutTool({ tool: _, ...rest }: LogEntry['data']): Json {
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

/** The part of a story that people wrote: who settled the ticket, when, with what words, and what became of the approval. */

export function ticketSentences(entry: LogEntry, ticket: TicketRecord | undefined): string[] {
  if (entry.ticket === null) return [];
  if (!ticket) return [`Its ticket ${entry.ticket} is not kept here any more.`];
  const { id, state, expiresAt, settledAt } = ticket;
  const when = settledAt === null ? '' : ` at ${iso(settledAt)}`;
  const by = ticket.by ?? 'Somebody';
  switch (state) {
    case 'open':
      return [`Ticket ${id} is still open, until ${iso(expiresAt)}: nobody has settled it yet.`];
    case 'approved':
      return [`${by} approved ticket ${id}${when}${from(ticket)}${saying(ticket)}.`, ...edited(ticket), release(entry, ticket)];
    case 'denied':
      return [`${by} denied ticket ${id}${when}${from(ticket)}${saying(ticket)}.`];
    case 'withdrawn':
      return [`${by} withdrew ticket ${id}${when}${from(ticket)}${saying(ticket)}: nobody needed an answer any more.`];
    case 'expired':
      return [`Ticket ${id} expired at ${iso(expiresAt)}: nobody settled it in time, and nobody denied it.`];
  }
}

function release(entry: LogEntry, { releasedAt, expiresAt }: TicketRecord): string {
  if (releasedAt !== null)
    return entry.decision === 'hold'
      ? `The approval was used at ${iso(releasedAt)}, once; it does not count again.`
      : `That approval was used for this at ${iso(releasedAt)}; it does not count again.`;
  return `The approval is not used yet: the next identical call passes, once, until ${iso(expiresAt)}.`;
}

function edited({ edit }: TicketRecord): string[] {
  return edit === null
    ? []
    : [`It was approved with another input, which all hooks judge again: ${shorten(serialise(redact(edit).value))}`];
}

const PLACES: Readonly<Record<string, string>> = { cli: 'on the command line', api: 'in a program' };

function from({ via }: TicketRecord): string {
  return via === null ? '' : ` ${Object.hasOwn(PLACES, via) ? PLACES[via] : `by way of ${via}`}`;
}

function saying({ note }: TicketRecord): string {
  return note === null || note === '' ? '' : `, saying "${shorten(redactText(note))}"`;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

/**
 * The story of one decision, told from the log in plain sentences: what was about to happen, who was asked, what each said, why it ended
 * as it did, what a person did about it, and what can be done now. Says what is on record; never guesses.
 */

export function explainEntry(entry: LogEntry, ticket?: TicketRecord): readonly string[] {
  const outcome = readRecorded(entry);
  return [
    ...beginning(entry),
    ...hookSentences(outcome),
    ...changes(outcome),
    ...ending(outcome),
    ...ticketSentences(entry, ticket),
    ...outcome.diagnostics.filter(({ severity }) => severity !== 'info').map(({ message }) => `It was noted: ${stop(message)}`),
    ...advice(entry, outcome, ticket),
  ];
}

function ending(outcome: Recorded): string[] {
  const { decision, hooks, halt, approval } = outcome;
  const answer = stop(explain(outcome));
  const sentences = [`The answer: ${answer.slice(0, 1).toLowerCase()}${answer.slice(1)}`];
  if (approval === undefined) sentences.push(...why(outcome));
  if (decision === 'pass' && outcome.rewrite !== undefined && hooks.some((hook) => hook.decision === 'allow'))
    sentences.push('An allow did not count any more, because what it allowed was rewritten.');
  if (halt !== undefined) sentences.push(`The whole run was to stop: ${stop(halt)}`);
  return sentences;
}

/** What made the answer what it is, where that is more than the answer itself. */
function why({ decision, hooks }: Recorded): string[] {
  const wants = (...kinds: readonly (HookReport['decision'] | undefined)[]): readonly HookReport[] =>
    hooks.filter((hook) => hook.status !== 'skipped' && kinds.includes(hook.decision));
  if (decision === 'deny') {
    const denied = wants('deny');
    const [first] = denied;
    if (first?.status === 'faulted') return [`No hook said no: '${first.name}' could not be asked, and by its rules that denies.`];
    if (first) return [`One denial is enough: ${names(denied)} denied it, and nothing that another hook says undoes that.`];
    const asked = wants('ask', 'hold');
    if (asked.length > 0) return [`No hook said no: ${names(asked)} wanted a person to decide, and that could not be had.`];
    return ['No hook said no.'];
  }
  if (decision === 'hold' || decision === 'ask') {
    const asked = wants('ask', 'hold');
    return asked.length === 0 ? [] : [`${names(asked)} wanted a person to decide, and no hook denied it.`];
  }
  return [];
}

function advice(entry: LogEntry, outcome: Recorded, ticket: TicketRecord | undefined): string[] {
  const { decision, hooks, approval } = outcome;
  const steps: string[] = [];
  if (ticket?.state === 'open') {
    steps.push(`What to do: \`hookline approvals show ${ticket.id}\` shows it; settle it with \`approve\` or \`deny\` in its place.`);
  } else if (decision === 'hold' && ticket?.state !== 'approved') {
    steps.push('What to do: fire the event again if it is still wanted; it gets a new ticket.');
  } else if (decision === 'deny' && approval === undefined) {
    for (const hook of hooks.filter((said) => said.decision === 'deny' && said.status !== 'skipped')) {
      const at = place(hook);
      steps.push(
        hook.status === 'faulted'
          ? `What to do: mend the hook in ${at}, so that it can be asked.`
          : `What to do: do what '${hook.name}' asks for, or look at the rule in ${at}.`,
      );
    }
  }
  if (hooks.some(({ skip }) => skip === 'untrusted'))
    steps.push('Hooks that nobody has trusted were not asked: `hookline trust add` shows them.');
  if (decision !== 'deny' && hooks.some((hook) => hook.status === 'faulted' && hook.decision !== 'deny'))
    steps.push('A hook that could not be asked did not stop this; with `strict` it would, where the event can be denied.');
  if (entry.masked.length > 0) steps.push(`Not shown, because it was masked before it was written: ${shorten(entry.masked.join(', '))}.`);
  return steps;
}

function names(hooks: readonly HookReport[]): string {
  const all = [...new Set(hooks.map(({ name }) => `'${name}'`))];
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

function stop(text: string): string {
  return /[.!?…)]$/.test(text.trimEnd()) ? text.trimEnd() : `${text.trimEnd()}.`;
}
