/**
 * From a word of the syntax tree to the fields a command would be given: quotes off, expansions in, braces and spaces split. Where a
 * variable may have several values there are several readings. What can't be known is a mark (see marks.ts), never left out.
 */
import { forEachChild, parse, type SyntaxNode, type Word, type WordPart } from 'unbash';
import { cut } from './bounded.ts';
import { expandBraces } from './braces.ts';
import type { Machine, Place } from './machine.ts';
import { UNKNOWN } from './marks.ts';
import { parameterValues, simpleValues } from './parameter.ts';
import type { Scope, Value } from './scope.ts';

export interface Surroundings {
  readonly scope: Scope;
  readonly machine: Machine;
  readonly place: Place;
}

const MOST_READINGS = 64;

/** The readings of a word, each the fields it splits into. */
export function readingsOf(word: Word, around: Surroundings): readonly (readonly string[])[] {
  around.machine.spend(1 + word.text.length / 256);
  const { parts } = word;
  if (parts === undefined) return [[plain(word)]];
  if (parts.some((part) => part.type === 'BraceExpansion')) {
    const expanded = expandBraces(word.text);
    if (expanded.length > 1 || expanded[0] !== word.text) return [reread(expanded, around)];
  }
  let drafts: readonly Draft[] = [{ fields: [''], quoted: false }];
  for (const part of parts) drafts = extended(drafts, part, around);
  return drafts.map(({ fields, quoted }) => {
    const full = fields.filter((field) => field !== '');
    return (full.length === 0 && quoted ? [''] : full).map((field) => tilde(field, word.text));
  });
}

/** All readings of all words in one row: right for operands, where any of them may be the bad one. */
export function fieldsOf(words: readonly Word[], around: Surroundings): readonly string[] {
  return words.flatMap((word) => readingsOf(word, around).flat());
}

/** The values of a word that is not split: the right side of an assignment, the target of a redirection. */
export function valuesOf(word: Word, around: Surroundings): readonly string[] {
  return readingsOf(word, around).map((fields) => fields.join(' '));
}

/** Runs every substitution below a node whose own value does not matter. */
export function visitSubstitutions(node: SyntaxNode, { scope, machine, place }: Surroundings): void {
  machine.deeper(() =>
    forEachChild(node, (child) => {
      machine.spend(1);
      if (child.type === 'Script') machine.runScript(child, scope.child(), place);
      else visitSubstitutions(child, { scope, machine, place });
    }),
  );
}

interface Draft {
  readonly fields: readonly string[];
  readonly quoted: boolean;
}

function plain(word: Word): string {
  return tilde(word.value.replace(/\r$/, ''), word.text);
}

/** A quoted `~` is a file's name; an unquoted one is the home. */
function tilde(value: string, text: string): string {
  if (!value.startsWith('~')) return value;
  if (/^["'\\]/.test(text) && !/^"?\$/.test(text)) return `./${value}`;
  const user = /^~([a-z_][\w-]*)/.exec(value)?.[1];
  return user === undefined ? value : (user === 'root' ? '/root' : `/home/${user}`) + value.slice(user.length + 1);
}

function reread(texts: readonly string[], around: Surroundings): readonly string[] {
  const command = parse(`: ${texts.join(' ')}`).commands[0]?.command;
  if (command?.type !== 'Command') return texts;
  const words = command.args.filter((arg): arg is Word => arg.type === 'Word');
  return words.flatMap((word) => {
    const nested = word.parts?.some((part) => part.type === 'BraceExpansion');
    return nested ? [word.value] : readingsOf(word, around).flat();
  });
}

function extended(drafts: readonly Draft[], part: WordPart, around: Surroundings): readonly Draft[] {
  if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') {
    let quoted: readonly Draft[] = drafts.map(({ fields }) => ({ fields, quoted: true }));
    for (const inner of part.parts) quoted = joined(quoted, valuesOfPart(inner, around), false, around);
    return quoted;
  }
  const literal = part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted' || part.type === 'Glob';
  const quoted = part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted';
  const base = quoted ? drafts.map(({ fields }) => ({ fields, quoted: true })) : drafts;
  return joined(base, valuesOfPart(part, around), !literal, around);
}

function valuesOfPart(part: WordPart, around: Surroundings): readonly Value[] {
  const { scope, machine, place } = around;
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
    case 'Glob':
      return [[part.value]];
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return [[part.text]];
    case 'SimpleExpansion':
      return simpleValues(part.text.slice(1), scope);
    case 'ParameterExpansion':
      if (part.index) visitSubstitutions(part.index, around);
      return parameterValues(part, scope, (word) => valuesOf(word, around));
    case 'CommandExpansion': {
      // Each level is parsed anew when it is first looked at.
      machine.spend(part.text.length / 64);
      if (part.script === undefined) return [[UNKNOWN]];
      return [[machine.runScript(part.script, scope.child(), place).replace(/\n+$/, '')]];
    }
    case 'ProcessSubstitution':
      return [[substituted(part, around)]];
    case 'ArithmeticExpansion':
      visitSubstitutions(part, around);
      return [[/^\$\(\(\s*\d+\s*\)\)$/.exec(part.text) ? part.text.slice(3, -2).trim() : UNKNOWN]];
    default:
      return [[UNKNOWN]];
  }
}

/** A process substitution is a path; what is read from it is the output of its script, what is written there is that script's input. */
function substituted(part: WordPart & { type: 'ProcessSubstitution' }, { scope, machine, place }: Surroundings): string {
  const path = `/dev/fd/${1000 + machine.files.size + machine.sinks.length}`;
  if (part.script === undefined) return path;
  if (part.operator === '>') machine.sinks.push({ script: part.script, scope, place });
  else machine.files.set(path, machine.runScript(part.script, scope.child(), place));
  return path;
}

function joined(drafts: readonly Draft[], values: readonly Value[], split: boolean, { machine, scope }: Surroundings): readonly Draft[] {
  const all: Draft[] = [];
  for (const draft of drafts) {
    for (const value of values) {
      if (all.length >= MOST_READINGS) return all;
      const pieces = split ? value.flatMap((text) => splitFields(text, scope)) : value;
      const last = draft.fields.at(-1) ?? '';
      const first = cut(last + (pieces[0] ?? ''));
      machine.spend(pieces.length + first.length / 256);
      all.push({ fields: [...draft.fields.slice(0, -1), first, ...pieces.slice(1)], quoted: draft.quoted });
    }
  }
  return all;
}

/** An empty piece at either end is where the neighbouring part of the word goes on; one that stays empty is dropped at the end. */
function splitFields(text: string, scope: Scope): readonly string[] {
  const own = scope.isSet('IFS') ? (scope.get('IFS')?.[0]?.[0] ?? '') : '';
  const parts = text.split(/[ \t\n]+/);
  return own === '' ? parts : parts.flatMap((part) => part.split(new RegExp(`[${own.replace(/[\]\\^-]/g, '\\$&')}]`)));
}
