/**
 * Turns a word of the syntax tree into the fields that a command receives: removes quotes, expands, and splits braces and spaces. A
 * variable with several possible values gives several readings. An unknown part becomes a mark (see marks.ts) and is never dropped.
 */
import { forEachChild, parse, type SyntaxNode, type Word, type WordPart } from 'unbash';
import { leaveOut, spend } from '../../limits.ts';
import type { Machine, Place } from '../machine.ts';
import { isDynamic, truncate, UNKNOWN } from '../marks.ts';
import type { Scope, Value } from '../scope.ts';
import { calculate, codeInNames } from './arithmetic.ts';
import { expandBraces } from './braces.ts';
import { parameterValues, simpleValues } from './parameter.ts';

export interface GuardContext {
  readonly scope: Scope;
  readonly machine: Machine;
  readonly place: Place;
}

const MOST_READINGS = 1024;
const DEFAULT_IFS = ' \t\n';
const SPLITTERS = new Map<string, RegExp>();

/**
 * Returns the readings of a word. Each reading is the list of fields that the word splits into.
 *
 * @param whole Whether the word is not split and its braces are plain text.
 */
export function readingsOf(word: Word, context: GuardContext, whole = false): readonly (readonly string[])[] {
  spend(1 + word.text.length / 256);
  const { parts } = word;
  if (parts === undefined) return [[plain(word, context.scope)]];
  if (!whole && parts.some((part) => part.type === 'BraceExpansion')) {
    const expanded = expandBraces(word.text);
    if (expanded.length > 1 || expanded[0] !== word.text) return [parseAgain(expanded, context)];
  }
  let drafts: Draft[] = [{ fields: [''], quoted: whole }];
  for (const part of parts) drafts = appendPart(drafts, part, context, whole);
  return drafts.map((draft) => finished(draft, word.text, context.scope));
}

function finished({ fields, quoted }: Draft, text: string, scope: Scope): readonly string[] {
  const full = fields.filter((field) => field !== '');
  return full.length === 0 && quoted ? [''] : full.map((field) => expandTilde(field, text, scope));
}

/** Returns all readings of all words in one list. This suits operands, because any of them can be dangerous. */
export function fieldsOf(words: readonly Word[], context: GuardContext): string[] {
  const fields: string[] = [];
  for (const word of words) for (const reading of readingsOf(word, context)) for (const field of reading) fields.push(field);
  return fields;
}

/** Returns the values of a word that is not split: the right side of an assignment, the target of a redirection. */
export function valuesOf(word: Word, context: GuardContext): readonly string[] {
  return readingsOf(word, context, true).map((fields) => fields.join(' '));
}

/** Runs every substitution below a node that has no value of its own. */
export function visitSubstitutions(node: SyntaxNode, context: GuardContext): void {
  context.machine.deeper(visitChildren, node, context);
}

function visitChildren(node: SyntaxNode, context: GuardContext): void {
  forEachChild(node, (child) => {
    spend(1);
    if (child.type === 'Script') context.machine.runScript(child, context.scope.child(), context.place);
    else visitSubstitutions(child, context);
  });
}

/** A reading in the making. Its last field is still open, and a part with one value is added in place. */
interface Draft {
  readonly fields: string[];
  quoted: boolean;
}

function plain(word: Word, scope: Scope): string {
  return expandTilde(word.value.replace(/\r$/, ''), word.text, scope);
}

/** Expands `~`, and `~+` and `~-`, which are the current folder and the one before. A quoted `~` is a file name and an unquoted one is the home. */
function expandTilde(value: string, text: string, scope: Scope): string {
  if (!value.startsWith('~')) return value;
  if (/^~[+-](?=\/|$)/.test(value)) {
    const folder = scope.get(value[1] === '+' ? 'PWD' : 'OLDPWD')?.at(-1)?.[0] ?? UNKNOWN;
    return folder === '/' && value.length > 2 ? value.slice(2) : folder + value.slice(2);
  }
  if (/^["'\\]/.test(text) && !/^"?\$/.test(text)) return `./${value}`;
  const user = /^~([a-z_][\w-]*)/.exec(value)?.[1];
  return user === undefined ? value : (user === 'root' ? '/root' : `/home/${user}`) + value.slice(user.length + 1);
}

function parseAgain(texts: readonly string[], context: GuardContext): readonly string[] {
  const command = parse(`: ${texts.join(' ')}`).commands[0]?.command;
  if (command?.type !== 'Command') return texts;
  const words = command.args.filter((arg): arg is Word => arg.type === 'Word');
  return words.flatMap((word) => {
    const nested = word.parts?.some((part) => part.type === 'BraceExpansion');
    return nested ? [word.value] : readingsOf(word, context).flat();
  });
}

function appendPart(drafts: Draft[], part: WordPart, context: GuardContext, whole: boolean): Draft[] {
  switch (part.type) {
    case 'DoubleQuoted':
    case 'LocaleString': {
      let quoted = asQuoted(drafts);
      for (const inner of part.parts) {
        const values = valuesOfPart(inner, context);
        quoted = appendValues(quoted, isStar(inner) ? values.map((value) => [value.join(separator(context.scope))]) : values);
      }
      return quoted;
    }
    case 'Literal':
    case 'Glob':
      return appendValues(drafts, valuesOfPart(part, context));
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return appendValues(asQuoted(drafts), valuesOfPart(part, context));
    default:
      return appendValues(drafts, valuesOfPart(part, context), whole ? undefined : context.scope);
  }
}

function asQuoted(drafts: Draft[]): Draft[] {
  for (const draft of drafts) draft.quoted = true;
  return drafts;
}

/** Returns whether a part is `$*`. In double quotes `$*` is one word, with the first character of `IFS` between the arguments. */
function isStar(part: WordPart): boolean {
  if (part.type === 'SimpleExpansion') return part.text === '$*';
  return part.type === 'ParameterExpansion' && (part.parameter === '*' || part.index?.text === '*');
}

function valuesOfPart(part: WordPart, context: GuardContext): readonly Value[] {
  const { scope, machine, place } = context;
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'Glob':
      return [[part.value]];
    case 'AnsiCQuoted':
      // Shells differ in how they treat a character that does not exist.
      if (/\\[4-7][0-7]{2}/.test(part.text)) return [[lowBytes(part.text)]];
      return [[/\\U0*(?:1[1-9a-f]|[2-9a-f]\w|\w{3})\w{4}/i.test(part.text) ? UNKNOWN : part.value]];
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return [[part.text]];
    case 'SimpleExpansion':
      return simpleValues(part.text.slice(1), scope);
    case 'ParameterExpansion':
      if (part.index) visitSubstitutions(part.index, context);
      // A place in a text or an array is a calculation.
      runNamed(CALCULATED.exec(part.text)?.[1], context);
      if (part.operation?.type === 'Transform' && part.text.endsWith('@P}')) runPrompts(scope.get(part.parameter), context);
      return parameterValues(part, scope, (word) => valuesOf(word, context));
    case 'CommandExpansion': {
      // Each level is parsed again on first use.
      spend(part.text.length / 64);
      if (part.script === undefined) return [[UNKNOWN]];
      machine.inserting++;
      try {
        return [[machine.runScript(part.script, scope.child(), place).replace(/\n+$/, '')]];
      } finally {
        machine.inserting--;
      }
    }
    case 'ProcessSubstitution':
      return [[runProcessSubstitution(part, context)]];
    case 'ArithmeticExpansion':
      visitSubstitutions(part, context);
      runNamed(part.text, context);
      return [[calculate(part.expression, scope) ?? UNKNOWN]];
    default:
      return [[UNKNOWN]];
  }
}

/** A subscript or a part of a value, behind the name. */
const CALCULATED = /^\$\{[!#]?\w+(\[.*|:(?![-=?+]).*)$/s;

/** Runs the code in the values of the variables that a calculation names. */
function runNamed(text: string | undefined, { scope, machine, place }: GuardContext): void {
  if (text !== undefined) for (const code of codeInNames(text, scope)) machine.runText(code, scope.child(), place);
}

/** Runs the substitutions in texts that the shell expands like a prompt, where a backslash and an octal number are a character too. */
function runPrompts(values: readonly Value[] = [], { scope, machine, place }: GuardContext): void {
  for (const text of values.flat()) {
    const decoded = text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
    machine.runText(`: <<END_OF_PROMPT\n${decoded}\nEND_OF_PROMPT`, scope.child(), place);
  }
}

/**
 * Returns the path of a process substitution. Reading the path gives the output of its script, and writing to it gives the script its
 * input.
 */
function runProcessSubstitution(part: WordPart & { type: 'ProcessSubstitution' }, { scope, machine, place }: GuardContext): string {
  const path = `/dev/fd/${1000 + machine.files.size + machine.sinks.length}`;
  if (part.script === undefined) return path;
  if (part.operator === '>') machine.sinks.push({ path, script: part.script, scope, place });
  else machine.files.set(path, machine.runScript(part.script, scope.child(), place));
  return path;
}

/** Reads `$'\\562'`, where the octal number is too large for a byte. */
function lowBytes(text: string): string {
  return text.slice(2, -1).replace(/\\([0-7]{1,3})|\\x([0-9a-f]{1,2})|\\(.)/gi, (_, octal?: string, hex?: string, plain?: string) => {
    if (plain !== undefined) return { n: '\n', t: '\t' }[plain] ?? plain;
    return String.fromCharCode(Number.parseInt(octal ?? hex ?? '0', octal === undefined ? 16 : 8) & 0xff);
  });
}

/** @param splitIn The scope whose `IFS` splits the values. Undefined: they are not split. */
function appendValues(drafts: Draft[], values: readonly Value[], splitIn?: Scope): Draft[] {
  const [only] = values;
  if (only !== undefined && values.length === 1) {
    for (const { fields } of drafts) appendPieces(fields, splitIn === undefined ? only : splitEach(only, splitIn));
    return drafts;
  }
  const all: Draft[] = [];
  for (const draft of drafts) {
    for (const value of values) {
      if (all.length >= MOST_READINGS) {
        leaveOut(`the possible values of a word are more than ${MOST_READINGS}`);
        return all;
      }
      const fields = draft.fields.slice();
      appendPieces(fields, splitIn === undefined ? value : splitEach(value, splitIn));
      all.push({ fields, quoted: draft.quoted });
    }
  }
  return all;
}

function splitEach(value: Value, scope: Scope): Value {
  const [only] = value;
  return only !== undefined && value.length === 1 ? splitFields(only, scope) : value.flatMap((text) => splitFields(text, scope));
}

/** Adds the first piece to the open field, and each of the others as a field of its own. */
function appendPieces(fields: string[], pieces: Value): void {
  const last = fields.length - 1;
  const first = truncate((fields[last] ?? '') + (pieces[0] ?? ''));
  spend(pieces.length + first.length / 256);
  fields[last] = first;
  for (let i = 1; i < pieces.length; i++) fields.push(pieces[i] ?? '');
}

/**
 * Splits a text at `IFS`. An empty piece at either end joins the neighbouring part of the word. Pieces that stay empty are dropped later.
 */
export function splitFields(text: string, scope: Scope): readonly string[] {
  const ifs = separators(scope);
  return ifs === '' ? [text] : text.split(splitter(ifs));
}

/** Returns all characters that can separate fields, because `IFS` can have several values. */
function separators(scope: Scope): string {
  const given = scope.get('IFS');
  if (given?.length === 1) {
    const text = given[0]?.[0] ?? '';
    return isDynamic(text) ? DEFAULT_IFS : text.slice(0, 64);
  }
  const values = given?.map(([text = '']) => text) ?? [DEFAULT_IFS];
  return values.some(isDynamic) ? DEFAULT_IFS : values.join('').slice(0, 64);
}

function separator(scope: Scope): string {
  return separators(scope).slice(0, 1);
}

/** Returns the pattern for `IFS`. A run of white space counts once. Every other separator ends a field. */
function splitter(ifs: string): RegExp {
  const known = SPLITTERS.get(ifs);
  if (known) return known;
  const white = [...ifs].filter((char) => ' \t\n'.includes(char)).join('');
  const other = [...ifs].filter((char) => !' \t\n'.includes(char)).join('');
  const set = (chars: string) => `[${chars.replace(/[\]\\^-]/g, '\\$&')}]`;
  const made = new RegExp(other === '' ? `${set(white)}+` : white === '' ? set(other) : `${set(white)}+|${set(other)}`);
  if (SPLITTERS.size < 256) SPLITTERS.set(ifs, made);
  return made;
}
