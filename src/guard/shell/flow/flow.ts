/**
 * The data flow of a command: the files it reads, the data it sends over the network, and the files it leaves. It only describes and never
 * judges.
 */
import { posix } from 'node:path';
import { codeReaders } from '../code-readers.ts';
import { KEYS, originsOf, PRIVATE, UNKNOWN } from '../marks.ts';
import { namesIn } from '../names.ts';
import { tarOf } from '../programs/tar.ts';
import { unwrapCommand } from '../wrappers/unwrap.ts';
import { codeOf } from './code-of.ts';
import { filesRead, type NamedFile, type Reader } from './reads.ts';
import { contentOf, isAll, type SecretKind, secretIn } from './secret-path.ts';
import { type Sending, sendsOf } from './sends.ts';
import type { WrittenFiles } from './written.ts';

const PACKERS: Readonly<Record<string, string>> = {
  gzip: '.gz',
  pigz: '.gz',
  bzip2: '.bz2',
  pbzip2: '.bz2',
  xz: '.xz',
  lzma: '.lzma',
  zstd: '.zst',
  lz4: '.lz4',
  compress: '.Z',
  brotli: '.br',
  gpg: '.gpg',
  gpg2: '.gpg',
  age: '.age',
};
const OUTPUT = /^(-o|-O|--output|--out|-out|--outfile|--output-file|--output-document)$/;

/** Returns the files that a command creates from its input files: copies, archives, compressed and encoded files. */
export function targetsOf({ name, argv, env }: Reader): readonly string[] {
  const operands = argv.slice(1).filter((word) => !/^-./.test(word));
  const given = outputsGiven(argv);
  if (name === 'tar' || name === 'gtar' || name === 'bsdtar') {
    const { creates, archive } = tarOf(argv, env);
    return creates && archive !== undefined && archive !== '-' ? [archive] : [];
  }
  if (name === 'zip') return operands.slice(0, 1).flatMap((path) => [path, `${path}.zip`]);
  if (/^7z[ar]?$|^rar$/.test(name)) return operands.slice(1, 2);
  if (/^g?cp$|^ln$|^mv$|^install$|^rsync$|^ditto$/.test(name)) return copies(argv, operands);
  if (name === 'dd') return argv.filter((word) => word.startsWith('of=')).map((word) => word.slice(3));
  if (name === 'tee') return operands;
  if (Object.hasOwn(PACKERS, name)) return [...given, ...operands.map((path) => path + PACKERS[name])];
  return given;
}

function outputsGiven(argv: readonly string[]): readonly string[] {
  return argv.flatMap((word, i) => {
    if (OUTPUT.test(argv[i - 1] ?? '')) return [word];
    const attached = /^--(?:output|out|outfile|output-file|output-document)=(.+)$/s.exec(word)?.[1];
    return attached === undefined ? [] : [attached];
  });
}

/** Returns the target, and the same name below it in case the target is a folder. */
function copies(argv: readonly string[], operands: readonly string[]): readonly string[] {
  const at = argv.findIndex((word) => /^(-t|--target-directory)$/.test(word));
  const target = at === -1 ? operands.at(-1) : argv[at + 1];
  if (target === undefined || operands.length < 2) return [];
  const folder = target.replace(/(.)\/+$/, '$1');
  const sources = operands.filter((path) => path !== target);
  return [folder, ...sources.map((path) => `${folder}/${posix.basename(path)}`)];
}

export interface Reading extends NamedFile {
  readonly secret?: SecretKind;
  /** The known content of the file, as text or marks. */
  readonly held: string;
}

export interface Flow {
  readonly reads: readonly Reading[];
  readonly sends: readonly Sending[];
}

export interface FlowCommand extends Reader {
  readonly cwd: string;
}

const NOTHING: Flow = { reads: [], sends: [] };
/** Commands that take a folder with everything in it. */
const WHOLESALE = namesIn('tar gtar bsdtar zip 7z 7za 7zr rsync scp cpio pax cp ditto');
/** Commands that print the whole environment. */
const ENVIRONMENT = namesIn('env printenv set export declare typeset');
/** Commands that give a file another name. */
const RENAMERS = namesIn('ln link mv');

export function flowOf(command: FlowCommand, files: WrittenFiles): Flow {
  if (onlyRuns(command)) return NOTHING;
  const { cwd } = command;
  const code = codeOf(command);
  const named = code === undefined ? filesRead(command) : [...filesRead(command), ...codeReaders().codeReads(code)];
  if (named.length === 0) {
    const sends = sendsOf(command, '', files);
    return sends.length === 0 ? NOTHING : { reads: NOTHING.reads, sends };
  }
  const reads = named.map((read): Reading => {
    const secret = secretIn(read.path, cwd);
    const held = contentOf(read.path, cwd, files, secret) ?? (WHOLESALE.has(command.name) && isAll(read.path, cwd) ? KEYS : '');
    return secret === undefined ? { path: read.path, how: read.how, held } : { path: read.path, how: read.how, held, secret };
  });
  return { reads, sends: sendsOf(command, originsOfReads(reads), files) };
}

/** Returns the files that the command creates from its input, with the marks of the secrets in them. */
export function filesCreated(
  command: FlowCommand,
  { reads }: Flow = NOTHING,
  files: WrittenFiles,
): readonly (readonly [path: string, text: string])[] {
  const { name, argv, cwd, stdin } = command;
  const renamed = RENAMERS.has(name) ? argv.slice(1, -1).map((path) => contentOf(path, cwd, files) ?? '') : [];
  const origins = originsOfReads(reads) + originsOf(renamed.length === 0 ? stdin : stdin + renamed.join(''));
  if (origins === '' || !/[\uE004-\uE007\uE00F]/.test(origins)) return [];
  return targetsOf(command).map((path) => [path, originsOf(origins) + UNKNOWN]);
}

/** Returns the marks of the files that are in the output of the command. */
export function originsInOutput(name: string, argv: readonly string[], { reads }: Flow): string {
  const environment = ENVIRONMENT.has(name) && argv.slice(1).every((word) => /^-[px0]|^--null$/.test(word));
  return originsOfReads(reads) + (environment ? PRIVATE : '');
}

/** Returns whether the words of the command are another command, which is checked on its own. */
function onlyRuns({ name, argv, stdin }: FlowCommand): boolean {
  return FEEDERS.has(name) || (unwrapCommand(name, argv, stdin)?.argv.length ?? 0) > 0;
}

const FEEDERS: ReadonlySet<string> = new Set(['xargs', 'gxargs', 'parallel', 'sem']);

function originsOfReads(reads: readonly Reading[]): string {
  if (reads.length === 0) return '';
  return originsOf(reads.map(({ held, how }) => (how === 'use' || how === 'load' ? '' : held)).join(''));
}
