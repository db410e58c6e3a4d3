/**
 * Masks secrets before anything is shown to a person, by the key of a value and by the shape of a text. Each masked value is named by a
 * JSON pointer, so that no reader mistakes it for the real one. A doubtful value is masked.
 */
import { isObject, type Json, type JsonObject } from './json.ts';

export interface Redacted {
  readonly value: Json;
  /** JSON pointers. */
  readonly masked: readonly string[];
}

export interface RedactedPart extends Redacted {
  /** JSON pointers of the texts, lists and objects of which only a part is kept. */
  readonly cut: readonly string[];
}

/** The most that is kept, in characters: of one text, and of the whole value. */
export interface Bounds {
  readonly text: number;
  readonly whole: number;
}

export const MASK = '[redacted]';

/** A key that ends in one of these, in any spelling (`apiKey`, `API_KEY`, `x-api-key`), hides every value below it. */
const KEYS = [
  'password',
  'passwd',
  'passphrase',
  'pwd',
  'secret',
  'secretkey',
  'token',
  'apikey',
  'accesskey',
  'accesskeyid',
  'privatekey',
  'signingkey',
  'encryptionkey',
  'authorization',
  'authtoken',
  'cookie',
  'setcookie',
  'credential',
  'credentials',
  'connectionstring',
] as const;

/** The same names as they appear in text: `--api-key x`, `PASSWORD=x`, `"token": "x"`. */
const WORD = '(?:pass(?:word|wd|phrase)|pwd|secret(?:[_-]?(?:access[_-]?)?key)?|token|(?:api|access|private)[_-]?key|credentials?)';

/** A mask that stands alone is no secret, so a text that is masked twice stays the same. */
const UNMASKED = `(?!\\[redacted\\](?:[\\s"',;&|)}\\]]|$))(?:\\[redacted\\])?`;

/** The words of `WORD` and parts of them: every match of it contains one. */
const NAMES = ['passw', 'passphrase', 'pwd', 'secret', 'token', 'key', 'credential'];

/**
 * Shapes of secrets in text. The group `keep`, if there is one, is kept; the rest of the match is masked. Every match contains one of the hints,
 * in any case. Most texts contain none, and a process that judges one event must not compile patterns that nothing can match.
 */
const SHAPES: readonly { readonly hints: readonly string[]; readonly shapes: readonly RegExp[] }[] = [
  {
    hints: ['-----begin'],
    shapes: [/-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g],
  },
  { hints: ['://'], shapes: [/(?<keep>\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@"']{0,200}:)[^\s/@"']{1,200}(?=@)/gi] },
  { hints: ['bearer', 'basic'], shapes: [/(?<keep>\b(?:Bearer|Basic)\s{1,4})[A-Za-z0-9._~+/=-]{6,}/gi] },
  { hints: ['authorization'], shapes: [/(?<keep>\bauthorization["']?\s{0,4}[:=]\s{0,4}["']?)(?!Bearer|Basic)[^\s"',;]{3,}/gi] },
  {
    hints: NAMES,
    shapes: [
      new RegExp(`(?<keep>${WORD}["']?\\s{0,4}(?:=|:)\\s{0,4}["'])[^"'\\n]+`, 'gi'),
      new RegExp(`(?<keep>${WORD}["']?\\s{0,4}(?:=|:)\\s{0,4})${UNMASKED}[^\\s"',;&|)}\\]]{3,}`, 'gi'),
      new RegExp(`(?<keep>--?[a-z0-9-]{0,40}${WORD}\\s{1,4}["']?)[^\\s"'-][^\\s"']*`, 'gi'),
    ],
  },
  { hints: ['sk-', 'sk_', 'pk-', 'pk_', 'rk-', 'rk_'], shapes: [/\b(?:sk|pk|rk)[-_](?:[a-z0-9]{1,12}[-_]){0,3}[A-Za-z0-9_-]{12,}/gi] },
  { hints: ['gho_', 'ghp_', 'ghu_', 'ghs_', 'ghr_'], shapes: [/\bgh[opusr]_[A-Za-z0-9]{16,}/g] },
  { hints: ['github_pat_'], shapes: [/\bgithub_pat_[A-Za-z0-9_]{16,}/g] },
  { hints: ['glpat-'], shapes: [/\bglpat-[A-Za-z0-9_-]{16,}/g] },
  { hints: ['xox'], shapes: [/\bxox[abeoprs]-[A-Za-z0-9-]{8,}/g] },
  { hints: ['akia', 'asia', 'aroa', 'aida'], shapes: [/\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{12,}/g] },
  { hints: ['aiza'], shapes: [/\bAIza[A-Za-z0-9_-]{30,}/g] },
  { hints: ['npm_'], shapes: [/\bnpm_[A-Za-z0-9]{30,}/g] },
  { hints: ['hf_'], shapes: [/\bhf_[A-Za-z0-9]{20,}/g] },
  { hints: ['eyj'], shapes: [/\beyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*/g] },
];

/** Returns the value with its secrets masked, and where they were. A part without a secret is the same object, not a copy. */
export function redact(value: Json): Redacted {
  const { cut: _, ...redacted } = redactWithin(value, UNBOUNDED);
  return redacted;
}

/** The same for a part of the value. The work grows with the part that is kept, not with the value. */
export function redactWithin(value: Json, { text, whole }: Bounds): RedactedPart {
  const state: State = { masked: [], cut: [], steps: [], text, left: whole };
  return { value: mask(value, state), masked: state.masked, cut: state.cut };
}

const UNBOUNDED: Bounds = { text: Number.POSITIVE_INFINITY, whole: Number.POSITIVE_INFINITY };

interface State {
  readonly masked: string[];
  readonly cut: string[];
  /** The way to the value at hand. It is written as a pointer only if the value is masked or cut. */
  readonly steps: (string | number)[];
  readonly text: number;
  /** How much may still be kept. */
  left: number;
}

function pointerOf({ steps }: State): string {
  return steps.map((step) => `/${step}`).join('');
}

/** A process that judges a few events is faster without the pattern of all hints, which has to be compiled. */
const FIRST_SEARCHES = 100;
let searches = 0;
let anyHint: RegExp | undefined;

/** Whether a text in lower case may contain a hint. One pattern finds none in a short text in a fraction of the time of so many searches. */
function hasHint(lower: string): boolean {
  if (searches < FIRST_SEARCHES) {
    searches++;
    return true;
  }
  anyHint ??= new RegExp(SHAPES.flatMap(({ hints }) => hints.map((hint) => hint.replace(/\W/g, '\\$&'))).join('|'));
  return anyHint.test(lower);
}

/** Returns one text with its secrets masked. */
export function redactText(text: string): string {
  if (isKnown(text)) return text;
  const lower = text.toLowerCase();
  const shown = hasHint(lower) ? hideShapes(text, lower) : text;
  if (shown === text && text.length <= LONGEST_KNOWN) {
    if (cleanTexts.size >= MOST_KNOWN) cleanTexts.clear();
    cleanTexts.add(text);
  }
  return shown;
}

/** Whether this text was searched before and contains no secret. */
function isKnown(text: string): boolean {
  return text.length <= LONGEST_KNOWN && cleanTexts.has(text);
}

function hideShapes(text: string, lower: string): string {
  let shown = text;
  for (const { hints, shapes } of SHAPES) {
    if (hints.some((hint) => lower.includes(hint))) shown = shapes.reduce((before, shape) => before.replace(shape, hideMatch), shown);
  }
  return shown;
}

function hideMatch(...match: unknown[]): string {
  const groups = match.at(-1);
  return `${isObject(groups) ? (groups['keep'] ?? '') : ''}${MASK}`;
}

interface ShownKey {
  readonly shown: string;
  /** The key as a JSON pointer writes it. */
  readonly step: string;
  /** Whether every value below it is hidden. */
  readonly hides: boolean;
}

const LONGEST_KNOWN = 200;
const MOST_KNOWN = 1000;
/** Texts and keys without a secret. The same keys and hook names come with every event, so each is searched once. */
const cleanTexts = new Set<string>();
const cleanKeys = new Map<string, ShownKey>();

/** A value that is nested deeper than this is masked as a whole. */
const MAX_DEPTH = 100;

function mask(value: Json, state: State): Json {
  if (typeof value === 'string') return maskText(value, state);
  if (typeof value !== 'object' || value === null) return value;
  if (state.steps.length >= MAX_DEPTH) return hide(state);
  return isObject(value) ? maskObject(value, state) : maskList(value as readonly Json[], state);
}

/** The least that an item counts, so that a list of small items is bounded too. */
const ITEM_COST = 4;

function maskList(list: readonly Json[], state: State): Json {
  let copy: Json[] | undefined;
  for (let i = 0; i < list.length; i++) {
    if (isFull(state)) return [...(copy ?? list.slice(0, i)), `… [${list.length - i} more]`];
    const item = list[i] as Json;
    state.steps.push(i);
    const shown = mask(item, state);
    state.steps.pop();
    if (shown !== item) copy ??= list.slice(0, i);
    copy?.push(shown);
  }
  return copy ?? list;
}

function maskObject(object: JsonObject, state: State): Json {
  const keys = Object.keys(object);
  let copy: [string, Json][] | undefined;
  for (let i = 0; i < keys.length; i++) {
    if (isFull(state)) return Object.fromEntries([...(copy ?? firstOf(object, keys, i)), ['…', `[${keys.length - i} more]`]]);
    const long = keys[i] as string;
    const item = object[long];
    const key = long.length > state.text ? `${long.slice(0, state.text)}…` : long;
    state.left -= key.length;
    const known = shownKey(key);
    const isPlain = known.shown === long && !known.hides && typeof item === 'string' && isKept(item, state);
    const shown = isPlain ? item : maskItem(key, known, item, state);
    if (shown !== item || known.shown !== long) copy ??= firstOf(object, keys, i);
    copy?.push([known.shown, shown as Json]);
  }
  return copy ? Object.fromEntries(copy) : object;
}

function firstOf(object: JsonObject, keys: readonly string[], count: number): [string, Json][] {
  return keys.slice(0, count).map((key) => [key, object[key] as Json]);
}

/** Returns whether there is no room for another item of the list or object at hand, and counts the item if there is. */
function isFull(state: State): boolean {
  if (state.left <= 0) {
    state.cut.push(pointerOf(state));
    return true;
  }
  state.left -= ITEM_COST;
  return false;
}

/** Whether a text is known and is kept whole, as most texts of a record are: they were in the record before. Counts it if so. */
function isKept(text: string, state: State): boolean {
  if (text.length > state.left || text.length > state.text || !isKnown(text)) return false;
  state.left -= text.length;
  return true;
}

function maskItem(key: string, { shown, step, hides }: ShownKey, item: Json | undefined, state: State): Json | undefined {
  const isEmpty = item === undefined || item === null || typeof item === 'boolean' || item === '';
  if (isEmpty && shown === key) return item;
  state.steps.push(step);
  // A key may contain a secret. Then neither the key nor the pointer may show it.
  if (shown !== key) state.masked.push(pointerOf(state));
  const masked = isEmpty ? item : hides ? hide(state) : mask(item, state);
  state.steps.pop();
  return masked;
}

/** A secret that begins in the part that is kept is found whole: more is searched than is kept. */
const MARGIN = 1024;

function maskText(text: string, state: State): string {
  const room = Math.max(0, Math.min(state.text, state.left));
  const isLong = text.length > room;
  const searched = isLong ? text.slice(0, room + MARGIN) : text;
  const shown = redactText(searched);
  if (shown !== searched) state.masked.push(pointerOf(state));
  if (!isLong) {
    state.left -= shown.length;
    return shown;
  }
  state.cut.push(pointerOf(state));
  const end = text.length > room + MARGIN ? Math.min(room, Math.max(0, shown.length - MARGIN)) : room;
  const kept = shown.slice(0, end).replace(/[\ud800-\udbff]$/, '');
  state.left -= kept.length;
  return `${kept}… [${kept.length} of ${text.length} characters]`;
}

function shownKey(key: string): ShownKey {
  const known = cleanKeys.get(key);
  if (known) return known;
  const shown = redactText(key);
  const fresh = { shown, step: shown.replaceAll('~', '~0').replaceAll('/', '~1'), hides: isSecretKey(key) };
  if (shown === key && key.length <= LONGEST_KNOWN) {
    if (cleanKeys.size >= MOST_KNOWN) cleanKeys.clear();
    cleanKeys.set(key, fresh);
  }
  return fresh;
}

function hide(state: State): Json {
  state.masked.push(pointerOf(state));
  return MASK;
}

function isSecretKey(key: string): boolean {
  const folded = key.toLowerCase().replace(/[^a-z0-9]/g, '');
  return KEYS.some((name) => folded.endsWith(name));
}
