/**
 * Masks secrets before anything is shown to a person: by the key they stand under and by their shape. Rules are data. What was masked
 * is named by JSON pointer, so that nobody takes a masked value for the real one. When in doubt it masks.
 */
import { isObject, type Json } from './json.ts';

export interface RedactionRules {
  /** A key that ends in one of these, in whatever spelling (`apiKey`, `API_KEY`, `x-api-key`), hides all below it. */
  readonly keys: readonly string[];
  /** Shapes of secrets in text: the group `keep`, if there is one, stays; the rest of the match is masked. */
  readonly shapes: readonly RegExp[];
}

export interface Redacted {
  readonly value: Json;
  /** JSON pointers. */
  readonly masked: readonly string[];
}

export const MASK = '[redacted]';

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

/** The same words as they stand in text: `--api-key x`, `PASSWORD=x`, `"token": "x"`. */
const WORD = '(?:pass(?:word|wd|phrase)|pwd|secret(?:[_-]?(?:access[_-]?)?key)?|token|(?:api|access|private)[_-]?key|credentials?)';

export const SECRETS: RedactionRules = {
  keys: KEYS,
  shapes: [
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
    /(?<keep>\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@"']{0,200}:)[^\s/@"']{1,200}(?=@)/gi,
    /(?<keep>\b(?:Bearer|Basic)\s{1,4})[A-Za-z0-9._~+/=-]{6,}/gi,
    /(?<keep>\bauthorization["']?\s{0,4}[:=]\s{0,4}["']?)(?!Bearer|Basic)[^\s"',;]{3,}/gi,
    new RegExp(`(?<keep>${WORD}["']?\\s{0,4}(?:=|:)\\s{0,4}["'])[^"'\\n]+`, 'gi'),
    new RegExp(`(?<keep>${WORD}["']?\\s{0,4}(?:=|:)\\s{0,4})[^\\s"',;&|)}\\]]{3,}`, 'gi'),
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
  ],
};

export function redact(value: Json, rules: RedactionRules = SECRETS): Redacted {
  const masked: string[] = [];
  return { value: mask(value, '', 0, rules, masked), masked };
}

/** One text with its secrets masked. */
export function redactText(text: string, rules: RedactionRules = SECRETS): string {
  const { texts } = memoryOf(rules);
  if (text.length <= LONGEST_KNOWN && texts.has(text)) return text;
  const shown = rules.shapes.reduce((before, shape) => before.replace(shape, hideMatch), text);
  if (shown === text && text.length <= LONGEST_KNOWN) {
    if (texts.size >= MOST_KNOWN) texts.clear();
    texts.add(text);
  }
  return shown;
}

function hideMatch(...match: unknown[]): string {
  const groups = match.at(-1);
  return `${isObject(groups) ? (groups['keep'] ?? '') : ''}${MASK}`;
}

/** What was looked at before and holds no secret: keys and the names of hooks come again with every event. */
interface Memory {
  readonly texts: Set<string>;
  readonly keys: Map<string, ShownKey>;
}

interface ShownKey {
  readonly shown: string;
  /** As it stands in a JSON pointer. */
  readonly step: string;
  /** Whether it hides all below it. */
  readonly hides: boolean;
}

const LONGEST_KNOWN = 200;
const MOST_KNOWN = 1000;
const memories = new WeakMap<RedactionRules, Memory>();

function memoryOf(rules: RedactionRules): Memory {
  let memory = memories.get(rules);
  if (!memory) {
    memory = { texts: new Set(), keys: new Map() };
    memories.set(rules, memory);
  }
  return memory;
}

/** What is nested deeper than anybody reads is masked whole. */
const MAX_DEPTH = 100;

function mask(value: Json, pointer: string, depth: number, rules: RedactionRules, masked: string[]): Json {
  if (typeof value === 'string') {
    const shown = redactText(value, rules);
    if (shown !== value) masked.push(pointer);
    return shown;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return hide(pointer, masked);
  if (!isObject(value)) return value.map((item, i) => mask(item, `${pointer}/${i}`, depth + 1, rules, masked));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      // A secret may stand in a key; then neither the key nor the pointer may show it.
      const { shown, step, hides } = shownKey(key, rules);
      const below = `${pointer}/${step}`;
      if (shown !== key) masked.push(below);
      if (item === undefined || item === null || typeof item === 'boolean' || item === '') return [shown, item];
      return [shown, hides ? hide(below, masked) : mask(item, below, depth + 1, rules, masked)];
    }),
  );
}

function shownKey(key: string, rules: RedactionRules): ShownKey {
  const { keys } = memoryOf(rules);
  const known = keys.get(key);
  if (known) return known;
  const shown = redactText(key, rules);
  const fresh = { shown, step: shown.replaceAll('~', '~0').replaceAll('/', '~1'), hides: isSecretKey(key, rules) };
  if (shown === key && key.length <= LONGEST_KNOWN) {
    if (keys.size >= MOST_KNOWN) keys.clear();
    keys.set(key, fresh);
  }
  return fresh;
}

function hide(pointer: string, masked: string[]): Json {
  masked.push(pointer);
  return MASK;
}

function isSecretKey(key: string, { keys }: RedactionRules): boolean {
  const folded = key.toLowerCase().replace(/[^a-z0-9]/g, '');
  return keys.some((name) => folded.endsWith(name));
}
