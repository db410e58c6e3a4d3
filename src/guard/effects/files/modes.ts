/** Changes of permissions: `chmod`, `chown` and similar tools. */
import type { EffectiveCommand } from '../../shell/machine.ts';
import { readArguments } from '../arguments.ts';
import { SYNTAX, toolName } from './syntax.ts';

export interface ModeChange {
  readonly path: string;
  readonly recursive: boolean;
  /** Whether every user can write the file. */
  readonly world: boolean;
  /** Whether the file runs with the rights of its owner. */
  readonly setuid: boolean;
  readonly mode: string;
}

const TOOLS = new Set(['chmod', 'chown', 'setfacl', 'chattr', 'setcap']);

export function modeChanges({ name: written, argv }: EffectiveCommand): readonly ModeChange[] {
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
      mode,
    }));
}

function isWorldWritable(mode: string): boolean {
  return /^[0-7]*[2367]$/.test(mode) || mode.split(',').some((part) => /^[ugoa]*[oa][ugoa]*[+=][rwxXst]*w/.test(part));
}

function isSetuid(mode: string): boolean {
  return /^0*[4-7][0-7]{3}$/.test(mode) || mode.split(',').some((part) => /^(?:[goa]*[ua][ugoa]*)?[+=][rwxXt]*s/.test(part));
}
