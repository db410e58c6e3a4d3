/** The files that a command writes, by its redirections and by the tool. */
import type { EffectiveCommand } from '../../shell/machine.ts';
import { type Arguments, isRemotePath, readArguments } from '../arguments.ts';
import { filesOfStatements } from '../sql.ts';
import { codeFiles, patchedFiles } from './from-code.ts';
import { SYNTAX, toolName } from './syntax.ts';

export interface Writing {
  readonly path: string;
  /** `redirect`, `tool`, `copy`, `link`, `inplace`, `download`, `extract`, `delete`, `restore`, `sql`. */
  readonly how: string;
}

const SPECIAL = /^(?:stdin|stdout|stderr|text|-|\/dev\/(?:null|stdout|stderr|tty|full|fd\/\d+))$/;
/** Tools whose `-o` is a way to print, a test or a setting. */
const OTHER_O: ReadonlySet<string> = new Set(
  'grep egrep fgrep zgrep rg ag ack ps ls lsof kubectl oc helm az aws gcloud ssh sftp find fd jq yq set test [ mount od cut column docker podman journalctl bash sh zsh dash ksh useradd usermod chown rsync git'.split(
    ' ',
  ),
);
/** Output options of unknown tools. Most tools do not have them. */
const OUT = /^(?:-o|--output|--out|-out|--output-file|--outfile|--out-file)$/;

export function writings(command: EffectiveCommand): readonly Writing[] {
  const { name, argv, writes, fds } = command;
  const seen = new Map<string, string>();
  const note = (how: string, paths: readonly string[]): void => {
    for (const path of paths) if (!SPECIAL.test(path) && !seen.has(path)) seen.set(path, how);
  };
  note('redirect', writes);
  // The commands of a group inherit the group's redirection as a descriptor.
  for (const fd of OUTPUTS) {
    const to = fds.get(fd);
    if (to !== undefined) note('redirect', [to]);
  }
  if (name !== '') note(...byTool(toolName(name), argv));
  if (name === 'git') {
    const args = readArguments(argv, { valued: 'Ccsme', long: ['cached', 'dry-run', 'source=', 'message=', 'exclude='] });
    note('delete', gitRemoved(args));
    note('restore', gitRestored(args));
  }
  if (Object.hasOwn(DATABASES, name)) note('sql', databases(command));
  note('tool', filesOfStatements(command));
  note('tool', codeFiles(command).written);
  note('tool', scriptedPaths(command));
  note('inplace', patchedFiles(command, 'write'));
  return seen.size === 0 ? NOTHING : Array.from(seen, ([path, how]) => ({ path, how }));
}

/** Returns the files that a program of `awk` or `sed`, or a search of `find`, writes. */
function scriptedPaths({ name, argv, program }: EffectiveCommand): readonly string[] {
  if (program?.language === 'awk' && argv.includes('inplace')) return argv.slice(-1);
  if (program?.language === 'awk')
    return Array.from((program.text ?? '').matchAll(/\bprintf?\b[^>|\n]*>{1,2}\s*"([^"\n]+)"/g), (match) => match[1] ?? '');
  if (name === 'sed' || name === 'gsed')
    return argv.slice(1).flatMap((word) => Array.from(word.matchAll(/(?:^|[;{}\d/ ])[wW]\s+([^;\s}]+)/g), (match) => match[1] ?? ''));
  if (name === 'find' || name === 'gfind') return argv.filter((_, i) => /^-(?:fprint0?|fls|fprintf)$/.test(argv[i - 1] ?? ''));
  return [];
}

const OUTPUTS = [1, 2];
const NOTHING: readonly Writing[] = [];

type WrittenPaths = readonly [how: string, paths: readonly string[]];

function byTool(name: string, argv: readonly string[]): WrittenPaths {
  if (name === 'dd' || name === 'dcfldd' || name === 'dc3dd')
    return ['copy', argv.filter((word) => word.startsWith('of=')).map((word) => word.slice(3))];
  const syntax = Object.hasOwn(SYNTAX, name) ? SYNTAX[name] : undefined;
  if (syntax === undefined) return ['tool', OTHER_O.has(name) ? [] : outputOptions(argv)];
  const args = readArguments(argv, syntax);
  return args.idle ? ['tool', []] : writtenByTool(name, argv, args);
}

/** Clients whose database is a file, with the options that open it only for reading. */
const DATABASES: Readonly<Record<string, RegExp>> = {
  sqlite3: /^--?readonly$/,
  duckdb: /^--?readonly$/,
  'sqlite-utils': /^$/,
  litecli: /^$/,
};
/** Statements that change nothing. */
const QUERY =
  /^\s*(?:$|select\b|with\b(?![\s\S]*\b(?:insert|update|delete)\b)|explain\b|pragma\s+\w+\s*(?:\(|;|$)|\.(?:tables|schema|dump|mode|headers|indexes|databases|help|quit|exit|once|width|timeout)\b)/i;

/** Commands of a client that write another file. */
const PRINTS = /^\s*\.(?:output|once|log|backup|save)\s/;

/** Returns the files of the databases that a client changes. A statement that is unknown can change them. */
function databases({ name, argv, stdin, fds }: EffectiveCommand): readonly string[] {
  const words = argv.slice(1).filter((word) => !word.startsWith('-'));
  const texts = [...argv.slice(1).filter((word, i) => /\s|^\./.test(word) && i > 0), ...(fds.has(0) ? [stdin] : [])];
  const statements = texts.flatMap((text) => text.split(/;|\n/));
  if (argv.some((word) => DATABASES[name]?.test(word))) return [];
  if (statements.every((statement) => QUERY.test(statement) || PRINTS.test(statement))) return [];
  const opened = statements.flatMap(
    (text) => /\.(?:open|restore)\s+(?:-\S+\s+)*['"]?([^\s'"]+)|\battach\s+(?:database\s+)?['"]([^'"]+)/i.exec(text)?.slice(1) ?? [],
  );
  return [...words.slice(0, 1), ...opened].flatMap((path) => (path ? path.replace(/^file:(?:\/\/)?|\?.*$/g, '') : []));
}

function writtenByTool(name: string, argv: readonly string[], args: Arguments): WrittenPaths {
  const { operands, has, values } = args;
  switch (name) {
    case 'tee':
    case 'sponge':
    case 'truncate':
    case 'fallocate':
    case 'shred':
      return ['tool', operands];
    case 'cp':
    case 'mv':
    case 'install':
    case 'scp':
      return ['copy', targets(args)];
    case 'rsync':
      return ['copy', has('n', 'dry-run', 'list-only') ? [] : targets(args)];
    case 'ln':
      return ['link', targets(args)];
    case 'mount':
      // The new file system hides the files that were there.
      return ['link', operands.slice(1).slice(-1)];
    case 'vim':
      // An editor that a command tells to write.
      return [
        'inplace',
        argv.some((word) => /^\+?(?:w|x|up|exit)/.test(word) && !operands.includes(word)) || argv.some((word) => /\bwq?!?$/.test(word))
          ? operands
          : [],
      ];
    case 'ed':
    case 'ex':
      return ['inplace', operands];
    case 'sed':
      return ['inplace', has('i', 'in-place') ? operands.slice(has('e', 'f', 'expression', 'file') ? 0 : 1) : []];
    case 'perl':
    case 'ruby':
      return ['inplace', has('i') ? operands : []];
    case 'curl':
    case 'wget':
      return ['download', downloads(name, args)];
    case 'tar':
      return ['extract', /^[^-]*x/.test(argv[1] ?? '') || has('x', 'extract', 'get') ? values('C', 'directory') : []];
    case 'unzip':
      return ['extract', has('l', 't', 'p', 'v') ? [] : values('d')];
    case '7z':
      return ['extract', /^[ex]$/.test(operands[0] ?? '') ? values('o') : []];
    case 'cpio':
      return ['extract', has('i', 'p') ? values('D', 'directory') : []];
    case 'patch':
      return ['inplace', has('dry-run') ? [] : [...values('d', 'directory', 'o', 'output'), ...operands.slice(0, 1)]];
    case 'sort':
      return ['tool', values('o', 'output')];
    default:
      return ['tool', []];
  }
}

/** Returns the files that `git rm` and `git mv` take out of the working tree. */
function gitRemoved({ operands: [verb, ...paths], has, idle }: Arguments): readonly string[] {
  if (idle) return [];
  if (verb === 'mv') return paths.slice(0, -1);
  return verb === 'rm' && !has('cached', 'n', 'dry-run') ? paths : [];
}

/** Returns the files that git puts back to an older version, puts aside or, if it does not know them, deletes. */
function gitRestored({ operands: [verb = '', ...paths], has, idle }: Arguments): readonly string[] {
  if (idle) return [];
  const harmless = (verb === 'restore' && has('S', 'staged') && !has('W', 'worktree')) || (verb === 'clean' && has('n', 'dry-run'));
  return /^(?:checkout|stash|restore|clean)$/.test(verb) && !harmless ? paths : [];
}

/** Returns the target files. If the target is a folder, the sources are written below it. */
function targets({ operands, has, values }: Arguments): readonly string[] {
  const into = values('t', 'target-directory');
  const given = into.length > 0 || has('t', 'target-directory') ? into : operands.slice(1).slice(-1);
  const sources = into.length > 0 ? operands : operands.slice(0, -1);
  return given
    .filter((path) => !isRemotePath(path))
    .flatMap((path) => {
      const folder = into.length > 0 || path.endsWith('/') || /(?:^|\/)\.{1,2}$|^~$/.test(path);
      return folder ? [path, ...sources.map((source) => `${path}/${source.split('/').filter(Boolean).at(-1) ?? ''}`)] : [path];
    });
}

function downloads(name: string, { operands, has, values }: Arguments): readonly string[] {
  const folder = values('output-dir', 'directory-prefix', ...(name === 'wget' ? ['P'] : []))[0];
  const plain = name === 'curl' ? values('o', 'output', 'D', 'c', 'dump-header') : values('O', 'o', 'a', 'output-document', 'output-file');
  const named = name === 'wget' ? !has('O', 'output-document') : has('O', 'remote-name');
  const remote = named
    ? operands.map(
        (url) =>
          url
            .replace(/[?#].*$/, '')
            .split('/')
            .at(-1) || 'index.html',
      )
    : [];
  return [...plain, ...remote]
    .map((path) => (folder === undefined || path.startsWith('/') ? path : `${folder}/${path}`))
    .concat(folder ?? []);
}

function outputOptions(argv: readonly string[]): readonly string[] {
  const paths: string[] = [];
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (!word.startsWith('-')) continue;
    const at = word.indexOf('=');
    if (OUT.test(word)) paths.push(...argv.slice(i + 1, i + 2));
    else if (at > 0 && OUT.test(word.slice(0, at))) paths.push(word.slice(at + 1));
  }
  return paths;
}
