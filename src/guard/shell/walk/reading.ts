/** The builtins `read`, `mapfile` and `readarray`, which read text from standard input or another descriptor into variables. */

import { atMost } from '../../limits.ts';
import { isNetworkPath } from '../expand/redirects.ts';
import { splitFields } from '../expand/word.ts';
import { isDynamic, originsOf, REMOTE, UNKNOWN } from '../marks.ts';
import type { Value } from '../scope.ts';
import type { Invocation } from './invoke.ts';

const MOST_LINES = 1024;
const NAME = /^[A-Za-z_]\w*$/;

export function readInto(name: string, invocation: Invocation): void {
  const { argv, scope } = invocation;
  const { options, operands } = parseOptions(argv, name === 'read' ? 'adinNptu' : 'dnOsucC');
  const text = textOn(options.get('u'), invocation);
  const lines = isDynamic(text) ? [text] : linesOf(text);
  const array = name === 'read' ? options.get('a') : (operands[0] ?? 'MAPFILE');
  if (name !== 'read') scope.set(variable(array), [lines]);
  else if (array !== undefined) scope.set(variable(array), fieldsOf(lines, invocation));
  else readNames(operands, atMost(lines, MOST_LINES, 'the lines that `read` reads'), invocation);
}

function fieldsOf(lines: readonly string[], { scope }: Invocation): readonly Value[] {
  return atMost(lines, MOST_LINES, 'the lines that `read` reads').map((line) => splitFields(line, scope).filter(Boolean));
}

function readNames(operands: readonly string[], lines: readonly string[], { scope }: Invocation): void {
  const names = operands.filter((operand) => NAME.test(operand));
  const rows = (lines.length === 0 ? [''] : lines).map((line) => splitAmong(line, names.length, (part) => splitFields(part, scope)));
  if (names.length === 0) scope.set('REPLY', rows);
  for (const [i, each] of names.entries()) {
    scope.set(
      each,
      rows.map((row): Value => [row[i] ?? '']),
    );
  }
}

/** Splits a line among the variables. The last name takes the rest of the line. If the line is unknown, every name takes all of it. */
function splitAmong(line: string, names: number, split: (text: string) => readonly string[]): readonly string[] {
  if (isDynamic(line)) return Array.from({ length: Math.max(1, names) }, () => line);
  if (names <= 1) return [line.trim()];
  const fields = split(line).filter(Boolean);
  return [...fields.slice(0, names - 1), fields.slice(names - 1).join(' ')];
}

function textOn(unit: string | undefined, { wiring, machine }: Invocation): string {
  const fd = Number(unit ?? 0);
  const to = wiring.fds.get(fd);
  if (isNetworkPath(to)) return REMOTE;
  const text = fd === 0 ? wiring.stdin : (machine.files.get(`/dev/fd/${fd}`) ?? machine.files.get(to ?? '') ?? UNKNOWN);
  return isDynamic(text) ? originsOf(text) + UNKNOWN : text;
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

function variable(name = ''): string {
  return NAME.test(name) ? name : 'REPLY';
}

function parseOptions(
  argv: readonly string[],
  valued: string,
): { readonly options: ReadonlyMap<string, string>; readonly operands: readonly string[] } {
  const options = new Map<string, string>();
  let at = 1;
  for (; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--' || !/^-./.test(word)) break;
    const i = [...word].findIndex((letter, index) => index > 0 && valued.includes(letter));
    if (i === -1) continue;
    options.set(word[i] ?? '', word.slice(i + 1) || (argv[++at] ?? ''));
  }
  return { options, operands: argv.slice(argv[at] === '--' ? at + 1 : at) };
}
