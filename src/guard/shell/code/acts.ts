/** Carries out what the tables say about a function, as the command that does the same. */
import { characters, resultOf } from '../foreign/text.ts';
import { isDynamic, REMOTE, UNKNOWN } from '../marks.ts';
import { environmentValue } from './constants.ts';
import { type Arguments, feed, fromKnown, knownOf, paths, propertyOf, runCallback, shell, WRITES, words, write } from './doing.ts';
import type { Evaluator } from './evaluator.ts';
import type { Act } from './sinks.ts';
import { elementOf, elementsOf, moduleName, pathsBelow } from './statements.ts';
import { asText, chain, joined, list, NOTHING, text, textOf, type Value, wordsOf } from './value.ts';

/** Options with which a deletion covers a folder. */
const RECURSIVE = /^(?:recursive|recurse|force|recursively)$/;
function isRecursive(args: Arguments): boolean {
  const named = [...args.named, ...args.positional.flatMap((value) => (value.kind === 'dict' ? [...value.entries] : []))];
  return named.some(
    ([key, value]) => RECURSIVE.test(key) && !/^(?:false|False|FALSE|F|0|nil)$/.test(value.kind === 'chain' ? value.chain : asText(value)),
  );
}

/** Carries an action out, as the command that does the same. */
export function perform(reader: Evaluator, act: Act, args: Arguments, at: number, name: string): Value {
  const { positional } = args;
  const [first, second, third] = positional;
  switch (act) {
    case 'shell':
      return runs(reader, args, at);
    case 'words':
      return words(reader, dropName(paths(args)), at);
    case 'later':
      return words(reader, dropName(paths({ ...args, positional: positional.slice(1) })), at);
    case 'argv':
      return words(reader, [asText(first), ...wordsOf(second).slice(1)], at);
    case 'file':
    case 'fork':
      return act === 'fork' && first === undefined
        ? NOTHING
        : words(reader, [...(act === 'fork' ? ['node'] : []), ...wordsOf(first), ...optionWords(second)], at);
    case 'process': {
      const options = first?.kind === 'dict' ? first.entries : undefined;
      if (options === undefined) return words(reader, wordsOf(first), at);
      const [program] = wordsOf(options.get('file'));
      return words(reader, program === undefined ? wordsOf(options.get('cmd')) : [program, ...wordsOf(options.get('args')).slice(1)], at);
    }
    case 'rmtree':
      return words(reader, ['rm', '-rf', '--', ...paths(args).filter((path) => !/^-[rRf]+$/.test(path))], at);
    case 'rm':
      return words(reader, ['rm', isRecursive(args) ? '-rf' : '-f', '--', ...wordsOf(first)], at);
    case 'unlink':
      return words(
        reader,
        ['rm', isRecursive(args) ? '-rf' : '-f', '--', ...(positional.length === 0 ? wordsOf(reader.names.get('$_')) : paths(args))],
        at,
      );
    case 'trash':
      return words(reader, ['trash', ...paths(args)], at);
    case 'write':
    case 'append':
      return write(reader, asText(first), asText(second), at, act === 'append');
    case 'copy':
      return words(reader, ['cp', '-r', ...paths({ ...args, positional: positional.slice(0, 2) })], at);
    case 'move':
      return words(reader, ['mv', ...paths({ ...args, positional: positional.slice(0, 2) })], at);
    case 'link':
      return words(reader, ['ln', '-s', ...paths({ ...args, positional: positional.slice(0, 2) })], at);
    case 'truncate':
      return words(reader, ['truncate', '-s', '0', asText(first)], at);
    case 'chmod':
      return NOTHING;
    case 'chdir': {
      words(reader, ['cd', asText(first)], at);
      return runCallback(reader, second ?? NOTHING, []);
    }
    case 'kill':
      return words(reader, ['kill', ...paths(args).map((word) => (/^(?:SIG)?[A-Z]+$/.test(word) ? `-${word}` : word))], at);
    case 'open':
      return opens(reader, args, at);
    case 'read':
      return text(reader.world.file(asText(first)) ?? UNKNOWN);
    case 'eval':
      return evaluates(reader, positional, at, name);
    case 'load': {
      // PHP loads a file from an address as from a folder.
      if (/^(?:https?|ftp):/i.test(asText(first)) && !isLocal(asText(first))) return words(reader, ['eval', REMOTE], at);
      const code = reader.world.file(asText(first));
      if (code !== undefined) reader.evaluateCode(code);
      return NOTHING;
    }
    // The separator comes first.
    case 'joined':
      return text(paths({ ...args, positional: positional.slice(1) }).join(asText(first)));
    case 'fetch':
      for (const argument of positional) runCallback(reader, argument, [text(REMOTE)]);
      return isLocal(asText(first)) ? NOTHING : text(REMOTE);
    case 'decode': {
      const decoded = resultOf(name.slice(name.lastIndexOf('.') + 1), positional.map(knownOf));
      return decoded === undefined ? NOTHING : fromKnown(decoded);
    }
    case 'home':
      return text('~');
    case 'environment': {
      const value = environmentValue(asText(first));
      return textOf(value) === UNKNOWN && textOf(second) !== undefined ? NOTHING : value;
    }
    case 'walk':
      return walks(reader, args, name);
    case 'glob':
      return globs(reader, positional, name);
    case 'map':
    case 'each':
      return maps(reader, positional, at);
    case 'join':
      return positional
        .slice(1)
        .reduce((all, part) => (/^[/~]/.test(textOf(part) ?? '') ? part : joined(all, part, '/')), first ?? text('.'));
    case 'above':
      return textOf(first) === undefined ? NOTHING : text(folderAbove(textOf(first) ?? ''));
    case 'here':
      return text('.');
    case 'same':
      return first?.kind === 'list' && /^(?:bytes|bytearray)$/.test(name) ? text(characters(wordsOf(first))) : (first ?? NOTHING);
    case 'require':
      return textOf(first) === undefined || name.endsWith('createRequire') ? chain('require') : chain(moduleName(textOf(first) ?? ''));
    case 'attribute':
      return second === undefined ? chain(asText(first)) : propertyOf(reader, first ?? NOTHING, asText(second), true);
    case 'bind':
      return first === undefined
        ? NOTHING
        : name.endsWith('apply')
          ? reader.call(first, { positional: third?.kind === 'list' ? third.items : [], named: new Map() }, at)
          : { kind: 'bound', to: first, args: positional.slice(1) };
    case 'thread':
      return threads(reader, args, at);
    case 'stdin':
      return text(reader.world.stdin);
    case 'characters':
      return text(positional.map((value) => String.fromCodePoint(Math.min(0x10ffff, Math.abs(Number(asText(value)) || 63)))).join(''));
    case 'sql':
      return asksDatabase(reader, args, at);
    default:
      return NOTHING;
  }
}

/** Returns the folder that a path is in. */
function folderAbove(path: string): string {
  const plain = path.replace(/(?<=.)\/+$/, '');
  const end = plain.lastIndexOf('/');
  if (end === -1) return /^(?:~|\.{1,2})$/.test(plain) ? `${plain}/..` : '.';
  return plain.slice(0, end) || '/';
}

function isLocal(address: string): boolean {
  return /^(?:https?:\/\/(?:localhost|127\.|\[::1\]|0\.0\.0\.0)|file:|\/|\.)/i.test(address);
}

/** The words in the second argument of a function that starts a program: a list, or the option `args`. */
function optionWords(value: Value | undefined): readonly string[] {
  if (value?.kind === 'list') return wordsOf(value);
  return value?.kind === 'dict' ? wordsOf(value.entries.get('args')) : [];
}

/** Some functions pass the name of the program as its first word. */
function dropName(argv: readonly string[]): readonly string[] {
  const [program = '', second] = argv;
  return second !== undefined && program.endsWith(`/${second}`) ? [program, ...argv.slice(2)] : program === second ? argv.slice(1) : argv;
}

/** Starts a program, passes it the input that an option has, and runs the block that writes to it. */
function runs(reader: Evaluator, args: Arguments, at: number): Value {
  const named = args.named.get('args') ?? args.named.get('command') ?? args.named.get('cmd');
  const given = [...args.positional.filter(({ kind }) => kind !== 'dict' && kind !== 'code'), ...(named === undefined ? [] : [named])];
  const [first, second] = given;
  if (first === undefined) return NOTHING;
  const input =
    args.named.get('input') ?? args.named.get('stdin_data') ?? args.positional.find((value) => value.kind === 'dict')?.entries.get('input');
  const started = startsProgram(reader, given, first, second, at);
  if (input !== undefined && started.kind === 'process') feed(reader, started, input, at);
  for (const argument of args.positional) if (argument.kind === 'code') runCallback(reader, argument, [started]);
  return started;
}

/** One text is shell code. A list, or several texts, are the words of a command. */
function startsProgram(reader: Evaluator, given: readonly Value[], first: Value, second: Value | undefined, at: number): Value {
  if (first.kind === 'list') return words(reader, wordsOf(first), at);
  const isMode = given.length === 2 && /^[rwa]b?\+?$/.test(textOf(second) ?? '');
  if (isMode) return shell(reader, asText(first), at);
  const texts = given.filter(({ kind }) => kind === 'text' || kind === 'list');
  // `subprocess.run(text, shell=True)` has one word, and `system("rm", "-r", x)` has several.
  if (second !== undefined && reader.cursor.flavour !== 'python' && texts.length > 1)
    return words(reader, dropName(texts.flatMap(wordsOf)), at);
  return shell(reader, asText(first), at);
}

function opens(reader: Evaluator, { positional, named }: Arguments, at: number): Value {
  const texts = positional.map((value) => textOf(value));
  const [first = UNKNOWN, second = ''] = texts;
  const { flavour } = reader.cursor;
  if (flavour === 'perl') {
    const rest = texts.slice(1).filter((part): part is string => part !== undefined);
    const [mode = '', target] = rest;
    const piped = /^\s*(\|-?|-\|)\s*(.*)$/s.exec(mode) ?? /^(.*[^|\s])\s*(\|)\s*$/s.exec(mode);
    if (piped) {
      const started =
        target === undefined
          ? shell(reader, /^[|-]/.test(mode.trim()) ? (piped[2] ?? '') : (piped[1] ?? ''), at)
          : rest.length === 2
            ? shell(reader, target, at)
            : words(reader, rest.slice(1), at);
      // The first argument is the handle that the code prints to.
      const [handle] = positional;
      if (handle?.kind === 'chain') reader.bind(handle.chain, started);
      return started;
    }
    const [, sign = '', attached = ''] = /^\s*(\+?[<>]{0,2})\s*(.*)$/s.exec(mode) ?? [];
    const path = target ?? attached;
    if (sign.includes('>')) write(reader, path, UNKNOWN, at, sign.includes('>>'));
    return { kind: 'file', path, mode: sign };
  }
  if (flavour === 'ruby' && first.startsWith('|')) return shell(reader, first.slice(1), at);
  const mode = textOf(named.get('mode')) ?? second;
  if (WRITES.test(mode)) write(reader, first, UNKNOWN, at, mode.includes('a'));
  const file: Value = { kind: 'file', path: first, mode };
  for (const argument of positional) runCallback(reader, argument, [file]);
  return /^https?:/.test(first) && (flavour === 'ruby' || flavour === 'php') ? text(REMOTE) : file;
}

/** Runs code of the same language. Code from the network or from an encoding is reported as such. */
function evaluates(reader: Evaluator, positional: readonly Value[], at: number, name: string): Value {
  const [first] = positional;
  if (first?.kind === 'code') return reader.runFunction(first, []);
  const code = name === 'Function' ? textOf(positional.at(-1)) : textOf(first);
  if (code === undefined) return NOTHING;
  if (isDynamic(code) && code.includes(REMOTE)) return words(reader, ['eval', REMOTE], at);
  if (/^set(?:Timeout|Interval|Immediate)$/.test(name) && !/[(;]/.test(code)) return NOTHING;
  reader.evaluateCode(code.replace(/[\uE000-\uE00F]/g, ' '));
  return name === 'Function' ? { kind: 'bound', to: chain('Function'), args: [text('')] } : NOTHING;
}

/** Walks a folder. Each element is a file below it, or in Python the folder with its folders and its files. */
function walks(reader: Evaluator, { positional, named }: Arguments, name: string): Value {
  const callback = positional.find(({ kind }) => kind === 'code') ?? wantedOf(positional[0]) ?? named.get('wanted');
  const roots = positional.filter((value) => textOf(value) !== undefined || value.kind === 'list').flatMap(wordsOf);
  const [root = '.', pattern = '*'] = roots;
  if (callback !== undefined && callback.kind !== 'unknown') {
    for (const each of roots.length === 0 ? [root] : roots) {
      const entry = elementOf(pathsBelow(each));
      reader.bind('$_', entry);
      reader.bind('$File::Find::name', entry);
      runCallback(reader, callback, [entry]);
    }
    return NOTHING;
  }
  // A pattern for some files stands for unknown ones.
  const picked = /^[*/]*$/.test(pattern) ? pattern : pattern.replace(/\*+/g, UNKNOWN);
  if (name === 'rglob') return list([text(`${root.replace(/\/$/, '')}/${picked}`)]);
  if (!/walk$/.test(name) || reader.cursor.flavour !== 'python') return pathsBelow(root);
  return list([list([text(root), list([text('*')]), list([text('*')])])]);
}

function wantedOf(value: Value | undefined): Value | undefined {
  return value?.kind === 'dict' ? value.entries.get('wanted') : value?.kind === 'chain' && value.chain.startsWith('\\') ? value : undefined;
}

/** Functions that return the names of files without their folder. */
const NAMES = /(?:^|\.)(?:listdir|readdir|readdirSync|readDir|readDirSync|children|entries|each_child|foreach|scandir)$/;

function globs(reader: Evaluator, positional: readonly Value[], name: string): Value {
  const [first, second] = positional;
  const pattern = textOf(first) ?? '.';
  const inner = second !== undefined && textOf(second) !== undefined ? `${pattern}/${textOf(second)}` : pattern;
  // A pattern for everything below stands for the folder.
  const isName = NAMES.test(name) && !name.endsWith('os.scandir');
  const entries = isName
    ? list([text('*')])
    : /[*?[]/.test(inner)
      ? list([text(inner.replace(/(?:\/\*\*)+\/\*(?:\.\*)?$/, '/*'))])
      : pathsBelow(inner);
  for (const argument of positional) if (argument.kind === 'code') runCallback(reader, argument, [elementOf(entries)]);
  return entries;
}

function maps(reader: Evaluator, positional: readonly Value[], at: number): Value {
  const [first, second] = positional;
  const isFunction = first !== undefined && /^(?:chain|code|bound|method)$/.test(first.kind);
  const named = reader.cursor.flavour === 'php' && first?.kind === 'text' ? chain(first.text) : undefined;
  const to = named ?? (isFunction && second !== undefined ? first : undefined);
  if (to === undefined || second === undefined) return first ?? NOTHING;
  return list(elementsOf(second).map((element) => runCallback(reader, to, [element], at)));
}

/** `Thread(target=f, args=(x,))`, `Timer(1, f, args)`. */
function threads(reader: Evaluator, { positional, named }: Arguments, at: number): Value {
  const target = named.get('target') ?? positional.find(({ kind }) => /^(?:chain|code|bound|method)$/.test(kind));
  const given = named.get('args') ?? positional.filter((value) => value !== target && value.kind === 'list').at(-1) ?? positional.at(-1);
  if (target === undefined) return NOTHING;
  return reader.call(
    target,
    { positional: given?.kind === 'list' ? given.items : given === undefined || given === target ? [] : [given], named: new Map() },
    at,
  );
}

/** A statement for a database that a call passes on. */
function asksDatabase(reader: Evaluator, { positional: [first] }: Arguments, at: number): Value {
  const statement = textOf(first);
  if (statement !== undefined && /^\s*(?:drop|truncate|delete|alter|with)\b/i.test(statement)) words(reader, ['sql-call', statement], at);
  return NOTHING;
}
