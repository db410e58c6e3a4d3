/**
 * The calls in code of another language, with their literal arguments: literals, names with a known value, texts joined from both, and a
 * few functions that only reshape text. Every other argument is undefined. The work is bounded and nothing runs.
 */
import { type Counted, counted, leaveOut, recall, STEPS_OF_FILE, spend } from '../../limits.ts';
import type { Flavour } from './flavour.ts';
import type { KnownValue } from './text.ts';
import type { Token } from './tokens.ts';
import { Values } from './values.ts';

export interface Call {
  /** The last name: `run` in `subprocess.run`. */
  readonly name: string;
  /** All names before the bracket, joined by dots. */
  readonly chain: string;
  readonly args: readonly KnownValue[];
  /** Position in the code. */
  readonly at: number;
  /** The object of the call, if it is a known text. */
  readonly on?: string;
}

/** The object of a method of a text or a pattern. */
const LITERAL = '/';

/** The calls of tokens that were read before. */
const read = new WeakMap<readonly Token[], Counted<readonly Call[]>>();

export function callsIn(tokens: readonly Token[], flavour: Flavour): readonly Call[] {
  const known = read.get(tokens);
  if (known) return recall(known);
  const calls = counted(STEPS_OF_FILE, () => findCalls(tokens, flavour));
  read.set(tokens, calls);
  for (const what of calls.left) leaveOut(what);
  return calls.value;
}

function findCalls(tokens: readonly Token[], flavour: Flavour): readonly Call[] {
  const values = new Values(tokens, flavour);
  const code: Code = { values, aliases: new Map() };
  const calls: Call[] = [];
  for (let at = 0; at < values.tokens.length && !values.spent; at++) {
    const token = values.tokens[at];
    if (token?.kind !== 'name') continue;
    assign(at, code);
    const call = callAt(at, code);
    if (call) calls.push(call);
  }
  spend(values.steps / 16);
  if (values.spent) leaveOut('the values in a program take too many steps to follow');
  return calls;
}

interface Code {
  readonly values: Values;
  /** Names of functions: `const read = Bun.file`. */
  readonly aliases: Map<string, string>;
}

function assign(at: number, { values, aliases }: Code): void {
  const from = values.isSign(at + 1, ':') && values.isSign(at + 2, '=') ? at + 2 : at + 1;
  if (!values.isSign(from, '=') || /^[=>~]$/.test(values.text(from + 1)) || values.isSign(at - 1, '.')) return;
  const name = values.text(at);
  const chain = values.chainFrom(from + 1);
  if (chain.end > from + 1 && !values.isSign(chain.end, '(') && values.tokens[chain.end - 1]?.kind === 'name') {
    const before = values.values.get(chain.text);
    if (before === undefined) {
      aliases.set(name, aliases.get(chain.text) ?? chain.text);
      values.values.delete(name);
      return;
    }
  }
  const value = values.value(from + 1, 0).value;
  values.values.set(name, value);
  aliases.delete(name);
}

/** Returns the call with its last name at token `at`. */
function callAt(at: number, { values, aliases }: Code): Call | undefined {
  const next = at + 1;
  const bracket = values.isSign(next, '(');
  const opened = values.flavour === 'perl' && values.text(at) === 'open' && values.isSign(at + 2, ',');
  const spoken = !bracket && (values.tokens[next]?.kind === 'string' || opened) && values.flavour !== 'js' && values.flavour !== 'python';
  if (!bracket && !spoken) return undefined;
  let start = at;
  while (values.tokens[start - 2]?.kind === 'name' && values.isSign(start - 1, '.')) start -= 2;
  if (values.isSign(start - 1, ':') && values.isSign(start - 2, ':') && values.tokens[start - 3]?.kind === 'name') start -= 3;
  const names = values.tokens
    .slice(start, at + 1)
    .filter(({ kind }) => kind === 'name')
    .map(({ text }) => text)
    .join('.');
  const isOfLiteral = values.isSign(start - 1, '.') && /^(pattern|string)$/.test(values.tokens[start - 2]?.kind ?? '');
  const written = isOfLiteral ? `${LITERAL}.${names}` : names;
  const chain = aliases.get(written) ?? written;
  const args = bracket ? values.list(next, 0).values : values.row(next);
  const on = values.isSign(at - 1, '.') ? values.before(at - 2) : undefined;
  const place = values.tokens[start]?.at ?? 0;
  return { name: chain.slice(chain.lastIndexOf('.') + 1), chain, args, at: place, ...(on !== undefined && { on }) };
}
