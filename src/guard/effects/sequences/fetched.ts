/**
 * Effects of several commands together: code that is fetched and then run, and pushes to a remote that an earlier command has named. Effects:
 * `clone.run` (`path`), `archive.run` (`path`, `host`) and `git.push-foreign` (`remote`).
 */
import { DOWNLOADERS, downloadTargets, requestIn } from '../../shell/flow/downloads.ts';
import type { EffectiveCommand } from '../../shell/machine.ts';
import { isDynamic, REMOTE } from '../../shell/marks.ts';
import { hostOf } from '../../shell/programs/request.ts';
import { type Effect, effect } from '../effect.ts';
import { isLoopback } from '../network.ts';
import { ADDRESS, FORGES, hostIn } from '../worlds.ts';

/** Returns pushes to a remote of an unknown host: by its address, or by a name that an earlier command has given it. */
export function foreignPushes(
  commands: readonly EffectiveCommand[],
): readonly { readonly command: EffectiveCommand; readonly seen: Effect }[] {
  const foreign = new Set<string>();
  const isForeign = (address: string): boolean => ADDRESS.test(address) && !FORGES.test(hostIn(address));
  const found: { command: EffectiveCommand; seen: Effect }[] = [];
  for (const command of commands) {
    if (command.name !== 'git') continue;
    const words = command.argv.slice(1).filter((word) => !word.startsWith('-'));
    const at = words.findIndex((word) => word === 'remote' || word === 'push');
    const [verb, first = '', second = '', third = ''] = words.slice(at);
    if (
      verb === 'remote' &&
      /^(?:add|set-url)$/.test(first) &&
      isForeign(third) &&
      (second !== 'origin' || first === 'set-url' || command.argv.includes('--push'))
    )
      foreign.add(second);
    if (
      verb === 'push' &&
      (foreign.has(first || 'origin') || isForeign(first)) &&
      !command.argv.some((word) => /^(?:-n|--dry-run)$/.test(word))
    )
      found.push({ command, seen: effect('git.push-foreign', { remote: first }) });
  }
  return found;
}

/** Programs that run code of the folder in which they start, or which they name. */
const RUNNERS =
  /^(?:g?make|cmake|ninja|meson|npm|pnpm|yarn|bun|pip3?|python[\d.]*|node|ruby|perl|bash|sh|zsh|fish|dash|cargo|go|rake|bundle|composer|mvn|gradle|gradlew|just|task|docker|docker-compose|tox|poetry|uv|mix|configure|ansible-playbook|terraform|source|\.)$/;

const CLONES = /^(?:(?:git|hg) clone|git submodule add|git subtree add|svn (?:co|checkout|export)|fossil clone|bzr branch|darcs clone) /;

/** Returns the commands that run code of a repository that an earlier command clones from an unknown host. */
export function cloneRuns(commands: readonly EffectiveCommand[]): readonly { readonly command: EffectiveCommand; readonly seen: Effect }[] {
  const found: { command: EffectiveCommand; seen: Effect }[] = [];
  let cloned: string | undefined;
  for (const command of commands) {
    const { name, argv, cwd } = command;
    const words = argv.slice(1).filter((word) => !word.startsWith('-'));
    const at = CLONES.test(`${name} ${words.slice(0, 2).join(' ')} `) ? words.findIndex((word) => ADDRESS.test(word)) : -1;
    const address = words[at] ?? '';
    if (at > 0 && !FORGES.test(hostIn(address)))
      cloned =
        words[at + 1] ??
        address
          .replace(/\/+$/, '')
          .replace(/\.git$/, '')
          .split(/[/:]/)
          .at(-1);
    else if (cloned !== undefined && cloned !== '') {
      const isInside = (path: string): boolean =>
        path
          .replace(/^\.\//, '')
          .split('/')
          .includes((cloned ?? '').split('/').at(-1) ?? '');
      const runs = RUNNERS.test(name) || argv[0]?.includes('/');
      if (runs && (isInside(cwd) || argv.some(isInside))) found.push({ command, seen: effect('clone.run', { path: cloned }) });
    }
  }
  return found.slice(0, 1);
}

const UNPACKERS =
  /^(?:(?:g|bsd)?tar|unzip|7z[arz]?|7zz|cpio|pax|unar|unrar|bsdcpio|gunzip|unxz|unzstd|jar|ar|dpkg-deb|gcc|cc|clang|tcc|g\+\+|rustc|ghc)$/;
const LISTS = /^(?:-[a-zA-Z]*t[a-zA-Z]*|t[a-z]*f?|--list|-l|-Z)$/;
/** Commands whose file is no program. */
const NOT_RUN = /^(?:source|\.)$/;

/** Returns the commands that run a file which an earlier command takes out of an archive from an unknown host. */
export function fetchedRuns(
  commands: readonly EffectiveCommand[],
): readonly { readonly command: EffectiveCommand; readonly seen: Effect }[] {
  let host: string | undefined;
  let unpacked = false;
  /** The names of the files that were fetched. */
  const fetched = new Set<string>();
  for (const command of commands) {
    const { name, argv, stdin, flow, program, guessed } = command;
    if (guessed) continue;
    const address = DOWNLOADERS.has(name) ? strangeHost(name, argv) : undefined;
    if (address !== undefined) {
      host = address;
      for (const path of downloadTargets(name, argv) ?? []) fetched.add(path.slice(path.lastIndexOf('/') + 1));
    } else if (host !== undefined && UNPACKERS.test(name) && !argv.slice(1).some((word) => LISTS.test(word)))
      unpacked ||=
        stdin.includes(REMOTE) ||
        (flow?.reads ?? []).some(({ held }) => held.includes(REMOTE)) ||
        argv.some((word) => word.includes(REMOTE));
    else if (host !== undefined && fetched.has(argv[0] ?? ''))
      return [{ command, seen: effect('archive.run', { path: argv[0] ?? '', host }) }];
    else if (unpacked && host !== undefined && !NOT_RUN.test(name)) {
      const path = program?.from === 'file' && program.text === undefined ? program.path : argv[0]?.includes('/') ? argv[0] : undefined;
      if (path !== undefined && !isDynamic(path) && !/^\/(?:usr|bin|sbin|opt)\//.test(path))
        return [{ command, seen: effect('archive.run', { path, host }) }];
    }
  }
  return [];
}

/** Returns the host of a download that is neither this machine nor a place where projects of the world are. */
function strangeHost(name: string, argv: readonly string[]): string | undefined {
  const urls = requestIn(name, argv)?.urls ?? argv.slice(1).filter((word) => ADDRESS.test(word));
  return urls.map((url) => hostOf(url) || hostIn(url)).find((host) => host !== '' && !isLoopback(host) && !FORGES.test(host));
}
