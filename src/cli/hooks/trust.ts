/** `hookline trust`: see, compare, give and take back trust in the hooks of a project. Nothing is trusted unseen, and not by an agent. */
import path from 'node:path';
import { suggest } from '../../core/values/suggest.ts';
import { resolveHome } from '../../load/find/home.ts';
import { openKeptTexts } from '../../trust/kept-texts.ts';
import type { TrustLock } from '../../trust/lock-file.ts';
import { openTrust, type TrustEntry } from '../../trust/trust-file.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { problemText } from '../failure.ts';
import { HELP_OPTION, JSON_OPTION, PLACE_OPTIONS } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { terminalStyle } from '../print/style.ts';
import { findOptions } from './find-options.ts';
import { renderRemoved, renderReview, renderTrust } from './print-trust.ts';
import { add } from './trust-add.ts';
import { diffOf, renderDiff } from './trust-diff.ts';
import { reviewHooks } from './trust-review.ts';
import { notByAgent, type TrustTask } from './trust-task.ts';

export { trustSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const [action = 'list', ...paths] = args.positionals;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!act) {
    const near = suggest(action, Object.keys(ACTIONS));
    const can = `It can ${Object.keys(ACTIONS).join(', ')}.`;
    throw usageError(`\`hookline trust\` can not \`${action}\`.`, near ? `Did you mean \`hookline trust ${near}\`?` : can);
  }
  const { stateFolder } = resolveHome({ home: optionValue(args, 'home') }, process.env);
  const texts = openKeptTexts(stateFolder);
  // Only hooks of the project need trust: the user's own have it.
  const { home: _, ...find } = findOptions(args, paths);
  return act({ find, paths, trust: openTrust(stateFolder, texts), texts, yes: hasFlag(args, 'yes'), json: hasFlag(args, 'json') });
}

const ACTIONS: Readonly<Record<string, (task: TrustTask) => Promise<CommandResult>>> = { list, add, remove, diff, lock };

async function list({ find, trust, json }: TrustTask): Promise<CommandResult> {
  const { hooks, diagnostics } = await reviewHooks(find, trust);
  const all = hooks.map(({ review }) => review);
  const state = {
    trusted: trust.list(),
    untrusted: all.filter(({ trusted }) => !trusted),
    denied: trust.denied(),
    hooks: all,
    diagnostics: [...(trust.problem ? [trust.problem] : []), ...diagnostics],
  };
  if (json) return { exit: EXIT.ok, out: jsonDocument(state) };
  return { exit: EXIT.ok, out: renderTrust({ ...state, root: find.root }, terminalStyle()) };
}

async function remove(task: TrustTask): Promise<CommandResult> {
  const { find, paths, trust, json } = task;
  const refused = notByAgent(task, 'removed');
  if (refused) return refused;
  const places = paths.map((given) => path.resolve(given));
  const isMeant = (entry: TrustEntry): boolean =>
    places.length === 0
      ? entry.root === find.root
      : places.some((place) => entry.file === place || entry.file.startsWith(`${place}${path.sep}`));
  const removed = trust.remove(isMeant);
  const exit = removed.length === 0 ? EXIT.negative : EXIT.ok;
  if (json) return { exit, out: jsonDocument({ removed }) };
  if (removed.length > 0) return { exit, out: renderRemoved(removed, terminalStyle()) };
  return { exit, err: problemText({ message: 'No trusted hook was found there.', hint: '`hookline trust list` shows what is trusted.' }) };
}

async function diff({ find, trust, texts, json }: TrustTask): Promise<CommandResult> {
  const { hooks, diagnostics } = await reviewHooks(find, trust);
  const diffs = hooks.flatMap((hook) => diffOf(hook, texts) ?? []);
  const exit = diffs.length === 0 ? EXIT.ok : EXIT.negative;
  if (json) return { exit, out: jsonDocument({ hooks: diffs, diagnostics }) };
  if (diffs.length === 0) return { exit, out: 'Every hook that was trusted is as it was.\n' };
  const style = terminalStyle();
  return { exit, out: diffs.map((one) => renderDiff(one, style)).join('\n') };
}

/** Goes to stdout, to be kept outside of the project. */
async function lock({ find, trust, yes }: TrustTask): Promise<CommandResult> {
  const { hooks } = await reviewHooks(find, trust);
  const chosen = hooks.map(({ review }) => review).filter(({ trusted }) => yes || trusted);
  const document: TrustLock = {
    version: 1,
    hooks: chosen.map(({ name, dialect, source, digest }) => {
      return { name, dialect, file: path.relative(find.root, source.file).split(path.sep).join('/'), digest };
    }),
  };
  const style = terminalStyle();
  const unseen = chosen.filter(({ trusted }) => !trusted).map((review) => renderReview(review, style));
  const message = 'No hook here is trusted, so the lock vouches for none.';
  const none = problemText({ message, hint: 'Trust them first, or pass `--yes` to lock them all as they are.' });
  return chosen.length === 0
    ? { exit: EXIT.negative, out: jsonDocument(document), err: none }
    : { exit: EXIT.ok, out: jsonDocument(document), err: unseen.join('\n') };
}

/** `hookline trust` as data. */

export const trustSpec: CommandSpec = {
  name: 'trust',
  summary: 'See, compare, give and take back trust in the hooks of a project.',
  takes: '[list|add|remove|diff|lock] [path…]',
  words: { min: 0, max: Number.POSITIVE_INFINITY, missing: '' },
  options: [
    ...PLACE_OPTIONS,
    { name: 'yes', help: 'With `add`: trust all of them without asking. Look at them first. With `lock`: the untrusted ones too.' },
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Hooks found below a project run only once they are trusted. Trust is bound to what a hook is defined as and to the bytes of the scripts it runs: any change asks for it anew.',
    '`diff` shows what has changed in a hook since it was trusted, and ends with 1 if anything has. `lock` writes the trusted ones with their digests, for `--trust-lock` where nobody can be asked; keep it outside of the project.',
    'A no is remembered; naming the path asks again. An agent, or a hook, can not change trust.',
    'Paths narrow it down to the hooks in these files or folders. Default: the whole project.',
  ],
  examples: [
    { does: 'What is trusted here, and what is not', line: 'hookline trust list' },
    { does: 'Look at each hook and decide', line: 'hookline trust add' },
    { does: 'What has changed since it was trusted', line: 'hookline trust diff' },
    { does: 'For CI', line: 'hookline trust lock > ../trusted-hooks.json' },
    { does: 'Trust one hook without being asked', line: 'hookline trust add .agents/hooks/gate --yes' },
  ],
};
