/** Reads an entry of the log: the row that is shown, and what it adds to the figures of sessions and hooks. An entry may lack any part. */
import type { DecisionKind } from '../core/decision/decision.ts';
import { KINDS } from '../core/event/event.ts';
import { isAct, type LogEntry } from '../core/record/decision-record.ts';
import { isObject, type Json, type JsonObject, ownValue, serialise, textOf } from '../core/values/json.ts';
import { hookId, shapeOf } from './problem-shape.ts';
import type { EntrySort, ViewDecision, ViewEntry } from './views.ts';
import { visibleLine } from './visible-text.ts';

export interface EntryFacts {
  readonly row: ViewEntry;
  readonly hostVersion: string;
  readonly parent: string | null;
  /** The prompt, if the event has one. */
  readonly title: string | null;
  readonly hooks: readonly HookFacts[];
}

export interface HookFacts {
  readonly id: string;
  readonly name: string;
  readonly dialect: string;
  readonly event: string;
  readonly handler: string;
  readonly file: string;
  readonly line: number | null;
  readonly scope: string;
  readonly status: 'answered' | 'faulted' | 'skipped' | 'detached';
  readonly decision: ViewDecision | null;
  readonly ms: number | null;
  readonly fault: { readonly kind: string; readonly shape: string } | null;
  readonly judge: { readonly cached: boolean; readonly input: number; readonly output: number; readonly money: number } | null;
}

const MOST = { id: 200, name: 200, what: 240, reason: 400, title: 120, path: 400 } as const;
const MOST_LINES = 2 ** 31 - 1;
const DECISIONS: readonly string[] = ['pass', 'allow', 'ask', 'hold', 'deny'] satisfies DecisionKind[];
const STATUSES: readonly string[] = ['answered', 'faulted', 'skipped', 'detached'] satisfies HookFacts['status'][];

export function readEntry(entry: LogEntry): EntryFacts {
  const { seq, id, at, session, kind, tool, decision, ticket, ms, reason, who } = entry;
  const outcome: JsonObject = isObject(entry.outcome) ? entry.outcome : {};
  const sort: EntrySort = isAct(kind) ? 'act' : outcome['lateOf'] === undefined ? 'event' : 'late';
  const hooks = listOf(outcome['hooks']).flatMap(readHook);
  const line = (text: unknown, most: number): string => visibleLine(typeof text === 'string' ? text : '', most);
  return {
    row: {
      ...{ pos: seq, id: line(id, MOST.id), at: timeOf(at), sort, session: line(session, MOST.id) },
      agent: line(who?.agent, MOST.name),
      project: line(entry.root, MOST.path),
      host: line(who?.host, MOST.name),
      user: line(who?.osUser, MOST.name),
      machine: line(who?.machine?.name, MOST.name),
      origin: line(who?.origin, MOST.id),
      kind: line(kind, MOST.name),
      tool: tool === null || tool === undefined ? null : line(tool, MOST.name),
      decision: decisionOf(decision),
      faults: hooks.filter(({ status }) => status === 'faulted').length,
      asked: hooks.filter(({ status }) => status !== 'skipped').length,
      skipped: hooks.filter(({ status }) => status === 'skipped').length,
      isRewritten: outcome['rewrite'] !== undefined || outcome['replace'] !== undefined,
      isAlarm: listOf(outcome['diagnostics']).some((one) => isObject(one) && one['code'] === 'denied-but-ran'),
      ms: finite(ms),
      ticket: ticket === null || ticket === undefined ? null : line(ticket, MOST.id),
      what: sort === 'act' ? '' : line(subjectOf(entry), MOST.what),
      reason: reason === null || reason === undefined ? null : line(reason, MOST.reason),
      decider: deciderOf(hooks, decisionOf(decision)),
    },
    hostVersion: line(who?.hostVersion, MOST.name),
    parent: who?.parent === undefined ? null : line(who.parent, MOST.name),
    title: sort === 'event' && PROMPTS.includes(kind) ? titleOf(entry.data) : null,
    hooks,
  };
}

/** One that stopped the action or rewrote it comes before one that failed, and a pass is no decision. */
function deciderOf(hooks: readonly HookFacts[], decision: ViewDecision): string | null {
  const decided =
    decision === 'pass' ? undefined : hooks.find((hook) => hook.status !== 'skipped' && !hook.fault && hook.decision === decision);
  return (decided ?? hooks.find(({ fault }) => fault !== null))?.name ?? null;
}

const PROMPTS: readonly string[] = ['prompt.submit', 'prompt.expand'];

function titleOf(data: LogEntry['data']): string | null {
  const prompt = isObject(data) ? textOf(data['prompt'])?.trim() : undefined;
  return prompt === undefined || prompt === '' ? null : visibleLine(prompt, MOST.title);
}

/** Returns the command, or what else the event is about. */
export function subjectOf({ kind, tool, data }: Pick<LogEntry, 'kind' | 'tool' | 'data'>): string {
  if (!isObject(data)) return '';
  const rule = ownValue(KINDS as Readonly<Record<string, { readonly rewrites?: { readonly key: string } }>>, kind);
  const { tool: _, ...rest } = data;
  const subject = (tool === null ? undefined : data['input']) ?? data[rule?.rewrites?.key ?? ''] ?? rest;
  const text = shortInput(subject);
  return text === '{}' ? '' : text;
}

const FILES = ['file_path', 'filePath', 'path', 'notebook_path', 'target_file'] as const;
const EDITS = [
  'old_string',
  'oldString',
  'old_str',
  'new_string',
  'newString',
  'new_str',
  'new_source',
  'edits',
  'content',
  'file_text',
] as const;

/** Returns an input on one line: its command, its only text, the file that it edits, or all of it. */
export function shortInput(input: Json): string {
  if (!isObject(input)) return textOf(input) ?? serialise(input);
  const texts = Object.values(input).filter((value) => typeof value === 'string');
  const isEdit = EDITS.some((name) => input[name] !== undefined);
  const file = isEdit ? FILES.map((name) => textOf(input[name])).find((path) => path !== undefined) : undefined;
  return textOf(input['command']) ?? (texts.length === 1 ? (texts[0] as string) : undefined) ?? file ?? serialise(input);
}

function readHook(value: Json): HookFacts[] {
  if (!isObject(value)) return [];
  const [name, status] = [textOf(value['name']), textOf(value['status'])];
  if (name === undefined || status === undefined || !STATUSES.includes(status)) return [];
  const { source, fault, decision, ms, judge } = value;
  const text = (key: string): string => visibleLine(textOf(value[key]) ?? '', MOST.name);
  const file = visibleLine((isObject(source) ? textOf(source['file']) : undefined) ?? '', MOST.path);
  const [shown, dialect, event] = [visibleLine(name, MOST.name), text('dialect'), text('event')];
  return [
    {
      ...{ id: hookId(dialect, event, shown, file), name: shown, dialect, event, handler: text('handler'), file },
      line: lineOf(isObject(source) ? source['line'] : undefined),
      scope: visibleLine((isObject(source) ? textOf(source['scope']) : undefined) ?? '', MOST.name),
      status: status as HookFacts['status'],
      decision: decision === undefined ? null : decisionOf(decision),
      ms: typeof ms === 'number' && ms >= 0 ? finite(ms) : null,
      fault: status === 'faulted' ? faultOf(fault) : null,
      judge: isObject(judge) ? judgeOf(judge) : null,
    },
  ];
}

/** Returns null for a number that no file has. */
function lineOf(line: Json | undefined): number | null {
  return typeof line === 'number' && Number.isInteger(line) && line > 0 && line <= MOST_LINES ? line : null;
}

function faultOf(fault: Json | undefined): HookFacts['fault'] {
  const [kind, detail] = isObject(fault) ? [textOf(fault['kind']), textOf(fault['detail'])] : [];
  return { kind: visibleLine(kind ?? 'unknown', MOST.name), shape: visibleLine(shapeOf((detail ?? '').slice(0, 2000)), MOST.reason) };
}

function judgeOf(judge: JsonObject): HookFacts['judge'] {
  const number = (key: string): number => (typeof judge[key] === 'number' ? finite(judge[key]) : 0);
  return {
    cached: judge['cached'] === true,
    input: Math.round(number('inputTokens')),
    output: Math.round(number('outputTokens')),
    money: number('money'),
  };
}

function decisionOf(decision: unknown): ViewDecision {
  return DECISIONS.includes(decision as string) ? (decision as DecisionKind) : 'unknown';
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a whole number of milliseconds that a date can have. */
function timeOf(value: unknown): number {
  return Math.max(0, Math.min(8.64e15, Math.round(finite(value))));
}

function finite(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
