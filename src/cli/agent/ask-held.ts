/** Asks the person at the terminal about an action that is held, in place. Only a person may answer, by the same finding as in `hookline approvals`. */
import type { Settling } from '../../core/contracts/store.ts';
import type { HeldAction, HoldPlan } from '../../runtime/contract.ts';
import { type Arguments, optionValue } from '../arguments.ts';
import { settleOnce } from '../decisions/tickets.ts';
import { askPerson } from '../input/by-a-person.ts';
import { userName } from '../input/user-name.ts';
import { preview } from '../print/event-line.ts';
import type { Style } from '../print/style.ts';
import { block, oneLine } from '../print/text.ts';
import { openKeeping } from '../store.ts';

export interface Asking {
  readonly args: Arguments;
  readonly root: string;
  readonly style: Style;
  print(text: string): void;
  /** Returns the answer of the person; undefined if the person leaves. */
  question(text: string): Promise<string | undefined>;
}

const ANSWERS: Readonly<Record<string, 'approved' | 'denied'>> = { a: 'approved', approve: 'approved', d: 'denied', deny: 'denied' };

/** How long the notifiers of a decision may take before the turn continues. */
const TELL_MS = 2_000;

/** Returns `wait` if the person has settled it. Any other answer leaves the ticket open, and the turn is parked. */
export async function askHeld(held: HeldAction, asking: Asking): Promise<HoldPlan> {
  const { style, print } = asking;
  const what = held.tool === undefined ? held.kind : `${oneLine(held.tool)}  ${preview(held.input ?? {})}`;
  print(`  ${style.yellow(style.bold(`? Held: ${what}`))}\n${block(held.reason, '    ', style.columns)}\n`);
  const answer = await asking.question('    Approve, deny, or leave it open? [a/d/L] ');
  const state = ANSWERS[answer?.trim().toLowerCase() ?? ''];
  if (state === undefined) {
    print(style.dim(`    It stays open: ticket ${held.ticket}.\n`));
    return 'park';
  }
  return settle(held, state, asking);
}

async function settle(held: HeldAction, state: 'approved' | 'denied', { args, root, style, print }: Asking): Promise<HoldPlan> {
  const permission = await askPerson(args, {
    ...{ kind: `ticket.${state}`, weight: 'settling', does: `${state === 'approved' ? 'approve' : 'deny'} an action` },
    ...{ data: { tool: held.tool ?? null, reason: held.reason }, root, ticket: held.ticket },
  });
  if (!permission.permitted) {
    print(`    ${style.red(permission.message)}\n    ${permission.hint}\n    It stays open: ticket ${held.ticket}.\n`);
    return 'park';
  }
  const keeping = await openKeeping(args);
  try {
    const { who, actor } = permission;
    const settling: Settling = {
      ...{ state, at: Date.now(), by: optionValue(args, 'by') ?? userName(), note: null, via: 'cli', edit: null, who, actor },
    };
    const { ticket, won } = await settleOnce(await keeping.store(), held.ticket, settling);
    if (won) keeping.notify('ticket.settled', ticket);
    else print(`    Another person was first: the ticket is ${ticket.state}.\n`);
    return 'wait';
  } finally {
    await keeping.close(TELL_MS);
  }
}
