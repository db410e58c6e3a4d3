/** Records a command for the effect readers, the files that it runs and the files that it leaves. */
import { downloadTargets, requestIn } from '../flow/downloads.ts';
import { type Flow, filesCreated, flowOf } from '../flow/flow.ts';
import { insertedLines } from '../flow/inserted.ts';
import type { WrittenFiles } from '../flow/written.ts';
import type { EffectiveCommand, Program, Run } from '../machine.ts';
import { isDynamic, REMOTE, SELF, UNKNOWN } from '../marks.ts';
import { isLocalOnly } from '../programs/request.ts';
import { sedEdits, substituted } from '../programs/sed.ts';
import type { Scope } from '../scope.ts';
import type { Invocation } from './invoke.ts';

/**
 * Records the files that a command leaves (downloads, copies, links, moves, deletions) and returns the rest of its output for standard
 * output.
 */
export function recordFiles(command: EffectiveCommand, { argv, scope, machine: { files } }: Invocation, text: string): string {
  const { name, flow, stdin } = command;
  const targets = downloadTargets(name, argv);
  // A file of this machine that is "downloaded" is a copy.
  const copied = targets === undefined ? undefined : copiedBy(name, argv);
  for (const path of targets ?? []) {
    const held = copied === undefined ? (/^(scp|rsync)$/.test(name) ? REMOTE : text) : files.get(copied);
    if (held !== undefined) files.set(path, held);
  }
  if (LEAVES.has(name)) recordTool(name, stdin, text, argv, scope, files);
  for (const [path, held] of filesCreated(command, flow, files)) files.set(path, held);
  return targets === undefined ? text : '';
}

/** Returns the file of this machine that a download copies. */
function copiedBy(name: string, argv: readonly string[]): string | undefined {
  const request = argv.some((word) => /^file:/i.test(word)) ? requestIn(name, argv) : undefined;
  return request !== undefined && request.urls.length === 1 && isLocalOnly(request)
    ? request.urls[0]?.replace(/^file:(?:\/\/(?:(?:localhost|127\.0\.0\.1)(?=\/))?)?/i, '')
    : undefined;
}

const LEAVES: ReadonlySet<string> = new Set(
  'tee sponge dd rm unlink cp mv ln install link sed gsed npm pnpm ed ex patch git perl mount'.split(' '),
);
const COPIES = /^(cp|mv|ln|install|link)$/;

function recordTool(name: string, stdin: string, text: string, argv: readonly string[], scope: Scope, files: WrittenFiles): void {
  const operands = argv.slice(1).filter((word) => !/^-./.test(word));
  if (name.endsWith('sed')) {
    const { files: changed, lines } = sedEdits(argv);
    for (const path of changed) {
      const before = files.before(path);
      // The text before stays, because a substitution may not apply.
      const after = before === '' ? '' : (substituted(argv, before) ?? UNKNOWN);
      if (lines.length > 0 || after !== before) files.set(path, [before, ...(after === before ? [] : [after]), ...lines].join('\n'));
    }
  }
  if (/^p?npm$/.test(name) && operands[0] === 'pkg' && operands[1] === 'set') {
    const scripts = operands.flatMap((word) => /^scripts\.([\w:-]+)=(.*)$/s.exec(word)?.slice(1, 3) ?? []);
    if (scripts.length > 0) files.set('package.json', JSON.stringify({ scripts: scripts.filter((_, i) => i % 2 === 1) }));
  }
  if (/^(?:ed|ex|patch|perl)$/.test(name) || (name === 'git' && /^(?:apply|am)$/.test(operands[0] ?? '')))
    for (const [path, lines] of insertedLines(name, name === 'perl' ? argv : operands, stdin))
      files.set(path, [files.before(path), ...lines].join('\n'));
  if (name === 'tee' || name === 'sponge') for (const path of operands) files.set(path, name === 'tee' ? text : stdin);
  const written = name === 'dd' ? operands.find((word) => word.startsWith('of='))?.slice(3) : undefined;
  if (written !== undefined && !operands.some((word) => word.startsWith('if='))) files.set(written, stdin);
  // In a branch that may not run, a deletion is not certain.
  if ((name === 'rm' || name === 'unlink') && scope.maybe === 0) for (const path of operands) files.delete(path);
  const copied = name === 'dd' ? operands.find((word) => word.startsWith('if='))?.slice(3) : undefined;
  if (written !== undefined && copied !== undefined && /^\/(?:usr\/)?s?bin\//.test(copied)) files.alias(written, copied);
  if (name === 'mount' && argv.some((word) => /^--r?bind$|^bind$/.test(word))) files.alias(operands.at(-1) ?? '', operands.at(-2) ?? '');
  if (COPIES.test(name) && operands.length >= 2) {
    const [from, to] = [operands.at(-2) ?? '', operands.at(-1) ?? ''];
    const moved = /^\/dev\/(?:stdin|fd\/0)$/.test(from) ? stdin : (files.get(from) ?? (files.get(to) === undefined ? undefined : UNKNOWN));
    for (const path of [to, `${to}/${from.slice(from.lastIndexOf('/') + 1)}`]) if (moved !== undefined) files.set(path, moved);
    if (/^(?:\/|~)/.test(from) && !isDynamic(from))
      for (const path of /(?:^|\/)s?bin\//.test(from) || name === 'ln' ? [to, `${to}/${from.slice(from.lastIndexOf('/') + 1)}`] : [])
        files.alias(path, from);
    if (name === 'mv' && scope.maybe === 0) files.delete(from);
  }
}

/** Returns the last part of a path in lower case, because some file systems ignore case. A name with spaces is not a path. */
export function commandName(word: string): string {
  if (/\s/.test(word)) return word;
  // zsh looks `=rm` up as `rm`.
  if (/^=[a-z]/.test(word)) return commandName(word.slice(1));
  const path = word[1] === ':' && /^[A-Za-z]:\\/.test(word) ? word.replaceAll('\\', '/') : word;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (name.includes('.') ? name.replace(/\.(exe|cmd|bat)$/i, '') : name).toLowerCase();
}

export function describeCommand(
  name: string,
  { argv, scope, wiring, place, machine }: Invocation,
  program: Program | undefined,
): EffectiveCommand {
  const { stdin, fds, writes } = wiring;
  // Every field is there from the start, because V8 reads objects of one shape fastest, and all readers read this one.
  const command: EffectiveCommand & { flow: Flow | undefined } = {
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
    next: scope.next,
    loads: machine.loading > 0,
    shown: machine.inserting === 0,
    at: place.at,
    source: place.source,
    program,
    flow: undefined,
  };
  command.flow = flowOf(command, machine.files);
  return command;
}

function namesSelf(path: string, scope: Scope): boolean {
  const self = scope.get('0')?.[0]?.[0] ?? SELF;
  return path === self || path.includes(SELF) || (path.includes('/') && self.endsWith(`/${path.replace(/^(\.\/)+/, '')}`));
}

export function noteRun(name: string, program: Program | undefined, { argv, scope, place, machine }: Invocation): void {
  const note = (path: string, how: Run['how']): number =>
    machine.runs.push(place.guessed ? { path, cwd: scope.cwd, how, guessed: true } : { path, cwd: scope.cwd, how });
  if (program?.from === 'file' && program.path !== undefined) note(program.path, program.language === 'shell' ? 'shell' : 'interpreter');
  else if ((name === 'source' || name === '.') && argv[1] !== undefined) note(argv[1], 'source');
  if (argv[0] !== undefined) note(argv[0], 'itself');
}
