/** `hookline trust add`: shows each hook and its changes since it was trusted, and asks. A denial is remembered. */
import { DIALECTS } from '../../builtins.ts';
import type { JsonObject } from '../../core/values/json.ts';
import { readPolicy } from '../../load/settings/policy.ts';
import type { TrustEntry } from '../../trust/trust-file.ts';
import { type CommandResult, EXIT } from '../command.ts';
import { problemText } from '../failure.ts';
import { userName } from '../input/user-name.ts';
import { jsonDocument } from '../output.ts';
import { type Style, terminalStyle } from '../print/style.ts';
import { plural } from '../print/text.ts';
import { renderAdded, renderReview } from './print-trust.ts';
import { diffOf, renderDiff } from './trust-diff.ts';
import { entryFor, type Reviewed, reviewHooks } from './trust-review.ts';
import { exitFor, isInteractive, permitTrust, rejection, type TrustTask } from './trust-task.ts';

export async function add(task: TrustTask): Promise<CommandResult> {
  const { find, paths, trust, yes, json } = task;
  const permitted = await permitTrust(task, 'added');
  if (!('permitted' in permitted)) return permitted;
  const rejected = await notByPolicy(task);
  if (rejected) return rejected;
  const { hooks, diagnostics } = await reviewHooks(find, trust);
  // A denial stays in force until the user names the hook's path.
  const open = hooks.filter(({ review }) => !review.trusted && (review.trust !== 'denied' || paths.length > 0));
  const style = terminalStyle();
  const shown = open.map((hook) => present(hook, task, style)).join('\n');
  if (open.length > 0 && !yes && (json || !isInteractive())) {
    const message = 'No hook was trusted, because there is no terminal to ask for confirmation.';
    const err = problemText({ message, hint: 'Review the hooks above, then pass `--yes` to trust them all.' });
    const untrusted = open.map(({ review }) => review);
    return { exit: EXIT.negative, out: json ? jsonDocument({ added: [], untrusted, diagnostics }) : shown, err };
  }
  const { yes: accepted, no } = yes ? { yes: open, no: [] } : await ask(open, task, style);
  const entry = ({ review }: Reviewed): TrustEntry => entryFor(review, { root: find.root, by: userName(), via: yes ? 'yes' : 'prompt' });
  // Nothing is trusted that the log does not show.
  if (accepted.length > 0) await permitted.record(`${plural(accepted.length, 'hook')} trusted.`, { hooks: accepted.map(hookData) });
  if (no.length > 0) await permitted.record(`${plural(no.length, 'hook')} denied.`, { hooks: no.map(hookData) }, { kind: 'trust.denied' });
  const digests = new Set(hooks.map(({ snapshot }) => snapshot.digest));
  const added = accepted.map((hook) => trust.add(entry(hook), hook.snapshot, digests));
  for (const hook of no) trust.deny(entry(hook));
  const left = open.filter((hook) => !accepted.includes(hook)).map(({ review }) => review);
  const exit = exitFor(task, diagnostics);
  if (json) return { exit, out: jsonDocument({ added, untrusted: left, diagnostics }) };
  const lead = yes && shown !== '' ? `${shown}\n` : '';
  const trusted = accepted.map(({ review }) => review);
  return { exit, out: `${lead}${renderAdded(trusted, { of: open.length, denied: no.length }, diagnostics, style)}` };
}

function hookData({ review: { name, dialect, digest, source } }: Reviewed): JsonObject {
  return { name, dialect, digest, file: source.file };
}

async function notByPolicy({ find, json }: TrustTask): Promise<CommandResult | undefined> {
  const { policy, broken } = await readPolicy(
    find.policy,
    DIALECTS.map(({ id }) => id),
  );
  const hint = 'Ask the administrator of this machine.';
  if (broken) return rejection(json, 'added', broken.message, hint);
  return policy.trust === 'never'
    ? rejection(json, 'added', 'The managed policy of this machine does not permit project hooks.', hint)
    : undefined;
}

function present(hook: Reviewed, { texts }: TrustTask, style: Style): string {
  const diff = diffOf(hook, texts);
  return `${renderReview(hook.review, style)}${diff ? renderDiff(diff, style) : ''}`;
}

async function ask(hooks: readonly Reviewed[], task: TrustTask, style: Style) {
  if (hooks.length === 0) return { yes: [], no: [] };
  const { askForEach } = await import('../input/confirm.ts');
  return askForEach(hooks, (hook) => `${present(hook, task, style)}${style.bold('  Trust it?')} [y/N] `);
}
