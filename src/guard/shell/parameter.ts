/** `$x` and `${x…}`: the values an expansion may have, as far as the script itself says. */
import type { ParameterExpansionPart, ParameterOperation, Word } from 'unbash';
import { replaceEach } from './bounded.ts';
import { isDynamic, originsOf, UNKNOWN } from './marks.ts';
import type { Scope, Value } from './scope.ts';

/** The possible values of an operand word, each as one text. */
export type ReadOperand = (word: Word) => readonly string[];

const UNSET: readonly Value[] = [[UNKNOWN]];

export function simpleValues(name: string, scope: Scope): readonly Value[] {
  const values = scope.get(name);
  if (values === undefined) return UNSET;
  return name === '@' || name === '*' ? values : values.map((value) => [value[0] ?? '']);
}

export function parameterValues(part: ParameterExpansionPart, scope: Scope, read: ReadOperand): readonly Value[] {
  const { parameter, operation, prefix } = part;
  if (prefix === '#') return UNSET;
  if (prefix === '!') return indirect(parameter, scope);
  const index = part.index?.text;
  // With an operation the home is needed as a path: `${HOME:0:1}` is a slash.
  const symbolic = operation && operation.type !== 'Default' && parameter === 'HOME' && !scope.isSet('HOME');
  const found = symbolic ? [['/home/user']] : scope.get(parameter);
  const values = found?.map((value) => pick(value, parameter, index));
  return operation === undefined ? (values ?? UNSET) : operated(operation, parameter, values, scope, read);
}

function pick(value: Value, parameter: string, index: string | undefined): Value {
  if (parameter === '@' || parameter === '*' || index === '@' || index === '*') return value;
  if (index === undefined) return [value[0] ?? ''];
  return /^\d+$/.test(index) ? [value[Number(index)] ?? ''] : [value.find(isDynamic) ?? UNKNOWN, ...value];
}

function indirect(parameter: string, scope: Scope): readonly Value[] {
  const names = scope.get(parameter) ?? [];
  const values = names.flatMap(([name]) => (name === undefined ? [] : (scope.get(name) ?? [])));
  return values.length > 0 ? values : UNSET;
}

function operated(
  operation: ParameterOperation,
  parameter: string,
  values: readonly Value[] | undefined,
  scope: Scope,
  read: ReadOperand,
): readonly Value[] {
  if (operation.type === 'Default') {
    const operand = read(operation.operand).map((text) => [text]);
    if (operation.operator.endsWith('+')) return values?.every(([text]) => text === '') ? [['']] : [...operand, ['']];
    if (operation.operator.endsWith('?')) return values ?? UNSET;
    const known = scope.isSet(parameter) || !['TMPDIR', 'SHELL', 'BASH'].includes(parameter) ? values : undefined;
    if (operation.operator.endsWith('=') && known === undefined) scope.set(parameter, operand);
    if (known === undefined) return operand;
    return known.some(([text]) => text === '' || (text !== undefined && isDynamic(text))) ? [...known, ...operand] : known;
  }
  if (values === undefined) return UNSET;
  return values.map((value) => value.map((text) => (isDynamic(text) ? originsOf(text) + UNKNOWN : transformed(text, operation, read))));
}

function transformed(text: string, operation: ParameterOperation, read: ReadOperand): string {
  switch (operation.type) {
    case 'Slice': {
      const offset = Number(read(operation.offset)[0] ?? Number.NaN);
      const length = operation.length === undefined ? text.length : Number(read(operation.length)[0] ?? Number.NaN);
      if (Number.isNaN(offset) || Number.isNaN(length)) return UNKNOWN;
      const start = offset < 0 ? Math.max(0, text.length + offset) : offset;
      return text.slice(start, length < 0 ? length : start + length);
    }
    case 'CaseModification': {
      const change = (part: string) => (operation.operator.startsWith('^') ? part.toUpperCase() : part.toLowerCase());
      return operation.operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1);
    }
    case 'Replace': {
      const [from, to] = [read(operation.pattern)[0] ?? '', read(operation.replacement)[0] ?? ''];
      if (from === '' || /[*?[\]\\]/.test(from)) return UNKNOWN;
      return operation.operator === '//' ? (replaceEach(text, from, to) ?? UNKNOWN) : text.replace(from, () => to);
    }
    case 'Remove':
      return removed(text, operation.operator, read(operation.operand)[0] ?? '');
    default:
      return UNKNOWN;
  }
}

/** `%/*` and the like cut at a separator; other patterns only where they are plain text. */
function removed(text: string, operator: '#' | '##' | '%' | '%%', pattern: string): string {
  const atEnd = operator.startsWith('%');
  const separator = atEnd ? /^([^*?[]+)\*$/.exec(pattern)?.[1] : /^\*([^*?[]+)$/.exec(pattern)?.[1];
  if (separator !== undefined) {
    const first = operator === '#' || operator === '%%';
    const at = first ? text.indexOf(separator) : text.lastIndexOf(separator);
    if (at === -1) return text;
    return atEnd ? text.slice(0, at) : text.slice(at + separator.length);
  }
  if (/[*?[]/.test(pattern)) return UNKNOWN;
  if (atEnd) return text.endsWith(pattern) && pattern !== '' ? text.slice(0, -pattern.length) : text;
  return text.startsWith(pattern) ? text.slice(pattern.length) : text;
}
