/** `hookline why`: the story of one decision, in sentences. */
import { story } from '../../core/story.ts';
import type { Answer } from '../answer.ts';
import { type Arguments, hasFlag } from '../arguments.ts';
import { findEntry } from '../audit-pages.ts';
import { EXIT } from '../exit-codes.ts';
import { jsonDocument } from '../output.ts';
import { terminalStyle } from '../render/style.ts';
import { block, oneLine } from '../render/text.ts';
import { withStore } from '../store.ts';

export { whySpec as spec } from '../specs/why.ts';

export function run(args: Arguments): Promise<Answer> {
  return withStore(args, async ({ audit, tickets }) => {
    const entry = await findEntry(audit, args.positionals[0] as string);
    const ticket = entry.ticket === null ? undefined : await tickets.get(entry.ticket, Date.now());
    const told = story(entry, ticket);
    if (hasFlag(args, 'json')) return { exit: EXIT.ok, out: jsonDocument({ id: entry.id, story: told, entry }) };
    const style = terminalStyle();
    const head = style.dim(`decision ${oneLine(entry.id)}, entry ${entry.seq} of the log`);
    return { exit: EXIT.ok, out: `${[head, ...told.map((sentence) => block(sentence, '', style.columns))].join('\n')}\n` };
  });
}
