/** The options of the tools that delete, move, copy and write files, as data. */
import type { Syntax } from '../arguments.ts';

const COPY: Syntax = {
  valued: 'tS',
  long: [
    'archive',
    'backup',
    'copy-contents',
    'dereference',
    'exchange',
    'force',
    'interactive',
    'link',
    'no-clobber',
    'no-copy',
    'no-dereference',
    'no-preserve=',
    'no-target-directory',
    'one-file-system',
    'parents',
    'preserve',
    'recursive',
    'reflink',
    'remove-destination',
    'sparse=',
    'strip-trailing-slashes',
    'suffix=',
    'symbolic-link',
    'target-directory=',
    'update',
    'verbose',
  ],
};

export const SYNTAX: Readonly<Record<string, Syntax>> = {
  rm: { long: ['dir', 'force', 'interactive', 'no-preserve-root', 'one-file-system', 'preserve-root', 'recursive', 'verbose'] },
  shred: { valued: 'ns', long: ['exact', 'force', 'iterations=', 'random-source=', 'remove', 'size=', 'verbose', 'zero'] },
  chmod: {
    long: [
      'changes',
      'dereference',
      'no-dereference',
      'no-preserve-root',
      'preserve-root',
      'quiet',
      'recursive',
      'reference=',
      'silent',
      'verbose',
    ],
  },
  chown: {
    long: [
      'changes',
      'dereference',
      'from=',
      'no-dereference',
      'no-preserve-root',
      'preserve-root',
      'quiet',
      'recursive',
      'reference=',
      'silent',
      'verbose',
    ],
  },
  cp: COPY,
  mv: COPY,
  ln: {
    valued: 'tS',
    long: ['backup', 'directory', 'force', 'logical', 'no-target-directory', 'relative', 'suffix=', 'symbolic', 'target-directory='],
  },
  install: {
    valued: 'gmotS',
    long: [
      'backup',
      'compare',
      'directory',
      'group=',
      'mode=',
      'owner=',
      'suffix=',
      'target-directory=',
      'no-target-directory',
      'strip-program=',
    ],
  },
  scp: { valued: 'cDFiJloPSX' },
  rsync: {
    valued: 'BefMT',
    long: [
      ...'address bwlimit block-size checksum-choice chmod chown compare-dest compress-choice compress-level config contimeout copy-as'.split(
        ' ',
      ),
      ...'copy-dest debug exclude exclude-from files-from filter groupmap iconv include include-from info link-dest log-file'.split(' '),
      ...'log-file-format max-alloc max-delete max-size min-size modify-window only-write-batch out-format outbuf partial-dir'.split(' '),
      ...'password-file port protocol read-batch remote-option rsh rsync-path skip-compress sockopts stop-after stop-at suffix'.split(' '),
      ...'temp-dir timeout usermap write-batch backup-dir'.split(' '),
    ]
      .map((name) => `${name}=`)
      .concat('remove-source-files', 'dry-run', 'list-only'),
  },
  truncate: { valued: 'sr', long: ['io-blocks', 'no-create', 'reference=', 'size='] },
  fallocate: { valued: 'lo', long: ['length=', 'offset='] },
  tee: { long: ['append', 'ignore-interrupts', 'output-error'] },
  sponge: {},
  sed: { valued: 'efl', long: ['expression=', 'file=', 'in-place', 'line-length=', 'quiet', 'silent', 'regexp-extended', 'null-data'] },
  perl: { valued: 'eEMmI' },
  ruby: { valued: 'erI' },
  curl: {
    valued: 'AbcCdDeEFhHKmoPQrtTuUwXyYz',
    long: [
      'output=',
      'output-dir=',
      'dump-header=',
      'cookie-jar=',
      'trace=',
      'trace-ascii=',
      'stderr=',
      'url=',
      'header=',
      'data=',
      'request=',
      'user=',
    ],
  },
  wget: {
    valued: 'aAeiIlDoOPQRtTUwXB',
    long: ['output-document=', 'output-file=', 'append-output=', 'directory-prefix=', 'header=', 'user-agent='],
  },
  tar: {
    valued: 'bCfgHIKLNTVXF',
    long: ['directory=', 'file=', 'exclude=', 'transform=', 'extract', 'get', 'list', 'create', 'one-top-level', 'remove-files'],
  },
  unzip: { valued: 'dPx' },
  cpio: { valued: 'DEFHICRTWO', long: ['directory='] },
  '7z': { valued: 'optmx' },
  patch: { valued: 'BdDFgiopVYzr', long: ['directory=', 'output=', 'input=', 'dry-run', 'strip='] },
  mount: { valued: 'otLU', long: ['bind', 'rbind', 'move', 'options=', 'types='] },
  ed: { valued: 'p' },
  ex: { valued: 'cTuiswW' },
  vim: { valued: 'cTuiwWS' },
  sort: { valued: 'koStT', long: ['output=', 'key=', 'buffer-size=', 'field-separator='] },
};

/** Returns the canonical name of a tool. */
export function toolName(name: string): string {
  return ALIASES.get(name) ?? name;
}

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['srm', 'rm'],
  ['rimraf', 'rm'],
  ['del-cli', 'rm'],
  // The module `zsh/files`.
  ...['rm', 'mv', 'ln', 'chmod', 'chown'].map((name) => [`zf_${name}`, name] as const),
  ...['vi', 'nvim', 'gvim', 'view'].map((name) => [name, 'vim'] as const),
  ['chgrp', 'chown'],
  ['bsdtar', 'tar'],
  ['wget2', 'wget'],
  ['applypatch', 'apply_patch'],
  // GNU tools have the prefix `g` on other systems.
  ...['rm', 'cp', 'mv', 'ln', 'install', 'shred', 'chmod', 'chown', 'sed', 'tar', 'tee', 'find', 'truncate'].map(
    (name) => [`g${name}`, name] as const,
  ),
]);
