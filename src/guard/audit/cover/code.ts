/**
 * Finds the files that a program in another language loads or starts: modules, files that it evaluates, and processes. A name that is known
 * only at run time is unknown, with its line. The program is searched by its syntax and not run.
 */
import { dirname, join, resolve } from 'node:path';
import { UNKNOWN } from '../../shell/marks.ts';
import { type FollowedFile, isBelow } from '../files.ts';
import { CALLS, type CallKind } from './calls.ts';
import { closingOf, elementsOf, type Language, type Literal, lineAt, type MaskedCode, maskCode } from './literals.ts';
import { foldersUpTo, isExecutable, isFile, isFolder, realOf } from './lookup.ts';
import { pythonModule, scriptModule } from './modules.ts';
import { type Ground, imported, joinReached, type Reached, type Unknown, valueIn } from './reached.ts';

/** Reads the commands in a shell text. It is handed in, because shell texts and programs contain each other. */
export type ReadShell = (text: string, ground: Ground) => Reached;

const MOST_CALLS = 400;
/** Names in an argument that add nothing unknown to it. */
const PLAIN =
  /^(?:open|read|read_text|read_bytes|readFileSync|readFile|File|IO|Path|PurePath|pathlib|path|os|sys|str|String|join|resolve|dirname|abspath|realpath|normpath|parent|parents|fspath|fileURLToPath|URL|import|meta|url|compile|encoding|utf8|new|await|fs|process|cwd|expand_path|__FILE__|__file__|__dir__|__DIR__|__dirname|__filename|FindBin|Bin|toString|decode|dict|globals|locals|mode|text|None|null|undefined|lib|use|qw|insert|append|unshift|push|extend|sys|getcwd)$/;
const INTERPRETERS: Readonly<Record<string, string>> = {
  'sys.executable': 'python3',
  'process.execPath': 'node',
  'process.argv[0]': 'node',
  'RbConfig.ruby': 'ruby',
};
const MOST_LOOKUPS = 4;

export function reachOfCode(body: string, language: Language, ground: Ground, readShell: ReadShell): Reached {
  const masked = maskCode(body, language);
  const reader: Reader = { ...masked, body, language, ground, readShell, folders: foldersFor(ground), search: [] };
  const calls = CALLS[language].flatMap(([kind, pattern]) => [...masked.code.matchAll(pattern)].map((match) => ({ kind, match })));
  // The places in which modules are searched must be known before the modules are.
  const sorted = calls.slice(0, MOST_CALLS).sort((a, b) => Number(b.kind === 'search') - Number(a.kind === 'search'));
  const called = sorted.map(({ kind, match }) => readCall(kind, match.index, match.index + match[0].length, reader));
  const more = calls.length > MOST_CALLS ? [{ what: 'the program', why: `it has more than ${MOST_CALLS} calls` }] : [];
  const shells = masked.literals.filter(({ start, end }) => isShellText(body, start, end, language));
  const run = shells.map(({ start, text }) => atLine(readShell(withMarks(text), reader.ground), lineAt(body, start)));
  return joinReached([...called, ...run, { runs: [...importsOf(reader), ...besides(reader)], unknown: more }]);
}

/** Returns whether a text is a command by its place: in backquotes, or next to a pipe of awk. */
function isShellText(body: string, start: number, end: number, language: Language): boolean {
  if (language === 'awk')
    return /\|&?\s*$/.test(body.slice(Math.max(0, start - 8), start)) || /^\s*\|&?\s*getline/.test(body.slice(end, end + 20));
  return language !== 'js' && body[start] === '`';
}

function atLine({ runs, unknown }: Reached, line: number): Reached {
  return { runs, unknown: unknown.map((one) => ({ ...one, line })) };
}

interface Reader extends MaskedCode {
  readonly body: string;
  readonly language: Language;
  readonly ground: Ground;
  readonly readShell: ReadShell;
  /** The folders from which the program names files: its own, the folder of the file behind a link, and the folder in which it runs. */
  readonly folders: readonly string[];
  /** Folders that the program adds to the search for modules. */
  readonly search: string[];
}

function foldersFor({ file, root, cwd, resolve: candidates }: Ground): readonly string[] {
  const own = file === undefined ? [] : [dirname(file), dirname(realOf(file))];
  return [...new Set([...own, ...candidates('.', cwd), root])];
}

function readCall(kind: CallKind, start: number, end: number, reader: Reader): Reached {
  const { code, body } = reader;
  const open = end + (/^\s*/.exec(code.slice(end, end + 100))?.[0].length ?? 0);
  const bracket = code[open] === '(';
  const stop = bracket ? closingOf(code, open) - 1 : lineEnd(code, end);
  const from = bracket ? open + 1 : end;
  const [first = [from, from] as const] = elementsOf(code, from, stop);
  const what = body
    .slice(start, Math.min(stop + (bracket ? 1 : 0), start + 200))
    .replace(/\s+/g, ' ')
    .trim();
  const unknown = (why: string): Reached => ({ runs: [], unknown: [{ what, why, line: lineAt(body, start) }] });
  if (body.slice(from, stop).trim() === '') return { runs: [], unknown: [] };
  if (kind === 'start') return readStart(from, stop, start, reader);
  if (kind === 'search') return readSearch(from, stop, reader, unknown);
  const literals = literalsIn(first[0], kind === 'code' ? stop : first[1], reader);
  // `def eval(…)` and `async require(…)` define a function.
  if (/(?:\bdef|\bfunction|\bsub)\s+$/.test(code.slice(Math.max(0, start - 12), start))) return { runs: [], unknown: [] };
  if (kind === 'code') return readEvaluated(first, literals, reader, unknown);
  const only = literals.length === 1 && isWhole(first, literals[0], reader) ? literals[0] : undefined;
  if (kind === 'module' && only && !only.open) return { runs: modulesNamed(only.text, reader), unknown: [] };
  if (kind === 'file' && only && !only.open && isLibrary(only.text, reader)) return { runs: [], unknown: [] };
  const path = pathFrom(first[0], stop, reader, 0);
  if (path !== undefined) return { runs: [imported(path, reader.language)], unknown: [] };
  return unknown(kind === 'module' ? 'the module is known only at run time' : 'the file is known only at run time');
}

/** `require 'json'` names a library, and `require './x'` a file. A library that is a file of the project is found by its name. */
function isLibrary(name: string, reader: Reader): boolean {
  if (reader.language === 'python' || reader.language === 'js') return false;
  if (/^[./~]|\.\w+$/.test(name) && reader.language !== 'lua') return false;
  return ['', '.rb', '.lua', '.pm', '.php'].every((ending) => !fileNamed(`${name}${ending}`, reader));
}

function lineEnd(code: string, from: number): number {
  const end = /[\n;]|\b(?:if|unless|or|and)\b/.exec(code.slice(from, from + 2000));
  return end ? from + end.index : code.length;
}

function literalsIn(from: number, to: number, { literals }: Reader): readonly Literal[] {
  return literals.filter(({ start, end }) => start >= from && end <= to);
}

function isWhole([from, to]: readonly [number, number], literal: Literal | undefined, { code }: Reader): boolean {
  if (!literal) return false;
  const rest = code.slice(from, literal.start) + code.slice(literal.end, to);
  return /^[\s()rbuRBU]*$/.test(rest);
}

function namesIn(from: number, to: number, { code }: Reader): readonly string[] {
  return [...code.slice(from, to).matchAll(/(?<![\w.$])[$@]?[A-Za-z_]\w*(?!\s*=[^=])/g)].map(([name]) => name);
}

function readEvaluated(
  first: readonly [number, number],
  literals: readonly Literal[],
  reader: Reader,
  unknown: (why: string) => Reached,
): Reached {
  const names = namesIn(first[0], first[1], reader).filter((name) => !PLAIN.test(name) && !/^[rbuf]{1,2}$/i.test(name));
  const files = literals.flatMap(({ text, open }) => (open ? [] : (fileNamed(text, reader) ?? [])));
  const runs = files.map((path) => imported(path, reader.language));
  if (names.length === 0 && files.length > 0) return { runs, unknown: [] };
  const [only] = literals;
  if (only && !only.open && isWhole(first, only, reader)) return reachOfCode(only.text, reader.language, reader.ground, reader.readShell);
  const assigned = names.length === 1 ? pathFrom(first[0], first[1], reader, 0) : undefined;
  if (assigned !== undefined) return { runs: [imported(assigned, reader.language)], unknown: [] };
  return joinReached([{ runs, unknown: [] }, unknown('the code is known only at run time')]);
}

/** Notes the folders that a program adds to its search. */
function readSearch(from: number, to: number, reader: Reader, unknown: (why: string) => Reached): Reached {
  const { code, ground, folders, search } = reader;
  const texts = literalsIn(from, to, reader).map(({ text }) => text);
  const own = ground.file === undefined ? folders : [dirname(ground.file), dirname(realOf(ground.file))];
  const up = (code.slice(from, to).match(/\bparent\b|\bdirname\b/g) ?? []).length;
  const bases = own.flatMap((folder) => foldersUpTo(folder, ground.root).slice(0, up + 2));
  const found = (texts.length === 0 ? bases : [...bases, ...folders].map((base) => join(base, ...texts))).filter(isFolder);
  search.push(...found);
  const names = namesIn(from, to, reader).filter((name) => !PLAIN.test(name));
  const known = names.every((name) => search.push(...assignedFolders(name, reader)) > 0);
  return found.length > 0 || known ? { runs: [], unknown: [] } : unknown('the folder is known only at run time');
}

function assignedFolders(name: string, reader: Reader): readonly string[] {
  const span = assignmentOf(name, reader);
  if (!span) return [];
  const texts = literalsIn(span[0], span[1], reader).map(({ text }) => text);
  return reader.folders
    .flatMap((folder) => foldersUpTo(folder, reader.ground.root))
    .map((folder) => join(folder, ...texts))
    .filter(isFolder);
}

function readStart(from: number, to: number, start: number, reader: Reader): Reached {
  const { body, code, ground, language } = reader;
  const words = wordsOf(from, to, start, reader);
  if (words.length === 0) return { runs: [], unknown: [] };
  const [only = ''] = words;
  const isList = words.length > 1 || /^\s*\[/.test(code.slice(from, to));
  const text = isList ? words.map((word) => (word === UNKNOWN ? word : quote(word))).join(' ') : only;
  const line = lineAt(body, start);
  const said = body
    .slice(start, Math.min(to + 1, start + 200))
    .replace(/\s+/g, ' ')
    .trim();
  const near = ground.file === undefined ? ground : { ...ground, resolve: resolveNear(reader) };
  const { runs, unknown } = reader.readShell(text, near);
  const seen: Unknown[] = unknown.length === 0 ? [] : [{ what: said, why: unknown[0]?.why ?? '', line }];
  // Perl, Ruby and PHP insert variables into such texts, which the shell reading sees as its own.
  return {
    runs: [...runs, ...words.flatMap((word) => literalRun(word, reader))],
    unknown: language === 'lua' && unknown.length === 0 ? [] : seen,
  };
}

/** A started file is often named by the folder of the program, so files there are found too. */
function resolveNear({ ground, folders }: Reader): Ground['resolve'] {
  return (path, cwd) => [...new Set([...ground.resolve(path, cwd), ...folders.map((folder) => resolve(folder, path))])];
}

function literalRun(word: string, reader: Reader): readonly FollowedFile[] {
  const found = word.includes(UNKNOWN) || !/[./]/.test(word) ? undefined : fileNamed(word, reader);
  return found !== undefined && isBelow(found, reader.ground.root) && looksLikeCode(found) ? [{ path: found, cwd: '', how: 'script' }] : [];
}

/** Returns the words of the command that a call starts. A word that is known only at run time is a mark. */
function wordsOf(from: number, to: number, start: number, reader: Reader): readonly string[] {
  const { code } = reader;
  const replaces = /(?:exec|spawn)[lv]p?e?\s*$/.test(code.slice(start, from - 1));
  const words: string[] = [];
  for (const [index, [begin, end]] of elementsOf(code, from, to).entries()) {
    const element = [begin + (/^\s*args\s*=(?!=)/.exec(code.slice(begin, end))?.[0].length ?? 0), end] as const;
    const text = code.slice(...element).trim();
    // Options follow the words: an object, a named argument or a function.
    if (/^(?:\{|\w+\s*=[^=]|\w+:\s|function\b|\(?[\w, ]*\)?\s*=>|async\b)/.test(text) && index > 0) break;
    const list = /^[[(]/.test(text) ? listFrom(element, reader) : undefined;
    if (list) words.push(...(replaces && words.length > 0 ? list.slice(1) : list));
    else words.push(...valueFrom(element, reader, 0));
    if (reader.language === 'python' && !replaces && index === 0 && !/create_subprocess_exec\s*$/.test(code.slice(start, from - 1))) break;
    if (words.length > 32) break;
  }
  return words;
}

function listFrom([from, to]: readonly [number, number], reader: Reader): readonly string[] | undefined {
  const open = from + (reader.code.slice(from, to).match(/^\s*/)?.[0].length ?? 0);
  const close = closingOf(reader.code, open);
  if (reader.code.slice(close, to).trim() !== '') return undefined;
  return elementsOf(reader.code, open + 1, close - 1).flatMap((element) => valueFrom(element, reader, 0));
}

function valueFrom([from, to]: readonly [number, number], reader: Reader, depth: number): readonly string[] {
  const { code } = reader;
  const text = code.slice(from, to).trim();
  const inside = literalsIn(from, to, reader);
  const interpreter = Object.hasOwn(INTERPRETERS, text) ? INTERPRETERS[text] : undefined;
  if (interpreter !== undefined) return [interpreter];
  const [only] = inside;
  if (only && inside.length === 1 && isWhole([from, to], only, reader)) return [only.open ? withMarks(only.text) : only.text];
  if (only && inside.length === 1 && /^[rbuf]{0,2}["'`]/i.test(text) && only.open) return [withMarks(only.text)];
  if (only && /\bwhich\s*\(/.test(text)) return [only.text];
  if (/^[$@]?\w+$/.test(text) && depth < MOST_LOOKUPS) {
    const span = assignmentOf(text, reader);
    if (span) {
      const value = code.slice(...span).trim();
      return /^[[(]/.test(value) ? (listFrom(span, reader) ?? [UNKNOWN]) : valueFrom(span, reader, depth + 1);
    }
  }
  return [pathFrom(from, to, reader, depth) ?? UNKNOWN];
}

function withMarks(text: string): string {
  return text.replace(/[$#]?\{[^}]*\}|[$@]\w+/g, UNKNOWN);
}

/** Returns the span of the value that is assigned to a name. A name with several values is unknown. */
function assignmentOf(name: string, { code }: Reader): readonly [number, number] | undefined {
  const plain = name.replace(/[$@]/g, '\\$&');
  const all = [...code.matchAll(new RegExp(`(?<![\\w.$@])${plain}\\s*(?::\\s*[\\w.\\[\\]<>| ]+)?=(?![=>~])\\s*`, 'g'))];
  const [match, more] = all;
  if (!match || more) return undefined;
  const from = match.index + match[0].length;
  const end = statementEnd(code, from);
  return [from, end];
}

function statementEnd(code: string, from: number): number {
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    const char = code[at] ?? '';
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char) && --depth < 0) return at;
    else if (depth === 0 && (char === ';' || char === '\n')) return at;
  }
  return code.length;
}

/** Returns the file that an expression names by its texts, seen from the folders of the program and the folders above them. */
function pathFrom(from: number, to: number, reader: Reader, depth: number): string | undefined {
  const texts = literalsIn(from, to, reader);
  if (texts.some(({ open }) => open)) {
    const tail = texts.at(-1)?.text.replace(/^.*[}]/s, '') ?? '';
    return texts.length === 1 && /^\/?[\w.-]+\.\w+$/.test(tail) && /dir|here|root|base|path/i.test(texts[0]?.text ?? '')
      ? fileNamed(tail, reader)
      : undefined;
  }
  const found = [texts.map(({ text }) => text).join('/'), ...texts.map(({ text }) => text).reverse()]
    .map((name) => fileNamed(name, reader))
    .find((path) => path !== undefined);
  if (found !== undefined || depth >= MOST_LOOKUPS) return found;
  for (const name of namesIn(from, to, reader).filter((one) => !PLAIN.test(one))) {
    const span = assignmentOf(name, reader);
    const path = span && pathFrom(span[0], span[1], reader, depth + 1);
    if (path !== undefined) return path;
    const before = span ? literalsIn(span[0], span[1], reader).map(({ text }) => text) : [];
    const joined = [...before, ...texts.map(({ text }) => text)];
    const whole = before.length === 0 || texts.length === 0 ? undefined : fileNamed(joined.join('/'), reader);
    if (whole !== undefined) return whole;
  }
  return undefined;
}

const ENDINGS: Readonly<Record<Language, readonly string[]>> = {
  python: ['', '.py'],
  js: ['', '.js', '.mjs', '.cjs', '.ts'],
  ruby: ['.rb', ''],
  perl: ['', '.pl', '.pm'],
  php: ['', '.php'],
  lua: ['', '.lua'],
  awk: ['', '.awk'],
};

function fileNamed(name: string, { folders, search, ground, language }: Reader): string | undefined {
  const plain = name.replace(/^file:\/\//, '').replace(/\/{2,}/g, '/');
  if (plain === '' || plain.length > 400 || /[\n\0]/.test(plain)) return undefined;
  if (plain.startsWith('/') && isFile(plain)) return plain;
  const from = [...folders, ...search, ...folders.flatMap((folder) => foldersUpTo(folder, ground.root))];
  for (const folder of new Set(from))
    for (const ending of ENDINGS[language]) {
      const path = join(folder, `${plain}${ending}`);
      if (isFile(path)) return path;
    }
  return undefined;
}

function modulesNamed(name: string, { language, folders, search, ground }: Reader): readonly FollowedFile[] {
  if (language === 'js') return folders.slice(0, 2).flatMap((folder) => scriptModule(name, folder, ground.root));
  return pythonFiles(name, { folders, search, ground }).map((path) => imported(path));
}

/** Returns the files of a module. Added folders are searched before or after the others, so a module can be found in both. */
function pythonFiles(name: string, places: Pick<Reader, 'folders' | 'search' | 'ground'>): readonly string[] {
  return [...(pythonModule(name, places.search) ?? []), ...(pythonModule(name, moduleFolders(places)) ?? [])];
}

function moduleFolders({ folders, search, ground }: Pick<Reader, 'folders' | 'search' | 'ground'>): readonly string[] {
  const path = valueIn(ground.env, 'PYTHONPATH', ground)
    .split(':')
    .filter(Boolean)
    .flatMap((one) => ground.resolve(one, ground.cwd));
  return [...new Set([...folders.slice(0, 2), ...search, ...path, ...folders.flatMap((folder) => foldersUpTo(folder, ground.root))])];
}

/** Returns the modules in the import statements, which the search for calls does not see. */
function importsOf(reader: Reader): readonly FollowedFile[] {
  const { code, body, language, literals } = reader;
  if (language === 'python') {
    const named = [...code.matchAll(/^[ \t]*(?:import[ \t]+([^\n;#]+)|from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n;#]+))/gm)];
    return named.flatMap(([, list, base = '', names = '']) => {
      const each = (text: string): readonly string[] =>
        text
          .replace(/[()\\]/g, ' ')
          .split(',')
          .map((one) => one.trim().split(/\s/, 1)[0] ?? '');
      if (list !== undefined) return each(list).flatMap((name) => pythonFiles(name, reader).map((path) => imported(path)));
      const [, dots = '', rest = ''] = /^(\.*)(.*)$/.exec(base) ?? [];
      const from = reader.folders.slice(0, 2).map((folder) => join(folder, '../'.repeat(Math.max(0, dots.length - 1))));
      const modules = [rest, ...each(names).map((name) => (rest === '' ? name : `${rest}.${name}`))].filter(Boolean);
      const packages = dots === '' ? [] : from.map((folder) => join(folder, '__init__.py')).filter(isFile);
      return [...packages, ...modules.flatMap((name) => (dots === '' ? pythonFiles(name, reader) : (pythonModule(name, from) ?? [])))].map(
        (path) => imported(path),
      );
    });
  }
  if (language !== 'js') return perlModules(reader);
  return literals.flatMap(({ start, text, open }) =>
    !open && /(?:\bfrom|\bimport)\s*$/.test(body.slice(Math.max(0, start - 12), start)) ? modulesNamed(text, reader) : [],
  );
}

/** Returns the modules of Perl that are files of the project: `use A::B`, searched in the folders of `use lib`. */
function perlModules(reader: Reader): readonly FollowedFile[] {
  if (reader.language !== 'perl') return [];
  const path = valueIn(reader.ground.env, 'PERL5LIB', reader.ground)
    .split(':')
    .filter(Boolean)
    .flatMap((one) => reader.ground.resolve(one, reader.ground.cwd));
  const places = [...reader.search, ...path, ...reader.folders.flatMap((folder) => [folder, join(folder, 'lib')])];
  return [...reader.code.matchAll(/\b(?:use|require)\s+([A-Za-z_]\w*(?:::\w+)*)/g)].flatMap(([, name = '']) => {
    const file = places.map((folder) => join(folder, `${name.replaceAll('::', '/')}.pm`)).find(isFile);
    return file === undefined ? [] : [imported(file)];
  });
}

/** Returns the files of code next to the program that it names anywhere. It starts them in ways that a search for calls does not see. */
function besides({ literals, ground }: Reader): readonly FollowedFile[] {
  if (ground.file === undefined) return [];
  const folders = [...new Set([dirname(ground.file), dirname(realOf(ground.file))])].filter((folder) => folder !== ground.root);
  return literals.flatMap(({ text, open }) => {
    if (open || text === '' || text.length > 200 || !/^[\w./-]+$/.test(text) || text.startsWith('/')) return [];
    const found = folders.map((folder) => join(folder, text)).find((path) => isFile(path) && path !== ground.file);
    return found === undefined
      ? []
      : CODE_ENDING.test(found) || isExecutable(found)
        ? [{ path: found, cwd: '', how: 'script' } as const]
        : [];
  });
}

const CODE_ENDING = /\.(?:sh|bash|zsh|ksh|fish|pyw?|[cm]?[jt]sx?|rb|p[lm]|php|lua|awk|sed|jq|r|jl|tcl|ps1|wasm|so|dylib|node)$/i;

function looksLikeCode(path: string): boolean {
  return CODE_ENDING.test(path) || !/\.\w+$/.test(path);
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
