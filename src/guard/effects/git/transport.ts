/** Addresses of repositories that are commands: `ext::` runs what follows it, and a host that begins with a dash is an option of ssh. */
import { type Effect, effect } from '../effect.ts';
import { type GitLine, mayTalk } from './command-line.ts';
import type { Options } from './options.ts';

const EXTERNAL = /^ext::/i;
const DASHED_HOST = /^(ssh|git\+ssh|ssh\+git):\/\/([^@/]*@)?-/i;

/** The commands that addresses among these words would run. */
export function programUrls(words: readonly string[]): readonly string[] {
  return words.filter((word) => EXTERNAL.test(word)).map((word) => word.slice('ext::'.length));
}

export function isProgramUrl(word: string): boolean {
  return EXTERNAL.test(word) || DASHED_HOST.test(word);
}

/** Programs that git is told to start for the other side of a transfer: by an option, by an address, or from a folder of programs. */

const PROGRAM_OPTIONS = ['upload-pack', 'receive-pack', 'exec'];
/** The programs that git would start by itself. */
const OWN_PROGRAMS: ReadonlySet<string> = new Set(['git-upload-pack', 'git-receive-pack', 'git-upload-archive']);
const TRANSFERS: ReadonlySet<string> = new Set(['fetch', 'pull', 'push', 'clone', 'ls-remote', 'archive', 'fetch-pack', 'send-pack']);

export function transportEffects({ subcommand, args, execPath }: GitLine, options: Options): readonly Effect[] {
  const found: Effect[] = [];
  if (execPath !== undefined && execPath !== '') found.push(effect('git.program', { by: '--exec-path', program: execPath }));
  if (TRANSFERS.has(subcommand)) {
    for (const name of PROGRAM_OPTIONS) {
      const program = options.value(name);
      if (program !== undefined && !OWN_PROGRAMS.has(program)) found.push(effect('git.program', { by: `--${name}`, program }));
    }
  }
  if (!mayTalk(subcommand, args)) return found;
  const address = args.find(isProgramUrl);
  if (address !== undefined) found.push(effect('git.program', { by: 'address', program: address }));
  return found;
}
