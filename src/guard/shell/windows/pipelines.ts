/**
 * The values that statements of PowerShell pass on: the paths that a command lists, by a pipe, a loop or a variable, and texts in variables. A
 * statement gets them in the place of `$_` and of the variables.
 */
import { UNKNOWN } from '../marks.ts';

export interface Statement {
  readonly words: readonly string[];
  /** Whether it gets the output of the statement before: by a pipe, or in a block behind one. */
  readonly piped: boolean;
}

/** Paths that are passed on. `deep`: with everything below them. */
interface Listing {
  readonly paths: readonly string[];
  readonly deep: boolean;
}

const NOTHING: Listing = { paths: [], deep: false };
/** Commands whose output is paths. */
const LISTS = /^(?:get-childitem|gci|ls|dir|get-item|gi|get-psdrive|gdr|resolve-path|rvpa|get-volume|get-disk|get-partition)$/i;
/** Of these, the commands that list what is in a folder. */
const LISTS_CONTENT = /^(?:get-childitem|gci|ls|dir)$/i;
const REMOVES = /^(?:remove-item|ri|rm|del|erase|rd|rmdir)$/i;
/** Commands that take the paths of a pipeline. */
const TAKES = /^(?:remove-item|ri|rm|del|erase|rd|rmdir|clear-content|clc|move-item|mi|copy-item|cpi|get-content|gc|set-content|sc)$/i;
/** Commands that pass on only some of the paths. */
const PICKS = /^(?:where-object|where|\?|select-object|select)$/i;
/** The item of a pipeline or a variable, or a property that is its path. A shell around the program can have read the variable. */
const ITEM = /^(?:\$(\w+)|\uE000)(?:\.(?:FullName|PSPath|Path|Name))?$/i;

const PATH = /^["']?(?:[A-Za-z]:|\$env:|\$HOME|~|[.\\/])/;

/** The method that deletes a file or a folder, of a variable or of the value before it. */
const DELETE_METHOD = /^(?:\$(\w+)|\uE000)?\.Delete$/i;

/** Returns the words of the statements with the values that they get. */
export function withValues(statements: readonly Statement[]): readonly (readonly string[])[] {
  const listings = new Map<string, Listing>();
  const texts = new Map<string, string>();
  let fed = NOTHING;
  /** The variable that gets the value of the next statement, for example behind a bracket. */
  let waiting: string | undefined;
  /** The variable that gets the end of the current pipeline. */
  let target: string | undefined;
  return statements.map(({ words: written, piped }) => {
    // `@` starts a list in brackets, which is the next statement.
    const words = written.at(-1) === '@' ? written.slice(0, -1) : written;
    const [, name, value] = /^\$(\w+)(=.*)?$/s.exec(words[0] ?? '') ?? [];
    const isAssigned = name !== undefined && (value !== undefined || words[1] === '=');
    if (name !== undefined && isAssigned) {
      const rest = value === undefined ? words.slice(2) : [...(value === '=' ? [] : [value.slice(1)]), ...words.slice(1)];
      const text = constantOf(rest.map((word) => texts.get(variableIn(word)) ?? word));
      if (text !== undefined) texts.set(name.toLowerCase(), text);
      fed = listedBy(rest, listings);
      target = name.toLowerCase();
      listings.set(target, fed);
      waiting = rest.length === 0 ? name.toLowerCase() : undefined;
      return rest.length > 1 && text === undefined ? rest : words;
    }
    if (name !== undefined && words[1] === 'in') {
      fed = listedBy(words.slice(2), listings);
      target = name.toLowerCase();
      listings.set(target, fed);
      waiting = words.length === 2 ? target : undefined;
      return words.slice(2);
    }
    const given = filled(words, piped ? fed : NOTHING, fed, listings, texts);
    if (!piped) target = waiting;
    if (PICKS.test(words[0] ?? '') && piped) {
      fed = { paths: fed.paths.map((path) => `${path}/${UNKNOWN}`), deep: false };
      if (target !== undefined) listings.set(target, fed);
    } else if (!piped || LISTS.test(given[0] ?? '')) {
      const listed = listedBy(given, listings);
      // A method is called on the value before it.
      if (!/^\./.test(words[0] ?? '')) fed = listed;
      if (waiting !== undefined) listings.set(waiting, listed);
      waiting = undefined;
    }
    return given;
  });
}

function variableIn(word: string): string {
  return /^\$(\w+)$/.exec(word)?.[1]?.toLowerCase() ?? '';
}

/** Returns the text of `'a' + 'b'`, or of one word that is no command. */
function constantOf(words: readonly string[]): string | undefined {
  if (words.length % 2 === 0 || words.some((word, i) => (word === '+') !== (i % 2 === 1))) return undefined;
  return words.some((word) => /^\$(?!HOME\b|env:)/i.test(word)) ? undefined : words.filter((_, i) => i % 2 === 0).join('');
}

/** Returns the paths that a command lists, or that a variable has. A drive without a name is any drive. */
function listedBy(words: readonly string[], listings: ReadonlyMap<string, Listing>): Listing {
  const [verb = '', ...args] = words;
  const known = args.length === 0 ? listings.get(variableIn(verb)) : undefined;
  if (known !== undefined) return known;
  if (PATH.test(verb)) return { paths: words.filter((word) => PATH.test(word)), deep: false };
  if (!LISTS.test(verb)) return NOTHING;
  if (/^(?:get-psdrive|gdr)$/i.test(verb)) return { paths: ['C:\\'], deep: false };
  const named = args.filter(
    (arg, i) => !/^-\w/.test(arg) && !/^-(?:filter|include|exclude|depth|attributes|name)$/i.test(args[i - 1] ?? ''),
  );
  const picks = args.some((arg) => /^-(?:filter|include|name)$/i.test(arg));
  const deep = !picks && args.some((arg) => /^(?:-r(?:e\w*)?|\/s)$/i.test(arg));
  const isContent = LISTS_CONTENT.test(verb) && !deep;
  const below = (path: string): string =>
    picks ? `${path}/${UNKNOWN}` : isContent && !/[*?[]/.test(path) ? `${path.replace(/[\\/]$/, '')}/*` : path;
  return { paths: (named.length === 0 ? ['.'] : named).map(below), deep };
}

/** Puts the values in the place of `$_` and of variables, or behind a command that takes the paths of a pipeline. */
function filled(
  words: readonly string[],
  fed: Listing,
  before: Listing,
  listings: ReadonlyMap<string, Listing>,
  texts: ReadonlyMap<string, string>,
): readonly string[] {
  const listingOf = (item: string): Listing | undefined => (/^(?:_|psitem|)$/.test(item) ? fed : listings.get(item));
  const method = DELETE_METHOD.exec(words[0] ?? '');
  if (method !== null) {
    const { paths } =
      (method[1] === undefined && !(words[0] ?? '').startsWith('\uE000') ? before : listingOf((method[1] ?? '_').toLowerCase())) ?? NOTHING;
    return paths.length === 0 ? words : ['Remove-Item', '-Recurse', '-Force', ...paths];
  }
  let deep = false;
  const given = words.flatMap((word, i) => {
    const item = ITEM.exec(word);
    if (item === null) return [word];
    const name = (item[1] ?? '').toLowerCase();
    const text = texts.get(name);
    if (text !== undefined) return [text];
    const listing = i === 0 ? undefined : listingOf(name);
    if (listing === undefined || listing.paths.length === 0) return [word];
    deep ||= listing.deep;
    return listing.paths;
  });
  const [verb = ''] = given;
  const takes = fed.paths.length > 0 && TAKES.test(verb) && !words.slice(1).some((word) => !/^-/.test(word));
  if (takes) deep ||= fed.deep;
  // All files below a folder are as much as the folder.
  const option = deep && REMOVES.test(verb) ? ['-Recurse'] : [];
  return [...given, ...option, ...(takes ? fed.paths : [])];
}
