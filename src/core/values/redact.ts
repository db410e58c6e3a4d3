/**
 * Masks secrets before anything is shown to a person, by the key of a value and by the shape of a text. Each masked value is named by a
 * JSON pointer, so that no reader mistakes it for the real one. A doubtful value is masked.
 */
import { isObject, type Json } from './json.ts';

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

/** Shapes of secrets in text. The group `keep`, if there is one, is kept; the rest of the match is masked. */
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /(?<keep>\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@"']{0,200}:)[^\s/@"']{1,200}(?=@)/gi,
  /(?<keep>\b(?:Bearer|Basic)\s{1,4})[A-Za-z0-9._~+/=-]{6,}/gi,
  /(?<keep>\bauthorization["']?\s{0,4}[:=]\s{0,4}["']?)(?!Bearer|Basic)[^\s"',;]{3,}/gi,
  new RegExp(`(?<keep>${WORD}["']?\\s{0,4}(?:=|:)\\s{0,4}["'])[^"'\\n]+`, 'gi'),
  new RegExp(`(?<keep>${WORD}["']?\\s{0,4}(?:=|:)\\s{0,4})${UNMASKED}[^\\s"',;&|)}\\]]{3,}`, 'gi'),
  new RegExp(`(?<keep>--?[a-z0-9-]{0,40}${WORD}\\s{1,4}["']?)[^\\s"'-][^\\s"']*`, 'gi'),
  /\b(?:sk|pk|rk)[-_](?:[a-z0-9]{1,12}[-_]){0,3}[A-Za-z0-9_-]{12,}/gi,
  /\bgh[opusr]_[A-Za-z0-9]{16,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{16,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{8,}/g,
  /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{12,}/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bhf_[A-Za-z0-9]{20,}/g,
  /\beyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*/g,
];

/** Returns the value with its secrets masked, and where they were. */
export function redact(value: Json): Redacted {
  const { cut: _, ...redacted } = redactWithin(value, UNBOUNDED);
  return redacted;
}

/** The same for a part of the value. The work grows with the part that is kept, not with the value. */
export function redactWithin(value: Json, { text, whole }: Bounds): RedactedPart {
  const state: State = { masked: [], cut: [], text, left: whole };
  return { value: mask(value, '', 0, state), masked: state.masked, cut: state.cut };
}

const UNBOUNDED: Bounds = { text: Number.POSITIVE_INFINITY, whole: Number.POSITIVE_INFINITY };

interface State {
  readonly masked: string[];
  readonly cut: string[];
  readonly text: number;
  /** How much may still be kept. */
  left: number;
}

/** Returns one text with its secrets masked. */
export function redactText(text: string): string {
  if (text.length <= LONGEST_KNOWN && cleanTexts.has(text)) return text;
  const shown = SHAPES.reduce((before, shape) => before.replace(shape, hideMatch), text);
  if (shown === text && text.length <= LONGEST_KNOWN) {
    if (cleanTexts.size >= MOST_KNOWN) cleanTexts.clear();
    cleanTexts.add(text);
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

function mask(value: Json, pointer: string, depth: number, state: State): Json {
  if (typeof value === 'string') return maskText(value, pointer, state);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return hide(pointer, state);
  if (!isObject(value)) {
    const kept = within(value, pointer, state, ITEM_COST, (item, i) => mask(item, `${pointer}/${i}`, depth + 1, state));
    return kept.length < value.length ? [...kept, `… [${value.length - kept.length} more]`] : kept;
  }
  const entries = Object.entries(value);
  const kept = within(entries, pointer, state, ITEM_COST, ([long, item]) => {
    const key = long.length > state.text ? `${long.slice(0, state.text)}…` : long;
    state.left -= key.length;
    // A key may contain a secret. Then neither the key nor the pointer may show it.
    const { shown, step, hides } = shownKey(key);
    const below = `${pointer}/${step}`;
    if (shown !== key) state.masked.push(below);
    if (item === undefined || item === null || typeof item === 'boolean' || item === '') return [shown, item];
    return [shown, hides ? hide(below, state) : mask(item, below, depth + 1, state)];
  });
  return Object.fromEntries(kept.length < entries.length ? [...kept, ['…', `[${entries.length - kept.length} more]`]] : kept);
}

/** The least that an item counts, so that a list of small items is bounded too. */
const ITEM_COST = 4;

/** Maps the items for which there is room. */
function within<T, R>(items: readonly T[], pointer: string, state: State, cost: number, map: (item: T, index: number) => R): R[] {
  const kept: R[] = [];
  for (const [index, item] of items.entries()) {
    if (state.left <= 0) {
      state.cut.push(pointer);
      break;
    }
    state.left -= cost;
    kept.push(map(item, index));
  }
  return kept;
}

/** A secret that begins in the part that is kept is found whole: more is searched than is kept. */
const MARGIN = 1024;

function maskText(text: string, pointer: string, state: State): string {
  const room = Math.max(0, Math.min(state.text, state.left));
  const isLong = text.length > room;
  const searched = isLong ? text.slice(0, room + MARGIN) : text;
  const shown = redactText(searched);
  if (shown !== searched) state.masked.push(pointer);
  if (!isLong) {
    state.left -= shown.length;
    return shown;
  }
  state.cut.push(pointer);
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

function hide(pointer: string, { masked }: State): Json {
  masked.push(pointer);
  return MASK;
}

function isSecretKey(key: string): boolean {
  const folded = key.toLowerCase().replace(/[^a-z0-9]/g, '');
  return KEYS.some((name) => folded.endsWith(name));
}
