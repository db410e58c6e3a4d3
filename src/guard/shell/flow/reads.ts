/** The files that a command reads, by its words and its input. Only the names are known here, not the content. */

import type { Program } from '../machine.ts';
import { requestOf, wgetOf } from '../programs/request.ts';
import { tarOf } from '../programs/tar.ts';
import { remoteHost, socatOf } from '../programs/transfers.ts';
import { ALIASES, GIT_SHOWS, HABITS, type Habit, LOADERS, NOT_READ, OPENSSL_HARMLESS, READ_NOTHING, USES } from './habits.ts';

export interface NamedFile {
  readonly path: string;
  /** `load`: the content is loaded into the environment. `use`: the file is used as a key or as settings and not shown. */
  readonly how: 'operand' | 'input' | 'load' | 'use';
}

export interface Reader {
  readonly name: string;
  readonly argv: readonly string[];
  readonly stdin: string;
  readonly fds: ReadonlyMap<number, string>;
  readonly env: Readonly<Record<string, string>>;
  readonly program?: Program | undefined;
}

export function filesRead(reader: Reader): readonly NamedFile[] {
  const { name, argv, fds } = reader;
  const input = fds.get(0);
  const fromInput: readonly NamedFile[] = input === undefined || !isFile(input) ? [] : [{ path: input, how: 'input' }];
  if (name === 'tee') return fromInput;
  if (READ_NOTHING.has(name)) return [];
  const named = wordsRead(reader, argv);
  return [...fromInput, ...named.map(({ path, how }) => ({ path: fileBehind(path, fds), how }))];
}

/** Returns the file behind `/dev/fd/3`. */
function fileBehind(path: string, fds: ReadonlyMap<number, string>): string {
  const fd = /^\/(?:dev|proc\/self)\/fd\/(\d{1,3})$/.exec(path)?.[1];
  const to = fd === undefined ? undefined : fds.get(Number(fd));
  return to !== undefined && isFile(to) ? to : path;
}

/** Returns whether a descriptor leads to a file and not to a pipe, a text or the network. */
function isFile(path: string): boolean {
  return !/^(stdin|stdout|stderr|text)$|^\/dev\/(fd|tcp|udp|null)\b/.test(path);
}

function wordsRead({ name, stdin, env, program }: Reader, argv: readonly string[]): readonly NamedFile[] {
  if (name === 'source' || name === '.') return argv.slice(1, 2).map((path) => ({ path, how: 'load' as const }));
  if (name === 'tar' || name === 'gtar' || name === 'bsdtar') return tarOf(argv, env).reads.map(operand);
  if (name === 'git') return gitReads(argv);
  if (name === 'openssl' && OPENSSL_HARMLESS.has(argv[1] ?? '')) return [];
  if (name === 'dd') return argv.filter((word) => word.startsWith('if=')).map((word) => operand(word.slice(3)));
  if (name === 'curl' || name === 'wget' || name === 'wget2') {
    const { urls, bodies } = name === 'curl' ? requestOf(argv) : wgetOf(argv);
    return [...urls.filter((url) => /^file:/i.test(url)), ...bodies.flatMap(({ file }) => file ?? [])].map(operand);
  }
  if (name === 'socat') return socatOf(argv).flatMap(({ file }) => (file === undefined ? [] : [operand(file)]));
  const listed =
    (name === 'zip' && argv.includes('-@')) || name === 'cpio' || name === 'pax' ? stdin.split('\n').filter((l) => l !== '') : [];
  const code = program?.from === 'argument' ? program.text : undefined;
  const named = wordsAsFiles(name, argv, code);
  return [...(LOADERS.has(name) ? named.map(({ path }) => ({ path, how: 'load' as const })) : named), ...listed.map(operand)];
}

function operand(path: string): NamedFile {
  return { path, how: 'operand' };
}

function gitReads(argv: readonly string[]): readonly NamedFile[] {
  const at = argv.findIndex((word, i) => i > 0 && !word.startsWith('-') && !/^-[Cc]$/.test(argv[i - 1] ?? ''));
  const verb = argv[at] ?? '';
  if (!GIT_SHOWS.has(verb) && !(verb === 'log' && argv.some((word) => /^(-p|--patch|-u)$/.test(word)))) return [];
  return argv.slice(at + 1).flatMap((word) => (word.startsWith('-') ? [] : [operand(word.replace(/^[\w./~^@{}-]{0,200}:(?=.)/, ''))]));
}

/** A word with which the loader of settings, and not the program, is told its file. */
const LOADED = /^dotenv_config_path=/;

/** Returns all words except those that are not input files, by the habits of the command or the names of options. */
function wordsAsFiles(name: string, argv: readonly string[], code: string | undefined): readonly NamedFile[] {
  const key = ALIASES[name] ?? name;
  const habit: Habit = Object.hasOwn(HABITS, key) ? (HABITS[key] ?? {}) : {};
  if (habit.unless && argv.some((word) => habit.unless?.test(word))) return [];
  const options: string[] = [];
  const operands: string[] = [];
  const values: NamedFile[] = [];
  let reading = true;
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === code && habit.pattern === undefined) continue;
    if (reading && word === '--') reading = false;
    else if (LOADED.test(word)) continue;
    else if (!reading || !/^-./.test(word)) operands.push(word);
    else {
      const option = optionOf(word, habit);
      options.push(...option.names);
      const last = option.names.at(-1) ?? '';
      const skipped = option.short && habit.valued !== undefined ? habit.valued.includes(last) : NOT_READ.has(last);
      if (option.value !== undefined) {
        if (!skipped) values.push({ path: option.value, how: USES.has(last) ? 'use' : 'operand' });
      } else if (skipped && option.takesNext) at++;
      else if (USES.has(last)) values.push({ path: argv[++at] ?? '', how: 'use' });
    }
  }
  const patterned = habit.pattern !== undefined && !habit.pattern.some((option) => options.includes(option));
  const targeted = habit.target !== undefined && operands.length > 1 && !habit.target.some((option) => options.includes(option));
  const local =
    habit.target === undefined ? operands : operands.filter((word, i) => remoteHost(word) === undefined || i === operands.length - 1);
  const verb = habit.verbs?.test(local[0] ?? '') ? 1 : 0;
  const read = local.slice(verb + (patterned ? 1 : 0), targeted ? -1 : undefined);
  return [...read.map((word) => operand(fileInWord(word))), ...values.map(({ path, how }) => ({ path: fileInWord(path), how }))];
}

interface Option {
  readonly names: readonly string[];
  readonly short: boolean;
  readonly value?: string;
  /** Whether the value of the option, if it has one, is the next word. */
  readonly takesNext: boolean;
}

/** Parses `--name=value`, `-name value` and `-xyzVALUE`. The value may be part of the word. */
function optionOf(word: string, { valued = '' }: Habit): Option {
  const long = /^--([^=]*)(?:=(.*))?$/s.exec(word);
  if (long) return { names: [long[1] ?? ''], short: false, takesNext: true, ...(long[2] !== undefined && { value: long[2] }) };
  const plain = /^-([A-Za-z][\w-]*)$/.exec(word)?.[1];
  // `-CAfile` and `-keyout` are long names with one dash.
  if (plain !== undefined && plain.length > 1 && (USES.has(plain) || NOT_READ.has(plain)))
    return { names: [plain], short: false, takesNext: true };
  for (let i = 1; i < word.length; i++) {
    const letter = word[i] ?? '';
    const attached = word.slice(i + 1);
    if (valued.includes(letter)) {
      const names = [...word.slice(1, i + 1)];
      return { names, short: true, takesNext: attached === '', ...(attached !== '' && { value: attached }) };
    }
    if (letter === 'f' && attached !== '' && /[./~]/.test(attached))
      return { names: ['f'], short: true, takesNext: false, value: attached };
  }
  const letters = plain === undefined ? [word[1] ?? ''] : [...plain];
  const value = plain === undefined && word.length > 2 ? word.slice(2) : undefined;
  return { names: letters, short: true, takesNext: value === undefined, ...(value !== undefined && { value }) };
}

/** Returns the file in `name=@file`, `@file` or `if=file`. */
function fileInWord(word: string): string {
  const value = /^[\w.:[\]-]{1,64}=(.+)$/s.exec(word)?.[1] ?? word;
  return value.replace(/^[@<](?=.)/, '');
}
