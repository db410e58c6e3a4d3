/** Programs that git starts for a transfer because of an option, an address or a program folder. */
import { type Effect, effect } from '../effect.ts';
import { type GitLine, mayTalk } from './command-line.ts';
import type { Options } from './options.ts';

const EXTERNAL = /^ext::/i;
const DASHED_HOST = /^(ssh|git\+ssh|ssh\+git):\/\/([^@/]*@)?-/i;

/** Returns the commands that the addresses among these words would run. */
export function programUrls(words: readonly string[]): readonly string[] {
  return words.filter((word) => EXTERNAL.test(word)).map((word) => word.slice('ext::'.length));
}

/**
 * Returns whether a repository address runs a command: `ext::` runs the text after it, and ssh reads a host that starts with a dash as an
 * option.
 */
export function isProgramUrl(word: string): boolean {
  return EXTERNAL.test(word) || DASHED_HOST.test(word);
}

const PROGRAM_OPTIONS = ['upload-pack', 'receive-pack', 'exec'];
/** The programs that git starts by default. */
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
