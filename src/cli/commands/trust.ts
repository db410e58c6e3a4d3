/** `hookline trust`: see, give and take back trust in the hooks of a project. Nothing is trusted unseen. */
import path from 'node:path';
import { resolveHome } from '../../config/home.ts';
import { openTrust, type Trust, type TrustEntry } from '../../config/trust.ts';
import { suggest } from '../../core/suggest.ts';
import type { Answer } from '../answer.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { EXIT } from '../exit-codes.ts';
import { problemText } from '../failure.ts';
import { findOptions } from '../find-options.ts';
import { jsonDocument } from '../output.ts';
import { terminalStyle } from '../render/style.ts';
import { renderAdded, renderRemoved, renderReview, renderTrust } from '../render/trust.ts';
import { entryFor, type Review, reviewHooks } from '../trust-review.ts';

export { trustSpec as spec } from '../specs/trust.ts';

export async function run(args: Arguments): Promise<Answer> {
  const [action = 'list', ...paths] = args.positionals;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!act) {
    const near = suggest(action, Object.keys(ACTIONS));
    throw usageError(
      `\`hookline trust\` can not \`${action}\`.`,
      near ? `Did you mean \`hookline trust ${near}\`?` : 'It can list, add and remove.',
    );
  }
  const { stateFolder } = resolveHome({ home: optionValue(args, 'home') }, process.env);
  return act({ args, paths, trust: openTrust(stateFolder), json: hasFlag(args, 'json') });
}

interface Task {
  readonly args: Arguments;
  readonly paths: readonly string[];
  readonly trust: Trust;
  readonly json: boolean;
}

const ACTIONS: Readonly<Record<string, (task: Task) => Promise<Answer>>> = { list, add, remove };

async function list(task: Task): Promise<Answer> {
  const { reviews, diagnostics } = await review(task);
  const { root } = findOptions(task.args, []);
  const trusted = task.trust.list();
  const untrusted = reviews.filter((hook) => !hook.trusted);
  const problems = [...(task.trust.problem ? [task.trust.problem] : []), ...diagnostics];
  if (task.json) return { exit: EXIT.ok, out: jsonDocument({ trusted, untrusted, diagnostics: problems }) };
  return { exit: EXIT.ok, out: renderTrust({ root, trusted, untrusted, diagnostics: problems }, terminalStyle()) };
}

async function add(task: Task): Promise<Answer> {
  const { args, json, trust } = task;
  const { root } = findOptions(args, []);
  const { reviews, diagnostics } = await review(task);
  const untrusted = reviews.filter((hook) => !hook.trusted);
  const style = terminalStyle();
  const yes = hasFlag(args, 'yes');
  const shown = untrusted.map((hook) => renderReview(hook, style)).join('\n');
  if (untrusted.length > 0 && !yes && (json || !isInteractive())) {
    const problem = {
      message: 'Nothing was trusted: there is nobody here to ask.',
      hint: 'Look at the hooks above, then pass `--yes` to trust them all.',
    };
    if (json) return { exit: EXIT.negative, out: jsonDocument({ added: [], untrusted, diagnostics }), err: problemText(problem) };
    return { exit: EXIT.negative, out: shown, err: problemText(problem) };
  }
  const accepted = yes ? untrusted : await ask(untrusted);
  const added = accepted.map((hook): TrustEntry => entryFor(hook, root));
  for (const entry of added) trust.add(entry);
  if (json)
    return { exit: EXIT.ok, out: jsonDocument({ added, untrusted: untrusted.filter((hook) => !accepted.includes(hook)), diagnostics }) };
  return { exit: EXIT.ok, out: `${yes && shown !== '' ? `${shown}\n` : ''}${renderAdded(accepted, untrusted.length, diagnostics, style)}` };
}

async function remove({ args, paths, trust, json }: Task): Promise<Answer> {
  const { root } = findOptions(args, []);
  const places = paths.map((given) => path.resolve(given));
  const isMeant = (entry: TrustEntry): boolean =>
    places.length === 0
      ? entry.root === root
      : places.some((place) => entry.file === place || entry.file.startsWith(`${place}${path.sep}`));
  const removed = trust.remove(isMeant);
  const exit = removed.length === 0 ? EXIT.negative : EXIT.ok;
  if (json) return { exit, out: jsonDocument({ removed }) };
  if (removed.length > 0) return { exit, out: renderRemoved(removed, terminalStyle()) };
  return { exit, err: problemText({ message: 'No trusted hook was found there.', hint: '`hookline trust list` shows what is trusted.' }) };
}

/** Only hooks of the project need trust: the user's own have it. */
function review({ args, paths, trust }: Task): ReturnType<typeof reviewHooks> {
  const { home: _, ...options } = findOptions(args, paths);
  return reviewHooks(options, trust);
}

function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

async function ask(hooks: readonly Review[]): Promise<readonly Review[]> {
  if (hooks.length === 0) return [];
  const { askForEach } = await import('../ask-for-each.ts');
  const style = terminalStyle();
  return askForEach(hooks, (hook) => `${renderReview(hook, style)}${style.bold('  Trust it?')} [y/N] `);
}
