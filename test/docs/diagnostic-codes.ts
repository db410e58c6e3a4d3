/** Every diagnostic code in the source, so that the page about them can neither lack one nor invent one. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Returns all codes. A code whose end is only known at run time is `beginning-<rule>`. */
export function codesIn(folder: string): ReadonlySet<string> {
  const codes = new Set<string>();
  // The guard reports findings, whose rules are documented elsewhere.
  for (const file of sourcesIn(folder).filter((name) => !name.includes(`${path.sep}guard${path.sep}`))) {
    const text = readFileSync(file, 'utf8');
    for (const pattern of REPORTED) for (const [, code] of text.matchAll(pattern)) codes.add(code as string);
    for (const [, name] of text.matchAll(NAMED)) codes.add(constantIn(name as string, text, file));
    for (const [, beginning, end] of text.matchAll(BUILT)) codes.add(`${beginning}<${end}>`);
  }
  return codes;
}

const SEVERITY = String.raw`(?:'(?:error|warning|info)'|[\w.]+)`;
const PLACE = String.raw`(?:[\w.]+|\{[^}]*\})`;
/** `report('error', 'code', …)`, `failed(file, at, 'code', …)`, `problem('code', …)`, `{ code: 'code' }`. */
const REPORTED = [
  new RegExp(String.raw`\breport\(\s*${SEVERITY},\s*'([a-z-]+)'`, 'g'),
  new RegExp(String.raw`\bfailed\(\s*\w+,\s*${PLACE},\s*'([a-z-]+)'`, 'g'),
  /\bproblem\(\s*'([a-z-]+)'/g,
  /\bcode: '([a-z-]+)'/g,
];
/** `{ code: CONSTANT }`. */
const NAMED = /\bcode: ([A-Z][A-Z_]+)\b/g;
/** `{ code: `audit-${finding.rule}` }`. */
const BUILT = /\bcode: `([a-z-]+)\$\{(?:\w+\.)*(\w+)\}`/g;

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
