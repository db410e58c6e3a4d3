/** `hookline approvals review`: shows each open ticket on the terminal and asks. The passphrase is asked once for all of them. */
import { createInterface } from 'node:readline/promises';
import type { Settling, TicketRecord } from '../../core/contracts/store.ts';
import { type Arguments, optionValue } from '../arguments.ts';
import { CommandError, type CommandResult, EXIT } from '../command.ts';
import { isInteractive } from '../hooks/trust-task.ts';
import { type Permitted, requirePerson } from '../input/by-a-person.ts';
import { userName } from '../input/user-name.ts';
import { terminalStyle } from '../print/style.ts';
import { plural } from '../print/text.ts';
import { openKeeping, sameStore } from '../store.ts';
import { lostText, renderSettled, renderTicket } from './print-tickets.ts';
import { allTickets, settleOnce } from './tickets.ts';

export async function review(args: Arguments): Promise<CommandResult> {
  const message = '`hookline approvals review` asks questions, so it needs a terminal.';
  if (!isInteractive()) throw new CommandError({ exit: EXIT.negative, code: 'not-permitted', message, hint: 'Approve by id instead.' });
  const keeping = await openKeeping(args);
  const close = async (): Promise<void> => void (await keeping.close(TELL_MS));
  try {
    const store = await keeping.store();
    const open = await allTickets(store, { state: 'open' }, Date.now());
    if (open.length === 0) return { exit: EXIT.ok, out: 'No action is held.\n', after: close };
    const permitted = await requirePerson(args, {
      ...{ kind: 'ticket.approved', weight: 'settling', does: 'settle actions', data: { tickets: open.map(({ id }) => id) } },
    });
    let settled = 0;
    await askAbout(open, args, async (found, state) => {
      const { ticket, won } = await settleOnce(store, found.id, settlingBy(permitted, state, optionValue(args, 'by') ?? userName()));
      if (won) keeping.notify('ticket.settled', ticket);
      if (won) settled += 1;
      const now = Date.now();
      return won ? renderSettled(ticket, now, terminalStyle(), permitted.who.osUser) : `${lostText(ticket, now).message}\n`;
    });
    const out = `${plural(settled, 'action')} settled, ${open.length - settled} left open.\n`;
    return { exit: EXIT.ok, out, after: close };
  } catch (error) {
    await close();
    throw error;
  }
}

const TELL_MS = 5_000;

function settlingBy({ who, actor }: Permitted, state: Settling['state'], by: string): Settling {
  return { state, at: Date.now(), by, note: null, via: 'cli', edit: null, who, actor };
}

const ANSWERS: Readonly<Record<string, Settling['state'] | 'skip'>> = { a: 'approved', approve: 'approved', d: 'denied', deny: 'denied' };

/** A person who leaves has not answered, and any other answer leaves the ticket open. */
async function askAbout(
  tickets: readonly TicketRecord[],
  args: Arguments,
  settle: (ticket: TicketRecord, state: Settling['state']) => Promise<string>,
): Promise<void> {
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  const gone = new Promise<undefined>((resolve) => {
    prompt.once('close', () => resolve(undefined));
    prompt.once('SIGINT', () => prompt.close());
  });
  try {
    for (const ticket of tickets) {
      process.stdout.write(`${renderTicket(ticket, Date.now(), sameStore(args), terminalStyle())}\n`);
      const answer = await Promise.race([prompt.question('Approve, deny or skip? [a/d/S] '), gone]);
      if (answer === undefined) return;
      const state = ANSWERS[answer.trim().toLowerCase()] ?? 'skip';
      if (state !== 'skip') process.stdout.write(`${await settle(ticket, state)}\n`);
    }
  } finally {
    prompt.close();
  }
}
