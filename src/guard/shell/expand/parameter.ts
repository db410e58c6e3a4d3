/** `$x` and `${x…}`: the possible values of an expansion, as far as the script defines them. */
import type { ParameterExpansionPart, ParameterOperation, Word } from 'unbash';
import { CREDENTIAL, FED, isDynamic, MANAGER, originsOf, replaceEach, UNKNOWN } from '../marks.ts';
import { isManagerFolder } from '../programs/managers.ts';
import type { Scope, Value } from '../scope.ts';

/** Returns the possible values of an operand word, each as one text. */
export type ReadOperand = (word: Word) => readonly string[];

const UNSET: readonly Value[] = [[UNKNOWN]];
const NAMED_SECRET: readonly Value[] = [[UNKNOWN + CREDENTIAL]];
const SECRET_NAME = /(^|_)(SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SECRET_?KEY|CREDENTIALS?)$/i;

const MANAGER_FOLDER: readonly Value[] = [[UNKNOWN + MANAGER]];

/** Returns the value of a variable that the script does not set. Its name can tell what it holds. */
function unset(name: string): readonly Value[] {
  if (isManagerFolder(name)) return MANAGER_FOLDER;
  return SECRET_NAME.test(name) ? NAMED_SECRET : UNSET;
}

/** The presets of a shell that are only likely values. */
const LIKELY: ReadonlySet<string> = new Set(['TMPDIR', 'SHELL', 'BASH', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'HOOKLINE_HOME']);

export function simpleValues(name: string, scope: Scope): readonly Value[] {
  const values = scope.get(name);
  if (values === undefined) return unset(name);
  return name === '@' || name === '*' ? values : values.map((value) => [value[0] ?? '']);
}

export function parameterValues(part: ParameterExpansionPart, scope: Scope, read: ReadOperand): readonly Value[] {
  const { parameter, operation, prefix } = part;
  if (prefix === '#') return UNSET;
  if (prefix === '!') return indirectValues(parameter, scope);
  const index = part.index?.text;
  // An operation needs the home as a path, because `${HOME:0:1}` is a slash.
  const symbolic = operation && operation.type !== 'Default' && parameter === 'HOME' && !scope.isSet('HOME');
  const found = symbolic ? [['/home/user']] : scope.get(parameter);
  const values = found?.map((value) => pick(value, parameter, index));
  if (operation?.type === 'Slice' && values && isAll(parameter, index))
    return values.map((value) => sliceElements(value, parameter, operation, read));
  return operation === undefined ? (values ?? unset(parameter)) : operate(operation, parameter, values, scope, read);
}

function pick(value: Value, parameter: string, index: string | undefined): Value {
  if (isAll(parameter, index)) return value;
  if (index === undefined) return [value[0] ?? ''];
  return /^\d+$/.test(index) ? [value[Number(index)] ?? ''] : [value.find(isDynamic) ?? UNKNOWN, ...value];
}

function isAll(parameter: string, index: string | undefined): boolean {
  return parameter === '@' || parameter === '*' || index === '@' || index === '*';
}

/** Returns a slice. `${a[@]:1:2}` takes elements, not characters, and the first argument has the number one. */
function sliceElements(
  value: Value,
  parameter: string,
  { offset, length }: ParameterOperation & { readonly type: 'Slice' },
  read: ReadOperand,
): Value {
  const [from, count] = [Number(read(offset)[0] ?? Number.NaN), length && Number(read(length)[0] ?? Number.NaN)];
  if (Number.isNaN(from) || Number.isNaN(count ?? 0)) return value;
  const start = from < 0 ? Math.max(0, value.length + from) : parameter === '@' || parameter === '*' ? Math.max(0, from - 1) : from;
  return value.slice(start, count === undefined ? undefined : start + Math.max(0, count));
}

function indirectValues(parameter: string, scope: Scope): readonly Value[] {
  const names = scope.get(parameter) ?? [];
  const values = names.flatMap(([name]) => (name === undefined ? [] : (scope.get(name) ?? [])));
  return values.length > 0 ? values : UNSET;
}

function operate(
  operation: ParameterOperation,
  parameter: string,
  values: readonly Value[] | undefined,
  scope: Scope,
  read: ReadOperand,
): readonly Value[] {
  if (operation.type === 'Default') return applyDefault(operation, parameter, values, scope, read);
  if (values === undefined) return UNSET;
  return values.map((value) => value.map((text) => (isDynamic(text) ? unknownFrom(text) : transform(text, operation, read))));
}

/** Returns the origin of an unknown text. */
function unknownFrom(text: string): string {
  return originsOf(text) + UNKNOWN + (text.includes(FED) ? FED : '');
}

/** Returns the values of `${x-y}` and its variants. `-` asks whether `x` is set, and `:-` asks whether it is set and not empty. */
function applyDefault(
  { operator, operand: word }: ParameterOperation & { readonly type: 'Default' },
  parameter: string,
  values: readonly Value[] | undefined,
  scope: Scope,
  read: ReadOperand,
): readonly Value[] {
  const unset = scope.isUnset(parameter);
  const known = scope.isSet(parameter) || unset || !LIKELY.has(parameter) ? values : undefined;
  const asksMore = operator.startsWith(':');
  const isMissing = (text: string) => unset || (asksMore && text === '');
  const mayMiss = known === undefined || known.some(([text = '']) => isMissing(text) || (isDynamic(text) && asksMore));
  const mustMiss = known?.every(([text = '']) => isMissing(text)) === true;
  if (operator.endsWith('+')) {
    if (mustMiss) return [['']];
    const operand = read(word).map((text) => [text]);
    return mayMiss ? [...operand, ['']] : operand;
  }
  if (operator.endsWith('?')) return values ?? UNSET;
  if (!mayMiss) return known;
  const operand = read(word).map((text) => [text]);
  if (operator.endsWith('=')) scope.set(parameter, operand);
  return known === undefined || mustMiss ? operand : [...known.filter(([text = '']) => !isMissing(text)), ...operand];
}

function transform(text: string, operation: ParameterOperation, read: ReadOperand): string {
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
      return removePattern(text, operation.operator, read(operation.operand)[0] ?? '');
    default:
      return UNKNOWN;
  }
}

/** Removes a prefix or a suffix. `%/*` and similar patterns cut at a separator. Other patterns are supported only as plain text. */
function removePattern(text: string, operator: '#' | '##' | '%' | '%%', pattern: string): string {
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
