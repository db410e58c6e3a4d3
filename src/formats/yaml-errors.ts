/** What is wrong with a YAML text and what to do about it, by the library's error codes. */
import type { ErrorCode } from 'yaml';
import type { Position } from '../core/diagnostic.ts';
import type { Complaints } from '../core/loading.ts';

export function sayYamlError(complaints: Complaints, code: ErrorCode, detail: string, at: Position): void {
  // The library blames the indentation of what follows a bracket that was left open.
  const open = code === 'BAD_INDENT' && detail.startsWith('Flow');
  const known = open ? OPEN_BRACKET : WORDS[code];
  const [message, hint] = known ?? [`This is not valid YAML: ${detail.split('\n', 1)[0]}.`, 'Check the lines above, too.'];
  complaints.say('error', 'invalid-yaml', at, message, hint);
}

const OPEN_BRACKET = ['A `[` or `{` above was not closed.', 'Close it, or put the value in quotes if it is meant as text.'] as const;

const WORDS: Partial<Record<ErrorCode, readonly [message: string, hint: string]>> = {
  BAD_DQ_ESCAPE: ['A backslash in double quotes escapes nothing here.', 'Use single quotes, where a backslash is just a backslash.'],
  BAD_INDENT: [
    'This line is indented by the wrong amount.',
    'Give entries of one map or list the same indentation, deeper than their key.',
  ],
  BAD_SCALAR_START: ['A value can not start with this character.', 'Put the value in quotes.'],
  BLOCK_AS_IMPLICIT_KEY: ['There is a second `: ` on this line.', 'Put the value in quotes, or start a new line for the inner key.'],
  BLOCK_IN_FLOW: ['A list or map by indentation can not stand inside `[ ]` or `{ }`.', 'Write it in brackets, too.'],
  KEY_OVER_1024_CHARS: ['This key is longer than 1024 characters.', 'Shorten it, or close the quote that was left open.'],
  MULTILINE_IMPLICIT_KEY: ['This key goes over more than one line.', 'Close the quote or bracket above, or add the missing `:`.'],
  MULTIPLE_DOCS: ['There is more than one YAML document here.', 'Remove the `...` or `---` between them.'],
  RESOURCE_EXHAUSTION: ['The data is nested too deep.', 'Flatten it.'],
  TAB_AS_INDENT: ['This line is indented with a tab.', 'Indent with spaces.'],
  BAD_ALIAS: ['This `*alias` is not written as one.', 'Put the value in quotes if the `*` is meant as text.'],
  UNEXPECTED_TOKEN: ['Something stands here that does not belong.', 'Put the value in quotes, or remove what follows it.'],
};
