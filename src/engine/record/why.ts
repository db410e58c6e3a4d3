/**
 * Explains one decision from the log in plain sentences: the action, the hooks that were asked, their replies and the reason for the result.
 * Adds what a person did about it and the next steps. It reports the record and never guesses.
 */

import type { TicketRecord } from '../../core/contracts/store.ts';
import { explain, explainHook, explainJudge } from '../../core/decision/explain.ts';
import type { HookReport } from '../../core/decision/outcome.ts';
import { type EventKind, kindRule } from '../../core/event/event.ts';
import { isAct, type LogEntry } from '../../core/record/decision-record.ts';
import { accountText, agentText, repositoryText } from '../../core/record/who.ts';
import { type Json, serialise } from '../../core/values/json.ts';
import { redact, redactText } from '../../core/values/redact.ts';
import { type Recorded, readRecorded } from './recorded-outcome.ts';

export function beginning(entry: LogEntry): string[] {
  const { kind, at, session, root, data } = entry;
  const key = isAct(kind) ? undefined : kindRule(kind).rewrites?.key;
  const subject = (key === undefined ? undefined : data[key]) ?? withoutTool(data);
  const shown = brief(subject);
  const what = ((isAct(kind) ? undefined : OPENINGS[kind]) ?? (() => `the event \`${kind}\` was fired`))(entry.tool ?? 'a tool');
  return [
    `At ${new Date(at).toISOString()}, in session ${session} of ${root}, ${what}${shown === '' ? '' : `: ${shown}`}${shown.endsWith('.') ? '' : '.'}`,
    ...whose(entry),
  ];
}

function whose({ who }: LogEntry): string[] {
  if (!who) return [];
  const agent = agentText(who);
  const code = repositoryText(who.project);
  return [`It was the action of ${accountText(who)}${agent === '' ? '' : `, by ${agent}`}${code === '' ? '' : `, in ${code}`}.`];
}

export function hookSentences({ hooks, unmatched }: Recorded): string[] {
  const others = unmatched === 0 ? [] : [`${count(unmatched, 'other hook')} did not apply.`];
  if (hooks.length === 0) return unmatched === 0 ? ['There was no hook to ask.'] : ['No hook was asked.', ...others];
  let asked = 0;
  const sentences = hooks.map((hook) => {
    const turn = hook.status === 'answered' || hook.status === 'faulted' ? (asked++ === 0 ? 'First, ' : 'Then ') : '';
    const lead = turn === '' ? 'Hook' : `${turn}hook`;
    const took = hook.ms === undefined ? '' : ` (it took ${hook.ms < 10 ? Math.round(hook.ms * 10) / 10 : Math.round(hook.ms)} ms)`;
    return `${lead} '${hook.name}' (${hook.dialect}, ${place(hook)}) ${bare(explainHook(hook))}${took}.${judgedBy(hook)}${alsoRewrote(hook)}${suspendedWith(hook)}${seen(hook)}${wrote(hook)}`;
  });
  return [...sentences, ...others];
}

/** Returns the changes that the agent or the user saw because of the hooks. */
export function changes({ rewrite, replace, context, contextSources, notices, kind, decision }: Recorded): string[] {
  const key = (isAct(kind) ? undefined : kindRule(kind).rewrites?.key) ?? 'input';
  const would = decision === 'pass' || decision === 'allow' ? 'was' : 'would have been';
  return [
    ...(rewrite === undefined ? [] : [`The ${key} ${would} rewritten to: ${brief(rewrite)}`]),
    ...(replace === undefined ? [] : [`The agent was shown this instead of the result: ${brief(replace)}`]),
    ...(context.length === 0 ? [] : [`${count(context.length, 'text')} went into the agent's context${givers(contextSources)}.`]),
    ...notices.map((notice) => `The user was told: ${shorten(notice)}`),
  ];
}

/** Returns the names of the hooks that gave the texts, if they are recorded. */
function givers(sources: Recorded['contextSources']): string {
  const names = sources.flatMap((source) => [source, ...(source.also ?? [])]).map(({ name }) => `'${name}'`);
  return names.length === 0 ? '' : `, given by ${[...new Set(names)].join(', ')}`;
}

/** Returns where a hook is written. */
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

/** Returns a value on one line, short enough to read. It was masked when it was written. */
function brief(value: Json): string {
  const text = typeof value === 'string' ? value : serialise(value);
  return text === '{}' ? '' : shorten(text);
}

/** Returns the model that was asked, what it cost, and the digest by which its verdict is remembered. */
function judgedBy(hook: HookReport): string {
  const said = explainJudge(hook);
  return said === undefined ? '' : ` The model was ${said} (question ${hook.judge?.digest}).`;
}

/** The sentence of a hook that decides does not mention its rewrite. */
function alsoRewrote({ decision, effects = [] }: HookReport): string {
  return decision !== undefined && decision !== 'pass' && effects.includes('rewrite') ? ' It rewrote the input as well.' : '';
}

function suspendedWith({ state }: HookReport): string {
  return state === undefined ? '' : ` It suspended the action with this state: ${shorten(serialise(state))}.`;
}

function seen({ input }: HookReport): string {
  return input === undefined ? '' : ` It was shown an input that other hooks had rewritten: ${brief(input)}.`;
}

/** Returns what the hook left for its author to read. */
function wrote({ log, stdout, stderr }: HookReport): string {
  return [
    ...(log === undefined ? [] : [` It noted: ${bare(brief(log))}.`]),
    ...(stdout === undefined ? [] : [` It wrote to stdout: ${bare(brief(stdout))}.`]),
    ...(stderr === undefined ? [] : [` It wrote to stderr: ${bare(brief(stderr))}.`]),
  ].join('');
}

function bare(text: string): string {
  return shorten(text.trim()).replace(/\.$/, '');
}

function count(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? '' : 's'}`;
}

/** Returns what people did: who settled the ticket, when, with which note, and whether the approval was used. */
export function ticketSentences(entry: LogEntry, ticket: TicketRecord | undefined): string[] {
  if (entry.ticket === null) return [];
  if (!ticket) return [`Its ticket ${entry.ticket} is no longer in this store.`];
  const { id, state, expiresAt, settledAt } = ticket;
  const when = settledAt === null ? '' : ` at ${iso(settledAt)}`;
  const account = ticket.settledBy && accountText(ticket.settledBy);
  const by = ticket.by === null ? (account ?? 'Somebody') : `${ticket.by}${account === undefined ? '' : ` (${account})`}`;
  switch (state) {
    case 'open':
      return [`Ticket ${id} is still open, until ${iso(expiresAt)}. No person has settled it yet.`];
    case 'approved':
      return [
        `${by} approved ticket ${id}${when}${from(ticket)}${saying(ticket)}.`,
        ...(ticket.anyone ? ['The approval was given for everyone who works on this store.'] : []),
        ...edited(ticket),
        release(entry, ticket),
      ];
    case 'denied':
      return [`${by} denied ticket ${id}${when}${from(ticket)}${saying(ticket)}.`];
    case 'withdrawn':
      return [`${by} withdrew ticket ${id}${when}${from(ticket)}${saying(ticket)}, because an answer was no longer needed.`];
    case 'expired':
      return [`Ticket ${id} expired at ${iso(expiresAt)}. No person settled it in time, and no person denied it.`];
  }
}

function release(entry: LogEntry, { releasedAt, expiresAt }: TicketRecord): string {
  if (releasedAt !== null)
    return entry.decision === 'hold'
      ? `The approval was used at ${iso(releasedAt)} and does not count again.`
      : `That approval was used for this at ${iso(releasedAt)} and does not count again.`;
  return `The approval is not used yet. The next identical call passes once, until ${iso(expiresAt)}.`;
}

function edited({ edit }: TicketRecord): string[] {
  return edit === null
    ? []
    : [`It was approved with another input, which all hooks judge again: ${shorten(serialise(redact(edit).value))}`];
}

const PLACES: Readonly<Record<string, string>> = { cli: 'on the command line', api: 'in a program', web: 'in the dashboard' };

function from({ via }: TicketRecord): string {
  return via === null ? '' : ` ${Object.hasOwn(PLACES, via) ? PLACES[via] : `by way of ${via}`}`;
}

function saying({ note }: TicketRecord): string {
  return note === null || note === '' ? '' : `, saying "${shorten(redactText(note))}"`;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

/** @param late the entries of its background hooks, written when they ended */
export function explainEntry(entry: LogEntry, ticket?: TicketRecord, late: readonly LogEntry[] = []): readonly string[] {
  if (isAct(entry.kind)) return explainAct(entry);
  const outcome = readRecorded(entry);
  if (outcome.lateOf !== undefined)
    return [...endings(entry), `It was started by decision ${outcome.lateOf}, which its answer could not change any more.`];
  return [
    ...beginning(entry),
    ...hookSentences(outcome),
    ...late.flatMap(endings),
    ...changes(outcome),
    ...ending(outcome),
    ...ticketSentences(entry, ticket),
    ...outcome.diagnostics
      .filter(({ severity, code }) => severity !== 'info' || code === 'not-understood')
      .map(({ message }) => `It was reported: ${stop(message)}`),
    ...advice(entry, outcome, ticket),
  ];
}

/** Whether an entry is about the end of a background hook that this decision started. */
export function isEndOf(entry: LogEntry, id: string): boolean {
  return !isAct(entry.kind) && readRecorded(entry).lateOf === id;
}

/** Returns how the background hooks of an entry ended. */
function endings(entry: LogEntry): string[] {
  return readRecorded(entry).hooks.map((hook) => {
    const { name, fault, exit, ms } = hook;
    const how = fault ? `failed: ${fault.detail}` : exit === undefined ? 'ended well' : `ended with exit code ${exit}`;
    const took = ms === undefined ? '' : `, after ${Math.round(ms)} ms`;
    return `At ${iso(entry.at)} the background hook '${name}' (${hook.dialect}, ${place(hook)}) ${bare(how)}${took}.${wrote(hook)}`;
  });
}

function explainAct({ at, reason, decision, who, actor }: LogEntry): string[] {
  const account = who ? `the account ${who.osUser} on ${who.machine.name}` : 'an unknown account';
  return [
    `At ${iso(at)}, ${account}: ${stop(reason ?? '')}`,
    ...(actor === undefined ? [] : [`It was done by way of ${actor.via}, and the one who did it was found to be: ${actor.finding}.`]),
    ...(actor?.evidence ?? []).map(stop),
    ...(decision === 'deny' ? ['It was refused, so nothing was changed.'] : []),
  ];
}

function ending(outcome: Recorded): string[] {
  const { decision, hooks, halt, approval } = outcome;
  const answer = stop(explain(outcome));
  const sentences = [`The answer: ${answer.slice(0, 1).toLowerCase()}${answer.slice(1)}`];
  if (approval === undefined) sentences.push(...why(outcome));
  if (decision === 'pass' && outcome.rewrite !== undefined && hooks.some((hook) => hook.decision === 'allow'))
    sentences.push('An allow no longer counted, because the input it allowed was rewritten.');
  if (halt !== undefined) sentences.push(`The whole run was to stop: ${stop(halt)}`);
  return sentences;
}

/** Returns the reasons for the result, unless the result states them itself. */
function why({ decision, hooks }: Recorded): string[] {
  const wants = (...kinds: readonly (HookReport['decision'] | undefined)[]): readonly HookReport[] =>
    hooks.filter((hook) => hook.status !== 'skipped' && kinds.includes(hook.decision));
  if (decision === 'deny') {
    const denied = wants('deny');
    const [first] = denied;
    if (first?.status === 'faulted') return [`No hook denied it itself. '${first.name}' could not be asked, and by its rules that denies.`];
    if (first) return [`One denial is enough: ${names(denied)} denied it, and no other hook can undo that.`];
    const asked = wants('ask', 'hold');
    if (asked.length > 0) return [`No hook denied it itself. ${names(asked)} asked for a person to decide, but no person could be asked.`];
    return ['No hook denied it itself.'];
  }
  if (decision === 'hold' || decision === 'ask') {
    const asked = wants('ask', 'hold');
    return asked.length === 0 ? [] : [`${names(asked)} asked for a person to decide, and no hook denied it.`];
  }
  return [];
}

function advice(entry: LogEntry, outcome: Recorded, ticket: TicketRecord | undefined): string[] {
  const { decision, hooks, approval } = outcome;
  const steps: string[] = [];
  if (ticket?.state === 'open') {
    steps.push(
      `Next step: \`hookline approvals show ${ticket.id}\` shows it. To settle it, use \`approve\` or \`deny\` instead of \`show\`.`,
    );
  } else if (decision === 'hold' && ticket?.state !== 'approved' && ticket?.state !== 'denied') {
    steps.push('Next step: fire the event again for a new ticket, if the action is still wanted.');
  } else if (decision === 'deny' && approval === undefined) {
    for (const hook of hooks.filter((one) => one.decision === 'deny' && one.status !== 'skipped')) {
      const at = place(hook);
      steps.push(
        hook.status === 'faulted'
          ? `Next step: fix the hook in ${at}, so that it can be asked.`
          : `Next step: do what '${hook.name}' asks for, or check the rule in ${at}.`,
      );
    }
  }
  if (hooks.some(({ skip }) => skip === 'untrusted')) steps.push('Untrusted hooks were not asked. `hookline trust add` shows them.');
  if (decision !== 'deny' && hooks.some((hook) => hook.status === 'faulted' && hook.decision !== 'deny'))
    steps.push(
      'A hook that failed has not judged this. With `strict`, or `onError` in the settings for this hook, its failure denies, if the event can be denied.',
    );
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
