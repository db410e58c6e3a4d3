/** Parses JSON with comments and trailing commas. Parsing stops at the first error, never throws and limits the depth. */
import { printParseErrorCode, visit } from 'jsonc-parser';
import type { Position } from '../../core/values/diagnostic.ts';
import type { BeyondJson, Document, Entry, Node } from '../../core/values/document.ts';
import { type Problems, problemsIn } from '../../core/values/read-document.ts';
import { finite, MAX_DEPTH, refuse, sayDuplicate, sayTooDeep, withoutBom } from './intake.ts';

export function parseJson(file: string, text: string): Document {
  const refused = refuse(file, text);
  if (refused) return refused;
  const problems = problemsIn(file);
  const plain = withoutBom(text);
  const { root, beyond } = build(plain, problems);
  const beyondJson: BeyondJson | undefined = plain === text ? beyond : { what: 'a byte order mark', at: { line: 1, column: 1 } };
  return { file, ...(root && { root }), diagnostics: problems.list, ...(beyondJson && { beyondJson }) };
}

/** A map or list that is still open. */
interface Open {
  readonly at: Position;
  readonly entries?: Entry[];
  readonly slots: Map<string, number>;
  readonly items?: Node[];
  /** The key whose value comes next. */
  key?: { readonly name: string; readonly at: Position } | undefined;
}

/** Thrown to stop the visitor at the first error, because later errors would be guesses. */
const STOP = new Error('stop');

function build(text: string, problems: Problems): { readonly root?: Node | undefined; readonly beyond?: BeyondJson | undefined } {
  const open: Open[] = [];
  let root: Node | undefined;
  let beyond: BeyondJson | undefined;
  let comma: Position | undefined;
  const put = (node: Node): void => {
    comma = undefined;
    const parent = open.at(-1);
    if (!parent) root = node;
    else if (parent.items) parent.items.push(node);
    else if (parent.entries && parent.key) {
      putEntry(parent, parent.entries, { key: parent.key.name, at: parent.key.at, value: node }, problems);
      parent.key = undefined;
    }
  };
  const begin = (started: Open): void => {
    comma = undefined;
    if (open.push(started) <= MAX_DEPTH) return;
    sayTooDeep(problems, started.at);
    throw STOP;
  };
  const end = (): void => {
    if (comma) beyond ??= { what: 'a comma after the last item', at: comma };
    const done = open.pop();
    if (done?.entries) put({ kind: 'map', at: done.at, entries: done.entries });
    else if (done?.items) put({ kind: 'list', at: done.at, items: done.items });
  };
  try {
    visit(
      text,
      {
        onObjectBegin: (_o, _l, line, column) => begin({ at: place(line, column), entries: [], slots: new Map() }),
        onArrayBegin: (_o, _l, line, column) => begin({ at: place(line, column), items: [], slots: new Map() }),
        onObjectEnd: end,
        onArrayEnd: end,
        onObjectProperty: (name, _o, _l, line, column) => {
          const parent = open.at(-1);
          if (parent) parent.key = { name, at: place(line, column) };
        },
        onSeparator: (character, _o, _l, line, column) => {
          if (character === ',') comma = place(line, column);
        },
        onComment: (_o, _l, line, column) => {
          beyond ??= { what: 'a comment', at: place(line, column) };
        },
        onLiteralValue: (value: unknown, offset, length, line, column) => {
          const at = place(line, column);
          put({ kind: 'scalar', at, value: scalar(value, text.slice(offset, offset + length)) });
        },
        onError: (code, offset, length, line, column) => {
          const name = printParseErrorCode(code);
          sayJsonError(
            problems,
            inContext(name, open.at(-1), root !== undefined),
            text.slice(offset, offset + length),
            place(line, column),
          );
          throw STOP;
        },
      },
      { allowTrailingComma: true, allowEmptyContent: true },
    );
  } catch (error) {
    if (error !== STOP) throw error;
    return {};
  }
  return { root, beyond };
}

function putEntry(parent: Open, entries: Entry[], entry: Entry, problems: Problems): void {
  const slot = parent.slots.get(entry.key);
  if (slot === undefined) parent.slots.set(entry.key, entries.push(entry) - 1);
  else {
    sayDuplicate(problems, entry.key, entry.at);
    entries[slot] = entry;
  }
}

function scalar(value: unknown, source: string): string | number | boolean | null {
  if (typeof value === 'number') return finite(value, source);
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}

function place(line: number, column: number): Position {
  return { line: line + 1, column: column + 1 };
}

/** Returns a more exact name of the error, by the map or list that is open: a bare word in place of a key is a key without quotes. */
function inContext(name: string, parent: Open | undefined, done: boolean): string {
  if (done && name === 'InvalidSymbol') return 'EndOfFileExpected';
  if (name === 'InvalidSymbol' && parent?.entries && !parent.key) return 'PropertyNameExpected';
  return name === 'CommaExpected' && parent?.items ? 'CommaOrBracketExpected' : name;
}

function sayJsonError(problems: Problems, name: string, found: string, at: Position): void {
  const shown = found.trim() === '' ? 'the end of the file' : `\`${found.slice(0, 40)}\``;
  const [message, hint] = WORDS[name] ?? ['This is not valid JSON.', 'Remove it, or put it in quotes.'];
  problems.report(
    'error',
    'invalid-json',
    at,
    message.replace('{found}', () => shown),
    hint,
  );
}

const WORDS: Record<string, readonly [message: string, hint: string]> = {
  InvalidSymbol: ['{found} is not a JSON value.', 'Put text in double quotes; the only bare words are `true`, `false` and `null`.'],
  InvalidNumberFormat: ['This is not a number JSON can read.', 'Write it as `12` or `1.5`, or put it in double quotes.'],
  PropertyNameExpected: ['A key was expected, found {found}.', 'Put keys in double quotes.'],
  ValueExpected: ['A value was expected, found {found}.', 'Add the value, or remove the key or comma before it.'],
  ColonExpected: ['A `:` was expected after the key, found {found}.', 'Write `"key": value`.'],
  CommaExpected: ['A `,` or `}` was expected, found {found}.', 'Put a comma after the entry before, or close the map.'],
  CommaOrBracketExpected: ['A `,` or `]` was expected, found {found}.', 'Put a comma after the entry before, or close the list.'],
  CloseBraceExpected: ['A `}` is missing: the map was not closed before {found}.', 'Close it.'],
  CloseBracketExpected: ['A `]` is missing: the list was not closed before {found}.', 'Close it.'],
  EndOfFileExpected: ['There is something after the end of the data: {found}.', 'Remove it, or check the brackets before it.'],
  UnexpectedEndOfComment: ['This comment has no end.', 'Close it with `*/`.'],
  UnexpectedEndOfString: ['This text has no closing quote on its line.', 'Add the `"`; write a line break as `\\n`.'],
  UnexpectedEndOfNumber: ['This number is cut short.', 'Write all of it.'],
  InvalidUnicode: ['This `\\u` escape is not complete.', 'Write four hexadecimal digits after `\\u`.'],
  InvalidEscapeCharacter: ['A backslash escapes nothing here.', 'Double it: `\\\\`.'],
  InvalidCharacter: ['This text has a control character in it.', 'Write it as an escape such as `\\t` or `\\n`.'],
};
