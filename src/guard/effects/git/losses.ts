/** Subcommands that delete or overwrite committed work, here or on the remote. */
import { isDynamic, isOpaque } from '../../shell/marks.ts';
import { type Effect, effect } from '../effect.ts';
import type { GitLine } from './command-line.ts';
import type { Options } from './options.ts';

/**
 * Returns the committed work that a subcommand deletes or rewrites: branches, tags, refs, stashes, the reflog, objects or the whole
 * history.
 */
export function losses({ subcommand, settings }: GitLine, options: Options, stdin: string): readonly Effect[] {
  const { has, sure } = options;
  switch (subcommand) {
    case 'branch':
      return deletedBranch(options);
    case 'tag':
      return has('delete') ? [deleteEffect('tag', 'tag --delete', options)] : [];
    case 'stash drop':
    case 'stash clear':
      return [deleteEffect('stash', subcommand, options)];
    case 'update-ref':
      return has('d') || (has('stdin') && (/^delete\b/m.test(stdin) || isOpaque(stdin)))
        ? [deleteEffect('ref', 'update-ref -d', options)]
        : [];
    case 'symbolic-ref':
      return has('delete') ? [deleteEffect('ref', 'symbolic-ref --delete', options)] : [];
    case 'reflog expire':
    case 'reflog delete':
    case 'reflog drop':
      return sure('dry-run') ? [] : [deleteEffect('reflog', subcommand, options)];
    case 'gc':
      return isNow(options.value('prune') ?? setting(settings, 'gc.pruneexpire')) ? [deleteEffect('objects', 'gc --prune', options)] : [];
    case 'prune':
      return !sure('dry-run') && isNow(options.value('expire') ?? 'now') ? [deleteEffect('objects', 'prune', options)] : [];
    case 'filter-branch':
    case 'filter-repo':
      return sure('analyze', 'dry-run') ? [] : [effect('git.rewrite', { how: subcommand, forced: has('force') })];
    default:
      return [];
  }
}

function deletedBranch(options: Options): readonly Effect[] {
  const forced = options.has('D') || (options.has('delete') && options.has('force'));
  if (!forced && !options.has('delete')) return [];
  const own = !options.has('remotes') && areOwn(options.operands);
  return [effect('git.delete', { what: 'branch', how: forced ? 'branch -D' : 'branch -d', forced, own, name: options.operands })];
}

/** Branches that other people work with as well. */
const SHARED =
  /^(?:main|master|trunk|develop(?:ment)?|dev|next|stable|staging|prod(?:uction)?|live|release|gh-pages|HEAD)$|^(?:release|hotfix|support)[-/]|[*?[]/i;

/** Returns whether all of these are named topic branches. The reflog keeps the commits of such a branch for weeks. */
function areOwn(branches: readonly string[]): boolean {
  return branches.length > 0 && branches.every((branch) => branch !== '' && !isDynamic(branch) && !SHARED.test(branch));
}

function deleteEffect(what: string, how: string, { operands, has }: Options): Effect {
  return effect('git.delete', { what, how, forced: has('force'), name: operands });
}

function setting(settings: GitLine['settings'], wanted: string): string | undefined {
  return settings.findLast(({ key }) => key === wanted)?.value;
}

/** Returns whether a date keeps nothing, or is unknown. */
function isNow(date: string | undefined): boolean {
  if (date === undefined) return false;
  return isDynamic(date) || /^(now|all|today|0|(0|zero)[. ](second|minute|hour|day)s?([. ]ago)?)$/i.test(date);
}

/** Returns the effect of `git push`: whether it overwrites or deletes on the remote, and the target branches. */
export function pushes({ subcommand }: GitLine, { operands, has, sure, value }: Options): readonly Effect[] {
  if ((subcommand !== 'push' && subcommand !== 'send-pack') || sure('dry-run')) return [];
  const refs = operands.slice(value('repo') === undefined || operands.length > 1 ? 1 : 0);
  const mirrors = has('mirror');
  const forced = has('force') || mirrors || refs.some((ref) => ref.startsWith('+'));
  const deletes = has('delete', 'prune') || refs.some((ref) => /^\+?:./.test(ref));
  const to = refs.map((ref) =>
    ref
      .replace(/^\+/, '')
      .replace(/^.*:/s, '')
      .replace(/^refs\/heads\//, ''),
  );
  const own = !mirrors && !has('all', 'branches', 'tags') && areOwn(to);
  return [
    effect('git.push', { how: 'push', remote: operands[0] ?? '', to, own, forced, deletes, mirrors, leased: has('force-with-lease') }),
  ];
}
