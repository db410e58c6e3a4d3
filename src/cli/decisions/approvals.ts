/**
 * `hookline approvals`: lists and settles the actions that wait for a person. Each is settled once; a later caller learns who settled it.
 */
import path from 'node:path';
import type { Settling, TicketFilter, TicketRecord, TicketState } from '../../core/contracts/store.ts';
import { type EventKind, fitRewrite, kindRule } from '../../core/event/event.ts';
import type { Json } from '../../core/values/json.ts';
import { suggest } from '../../core/values/suggest.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { problemText } from '../failure.ts';
import { askPerson, type Refused } from '../input/by-a-person.ts';
import { parseObject } from '../input/payload.ts';
import { userName } from '../input/user-name.ts';
import { GRANT_OPTIONS, HELP_OPTION, JSON_OPTION, STORE_OPTIONS } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { terminalStyle } from '../print/style.ts';
import { openKeeping, sameStore, withStore } from '../store.ts';
import { lostText, renderSettled, renderTicket, renderTickets } from './print-tickets.ts';
import { allTickets, findTicket, settleOnce, settlingOf } from './tickets.ts';

export { approvalsSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const [action = 'list', id] = args.positionals;
  if (action === 'grants') return (await import('./grants.ts')).runGrants(args);
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!act) {
    const near = suggest(action, [...Object.keys(ACTIONS), 'grants']);
    throw usageError(
      `\`hookline approvals\` has no action \`${action}\`.`,
      near ? `Did you mean \`hookline approvals ${near}\`?` : `Actions: ${Object.keys(ACTIONS).join(', ')}, grants.`,
    );
  }
  const [, , extra] = args.positionals;
  if (extra !== undefined) throw usageError(`\`hookline approvals ${action}\` does not take \`${extra}\`.`, 'Leave it out.');
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
  review: async ({ args }) => (await import('./review.ts')).review(args),
  protect: async ({ args, json }) => (await import('./protect.ts')).protect(args, json),
  unprotect: async ({ args, json }) => (await import('./protect.ts')).unprotect(args, json),
};

/** Actions about all tickets, or about none. */
const WITHOUT_ID = ['list', 'review', 'protect', 'unprotect'];

/** The most tickets that a table shows. JSON has all of them. */
const PAGE = 100;

const STATES: readonly TicketState[] = ['open', 'approved', 'denied', 'expired', 'withdrawn'];

/** Rejects an option that has no effect, because a misunderstanding about an approval is dangerous. */
function checkWords(args: Arguments, action: string, id: string | undefined): void {
  const takesId = !WITHOUT_ID.includes(action);
  if (!takesId && id !== undefined)
    throw usageError(`\`hookline approvals ${action}\` takes no id.`, `Did you mean \`hookline approvals show ${id}\`?`);
  if (takesId && (id === undefined || id === ''))
    throw usageError(`The ticket is missing. Write \`hookline approvals ${action} ID\`.`, 'Run `hookline approvals` to see the ids.');
  const settles = takesId && action !== 'show';
  const misplaced = [
    ...(action === 'list' ? [] : ['all', 'state', 'root', 'after']),
    ...(settles ? [] : ['by', 'note']),
    ...(action === 'approve' ? [] : ['input', 'anyone', ...GRANT_OPTIONS]),
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
    const last = optionValue(args, 'after');
    const after = last === undefined ? {} : { after: (await findTicket(store, last, now)).id };
    if (json) return { exit: EXIT.ok, out: jsonDocument({ tickets: await allTickets(store, { ...filter, ...after }, now) }) };
    // One more shows whether there is a next page.
    const found = await store.tickets.list({ ...filter, ...after, limit: PAGE + 1 }, now);
    const all = await store.tickets.count(filter, now);
    const open = wanted === 'open' ? all : await store.tickets.count({ ...filter, state: 'open' }, now);
    const page = {
      tickets: found.slice(0, PAGE),
      hasNext: found.length > PAGE,
      all,
      open: wanted === undefined || wanted === 'open' ? open : 0,
      states: wanted !== 'open',
    };
    return { exit: EXIT.ok, out: renderTickets(page, now, terminalStyle()) };
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
  const keeping = await openKeeping(args);
  const close = async (): Promise<void> => void (await keeping.close(TELL_MS));
  try {
    const store = await keeping.store();
    const found = await findTicket(store, id, Date.now());
    const edit = await readEdit(optionValue(args, 'input'), found.kind);
    const grants = hasGrantOption(args) && state === 'approved' ? await import('./grants.ts') : undefined;
    const planned = await grants?.plannedBy(args, found, keeping.grantParts, Date.now());
    // The agent reads this command in the reason of its denial.
    const permission = await askPerson(args, settlingOf(found, state));
    if (!permission.permitted) {
      await close();
      return notPermitted(permission, json);
    }
    if (planned && !(await grants?.isConfirmed(args, planned))) {
      return { exit: EXIT.negative, out: 'Nothing was changed.\n', after: close };
    }
    const { who, actor } = permission;
    const by = optionValue(args, 'by') ?? userName();
    const { ticket, won } = await settleOnce(store, found.id, {
      state,
      at: Date.now(),
      by,
      note: optionValue(args, 'note') ?? null,
      via: 'cli',
      edit,
      who,
      actor,
      ...(hasFlag(args, 'anyone') && { anyone: true }),
    });
    if (won) keeping.notify('ticket.settled', ticket);
    const answer = settledAnswer(ticket, won, json, who.osUser);
    if (!won || !planned || !grants) return { ...answer, after: close };
    const grant = await grants.give(store, planned, ticket, actor);
    const out = json ? jsonDocument({ ticket, won, grant }) : `${answer.out ?? ''}${grants.renderGiven(grant, args, terminalStyle())}`;
    return { ...answer, out, after: close };
  } catch (error) {
    await close();
    throw error;
  }
}

function hasGrantOption(args: Arguments): boolean {
  return GRANT_OPTIONS.some((name) => hasFlag(args, name));
}

function notPermitted({ message, hint }: Refused, json: boolean): CommandResult {
  return { exit: EXIT.negative, ...(json && { out: jsonDocument({ won: false, reason: message }) }), err: problemText({ message, hint }) };
}

/** How long the command keeps running after its answer to notify people. */
const TELL_MS = 5_000;

function settledAnswer(ticket: TicketRecord, won: boolean, json: boolean, account: string): CommandResult {
  const now = Date.now();
  const exit = won ? EXIT.ok : EXIT.negative;
  const lost = won ? {} : { err: problemText(lostText(ticket, now)) };
  if (json) return { exit, out: jsonDocument({ ticket, won }), ...lost };
  return won ? { exit, out: renderSettled(ticket, now, terminalStyle(), account) } : { exit, ...lost };
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
  summary: 'List the actions that wait for a person; show and settle them; protect that by a passphrase.',
  takes: '[action] [id]',
  words: { min: 0, max: 3, missing: '' },
  options: [
    { name: 'by', value: 'NAME', help: 'Name of the person who decides, stored next to your account. Default: your user name.' },
    { name: 'note', value: 'TEXT', help: 'Reason for the decision, stored with the ticket.' },
    {
      name: 'input',
      value: 'JSON',
      help: 'With `approve`: input to run instead, as JSON, or as text for an event with text. All hooks judge it again.',
    },
    {
      name: 'anyone',
      help: 'With `approve`: let this action pass, once, for everyone who works on this store. Default: for the one whose action it is.',
    },
    {
      name: 'for',
      value: 'TIME',
      help: 'With `approve`: also let the same action pass again, for `30m`, `1h`, `7d` (at most 30 days), or for the `session`.',
    },
    {
      name: 'same',
      value: 'WHAT',
      help: 'With `--for`: what else passes: `tool` (every use of it), `command-prefix` or `path`. Default: only the same action.',
    },
    {
      name: 'prefix',
      value: 'WORDS',
      help: 'With `--same command-prefix`: the first words of the commands. Default: program and subcommand.',
    },
    { name: 'path', value: 'PATH', help: 'With `--same path`: a folder (`src/`) that contains the approved file. Default: that file.' },
    { name: 'yes', help: 'With `--for`: do not ask whether the scope is right.' },
    { name: 'all', help: 'Include settled tickets, or grants that have ended.' },
    { name: 'state', value: 'STATE', help: 'List only tickets in this state: open, approved, denied, expired or withdrawn.' },
    { name: 'root', value: 'DIR', help: 'List only tickets or grants of this project. Default: all projects.' },
    { name: 'after', value: 'ID', help: 'List the next page: the tickets after this one.' },
    ...STORE_OPTIONS,
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Actions: list (the default), show, approve, deny, withdraw, grants; review asks about each open ticket in turn.',
    'Only a person can settle. No agent can, and where it is unclear who acts, nothing is settled: without a terminal, below an editor with an agent inside. `protect` sets a passphrase that every settling, trusting and pruning on this machine needs; `unprotect` takes it away. A script needs `"approvals": { "unattended": true }` in your own settings.',
    '`approve ID --for TIME` gives a grant: it answers the hooks of this ticket for more actions, and never a denial. `grants`, `grants show ID` and `grants revoke ID` list, show and end grants.',
    'An approval releases exactly the action that was held, once, before its ticket expires, for the person and the machine it was given for. A changed input needs its own ticket. A ticket that is not settled expires; this is not a denial.',
    'An action that was denied is denied again, without a new ticket, until its ticket expires.',
    'An id may be shortened as long as it is unique. Exit code 1: no such ticket, or it is already settled or expired.',
  ],
  examples: [
    { does: 'List the actions that wait for you', line: 'hookline approvals' },
    { does: 'Show everything about one of them', line: 'hookline approvals show mi3k9x2a' },
    { does: 'Let it pass, once', line: 'hookline approvals approve mi3k9x2a --note "checked with ops"' },
    {
      does: 'Let such commands pass for an hour',
      line: 'hookline approvals approve mi3k9x2a --for 1h --same command-prefix --prefix "npm run test"',
    },
    { does: 'Decide about all of them', line: 'hookline approvals review' },
    { does: 'Let no person settle without your passphrase', line: 'hookline approvals protect' },
  ],
};
