/** What goes through a command: the files it reads, what it sends over the network, and what it leaves in other files. Says what is. */
import { codeFlow } from './foreign-flow.ts';
import { KEYS, originsOf, PRIVATE, UNKNOWN } from './marks.ts';
import { type Named, namesRead, type Reader } from './reads.ts';
import { heldIn, isAll, type SecretKind, secretIn } from './secret-path.ts';
import { type Sending, sendsOf } from './sends.ts';
import { targetsOf } from './targets.ts';
import { unwrapped } from './wrappers.ts';
import type { Written } from './written.ts';

export interface Reading extends Named {
  readonly secret?: SecretKind;
  /** What is known of its content, as text or marks. */
  readonly held: string;
}

export interface Flow {
  readonly reads: readonly Reading[];
  readonly sends: readonly Sending[];
}

export interface Flowing extends Reader {
  readonly cwd: string;
}

const NOTHING: Flow = { reads: [], sends: [] };
/** They take a folder with all that is in it. */
const WHOLESALE = /^(g|bsd)?tar$|^(zip|7z[ar]?|rsync|scp|cpio|pax|cp|ditto)$/;
/** They print the whole environment. */
const ENVIRONMENT = /^(env|printenv|set|export|declare|typeset)$/;

export function flowOf(command: Flowing, files: Written): Flow {
  if (onlyRuns(command)) return NOTHING;
  const { cwd } = command;
  const named = [...namesRead(command), ...codeFlow(command).reads];
  const reads = named.map((read): Reading => {
    const secret = secretIn(read.path, cwd);
    const held = heldIn(read.path, cwd, files, secret) ?? (WHOLESALE.test(command.name) && isAll(read.path, cwd) ? KEYS : '');
    return { ...read, held, ...(secret !== undefined && { secret }) };
  });
  return { reads, sends: sendsOf(command, originsOfReads(reads), files) };
}

/** Files that the command makes out of what it reads, with what of secrets is in them. */
export function leavesBehind(
  command: Flowing,
  { reads }: Flow = NOTHING,
  files: Written,
): readonly (readonly [path: string, text: string])[] {
  const { name, argv, cwd, stdin } = command;
  const renamed = /^(ln|link|mv)$/.test(name) ? argv.slice(1, -1).map((path) => heldIn(path, cwd, files) ?? '') : [];
  const origins = originsOfReads(reads) + originsOf(stdin + renamed.join(''));
  if (!/[\uE004-\uE007]/.test(origins)) return [];
  return targetsOf(command).map((path) => [path, originsOf(origins) + UNKNOWN]);
}

/** What of its files is in what the command prints, as marks. */
export function originsPrinted(name: string, argv: readonly string[], { reads }: Flow): string {
  const environment = ENVIRONMENT.test(name) && argv.slice(1).every((word) => /^-[px0]|^--null$/.test(word));
  return originsOfReads(reads) + (environment ? PRIVATE : '');
}

/** It takes its words for another command, which is looked at by itself. */
function onlyRuns({ name, argv, stdin }: Flowing): boolean {
  return /^g?xargs$|^parallel$|^sem$/.test(name) || (unwrapped(name, argv, stdin)?.argv.length ?? 0) > 0;
}

function originsOfReads(reads: readonly Reading[]): string {
  return originsOf(reads.map(({ held, how }) => (how === 'use' || how === 'load' ? '' : held)).join(''));
}
