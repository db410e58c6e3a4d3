/** Changes of permissions: `chmod`, `chown` and similar tools. */
import { type EffectiveCommand, isForeign } from '../../shell/machine.ts';
import { readArguments } from '../arguments.ts';
import { SYNTAX, toolName } from './syntax.ts';

export interface ModeChange {
  readonly path: string;
  readonly recursive: boolean;
  /** Whether every user can write the file. */
  readonly world: boolean;
  /** Whether the file runs with the rights of its owner. */
  readonly setuid: boolean;
  /** Whether its owner can no longer read it, or no longer run it, or whether another user gets it. */
  readonly disabled: boolean;
  readonly mode: string;
}

const TOOLS = new Set(['chmod', 'chown', 'setfacl', 'chattr', 'setcap']);

/** A call in another language with a literal path. The mode is a number or an expression. */
const CALL = /\bl?ch(?:mod|own)(?:Sync)?\s{0,4}\(\s{0,4}(['"`])([^'"`\n]{1,500})\1\s{0,4},\s{0,4}(?:0o?([0-7]{0,4})\b)?/g;

/** Returns the changes that code makes. A mode that is not a plain number may be any mode. */
function codeChanges(code: string): readonly ModeChange[] {
  return Array.from(code.matchAll(CALL), ([, , path = '', digits]) => {
    const mode = digits === '' ? '0' : digits;
    const disabled = mode === undefined || isDisabled(mode, path);
    return { path, recursive: false, world: mode !== undefined && isWorldWritable(mode), setuid: false, disabled, mode: mode ?? '' };
  });
}

export function modeChanges({ name: written, argv, program }: EffectiveCommand): readonly ModeChange[] {
  if (isForeign(program)) return program.text.includes('ch') ? codeChanges(program.text) : [];
  const name = toolName(written);
  if (!TOOLS.has(name)) return [];
  const { operands, idle, has } = readArguments(argv, SYNTAX[name] ?? { valued: name === 'setfacl' ? 'mMxX' : '' });
  if (idle || (name === 'setcap' && has('r', 'v'))) return [];
  const asOption = argv.find((word) => /^-[rwxXst]+$/.test(word));
  const counted = !has('reference') && asOption === undefined && !/^(?:setfacl|chattr)$/.test(name);
  const mode = asOption ?? (counted ? (operands[0] ?? '') : '');
  const chmod = name === 'chmod';
  return operands
    .slice(counted ? 1 : 0)
    .filter((path) => name !== 'chattr' || !/^[+=]/.test(path))
    .map((path) => ({
      path,
      recursive: has('R', 'recursive'),
      world: chmod && isWorldWritable(mode),
      setuid: (chmod && isSetuid(mode)) || name === 'setcap',
      disabled: chmod ? isDisabled(mode, path) : name !== 'setcap',
      mode,
    }));
}

function isWorldWritable(mode: string): boolean {
  return /^[0-7]*[2367]$/.test(mode) || mode.split(',').some((part) => /^[ugoa]*[oa][ugoa]*[+=][rwxXst]*w/.test(part));
}

/** Settings and prose are read and not run. */
const ONLY_READ = /\.(?:json[c5]?|toml|md|ya?ml|txt)$/i;

function isDisabled(mode: string, path: string): boolean {
  const needed = ONLY_READ.test(path) ? 'r' : 'rx';
  const octal = /^[0-7]{1,4}$/.test(mode) ? Number(mode.padStart(3, '0').at(-3)) : undefined;
  if (octal !== undefined) return (octal & 4) === 0 || (needed.includes('x') && (octal & 1) === 0);
  return mode.split(',').some((part) => {
    const [, who = '', sign = '', what = ''] = /^([ugoa]*)([-+=])([rwxXst]*)$/.exec(part) ?? [];
    if (who !== '' && !/[ua]/.test(who)) return false;
    return sign === '-'
      ? [...needed].some((right) => what.includes(right))
      : sign === '=' && ![...needed].every((right) => what.includes(right));
  });
}

function isSetuid(mode: string): boolean {
  return /^0*[4-7][0-7]{3}$/.test(mode) || mode.split(',').some((part) => /^(?:[goa]*[ua][ugoa]*)?[+=][rwxXt]*s/.test(part));
}
