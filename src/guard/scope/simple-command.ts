/**
 * Reads one simple command: words without operators, substitution, expansion, redirection, assignments or comments. A text that two shells
 * might read differently is none, so a backslash is refused everywhere. The guard's shell parser must come to the same words.
 */
import { parse } from 'unbash';

/** Characters that mean themselves in every shell. A letter of any script is one; a space of any script is not. */
const PLAIN = /^[\p{L}\p{N}_@+=:,./-]$/u;
/** Characters that no word may have, quoted or not: controls, line ends, invisible characters, and the escape. */
const NEVER = /[\p{C}\p{Zl}\p{Zp}\\]/u;
/** Characters that work within double quotes. */
const LIVE = /[$`!"]/;
const MOST_CHARACTERS = 10_000;

/**
 * Returns the words of the command. Undefined: the text is more than one simple command, or it is not certain that it is not.
 * @param quotes whether quotes make every character plain. Not so on Windows, where shells disagree about quotes
 */
export function simpleCommand(text: string, quotes: boolean = process.platform !== 'win32'): readonly string[] | undefined {
  if (text.length > MOST_CHARACTERS || NEVER.test(text.replaceAll('\t', ''))) return undefined;
  const words = split(text, quotes);
  const [program] = words ?? [];
  if (!words || !program || program.includes('=') || words.some((word) => word.startsWith('='))) return undefined;
  return isParsedAs(text, words) ? words : undefined;
}

function split(text: string, quotes: boolean): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let open: string | undefined;
  for (const character of text) {
    if (open !== undefined) {
      if (character === open) open = undefined;
      else if ((open === '"' && LIVE.test(character)) || (!quotes && character !== ' ' && !PLAIN.test(character))) return undefined;
      else word += character;
    } else if (character === ' ' || character === '\t') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word ??= '';
      if (character === '"' || character === "'") open = character;
      else if (PLAIN.test(character)) word += character;
      else return undefined;
    }
  }
  if (open !== undefined) return undefined;
  return word === undefined ? words : [...words, word];
}

/** Also finds the words with a meaning of their own at this place, such as `time` and `if`. */
function isParsedAs(text: string, words: readonly string[]): boolean {
  const { commands, errors = [] } = parse(text);
  const [statement] = commands;
  if (errors.length > 0 || commands.length !== 1 || !statement || statement.background) return false;
  const { command } = statement;
  if (command.type !== 'Command' || command.prefix.length > 0 || command.redirects.length > 0) return false;
  const read = [command.name, ...command.args].map((word) => (word?.type === 'Word' ? word.value : undefined));
  return read.length === words.length && read.every((word, i) => word === words[i]);
}
