/** `hookline trust`: shows, compares, grants and revokes trust in the hooks of a project. No hook is trusted unseen or by an agent. */
import path from 'node:path';
import { suggest } from '../../core/values/suggest.ts';
import type { TrustLock } from '../../trust/lock-file.ts';
import type { TrustEntry } from '../../trust/trust-file.ts';
import { type Arguments, hasFlag, usageError } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { problemText } from '../failure.ts';
import { HELP_OPTION, JSON_OPTION, PLACE_OPTIONS } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { renderBriefly } from '../print/diagnostics.ts';
import { terminalStyle } from '../print/style.ts';
import { plural } from '../print/text.ts';
import { memoryFor } from './find-options.ts';
import { renderRemoved, renderReview, renderTrust } from './print-trust.ts';
import { add } from './trust-add.ts';
import { diffOf, renderDiff } from './trust-diff.ts';
import { reviewHooks } from './trust-review.ts';
import { exitFor, permitTrust, type TrustTask, trustTask } from './trust-task.ts';

export { trustSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const [action = 'list', ...paths] = args.positionals;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!act) {
    const near = suggest(action, Object.keys(ACTIONS));
    const can = `Actions: ${Object.keys(ACTIONS).join(', ')}.`;
    throw usageError(`\`hookline trust\` has no action \`${action}\`.`, near ? `Did you mean \`hookline trust ${near}\`?` : can);
  }
  return act(trustTask(args, paths, hasFlag(args, 'yes')));
}

const ACTIONS: Readonly<Record<string, (task: TrustTask) => Promise<CommandResult>>> = { list, add, remove, diff, lock };

async function list(task: TrustTask): Promise<CommandResult> {
  const { args, find, trust, json } = task;
  const { hooks, diagnostics } = await reviewHooks(find, trust, memoryFor(args));
  const exit = exitFor(task, diagnostics);
  const all = hooks.map(({ review }) => review);
  const state = {
    trusted: trust.list(),
    untrusted: all.filter(({ trusted }) => !trusted),
    denied: trust.denied(),
    hooks: all,
    diagnostics: [...(trust.problem ? [trust.problem] : []), ...diagnostics],
  };
  if (json) return { exit, out: jsonDocument(state) };
  return { exit, out: renderTrust({ ...state, root: find.root }, terminalStyle()) };
}

async function remove(task: TrustTask): Promise<CommandResult> {
  const { find, paths, trust, json } = task;
  const permitted = await permitTrust(task, 'removed');
  if (!('permitted' in permitted)) return permitted;
  const places = paths.map((given) => path.resolve(given));
  const isMeant = (entry: TrustEntry): boolean =>
    places.length === 0
      ? entry.root === find.root
      : places.some((place) => entry.file === place || entry.file.startsWith(`${place}${path.sep}`));
  const meant = trust.list().filter(isMeant);
  const hooks = meant.map(({ name, dialect, digest, file }) => ({ name, dialect, digest, file }));
  if (meant.length > 0) await permitted.record(`Trust in ${plural(meant.length, 'hook')} removed.`, { hooks });
  const removed = trust.remove(isMeant);
  const exit = removed.length === 0 ? EXIT.negative : EXIT.ok;
  if (json) return { exit, out: jsonDocument({ removed }) };
  if (removed.length > 0) return { exit, out: renderRemoved(removed, terminalStyle()) };
  return {
    exit,
    err: problemText({ message: 'No trusted hook was found at this path.', hint: 'Run `hookline trust list` to see the trusted hooks.' }),
  };
}

async function diff(task: TrustTask): Promise<CommandResult> {
  const { find, trust, texts, json } = task;
  const { hooks, diagnostics } = await reviewHooks(find, trust);
  const diffs = hooks.flatMap((hook) => diffOf(hook, texts) ?? []);
  const exit = diffs.length === 0 ? exitFor(task, diagnostics) : EXIT.negative;
  if (json) return { exit, out: jsonDocument({ hooks: diffs, diagnostics }) };
  const style = terminalStyle();
  const problems = exitFor(task, diagnostics) === EXIT.ok ? '' : renderBriefly(diagnostics, style);
  if (diffs.length === 0) return { exit, out: `No trusted hook has changed.\n${problems}` };
  return { exit, out: `${diffs.map((one) => renderDiff(one, style)).join('\n')}${problems}` };
}

/** Prints the lock to stdout. The user stores it outside the project. */
async function lock(task: TrustTask): Promise<CommandResult> {
  const { find, trust, yes } = task;
  const { hooks, diagnostics } = await reviewHooks(find, trust);
  const chosen = hooks.map(({ review }) => review).filter(({ trusted }) => yes || trusted);
  const document: TrustLock = {
    version: 1,
    hooks: chosen.map(({ name, dialect, source, digest }) => {
      return { name, dialect, file: path.relative(find.root, source.file).split(path.sep).join('/'), digest };
    }),
  };
  const style = terminalStyle();
  const unseen = chosen.filter(({ trusted }) => !trusted).map((review) => renderReview(review, style));
  const problems = exitFor(task, diagnostics) === EXIT.ok ? '' : renderBriefly(diagnostics, style);
  const message = 'No hook in this project is trusted, so the lock would be empty.';
  const none = problemText({ message, hint: 'Trust the hooks first, or pass `--yes` to lock all of them as they are.' });
  return chosen.length === 0
    ? { exit: EXIT.negative, out: jsonDocument(document), err: `${none}${problems}`, verbatim: true }
    : { exit: exitFor(task, diagnostics), out: jsonDocument(document), err: `${unseen.join('\n')}${problems}`, verbatim: true };
}

/** The specification of `hookline trust`. */
export const trustSpec: CommandSpec = {
  name: 'trust',
  summary: 'Show, compare, grant and revoke trust in the hooks of a project.',
  takes: '[list|add|remove|diff|lock] [path…]',
  words: { min: 0, max: Number.POSITIVE_INFINITY, missing: '' },
  options: [
    ...PLACE_OPTIONS,
    { name: 'yes', help: 'With `add`: trust all of them without confirmation; review them first. With `lock`: include untrusted hooks.' },
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Hooks in a project run only after you trust them. Trust covers the definition of a hook and the contents of the scripts it runs. Any change needs your trust again.',
    '`diff` shows what has changed in a hook since it was trusted, and exits with 1 if anything has. `lock` prints the trusted hooks with their digests, for `--trust-lock` on machines where no person can confirm. Store it outside the project.',
    'A denial is remembered. Name the path of the hook to be asked again. An agent or a hook cannot change trust.',
    'A path limits the command to the hooks in this file or folder. Default: the whole project.',
  ],
  examples: [
    { does: 'Trusted and untrusted hooks of this project', line: 'hookline trust list' },
    { does: 'Review each hook and decide', line: 'hookline trust add' },
    { does: 'Changes since the hooks were trusted', line: 'hookline trust diff' },
    { does: 'For CI', line: 'hookline trust lock > ../trusted-hooks.json' },
    { does: 'Trust one hook without confirmation', line: 'hookline trust add .agents/hooks/gate --yes' },
  ],
};
