/** Every code that the source can say, read from the source itself, so that the page about them can neither lack one nor invent one. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface Codes {
  readonly codes: ReadonlySet<string>;
  /** Beginnings of codes whose end is only known when they are said. */
  readonly prefixes: readonly string[];
}

export function codesIn(folder: string): Codes {
  const codes = new Set<string>();
  const prefixes = new Set<string>();
  for (const file of sourcesIn(folder)) {
    const text = readFileSync(file, 'utf8');
    for (const pattern of SAID) for (const [, code] of text.matchAll(pattern)) codes.add(code as string);
    for (const [, name] of text.matchAll(NAMED)) codes.add(constantIn(name as string, text, file));
    if (!file.includes(`${path.sep}guard${path.sep}`)) continue;
    // What the audit finds is said as `audit-<rule>`.
    for (const pattern of RULES) for (const [, rule] of text.matchAll(pattern)) codes.add(`audit-${rule}`);
    for (const [, beginning] of text.matchAll(BUILT_RULE)) prefixes.add(`audit-${beginning}`);
  }
  return { codes, prefixes: [...prefixes] };
}

const SEVERITY = String.raw`(?:'(?:error|warning|info)'|[\w.]+)`;
const PLACE = String.raw`(?:[\w.]+|\{[^}]*\})`;
/** `say('error', 'code', …)`, `failed(file, at, 'code', …)`, `problem('code', …)`, `{ code: 'code' }`. */
const SAID = [
  new RegExp(String.raw`\bsay\(\s*${SEVERITY},\s*'([a-z-]+)'`, 'g'),
  new RegExp(String.raw`\bfailed\(\s*\w+,\s*${PLACE},\s*'([a-z-]+)'`, 'g'),
  /\bproblem\(\s*'([a-z-]+)'/g,
  /\bcode: '([a-z-]+)'/g,
];
/** `{ code: CONSTANT }`. */
const NAMED = /\bcode: ([A-Z][A-Z_]+)\b/g;
const RULES = [/\brule: '([a-z-]+)'/g, /\bsay\(\s*'([a-z-]+)',\s*'(?:catastrophic|high|medium)'/g, /\? '([a-z-]+)' : `[a-z-]+\$\{/g];
const BUILT_RULE = /\brule: [^\n]*`([a-z-]+)\$\{/g;

function constantIn(name: string, text: string, file: string): string {
  const value = new RegExp(`\\b${name} = '([a-z-]+)'`).exec(text)?.[1];
  if (value === undefined) throw new Error(`${file}: the value of ${name} is not in this file`);
  return value;
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name));
}
