/** Finds out for whom a link to the dashboard is printed, and settles tickets from its pages by the gate of the command line. */
import type { IncomingMessage } from 'node:http';
import type { Store, TicketRecord } from '../../core/contracts/store.ts';
import type { Actor } from '../../core/record/who.ts';
import { findActor } from '../../people/actor.ts';
import { isOtherEnd } from '../../people/peer.ts';
import { seenProcesses } from '../../people/processes.ts';
import type { Session } from '../../ui/credentials.ts';
import type { SettleResult, SettleWish } from '../../ui/parts.ts';
import type { Arguments } from '../arguments.ts';
import { settleOnce, settlingOf } from '../decisions/tickets.ts';
import { askPerson, factsOf, type GatedAct, type Way, wouldPermit } from '../input/by-a-person.ts';
import { hasTerminal } from '../input/passphrase.ts';
import { userName } from '../input/user-name.ts';

const VIA = 'web';

/** Asked before there is a ticket. */
const ANY_ACT: GatedAct = { kind: 'ticket.approved', weight: 'settling', does: 'settle an action', data: {} };

/** A link on a terminal is seen by the one who sits there. In a file or a pipe, anyone may read it. */
export function sessionHere(args: Arguments): Promise<Session> {
  const isSeen = process.stdout.isTTY === true && hasTerminal();
  return sessionOf(args, (stateFolder) => findActor({ ...factsOf(isSeen, VIA), stateFolder }));
}

/** The session of another process of this user that asks for a link, as its own processes show it. */
export function sessionOfPeer(args: Arguments, { headers, socket }: IncomingMessage): Promise<Session> {
  const pid = Number(headers['x-hookline-pid']);
  const processes = seenProcesses();
  const peer = Number.isSafeInteger(pid) && isOtherEnd(pid, socket) ? processes.find(pid) : undefined;
  const unknown: Actor = { finding: 'unclear', evidence: ['It cannot be seen which process asked for this link.'], via: VIA };
  return sessionOf(args, (stateFolder) => {
    if (!peer) return unknown;
    const facts = factsOf(peer.hasTerminal && peer.isTerminal(1) === true, VIA);
    return findActor({ ...facts, env: peer.environment() ?? {}, pid, processes, stateFolder });
  });
}

async function sessionOf(args: Arguments, find: Way['find']): Promise<Session> {
  const { actor, refused } = await wouldPermit(args, ANY_ACT, wayOf(find, undefined));
  if (!refused) return { may: 'settle', because: null, actor };
  return { may: 'read', because: `${refused.message} ${refused.hint}`, actor };
}

function wayOf(find: Way['find'], passphrase: string | undefined): Way {
  return { find, passphrase: () => passphrase, hint: 'Type it in the page.' };
}

/** Whether each settlement from this page needs the passphrase now. */
export async function needsPassphrase(args: Arguments, { actor }: Session): Promise<boolean> {
  return (
    await wouldPermit(
      args,
      ANY_ACT,
      wayOf(() => actor, undefined),
    )
  ).needsPassphrase;
}

/** The finding is that of the moment in which the link was printed, because the one who reads it opens the page. */
export async function settleFromPage(
  args: Arguments,
  store: Store,
  { actor: opened }: Session,
  found: TicketRecord,
  { state, note, edit, passphrase }: SettleWish,
): Promise<SettleResult> {
  const permission = await askPerson(
    args,
    settlingOf(found, state),
    wayOf(() => opened, passphrase),
  );
  if (!permission.permitted) return { refused: permission };
  const { who, actor } = permission;
  return settleOnce(store, found.id, { state, at: Date.now(), by: userName(), note, via: VIA, edit, who, actor });
}
