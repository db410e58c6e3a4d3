/** Interprets a raw reply by the rows of a profile. Only this file turns exit codes and statuses into verdicts. */

import type { Dialect } from '../contracts/dialect.ts';
import type { Hook, OnError } from '../contracts/hook.ts';
import { NO_OPINION, PASS, reasonOf, type Verdict } from '../decision/decision.ts';
import { type Fault, type FaultKind, fault, isFault, type Reply } from '../decision/reply.ts';
import type { HookEvent } from '../event/event.ts';
import { frozenCopy } from '../values/frozen.ts';
import type { Json } from '../values/json.ts';
import { type EventRule, type Fail, isGating, type Meaning, type Read, type Stream } from './profile.ts';

/** Returns the verdict of a hook on the event it was shown, or a fault if nothing usable came back. */
export function interpret(answer: Reply | Fault, hook: Hook, rule: EventRule, dialect: Dialect, event: HookEvent): Verdict | Fault {
  const meaning = read(answer, hook, rule, dialect, event);
  if (meaning === NO_OPINION) return meaning;
  try {
    if ('decision' in meaning) return ownVerdict(meaning);
    return meaning.verdict ? { ...meaning, verdict: ownVerdict(meaning.verdict) } : meaning;
  } catch (error) {
    return fault('malformed', `the answer cannot be copied: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Returns the verdict with copies of the values that other hooks and people are shown, because a function may keep what it returned. */
function ownVerdict(verdict: Verdict): Verdict {
  const { decision, effects } = verdict;
  const isShared = effects.some(({ kind }) => kind === 'rewrite' || kind === 'replace');
  if (!isShared && (decision.kind !== 'hold' || decision.state === undefined)) return verdict;
  return { ...verdict, decision: frozenCopy(decision), effects: isShared ? frozenCopy(effects) : effects };
}

function read(answer: Reply | Fault, hook: Hook, rule: EventRule, dialect: Dialect, event: HookEvent): Verdict | Fault {
  if (isFault(answer)) return denyWithin(answer, hook, rule, dialect, event) ?? answer;
  if (answer.kind === 'verdict') return askable(answer.verdict, rule);
  if (answer.kind === 'value') return orFault(dialect.wire.decodeValue(answer.value, hook.event, event));
  if (answer.kind === 'http') {
    const row = rowsOf(rule, dialect, 'status').find(({ status }) => status === 'other' || isSuccess(answer.status));
    return apply(row?.means ?? { say: 'fault', fault: 'status' }, { http: answer }, hook, rule, dialect, event);
  }
  if (answer.exit === null) return fault('signal', 'was ended by a signal');
  const { exit } = answer;
  const row = rowsOf(rule, dialect, 'exit').find((candidate) => candidate.exit === 'other' || candidate.exit.includes(exit));
  const coded = apply(row?.means ?? { say: 'fault', fault: 'exit' }, { process: answer }, hook, rule, dialect, event);
  if (row?.alsoCounts === undefined) return coded;
  const parsed = parse({ say: 'parse', notJson: 'pass' }, { process: answer }, hook, rule, dialect, event);
  return 'decision' in parsed ? combineCodeAndJson(coded, parsed) : coded;
}

function combineCodeAndJson(coded: Verdict | Fault, parsed: Verdict): Verdict | Fault {
  if (parsed.decision.kind === 'deny') return parsed;
  return 'decision' in coded ? { decision: coded.decision, effects: parsed.effects } : { ...coded, verdict: parsed };
}

/**
 * Returns the consequence of a fault on this event. Strict mode and four kinds of fault override the user's setting for the hook, which
 * overrides the profile. `oversize` denies because half a payload would be a way around a guard. `cancelled` denies because a caller that gave
 * up has no consent. `depth` denies because an environment variable must not disable guards. `changed` denies because a person relies on the
 * hook, and other code than the trusted code may have answered.
 */
export function policyFor(
  kind: FaultKind,
  rule: EventRule,
  fail: Fail,
  strict: boolean,
  { onError, lenient }: { readonly onError?: OnError | undefined; readonly lenient?: true | undefined } = {},
): OnError {
  if (!rule.grants.includes('deny')) return 'pass';
  if (strict || kind === 'oversize' || kind === 'cancelled' || kind === 'depth' || kind === 'changed') return 'deny';
  if (onError !== undefined || lenient) return onError ?? 'pass';
  return rule.fail?.[kind] ?? rule.fail?.otherwise ?? fail[kind] ?? fail.otherwise;
}

/** An `ask` that the event cannot express becomes a hold, or else a deny that says so. It is never dropped. */
export function askable(verdict: Verdict, { grants }: EventRule): Verdict {
  const { decision } = verdict;
  if (decision.kind !== 'ask' || grants.includes('ask')) return verdict;
  if (grants.includes('hold')) return { ...verdict, decision: { kind: 'hold', reason: decision.reason } };
  if (!grants.includes('deny')) return verdict;
  return { ...verdict, decision: { kind: 'deny', reason: `${decision.reason} (No person can be asked here. Let a person run it.)` } };
}

type ReplySource = { readonly process: Reply & { kind: 'process' } } | { readonly http: Reply & { kind: 'http' } };

function apply(means: Meaning, source: ReplySource, hook: Hook, rule: EventRule, dialect: Dialect, event: HookEvent): Verdict | Fault {
  switch (means.say) {
    case 'pass':
      return NO_OPINION;
    case 'notice': {
      const text = bodyOf(source).trim();
      return text === '' ? NO_OPINION : { decision: PASS, effects: means.alsoContext ? told(text) : [{ kind: 'notice', text }] };
    }
    case 'deny':
      return { decision: { kind: 'deny', reason: reasonFrom(means.reason, source) ?? fill(means.otherwise, source, hook) }, effects: [] };
    case 'fault':
      return fault(
        means.fault,
        faultDetail(source),
        'process' in source && source.process.exit !== null ? { exit: source.process.exit } : {},
      );
    case 'parse':
      return parse(means, source, hook, rule, dialect, event);
  }
}

function parse(
  means: Meaning & { say: 'parse' },
  source: ReplySource,
  hook: Hook,
  rule: EventRule,
  dialect: Dialect,
  event: HookEvent,
): Verdict | Fault {
  const { notJson, from } = means;
  const body = from && 'process' in source ? (reasonFrom(from, source) ?? '') : bodyOf(source);
  const text = (dialect.wire.answerIn?.(body) ?? body).trim();
  const instead = typeof notJson === 'object' && 'means' in notJson ? notJson.means : undefined;
  if (text === '') return instead ? apply(instead, source, hook, rule, dialect, event) : NO_OPINION;
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return instead ? apply(instead, source, hook, rule, dialect, event) : plain(text, notJson, source, rule, dialect);
  }
  const decoded = dialect.wire.decodeReply(value, hook.event, event);
  if (instead && isAlways(notJson)) return reasoned(apply(instead, source, hook, rule, dialect, event), decoded);
  // If text alone denies, a reply that cannot be decoded does not consent.
  return typeof decoded === 'string' && instead?.say === 'deny' ? apply(instead, source, hook, rule, dialect, event) : orFault(decoded);
}

function isAlways(notJson: (Meaning & { say: 'parse' })['notJson']): boolean {
  return typeof notJson === 'object' && 'means' in notJson && notJson.always === true;
}

/** Returns the fixed verdict with the reason and effects of the reply. */
function reasoned(fixed: Verdict | Fault, decoded: Verdict | string): Verdict | Fault {
  if (!('decision' in fixed) || typeof decoded === 'string') return fixed;
  const reason = reasonOf(decoded.decision);
  const decision = fixed.decision.kind === 'deny' && reason !== null ? { ...fixed.decision, reason } : fixed.decision;
  return { decision, effects: [...fixed.effects, ...decoded.effects] };
}

/**
 * Interprets output that is not JSON. On an event that can be denied, output with a `{` may be a denial with other text around it, such as the
 * greeting of a shell, so it is a fault and never silence. Where the format takes text as context or a notice, a brace alone is no sign of a
 * reply, and the text still counts. Other text is ignored with a warning, unless the format itself denies then.
 */
function plain(
  text: string,
  notJson: (Meaning & { say: 'parse' })['notJson'],
  source: ReplySource,
  rule: EventRule,
  { wire, profile: { fail } }: Dialect,
): Verdict | Fault {
  const mayReply = wire.mayReply?.(text) ?? text.includes('{');
  const malformed = fault('malformed', `the output is not JSON: ${excerpt(text, SEEN)}`);
  if (text.startsWith('{') && notJson !== 'pass') return malformed;
  if (notJson === 'fault' && (!isDone(source) || mayReply || policyFor('malformed', rule, fail, false) === 'deny')) return malformed;
  const kind = typeof notJson === 'object' && 'text' in notJson && notJson.text !== 'pass' ? notJson.text : undefined;
  const verdict: Verdict | undefined = kind && { decision: PASS, effects: [{ kind, text }] };
  if (isGating(rule) && (verdict ? OBJECT_WITHIN.test(text) : mayReply))
    return { ...malformed, lenient: true, ...(verdict && { verdict }) };
  return verdict ?? NO_OPINION;
}

/** Whether this is the output of a process that ended well. Many of these print a line for people. */
function isDone(source: ReplySource): boolean {
  return 'process' in source && source.process.exit === 0;
}

function isIgnored(notJson: (Meaning & { say: 'parse' })['notJson']): boolean {
  return typeof notJson === 'string' || ('text' in notJson && notJson.text === 'pass');
}

/** Returns the output of a process that ended well and that has no meaning in the hook's format; undefined if there is none. */
export function ignoredOutput(answer: Reply, rule: EventRule, dialect: Dialect): string | undefined {
  if (answer.kind !== 'process' || answer.exit !== 0 || answer.stdout === '') return undefined;
  const row = rowsOf(rule, dialect, 'exit').find(({ exit }) => exit === 'other' || exit.includes(0));
  if (row?.means.say !== 'parse' || row.means.from || !isIgnored(row.means.notJson)) return undefined;
  const text = (dialect.wire.answerIn?.(answer.stdout) ?? answer.stdout).trim();
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return text === '' ? undefined : excerpt(text, SEEN);
  }
}

/**
 * Returns the keys of a reply that belong to other formats, and these formats, if the reply has no key of its own format: its author may have
 * meant a denial that this format does not understand.
 */
export function foreignKeys(
  answer: Reply,
  dialect: Dialect,
  others: Iterable<Dialect>,
): { readonly keys: readonly string[]; readonly formats: readonly string[] } | undefined {
  const own = dialect.wire.replyKeys;
  const text = answer.kind === 'process' && answer.exit === 0 ? answer.stdout : answer.kind === 'http' ? answer.body : '';
  if (!own || !text.trimStart().startsWith('{')) return undefined;
  let said: readonly string[];
  try {
    said = Object.keys(JSON.parse(text) as object);
  } catch {
    return undefined;
  }
  if (said.some((key) => own.includes(key))) return undefined;
  const speakers = [...others].filter(({ wire }) => said.some((key) => wire.replyKeys?.includes(key)));
  const keys = said.filter((key) => speakers.some(({ wire }) => wire.replyKeys?.includes(key)));
  return keys.length === 0 ? undefined : { keys, formats: speakers.map(({ id }) => id) };
}

function told(text: string): Verdict['effects'] {
  return [
    { kind: 'notice', text },
    { kind: 'context', text },
  ];
}

/** The beginning of an object, as JSON or as the literal of a programming language. */
const OBJECT_WITHIN = /\{\s*["'}]/;
/** How much of an unusable output is shown, in characters. */
const SEEN = 80;

function orFault(decoded: Verdict | string): Verdict | Fault {
  return typeof decoded === 'string' ? fault('malformed', decoded.replace(/\.$/, '')) : decoded;
}

/** A hook that was not shown the whole event may still deny, because a denial needs no further knowledge. Consent does. */
function denyWithin(answer: Fault, hook: Hook, rule: EventRule, dialect: Dialect, event: HookEvent): Verdict | undefined {
  if (!answer.reply) return undefined;
  const verdict = interpret(answer.reply, hook, rule, dialect, event);
  return 'decision' in verdict && verdict.decision.kind === 'deny' ? verdict : undefined;
}

function rowsOf<K extends keyof Read>(rule: EventRule, dialect: Dialect, table: K): Read[K] {
  return rule.read?.[table] ?? dialect.profile.read[table];
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function bodyOf(source: ReplySource): string {
  return 'http' in source ? source.http.body : source.process.stdout;
}

function reasonFrom(streams: readonly Stream[], source: ReplySource): string | undefined {
  if (!('process' in source)) return undefined;
  for (const stream of streams) {
    const text = (source.process[stream] ?? '').trim();
    if (text !== '') return text;
  }
  return undefined;
}

function fill(template: string, source: ReplySource, hook: Hook): string {
  const stderr = 'process' in source ? source.process.stderr.trim() : '';
  const values: Record<string, string> = {
    name: hook.name,
    exit: 'process' in source ? String(source.process.exit) : '',
    status: 'http' in source ? String(source.http.status) : '',
    stderr: stderr === '' ? '' : `: ${stderr}`,
  };
  return template.replace(/\{(name|exit|status|stderr)\}/g, (_, key: string) => values[key] ?? '');
}

function faultDetail(source: ReplySource): string {
  if ('http' in source) return `the server answered with status ${source.http.status}`;
  const stderr = source.process.stderr.trim();
  return `exit code ${source.process.exit}${stderr === '' ? '' : `: ${excerpt(stderr)}`}`;
}

/** Returns enough of a hook's output to recognise it. */
function excerpt(text: string, most = 200): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
