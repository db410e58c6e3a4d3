/** Which files a command makes out of those it reads: copies, archives, packed and encoded forms. */
import { posix } from 'node:path';
import type { Reader } from './reads.ts';
import { tarOf } from './tar.ts';

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

/** The target, and the same name in it, if it is a folder. */
function copies(argv: readonly string[], operands: readonly string[]): readonly string[] {
  const at = argv.findIndex((word) => /^(-t|--target-directory)$/.test(word));
  const target = at === -1 ? operands.at(-1) : argv[at + 1];
  if (target === undefined || operands.length < 2) return [];
  const folder = target.replace(/(.)\/+$/, '$1');
  const sources = operands.filter((path) => path !== target).slice(0, 64);
  return [folder, ...sources.map((path) => `${folder}/${posix.basename(path)}`)];
}
