/** Notes of a command: what is put to the readers, and the files that it runs. */
import { flowOf } from './flow.ts';
import type { Invocation } from './invoke.ts';
import type { Effective, Program } from './machine.ts';
import { SELF } from './marks.ts';
import type { Scope } from './scope.ts';

/** The last part of the path, in lower case: some file systems do not tell cases apart. A name with spaces in it is no path. */
export function commandName(word: string): string {
  if (/\s/.test(word)) return word;
  const path = /^[A-Za-z]:\\/.test(word) ? word.replaceAll('\\', '/') : word;
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.(exe|cmd|bat)$/i, '')
    .toLowerCase();
}

export function effective(name: string, { argv, scope, wiring, place, machine }: Invocation, program: Program | undefined): Effective {
  const { stdin, fds, writes } = wiring;
  const command: Effective = {
    name,
    argv,
    stdin,
    fds,
    writes,
    cwd: scope.cwd,
    self: namesSelf(program?.path ?? argv[0] ?? '', scope),
    spawned: place.spawned,
    line: place.line,
    span: place.span,
    via: place.via,
    env: scope.environment(),
    guessed: place.guessed,
    feeder: scope.feeder,
    ...(program ? { program } : {}),
  };
  return { ...command, flow: flowOf(command, machine.files) };
}

function namesSelf(path: string, scope: Scope): boolean {
  const self = scope.get('0')?.[0]?.[0] ?? SELF;
  return path === self || path.includes(SELF) || (path.includes('/') && self.endsWith(`/${path.replace(/^(\.\/)+/, '')}`));
}

export function noteRun(name: string, program: Program | undefined, { argv, scope, machine }: Invocation): void {
  const { cwd } = scope;
  if (program?.from === 'file' && program.path !== undefined) {
    machine.runs.push({ path: program.path, cwd, how: program.language === 'shell' ? 'shell' : 'interpreter' });
  } else if (name === 'source' || name === '.') {
    if (argv[1] !== undefined) machine.runs.push({ path: argv[1], cwd, how: 'source' });
  }
  if (argv[0] !== undefined) machine.runs.push({ path: argv[0], cwd, how: 'itself' });
}
