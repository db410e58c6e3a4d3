/** The value that a function hook returns, as a type and as it is read. A value that is no answer is a fault that says what was meant. */
import { type Decision, type Effect, NO_OPINION, type Verdict } from '../../core/decision/decision.ts';
import { asJson, isObject, type Json, type JsonObject, ownValue, textOf } from '../../core/values/json.ts';
import { suggest } from '../../core/values/suggest.ts';

/** The answer of a function hook; nothing at all means no opinion. `deny`, `ask` and `hold` give a reason. */
export type HookAnswer = HookDecision & HookEffects;

/** The effects of an answer besides its decision. */
export interface HookEffects {
  /** Takes the place of the tool's input, the prompt or the message. */
  readonly rewrite?: Json | undefined;
  /** Takes the place of what the tool, the subagent or the model brought back, or of what is shown. */
  readonly replace?: Json | undefined;
  /** Added to the agent's context. */
  readonly context?: string | readonly string[] | undefined;
  /** Shown to the user. */
  readonly notice?: string | undefined;
  /** Keep this event out of logs. */
  readonly quiet?: boolean | undefined;
  /** Stop the whole run, and why. */
  readonly halt?: string | undefined;
}

export type HookDecision =
  | { readonly decision?: undefined; readonly reason?: undefined; readonly state?: undefined }
  | { readonly decision: 'pass' | 'allow'; readonly reason?: string | undefined; readonly state?: undefined }
  | { readonly decision: 'ask' | 'deny'; readonly reason: string; readonly state?: undefined }
  /** `state`: whatever the one who settles it should see. */
  | { readonly decision: 'hold'; readonly reason: string; readonly state?: Json | undefined };

const DECISIONS = ['pass', 'allow', 'ask', 'hold', 'deny'] as const;
type Word = (typeof DECISIONS)[number];

/** Returns the verdict, or what is wrong with the answer, as a clause. */
export function decodeAnswer(value: unknown): Verdict | string {
  if (value === undefined || value === null) return NO_OPINION;
  if (!isPlainObject(value)) return noObject(value);
  const problem = problemIn(value);
  if (problem !== undefined) return problem;
  const word = value['decision'] as Word | null | undefined;
  const effects = effectsOf(value);
  if (effects.length === 0 && (word === undefined || word === null || word === 'pass')) return NO_OPINION;
  return { decision: decisionOf(word ?? 'pass', value), effects };
}

/** An error or a map has no keys of its own, so it would read as an answer that says nothing. */
function isPlainObject(value: unknown): value is JsonObject {
  return isObject(value) && (Object.keys(value).length > 0 || Object.prototype.toString.call(value) === '[object Object]');
}

type Field = { readonly is: (value: unknown) => boolean; readonly must: string };

const TEXT: Field = { is: (value) => typeof value === 'string', must: 'text' };
const ANY: Field = { is: () => true, must: 'JSON' };

const FIELDS: Readonly<Record<string, Field>> = {
  decision: { is: (value) => DECISIONS.includes(value as Word), must: `one of ${DECISIONS.join(', ')}` },
  reason: TEXT,
  state: ANY,
  rewrite: ANY,
  replace: ANY,
  context: { is: (value) => [value].flat().every((text) => typeof text === 'string'), must: 'text or a list of texts' },
  notice: TEXT,
  quiet: { is: (value) => typeof value === 'boolean', must: 'true or false' },
  halt: TEXT,
};

function problemIn(value: JsonObject): string | undefined {
  for (const [key, item] of Object.entries(value)) {
    const field = ownValue(FIELDS, key);
    if (!field) return unknownKey(key, value);
    if (item !== undefined && item !== null && !field.is(item))
      return `\`${key}\` must be ${field.must}, not ${shown(item)}${meant(key, item)}`;
  }
  const { decision: word, reason, state } = value;
  if (word === 'deny' || word === 'ask' || word === 'hold') {
    if ((textOf(reason) ?? '').trim() === '') return `\`${word}\` needs a reason; did you mean \`${written(word)}\`?`;
  } else if (typeof reason === 'string' && (word === undefined || word === null)) {
    return `a reason needs a decision; did you mean \`${written('deny', reason)}\`?`;
  }
  if (state !== undefined && state !== null && word !== 'hold') return '`state` belongs to `hold` alone';
  return undefined;
}

/** Keys of other formats, and the answer that their authors mean. */
const MEANT: Readonly<Record<string, (value: Json | undefined) => string>> = {
  deny: (value) => written('deny', value),
  block: (value) => written('deny', value),
  blocked: (value) => written('deny', value),
  denied: (value) => written('deny', value),
  ask: (value) => written('ask', value),
  hold: (value) => written('hold', value),
  pending: () => "{ decision: 'hold', reason, state }",
  allow: () => "{ decision: 'allow' }",
  ok: () => "{ decision: 'allow' }",
  permissionDecision: (value) => written(isWord(value) ? value : 'deny'),
  hookSpecificOutput: () => written('deny'),
  message: () => written('deny'),
  permissionDecisionReason: () => written('deny'),
  input: () => '{ rewrite }',
  updatedInput: () => '{ rewrite }',
  result: () => '{ replace }',
  output: () => '{ replace }',
  additionalContext: () => '{ context }',
  systemMessage: () => '{ notice }',
  continue: () => '{ halt: reason }',
  stop: () => '{ halt: reason }',
  stopReason: () => '{ halt: reason }',
};

function unknownKey(key: string, value: JsonObject): string {
  const near = suggest(key, Object.keys(FIELDS));
  const instead = ownValue(MEANT, key)?.(value[key]) ?? near;
  return `an answer has no \`${key}\`; ${instead === undefined ? `it has ${Object.keys(FIELDS).join(', ')}` : `did you mean \`${instead}\`?`}`;
}

function meant(key: string, value: unknown): string {
  if (key !== 'decision' || typeof value !== 'string') return '';
  const near = SAME_AS[value.toLowerCase()] ?? (suggest(value, DECISIONS) as Word | undefined);
  return near === undefined ? '' : `; did you mean \`${written(near)}\`?`;
}

/** Words of other formats for the same decision. */
const SAME_AS: Readonly<Record<string, Word | undefined>> = {
  block: 'deny',
  reject: 'deny',
  approve: 'allow',
  ok: 'allow',
  pending: 'hold',
  defer: 'hold',
  continue: 'pass',
};

function noObject(value: unknown): string {
  const word = typeof value === 'string' ? (SAME_AS[value.toLowerCase()] ?? (isWord(value) ? value : undefined)) : undefined;
  const instead = word ? written(word) : written('deny', textOf(value));
  const advice = value === true ? 'to let it pass, return nothing' : `did you mean \`${instead}\`?`;
  return `a hook function returns an answer or nothing, and this one returned ${shown(value)}; ${advice}`;
}

function isWord(value: unknown): value is Word {
  return DECISIONS.includes(value as Word);
}

/** Returns the answer as an author would write it. */
function written(word: Word, reason?: unknown): string {
  if (word === 'pass' || word === 'allow') return `{ decision: '${word}' }`;
  return `{ decision: '${word}', reason${typeof reason === 'string' ? `: ${shown(reason)}` : ''} }`;
}

function shown(value: unknown): string {
  const text = typeof value === 'object' && !Array.isArray(value) && !isPlainObject(value) ? undefined : JSON.stringify(asJson(value));
  if (text === undefined)
    return value === null ? 'null' : typeof value === 'object' ? `an instance of ${value.constructor.name}` : `a ${typeof value}`;
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

const LONGEST_SHOWN = 60;

function decisionOf(kind: Word, { reason: given, state }: JsonObject): Decision {
  const reason = textOf(given) ?? '';
  switch (kind) {
    case 'pass':
      return { kind };
    case 'allow':
      return reason === '' ? { kind } : { kind, reason };
    case 'hold':
      return { kind, reason, ...(state !== undefined && { state }) };
    default:
      return { kind, reason };
  }
}

function effectsOf({ rewrite, replace, context, notice, quiet, halt }: JsonObject): Effect[] {
  const effects: Effect[] = [];
  if (rewrite !== undefined) effects.push({ kind: 'rewrite', value: rewrite });
  if (replace !== undefined) effects.push({ kind: 'replace', value: replace });
  for (const text of [context].flat()) if (typeof text === 'string') effects.push({ kind: 'context', text });
  if (typeof notice === 'string') effects.push({ kind: 'notice', text: notice });
  if (quiet === true) effects.push({ kind: 'quiet' });
  if (typeof halt === 'string') effects.push({ kind: 'halt', reason: halt });
  return effects;
}
