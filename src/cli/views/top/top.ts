/** `hookline top`: the work of all agents, live in the terminal. */
import { type Arguments, hasFlag, usageError } from '../../arguments.ts';
import { CommandError, type CommandResult, type CommandSpec, EXIT } from '../../command.ts';
import { isInteractive } from '../../hooks/trust-task.ts';
import { HELP_OPTION, JSON_OPTION, STORE_OPTIONS } from '../../options.ts';
import { jsonDocument } from '../../output.ts';
import { terminalStyle } from '../../print/style.ts';
import { openKeeping, openViewsOf, withViews } from '../../store.ts';

export { topSpec as spec };

/** How long the command keeps running after its end to notify people of what was settled. */
const TELL_MS = 5_000;

export async function run(args: Arguments): Promise<CommandResult> {
  const [isOnce, isJson] = [hasFlag(args, 'once'), hasFlag(args, 'json')];
  if (isOnce && isJson) throw usageError('`--once` and `--json` both print.', 'Give one of them.');
  if (isOnce || isJson) return printOnce(args, isJson);
  if (!isInteractive() || process.env['TERM'] === 'dumb')
    throw new CommandError({
      ...{ exit: EXIT.usage, code: 'usage', message: '`hookline top` needs a terminal to draw on.' },
      hint: '`hookline top --once` prints one frame as text, and `hookline top --json` prints it as JSON.',
    });
  const keeping = await openKeeping(args);
  const { runLive } = await import('./live.ts');
  try {
    const store = await keeping.store();
    const views = await openViewsOf(args, store);
    try {
      await runLive({ args, views, store, notify: keeping.notify });
    } finally {
      await views.close();
    }
  } finally {
    await keeping.close(TELL_MS);
  }
  return { exit: EXIT.ok };
}

function printOnce(args: Arguments, isJson: boolean): Promise<CommandResult> {
  return withViews(args, async (views, store) => {
    const { readTop } = await import('./read-top.ts');
    const now = Date.now();
    const top = await readTop(views, store, '', now);
    if (isJson) return { exit: EXIT.ok, out: jsonDocument(top) };
    const { frameText } = await import('./draw.ts');
    return { exit: EXIT.ok, out: frameText(top, terminalStyle(), now) };
  });
}

/** The specification of `hookline top`. */
export const topSpec: CommandSpec = {
  name: 'top',
  summary: 'Watch all agents live: sessions, decisions, waiting actions and hooks; open and settle with keys.',
  takes: '',
  words: { min: 0, max: 0, missing: '' },
  options: [{ name: 'once', help: 'Print one frame as text and exit.' }, ...STORE_OPTIONS, JSON_OPTION, HELP_OPTION],
  notes: [
    'Keys: tab for the next list, j and k to move, ↵ to open, a to approve, d to deny, / to filter, p to pause, ? for help, q to quit.',
    'Only a person can settle, as with `hookline approvals`. The action is shown whole first, and ↵ confirms. Below an agent the screen is read-only and says why.',
  ],
  examples: [
    { does: 'Watch', line: 'hookline top' },
    { does: 'One look, for a file or a pipe', line: 'hookline top --once' },
    { does: 'For a machine', line: 'hookline top --json' },
  ],
};
