/**
 * `hookline approvals`: lists and settles the actions that wait for a person. Each is settled once; a later caller learns who settled it.
 */
import path from 'node:path';
import type { Settling, Store, TicketFilter, TicketRecord, TicketState } from '../../core/contracts/store.ts';
import { type EventKind, fitRewrite, kindRule } from '../../core/event/event.ts';
import type { Json } from '../../core/values/json.ts';
import { suggest } from '../../core/values/suggest.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { problemText } from '../failure.ts';
import { isInteractive } from '../hooks/trust-task.ts';
import { findByPrefix } from '../input/id-prefix.ts';
import { parseObject } from '../input/payload.ts';
import { startedBy } from '../input/started-by.ts';
import { userName } from '../input/user-name.ts';
import { HELP_OPTION, JSON_OPTION, STORE_OPTIONS } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { terminalStyle } from '../print/style.ts';
import { openKeeping, sameStore, withStore } from '../store.ts';
import { lostText, renderSettled, renderTicket, renderTickets } from './print-tickets.ts';

const PAGE = 1000;

/** Reads tickets page by page. */
export async function* ticketPages(store: Store, filter: TicketFilter, now: number): AsyncGenerator<readonly TicketRecord[]> {
  let page = await store.tickets.list({ ...filter, limit: PAGE }, now);
  while (page.length > 0) {
    yield page;
    const last = page.at(-1);
    if (page.length < PAGE || !last) return;
    page = await store.tickets.list({ ...filter, limit: PAGE, after: last.id }, now);
  }
}

export async function allTickets(store: Store, filter: TicketFilter, now: number): Promise<readonly TicketRecord[]> {
  const all: TicketRecord[] = [];
  for await (const page of ticketPages(store, filter, now)) all.push(...page);
  return all;
}

/** Finds a ticket by its id or the start of it. */
export async function findTicket(store: Store, id: string, now: number): Promise<TicketRecord> {
  const exact = await store.tickets.get(id, now);
  if (exact) return exact;
  const wanted = { what: 'ticket', code: 'unknown-ticket', list: 'hookline approvals --all' } as const;
  return findByPrefix(id, ticketPages(store, {}, now), wanted);
}

export { approvalsSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const [action = 'list', id] = args.positionals;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!act) {
    const near = suggest(action, Object.keys(ACTIONS));
    throw usageError(
      `\`hookline approvals\` has no action \`${action}\`.`,
      near ? `Did you mean \`hookline approvals ${near}\`?` : `Actions: ${Object.keys(ACTIONS).join(', ')}.`,
    );
  }
  checkWords(args, action, id);
  return act({ args, id: id ?? '', json: hasFlag(args, 'json') });
}

interface Task {
  readonly args: Arguments;
  /** The id as typed; empty for `list`. */
  readonly id: string;
  readonly json: boolean;
}

const ACTIONS: Readonly<Record<string, (task: Task) => Promise<CommandResult>>> = {
  list,
  show,
  approve: (task) => settle(task, 'approved'),
  deny: (task) => settle(task, 'denied'),
  withdraw: (task) => settle(task, 'withdrawn'),
};

const STATES: readonly TicketState[] = ['open', 'approved', 'denied', 'expired', 'withdrawn'];

/** Rejects an option that has no effect, because a misunderstanding about an approval is dangerous. */
function checkWords(args: Arguments, action: string, id: string | undefined): void {
  if (action === 'list' && id !== undefined)
    throw usageError('`hookline approvals list` takes no id.', `Did you mean \`hookline approvals show ${id}\`?`);
  if (action !== 'list' && (id === undefined || id === ''))
    throw usageError(`The ticket is missing. Write \`hookline approvals ${action} ID\`.`, 'Run `hookline approvals` to see the ids.');
  const settles = action !== 'list' && action !== 'show';
  const misplaced = [
    ...(action === 'list' ? [] : ['all', 'state', 'root']),
    ...(settles ? [] : ['by', 'note']),
    ...(action === 'approve' ? [] : ['input']),
  ].find((name) => hasFlag(args, name));
  if (misplaced !== undefined) throw usageError(`\`--${misplaced}\` has no effect with \`hookline approvals ${action}\`.`, 'Leave it out.');
}

function list({ args, json }: Task): Promise<CommandResult> {
  const state = readState(optionValue(args, 'state'));
  if (state !== undefined && hasFlag(args, 'all')) throw usageError('`--all` and `--state` cannot be combined.', 'Give one of them.');
  const root = optionValue(args, 'root');
  const wanted = hasFlag(args, 'all') ? undefined : (state ?? 'open');
  const filter: TicketFilter = { ...(wanted !== undefined && { state: wanted }), ...(root !== undefined && { root: path.resolve(root) }) };
  return withStore(args, async (store) => {
    const now = Date.now();
    const tickets = await allTickets(store, filter, now);
    if (json) return { exit: EXIT.ok, out: jsonDocument({ tickets }) };
    return { exit: EXIT.ok, out: renderTickets(tickets, wanted !== 'open', now, terminalStyle()) };
  });
}

async function show({ args, id, json }: Task): Promise<CommandResult> {
  const keeping = await openKeeping(args);
  try {
    const now = Date.now();
    const ticket = await findTicket(await keeping.store(), id, now);
    const doubts = ticket.state === 'approved' ? await keeping.doubts() : [];
    const unproven = doubts.find(({ code, message }) => code === 'approval-unproven' && message.includes(ticket.id));
    if (json) return { exit: EXIT.ok, out: jsonDocument({ ...ticket, ...(unproven && { unproven: true }) }) };
    const out = renderTicket(ticket, now, sameStore(args), terminalStyle());
    return { exit: EXIT.ok, out, ...(unproven && { err: problemText(unproven) }) };
  } finally {
    await keeping.close(0);
  }
}

async function settle({ args, id, json }: Task, state: Settling['state']): Promise<CommandResult> {
  const agent = state === 'approved' ? startedBy(process.env) : undefined;
  // The agent reads this command in the reason of its denial.
  if (agent !== undefined && !isInteractive()) return notByAgent(agent, json);
  const keeping = await openKeeping(args);
  const close = async (): Promise<void> => void (await keeping.close(TELL_MS));
  try {
    const store = await keeping.store();
    const found = await findTicket(store, id, Date.now());
    const edit = await readEdit(optionValue(args, 'input'), found.kind);
    const by = optionValue(args, 'by') ?? userName();
    const { ticket, won } = await settleOnce(store, found.id, {
      state,
      at: Date.now(),
      by,
      note: optionValue(args, 'note') ?? null,
      via: 'cli',
      edit,
    });
    if (won) keeping.notify('ticket.settled', ticket);
    return { ...settledAnswer(ticket, won, json), after: close };
  } catch (error) {
    await close();
    throw error;
  }
}

function notByAgent(agent: string, json: boolean): CommandResult {
  const message = `${agent} may not approve an action.`;
  const err = problemText({ message, hint: 'Run the command yourself, in your own terminal.' });
  return { exit: EXIT.negative, ...(json && { out: jsonDocument({ won: false, reason: message }) }), err };
}

/** How long the command keeps running after its answer to notify people. */
const TELL_MS = 5_000;

function settledAnswer(ticket: TicketRecord, won: boolean, json: boolean): CommandResult {
  const now = Date.now();
  const exit = won ? EXIT.ok : EXIT.negative;
  const lost = won ? {} : { err: problemText(lostText(ticket, now)) };
  if (json) return { exit, out: jsonDocument({ ticket, won }), ...lost };
  return won ? { exit, out: renderSettled(ticket, now, terminalStyle()) } : { exit, ...lost };
}

type Settled = NonNullable<Awaited<ReturnType<Store['tickets']['settle']>>>;

async function settleOnce(store: Store, id: string, settling: Settling): Promise<Settled> {
  const settled = await store.tickets.settle(id, settling);
  // The ticket disappeared after it was found. Search again to report that it does not exist.
  return settled ?? { ticket: await findTicket(store, id, settling.at), won: false };
}

/** Reads the replacement in the form that this kind of event has. */
async function readEdit(written: string | undefined, kind: EventKind): Promise<Json | null> {
  if (written === undefined) return null;
  const target = kindRule(kind).rewrites;
  if (!target) throw usageError(`A \`${kind}\` event has no input that can be replaced.`, 'Approve it unchanged, or deny it.');
  const value = target.type === 'text' ? written : await parseObject(written, 'The input');
  return fitRewrite(kind, value) ?? null;
}

function readState(written: string | undefined): TicketState | undefined {
  if (written === undefined) return undefined;
  const state = STATES.find((known) => known === written);
  if (state) return state;
  const near = suggest(written, STATES);
  throw usageError(`There is no state \`${written}\`.`, near ? `Did you mean \`${near}\`?` : `States: ${STATES.join(', ')}.`);
}

/** The specification of `hookline approvals`. */
export const approvalsSpec: CommandSpec = {
  name: 'approvals',
  summary: 'List the actions that wait for a person; show, approve, deny or withdraw one of them.',
  takes: '[action] [id]',
  words: { min: 0, max: 2, missing: '' },
  options: [
    { name: 'by', value: 'NAME', help: 'Name of the person who decides. Default: your user name.' },
    { name: 'note', value: 'TEXT', help: 'Reason for the decision, stored with the ticket.' },
    {
      name: 'input',
      value: 'JSON',
      help: 'With `approve`: input to run instead, as JSON, or as text for an event with text. All hooks judge it again.',
    },
    { name: 'all', help: 'Include settled tickets.' },
    { name: 'state', value: 'STATE', help: 'List only tickets in this state: open, approved, denied, expired or withdrawn.' },
    { name: 'root', value: 'DIR', help: 'List only tickets of this project. Default: all projects.' },
    ...STORE_OPTIONS,
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Actions: list (the default), show, approve, deny, withdraw.',
    'An approval releases exactly the action that was held, once, before its ticket expires. A changed input needs its own ticket. A ticket that is not settled expires; this is not a denial.',
    'An id may be shortened as long as it is unique. Exit code 1: no such ticket, or it is already settled or expired.',
  ],
  examples: [
    { does: 'List the actions that wait for you', line: 'hookline approvals' },
    { does: 'Show everything about one of them', line: 'hookline approvals show mi3k9x2a' },
    { does: 'Let it pass, once', line: 'hookline approvals approve mi3k9x2a --note "checked with ops"' },
  ],
};
