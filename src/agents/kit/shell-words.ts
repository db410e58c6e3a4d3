/** Splits a shell line into its commands, well enough to name a hook. A wrong split only makes a worse name. */

/** Replaces the part of a word that is known only at run time. */
const UNKNOWN = '$';
const MOST_NESTING = 4;

/** Returns the words of each command, without quotes, comments, redirections and the text of here-documents. Substitutions come last. */
export function commandsIn(line: string, nesting = 0): string[][] {
  const reader = {
    line,
    at: 0,
    word: undefined as string | undefined,
    commands: [[]] as string[][],
    inner: [] as string[],
    ends: [] as string[],
  };
  while (reader.at < line.length) readNext(reader);
  endWord(reader);
  const within = nesting < MOST_NESTING ? reader.inner.flatMap((text) => commandsIn(text, nesting + 1)) : [];
  return [...reader.commands.filter((words) => words.length > 0), ...within];
}

interface Reader {
  readonly line: string;
  at: number;
  /** The word that is being read. */
  word: string | undefined;
  readonly commands: string[][];
  /** The texts of substitutions. */
  readonly inner: string[];
  /** The last lines of here-documents that begin on the next line. */
  ends: string[];
}

function readNext(reader: Reader): void {
  const { line, at } = reader;
  const char = line[at] as string;
  const next = line[at + 1] ?? '';
  if (char === '"' || char === "'") readQuoted(reader, char);
  else if ((char === '$' && next === '(') || char === '`') readSubstitution(reader);
  // Before any other character it is part of a Windows path.
  else if (char === '\\' && /[\s"'$]/.test(next)) add(reader, next === '\n' ? '' : next, 2);
  else if (char === '#' && reader.word === undefined) reader.at = endOfLine(line, at);
  else if (char === '<' || char === '>' || (char === '&' && next === '>')) skipRedirection(reader);
  else if (/[;|&\n()]/.test(char)) {
    endWord(reader);
    reader.commands.push([]);
    reader.at++;
    if (char === '\n') skipDocuments(reader);
  } else if (/\s/.test(char)) {
    endWord(reader);
    reader.at++;
  } else add(reader, char, 1);
}

function add(reader: Reader, text: string, length: number): void {
  reader.word = (reader.word ?? '') + text;
  reader.at += length;
}

function endWord(reader: Reader): void {
  if (reader.word !== undefined) reader.commands.at(-1)?.push(reader.word);
  reader.word = undefined;
}

function readQuoted(reader: Reader, quote: string): void {
  add(reader, '', 1);
  while (reader.at < reader.line.length && reader.line[reader.at] !== quote) {
    const char = reader.line[reader.at] as string;
    if (quote === '"' && char === '\\' && reader.line[reader.at + 1] === '"') add(reader, '"', 2);
    else if (quote === '"' && char === '$' && reader.line[reader.at + 1] === '(') readSubstitution(reader);
    else add(reader, char, 1);
  }
  reader.at++;
}

function readSubstitution(reader: Reader): void {
  const { line, at } = reader;
  const isTicked = line[at] === '`';
  const start = at + (isTicked ? 1 : 2);
  const end = isTicked ? line.indexOf('`', start) : endOfGroup(line, start);
  reader.inner.push(line.slice(start, end < 0 ? undefined : end));
  add(reader, UNKNOWN, (end < 0 ? line.length : end + 1) - at);
}

function endOfGroup(line: string, start: number): number {
  for (let depth = 1, at = start; at < line.length; at++) {
    depth += line[at] === '(' ? 1 : line[at] === ')' ? -1 : 0;
    if (depth === 0) return at;
  }
  return -1;
}

/** Skips the operator and its word. A here-document begins on the next line and ends with this word. */
function skipRedirection(reader: Reader): void {
  if (/^\d*$/.test(reader.word ?? '')) reader.word = undefined;
  endWord(reader);
  const [operator = ''] = /^&?[<>]+[&|-]?[ \t]*/.exec(reader.line.slice(reader.at)) ?? [];
  reader.at += operator.length;
  if (reader.line[reader.at] === '(') return;
  const [target = ''] = /^(?:"[^"]*"?|'[^']*'?|[^\s;|&()<>])+/.exec(reader.line.slice(reader.at)) ?? [];
  reader.at += target.length;
  if (/^<<[^<]?/.test(operator) && !operator.startsWith('<<<')) reader.ends.push(target.replace(/["'\\]/g, ''));
}

function skipDocuments(reader: Reader): void {
  for (const end of reader.ends) {
    for (let isLast = false; !isLast && reader.at < reader.line.length; ) {
      const stop = endOfLine(reader.line, reader.at);
      isLast = reader.line.slice(reader.at, stop).trim() === end;
      reader.at = stop + 1;
    }
  }
  reader.ends = [];
}

function endOfLine(line: string, at: number): number {
  const end = line.indexOf('\n', at);
  return end < 0 ? line.length : end;
}
