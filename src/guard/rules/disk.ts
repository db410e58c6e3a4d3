/** Formatting disks and writing to raw devices; overwriting the files that accounts, logins and the guard depend on. */
import type { Accusation } from '../findings.ts';
import type { Effective } from '../shell/machine.ts';
import { shown } from '../shell/marks.ts';
import { readArguments } from './arguments.ts';
import { classify } from './path.ts';

const FORMATTERS = /^(mkfs(\..+)?|mke2fs|mkswap|newfs(_.+)?|mkdosfs|mkntfs|format)$/;
/** With the words that make them destructive; undefined: always. */
const DISK_TOOLS: Readonly<Record<string, RegExp | undefined>> = {
  wipefs: /(^| )(-[a-z]*a|--all|-o|--offset)/,
  blkdiscard: undefined,
  shred: undefined,
  sfdisk: /\/dev\//,
  fdisk: /^fdisk \/dev\//,
  cfdisk: /\/dev\//,
  parted: /mklabel|mktable|mkpart|\brm\b/,
  sgdisk: /-[zZo]|--zap|--clear|--delete/,
  badblocks: /(^| )-[a-z]*w/,
  cryptsetup: /luksFormat|erase|luksErase/i,
  hdparm: /--security-erase|--trim-sector/,
  nvme: / (format|sanitize)/,
  mdadm: /--zero-superblock/,
  zpool: / destroy/,
  lvremove: undefined,
  vgremove: undefined,
  pvremove: undefined,
  diskutil: /erase|zeroDisk|partitionDisk|secureErase/i,
};
const NEEDS_DEVICE = new Set(['shred', 'blkdiscard', 'wipefs']);
const HINT = 'A hook has no business with raw disks; write to a file.';

export function disk(command: Effective): readonly Accusation[] {
  const { name, argv, cwd } = command;
  const text = argv.join(' ');
  if (FORMATTERS.test(name) && argv.length > 1 && !/^\S+ (-V|--version|-h|--help)$/.test(text)) {
    const device = argv.some((word) => classify(word, cwd) === 'disk' || word.startsWith('/dev/'));
    return [{ rule: 'disk-format', severity: device ? 'catastrophic' : 'high', message: 'Formats a file system.', hint: HINT }];
  }
  const destructive = Object.hasOwn(DISK_TOOLS, name) && (DISK_TOOLS[name]?.test(text) ?? true);
  if (destructive && (!NEEDS_DEVICE.has(name) || argv.some((word) => classify(word, cwd) === 'disk')))
    return [{ rule: 'disk-write', severity: 'catastrophic', message: `Destroys what is on a disk (${name}).`, hint: HINT }];
  return written(command).flatMap(({ path, how }) => overwriting(path, how, cwd));
}

function overwriting(path: string, how: string, cwd: string): readonly Accusation[] {
  if (path === '/proc/sysrq-trigger')
    return [{ rule: 'power', severity: 'high', message: 'Restarts or crashes the machine.', hint: 'Remove it from the hook.' }];
  const shownPath = shown(path);
  switch (classify(path, cwd)) {
    case 'disk':
      return how === 'delete'
        ? []
        : [{ rule: 'disk-write', severity: 'catastrophic', message: `Writes to a raw device (${shownPath}).`, hint: HINT }];
    case 'account':
      return [
        {
          rule: 'account-file',
          severity: 'high',
          message: `Changes who may log in or become root (${shownPath}).`,
          hint: 'Leave accounts and keys to a person.',
        },
      ];
    case 'startup':
      return [
        {
          rule: 'persistence',
          severity: 'medium',
          message: `Changes what runs at login or on a schedule (${shownPath}).`,
          hint: 'Say why a hook needs this, or remove it.',
        },
      ];
    case 'guard':
      return [
        {
          rule: 'tamper',
          severity: 'medium',
          message: `Changes hooks, agent settings or the history (${shownPath}).`,
          hint: 'Change hooks by hand, where a person sees it.',
        },
      ];
    default:
      return [];
  }
}

interface Write {
  readonly path: string;
  readonly how: 'write' | 'delete';
}

/** The paths a command writes or deletes, by its redirections and by what it is. */
function written({ name, argv, writes }: Effective): readonly Write[] {
  const { operands, short, long } = readArguments(argv);
  const redirected = writes.map((path): Write => ({ path, how: 'write' }));
  const own = (paths: readonly string[], how: Write['how'] = 'write'): readonly Write[] => [
    ...redirected,
    ...paths.map((path) => ({ path, how })),
  ];
  switch (name) {
    case 'dd':
      return own(argv.filter((word) => word.startsWith('of=')).map((word) => word.slice(3)));
    case 'tee':
    case 'truncate':
    case 'shred':
    case 'fallocate':
    case 'sponge':
      return own(operands);
    case 'cp':
    case 'mv':
    case 'install':
    case 'rsync':
    case 'ln':
    case 'pv':
      return own(operands.slice(-1));
    case 'rm':
    case 'unlink':
      return own(operands, 'delete');
    case 'sed':
    case 'perl':
      return short.has('i') || long.some((option) => option.startsWith('--in-place')) ? own(operands) : redirected;
    default:
      return redirected;
  }
}
