/** Where and why a text is not JSON. Loaded only for a text that is known to be wrong: the runtime's own message has no position. */
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import type { Position } from '../../core/values/diagnostic.ts';

export interface JsonFlaw extends Position {
  readonly why: string;
}

export function findJsonFlaw(text: string): JsonFlaw | undefined {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  const [first] = errors.sort((a, b) => a.offset - b.offset);
  if (!first) return undefined;
  const before = text.slice(0, first.offset).split('\n');
  const found = text.slice(first.offset, first.offset + Math.min(first.length, 20));
  const what = WORDS[printParseErrorCode(first.error)] ?? 'this is not valid JSON';
  return { line: before.length, column: (before.at(-1) ?? '').length + 1, why: found.trim() === '' ? what : `${what}, found \`${found}\`` };
}

const WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a value was expected',
  InvalidNumberFormat: 'this is no number',
  PropertyNameExpected: 'a key in double quotes was expected',
  ValueExpected: 'a value was expected',
  ColonExpected: 'a `:` was expected',
  CommaExpected: 'a `,` was expected',
  CloseBraceExpected: 'a `}` is missing',
  CloseBracketExpected: 'a `]` is missing',
  EndOfFileExpected: 'there is something after the end',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfString: 'a text is not closed',
  InvalidCharacter: 'a control character must be escaped',
  InvalidEscapeCharacter: 'a backslash escapes nothing here',
};
