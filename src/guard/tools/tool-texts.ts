/** Finds the commands and programs in a tool's input: one line, several lines, a list of words, or code in a language. */
import { isObject, type Json, type JsonObject } from '../../core/values/json.ts';
import { leaveOut } from '../limits.ts';
import { flavourOf } from '../shell/foreign/flavour.ts';
import { type Language, languageNamed, languageOfShebang, languageStated, type ToolText } from './languages.ts';
import { CODE_KEYS, COMMAND_KEYS, LANGUAGE_KEYS, normalizeName, PROGRAM_KEYS, SQL_KEYS, type ToolKind, wordsOf } from './tools.ts';
import { typedText } from './typed-keys.ts';

export interface FoundText extends ToolText {
  /** Whether the tool may use the text as something else, so that a text which is no shell code means nothing. */
  readonly maybe?: true;
}

export interface FoundTexts {
  readonly texts: readonly FoundText[];
  /** Why the command is unknown. */
  readonly unclear?: string;
  /** Parts that the guard does not understand. */
  readonly notes: readonly string[];
}

const NOTHING: FoundTexts = { texts: [], notes: [] };
const NO_COMMAND: FoundTexts = { ...NOTHING, unclear: 'the call does not contain the command it runs' };

export function textsIn(tool: string, kind: ToolKind, input: Json): FoundTexts {
  switch (kind.does) {
    case 'run': {
      // Servers of databases call their tool `execute` as well.
      const statements = statementsIn(tool, input);
      return ranBy(tool, input) ?? (kind.mayBeBare || statements.length > 0 ? { texts: statements, notes: [] } : NO_COMMAND);
    }
    case 'type':
      return typedBy(tool, input);
    case 'code':
      return codeOf(tool, kind.language, input);
    case 'file':
      return { texts: isObject(input) ? [...beside(input), ...cellOf(tool, input)] : [], notes: [] };
    case 'patch':
      return NOTHING;
    default:
      return anywhere(tool, input);
  }
}

/** Returns undefined if the tool runs a command that is unknown. */
function ranBy(tool: string, input: Json): FoundTexts | undefined {
  const own = languageNamed(wordsOf(tool)) === 'powershell' ? 'powershell' : 'shell';
  if (typeof input === 'string') return { texts: [asProgram(input, own)], notes: [] };
  const lists = Array.isArray(input) ? commandsInList(input, false) : undefined;
  if (!isObject(input)) return lists && { texts: lists.map((text) => ({ text, language: own })), notes: [] };
  const language = statedIn(input) ?? own;
  const texts: FoundText[] = [];
  for (const [key, value] of Object.entries(input)) {
    const name = normalizeName(key);
    if (!COMMAND_KEYS.has(name) && !PROGRAM_KEYS.has(name)) continue;
    const found = textsOf(value, name === 'commands', input);
    if (!found) return undefined;
    texts.push(...found.map((text) => asProgram(text, language)));
  }
  return texts.length === 0 ? undefined : { texts, notes: unknownLanguage(texts) };
}

function asProgram(text: string, language: Language): ToolText {
  return { text, language: languageOfShebang(text) ?? language };
}

/** Returns the language that the input states, or undefined. A path or a name is a language; a sentence is not. */
function statedIn(input: JsonObject): Language | undefined {
  const [, value] = Object.entries(input).find(([key, text]) => LANGUAGE_KEYS.has(normalizeName(key)) && typeof text === 'string') ?? [];
  return typeof value === 'string' && value.trim() !== '' && !/\s/.test(value.trim()) ? languageStated(value) : undefined;
}

function unknownLanguage(texts: readonly ToolText[]): readonly string[] {
  return texts.some(({ language }) => language === 'unknown') ? ['the language of its program is not known'] : [];
}

function textsOf(value: Json | undefined, many: boolean, { args }: JsonObject): readonly string[] | undefined {
  if (typeof value === 'string') {
    const listed = listIn(value);
    if (listed) return commandsInList(listed, many);
    if (typeof args === 'string') return [`${value} ${args}`];
    if (Array.isArray(args))
      return args.every((arg) => typeof arg === 'string') ? [`${value} ${args.map(quoteWord).join(' ')}`] : undefined;
    return [value];
  }
  if (Array.isArray(value)) return commandsInList(value, many);
  // For example `{ "action": { "command": […] } }`.
  return isObject(value) ? deepTexts(value) : undefined;
}

/** Returns the list that a text holds as JSON, because some agents pass every value as text. */
function listIn(text: string): readonly Json[] | undefined {
  if (!/^\s*\[\s*["{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Joins a list of words to one command. With `many`, the list contains one command per item; they are also read as one text, because one shell
 * may run them all.
 */
function commandsInList(list: readonly Json[], many: boolean): readonly string[] | undefined {
  if (list.length === 0) return undefined;
  if (many) {
    const each = list.map((item) => (typeof item === 'string' ? [item] : isObject(item) ? deepTexts(item) : []));
    if (each.some((found) => found.length === 0)) return undefined;
    const all = each.flat();
    return all.length === 1 ? all : [...all, all.join('\n')];
  }
  const texts = list.filter((item): item is string => typeof item === 'string');
  if (texts.length !== list.length) return undefined;
  return texts.length === 1 ? texts : [texts.map(quoteWord).join(' ')];
}

function quoteWord(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

const TYPED_KEYS: ReadonlySet<string> = new Set(['chars', 'text', 'input', 'keys', 'data']);

/** Returns the text that a tool types. The program that reads it is unknown, so text that looks like code counts as code too. */
function typedBy(tool: string, input: Json): FoundTexts {
  const given = isObject(input)
    ? Object.entries(input).flatMap(([key, value]) =>
        TYPED_KEYS.has(normalizeName(key)) || COMMAND_KEYS.has(normalizeName(key)) ? [value] : [],
      )
    : [input];
  const typed = given.flatMap((value) =>
    typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string')) ? [typedText(value)] : [],
  );
  const own = languageNamed(wordsOf(tool)) === 'powershell' ? 'powershell' : undefined;
  const texts = typed
    .filter(({ text }) => text.trim() !== '')
    .map(({ text }): FoundText => ({ text, language: own ?? (flavourOf('', text) === 'other' ? 'shell' : 'unknown') }));
  return { texts, notes: typed.flatMap(({ unclear }) => unclear ?? []) };
}

/** Returns the programs of a tool that runs code, and the commands in them that a notebook passes to a shell. */
function codeOf(tool: string, own: Language | undefined, input: Json): FoundTexts {
  const language = (isObject(input) ? statedIn(input) : undefined) ?? own ?? languageNamed(wordsOf(tool)) ?? 'unknown';
  const given = isObject(input)
    ? Object.entries(input).flatMap(([key, value]): (Json | undefined)[] => (isCodeKey(normalizeName(key)) ? [value] : []))
    : [input];
  const programs = given.flatMap((value): readonly string[] => {
    if (typeof value === 'string') return value.trim() === '' ? [] : [value];
    if (Array.isArray(value) && value.every((line) => typeof line === 'string')) return [value.join('\n')];
    return isObject(value) || Array.isArray(value) ? deepTexts(value) : [];
  });
  const texts = programs.flatMap((text) => [asProgram(text, language), ...shellEscapes(text, language)]);
  return { texts, notes: unknownLanguage(texts) };
}

function isCodeKey(name: string): boolean {
  return PROGRAM_KEYS.has(name) || CODE_KEYS.has(name) || COMMAND_KEYS.has(name);
}

/** Returns the shell commands of a notebook's cell: `!command`, `%sx command` and `%%bash`. */
function shellEscapes(text: string, language: Language): readonly ToolText[] {
  if (language !== 'python' && language !== 'unknown') return [];
  const cell = /^\s*%%(?:bash|sh|zsh|script\b[^\n]*|!|sx|system)[^\n]*\n([\s\S]*)$/.exec(text)?.[1];
  const lines = [...text.matchAll(/^[ \t]*(?:[\w, ]+=[ \t]*)?(?:!{1,2}|%(?:sx|system)[ \t])(.*)$/gm)].map((match) => match[1] ?? '');
  return [...(cell === undefined ? [] : [cell]), ...lines].map((line) => ({ text: line, language: 'shell' }));
}

/** Returns the commands in the input of a tool that uses files. A single word is the name of an action, such as `create`. */
function beside(input: JsonObject): readonly FoundText[] {
  return Object.entries(input).flatMap(([key, value]): readonly FoundText[] =>
    COMMAND_KEYS.has(normalizeName(key)) && typeof value === 'string' && /\s/.test(value.trim())
      ? [{ text: value, language: 'shell', maybe: true }]
      : [],
  );
}

/** Returns the code of a cell that a tool puts into a notebook, because a kernel runs it without another call. */
function cellOf(tool: string, input: JsonObject): readonly FoundText[] {
  if (!wordsOf(tool).includes('notebook')) return [];
  const fields = Object.entries(input).map(([key, value]) => [normalizeName(key), value] as const);
  if (fields.some(([key, value]) => key === 'celltype' && value !== 'code')) return [];
  return fields.flatMap(([key, value]): readonly FoundText[] => {
    if (!/^(?:newsource|source|newstring|cellcontent)$/.test(key) || typeof value !== 'string') return [];
    const language = statedIn(input) ?? 'python';
    return [asProgram(value, language), ...shellEscapes(value, language)].map((text) => ({ ...text, maybe: true }));
  });
}

/** Words in the name of a tool that show that it asks a database. */
const DATABASES =
  /^(?:sql|postgres(?:ql)?|pg|mysql|mariadb|sqlite|duckdb|clickhouse|bigquery|snowflake|redshift|cockroach(?:db)?|mssql|oracle|supabase|neon|database|db)$/;

/** Returns the statements for a database at any depth. */
function statementsIn(tool: string, input: Json): readonly FoundText[] {
  const isDatabase = wordsOf(tool).some((word) => DATABASES.test(word));
  const texts: FoundText[] = [];
  eachField(input, (key, value) => {
    if (!SQL_KEYS.has(key) || !(isDatabase || key.startsWith('sql'))) return;
    for (const text of Array.isArray(value) ? value : [value])
      if (typeof text === 'string') texts.push({ text, language: 'sql', maybe: true });
  });
  return texts;
}

/** The values of an input that are looked at. */
export const MOST_NODES = 100_000;
/** Words in the name of a tool that show that it runs commands. */
const SHELL_WORDS: ReadonlySet<string> = new Set('terminal exec execute command cmd console process subprocess'.split(' '));

/** Returns every command and program at any depth, for a tool that is not known. */
function anywhere(tool: string, input: Json): FoundTexts {
  const words = wordsOf(tool);
  const named = languageNamed(words) ?? (words.some((word) => SHELL_WORDS.has(word)) ? 'shell' : undefined);
  const texts: FoundText[] = [];
  eachField(input, (key, value, holder) => {
    const stated = statedIn(holder) ?? named;
    const isCommand = COMMAND_KEYS.has(key);
    const isProgram = PROGRAM_KEYS.has(key) || (named !== undefined && named !== 'shell' && CODE_KEYS.has(key));
    if (!isCommand && !isProgram) return;
    // A code without any space or sign is a number or a name, for example that of a voucher.
    if (key === 'code' && typeof value === 'string' && /^[\w.:/-]*$/.test(value)) return;
    const found = isCommand || typeof value === 'string' ? (textsOf(value, key === 'commands', holder) ?? []) : [];
    // A command is shell code unless the tool is one for another language.
    const language = stated ?? (isCommand ? 'shell' : 'unknown');
    const kept = isCommand && language !== 'shell' && language !== 'powershell' ? 'unknown' : language;
    const isSure = stated === 'shell' || stated === 'powershell';
    for (const text of found) texts.push({ ...asProgram(text, kept), ...(!isSure && { maybe: true }) });
    if (kept === 'python' || kept === 'unknown') for (const text of found) texts.push(...shellEscapes(text, kept));
  });
  return { texts: [...texts, ...statementsIn(tool, input)], notes: unknownLanguage(texts) };
}

/** Returns every text under a command key at any depth. */
function deepTexts(input: Json): readonly string[] {
  const found: string[] = [];
  eachField(input, (key, value, holder) => {
    if ((COMMAND_KEYS.has(key) || PROGRAM_KEYS.has(key)) && !isObject(value))
      found.push(...(textsOf(value, key === 'commands', holder) ?? []));
  });
  return found;
}

/** Visits the fields of every map in the input. */
function eachField(input: Json, visit: (key: string, value: Json, holder: JsonObject) => void): void {
  const stack: Json[] = [input];
  let seen = 0;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (++seen > MOST_NODES) {
      leaveOut(`the values in its input are more than ${MOST_NODES}`);
      return;
    }
    if (Array.isArray(next)) for (const item of next) stack.push(item);
    else if (isObject(next)) {
      for (const [key, value] of Object.entries(next)) {
        if (value === undefined) continue;
        visit(normalizeName(key), value, next);
        if (typeof value === 'object' && value !== null) stack.push(value as Json);
      }
    }
  }
}
