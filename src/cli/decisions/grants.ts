/** Grants on the command line: `approvals approve ID --for 1h` gives one, and `approvals grants` lists, shows and revokes them. */
import path from 'node:path';
import type { Store, TicketRecord } from '../../core/contracts/store.ts';
import { type Grant, type GrantWish, grantText } from '../../core/record/grant.ts';
import type { Actor } from '../../core/record/who.ts';
import { suggest } from '../../core/values/suggest.ts';
import { type GrantParts, type PlannedGrant, planGrant, readWish } from '../../people/grants.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { type CommandResult, EXIT } from '../command.ts';
import { problemText } from '../failure.ts';
import { isInteractive } from '../hooks/trust-task.ts';
import { requirePerson } from '../input/by-a-person.ts';
import { findByPrefix } from '../input/id-prefix.ts';
import { userName } from '../input/user-name.ts';
import { GRANT_OPTIONS } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { type Style, terminalStyle } from '../print/style.ts';
import { block, harmless, oneLine, plural } from '../print/text.ts';
import { moment } from '../print/time.ts';
import { sameStore, withStore } from '../store.ts';

/** Returns the grant that the options of `approve` ask for, or undefined if they ask for none. */
export async function plannedBy(args: Arguments, ticket: TicketRecord, parts: GrantParts, now: number): Promise<PlannedGrant | undefined> {
  const [time, same, prefix, folder] = ['for', 'same', 'prefix', 'path'].map((name) => optionValue(args, name));
  const wish = readWish({
    ...(time !== undefined && { for: time }),
    ...(same !== undefined && { same: same as NonNullable<GrantWish['same']> }),
    ...(prefix !== undefined && { prefix }),
    ...(folder !== undefined && { path: fromHere(folder) }),
  });
  if (!wish) {
    if (hasFlag(args, 'yes')) throw usageError('`--yes` has no effect without `--for`.', 'Leave it out.');
    return undefined;
  }
  if (hasFlag(args, 'input')) throw usageError('An edited input cannot be granted.', 'Approve it once: leave out `--for`.');
  return planGrant(ticket, wish, { anyone: hasFlag(args, 'anyone') }, parts, now);
}

/** A person means a path from where they are, and not from where the agent was. */
function fromHere(folder: string): string {
  return path.isAbsolute(folder) || folder.startsWith('~') ? folder : `${process.cwd()}${path.sep}${folder}`;
}

/** Shows the scope and asks, if a person is at the terminal. Returns false if they decline. */
export async function isConfirmed(args: Arguments, planned: PlannedGrant): Promise<boolean> {
  if (hasFlag(args, 'yes') || hasFlag(args, 'json') || !isInteractive()) return true;
  const { askForEach } = await import('../input/confirm.ts');
  const question = `This will pass without asking you: ${wordsOf({ ...planned, by: null, note: null })}.\nGrant it? [y/N] `;
  return (await askForEach([question], harmless)).yes.length > 0;
}

/** Gives the grant after its ticket was approved. */
export function give(store: Store, planned: PlannedGrant, { by, note }: TicketRecord, actor: Actor): Promise<Grant> {
  return store.grants.add({ ...planned, by, note, actor });
}

export function renderGiven(grant: Grant, args: Arguments, style: Style): string {
  return [
    `${style.green('✓')} ${style.bold('Granted')}, without asking you again:\n`,
    `${block(`${wordsOf(grant)}.`, '  ', style.columns)}\n`,
    `  ${style.dim('revoke:')} hookline approvals grants revoke ${oneLine(grant.id)}${sameStore(args)}\n`,
  ].join('');
}

function wordsOf(grant: Parameters<typeof grantText>[0]): string {
  return harmless(grantText(grant, moment(grant.expiresAt)));
}

const ACTIONS: Readonly<Record<string, (args: Arguments, id: string) => Promise<CommandResult>>> = { list, show, revoke };

/** Runs `hookline approvals grants …`. */
export async function runGrants(args: Arguments): Promise<CommandResult> {
  const [, action = 'list', id] = args.positionals;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!act) {
    const near = suggest(action, Object.keys(ACTIONS));
    const hint = near ? `Did you mean \`hookline approvals grants ${near}\`?` : `Actions: ${Object.keys(ACTIONS).join(', ')}.`;
    throw usageError(`\`hookline approvals grants\` has no action \`${action}\`.`, hint);
  }
  if (action === 'list' && id !== undefined)
    throw usageError('`hookline approvals grants list` takes no id.', `Did you mean \`hookline approvals grants show ${id}\`?`);
  if (action !== 'list' && (id === undefined || id === ''))
    throw usageError(
      `The grant is missing. Write \`hookline approvals grants ${action} ID\`.`,
      'Run `hookline approvals grants` to see the ids.',
    );
  const misplaced = [
    ...(action === 'list' ? [] : ['all', 'root']),
    ...(action === 'revoke' ? [] : ['by']),
    ...['note', 'input', 'state', ...GRANT_OPTIONS],
  ].find((name) => hasFlag(args, name));
  if (misplaced !== undefined)
    throw usageError(`\`--${misplaced}\` has no effect with \`hookline approvals grants ${action}\`.`, 'Leave it out.');
  return act(args, id ?? '');
}

function list(args: Arguments): Promise<CommandResult> {
  const root = optionValue(args, 'root');
  const filter = { all: hasFlag(args, 'all'), ...(root !== undefined && { root: path.resolve(root) }) };
  return withStore(args, async (store) => {
    const now = Date.now();
    const grants = await store.grants.list(filter, now);
    if (hasFlag(args, 'json')) return { exit: EXIT.ok, out: jsonDocument({ grants }) };
    return { exit: EXIT.ok, out: renderGrants(grants, now, terminalStyle()) };
  });
}

function show(args: Arguments, id: string): Promise<CommandResult> {
  return withStore(args, async (store) => {
    const now = Date.now();
    const grant = await findGrant(store, id, now);
    return { exit: EXIT.ok, out: hasFlag(args, 'json') ? jsonDocument(grant) : renderGrants([grant], now, terminalStyle()) };
  });
}

function revoke(args: Arguments, id: string): Promise<CommandResult> {
  return withStore(args, async (store) => {
    const now = Date.now();
    const found = await findGrant(store, id, now);
    const data = { grant: found.id, by: found.by };
    const act = {
      kind: 'grant.revoked',
      weight: 'settling',
      does: 'revoke a grant',
      data,
      root: found.root,
      ticket: found.ticket,
    } as const;
    const { actor } = await requirePerson(args, act);
    const revoked = await store.grants.revoke(found.id, { name: optionValue(args, 'by') ?? userName(), actor }, now);
    const grant = revoked ?? (await findGrant(store, found.id, now));
    const exit = revoked ? EXIT.ok : EXIT.negative;
    const json = hasFlag(args, 'json') ? { out: jsonDocument({ grant, won: revoked !== undefined }) } : {};
    if (revoked) {
      const style = terminalStyle();
      const text = block(`It lets nothing pass any more: ${wordsOf(grant)}.`, '  ', style.columns);
      return { exit, out: `${style.green('✓')} ${style.bold('Revoked')} grant ${oneLine(grant.id)}\n${text}\n`, ...json };
    }
    const by = grant.revokedBy === null ? '' : ` by ${grant.revokedBy}`;
    return { exit, ...json, err: problemText({ message: `Grant ${grant.id} was already revoked${by}.`, hint: 'It permits nothing.' }) };
  });
}

/** Finds a grant by its id or the start of it, also one that has ended. */
async function findGrant(store: Store, id: string, now: number): Promise<Grant> {
  const exact = await store.grants.get(id);
  if (exact) return exact;
  async function* all(): AsyncGenerator<readonly Grant[]> {
    yield await store.grants.list({ all: true }, now);
  }
  return findByPrefix(id, all(), { what: 'grant', code: 'unknown-grant', list: 'hookline approvals grants --all' });
}

function renderGrants(grants: readonly Grant[], now: number, style: Style): string {
  if (grants.length === 0) return 'There are no grants.\n';
  const rows = grants.map((grant) => {
    const { id, by, uses, usedAt, revokedAt, revokedBy, expiresAt, note } = grant;
    const state = revokedAt !== null ? style.red('revoked') : expiresAt <= now ? style.dim('expired') : style.green('in force');
    const lines = [
      `${wordsOf(grant)}.`,
      `Given${by === null ? '' : ` by ${by}`} at ${moment(grant.at)}${note === null || note === '' ? '' : `: ${note}`}.`,
      uses === 0 ? 'Not used yet.' : `Used ${plural(uses, 'time')}${usedAt === null ? '' : `, last at ${moment(usedAt)}`}.`,
      ...(revokedAt === null ? [] : [`Revoked${revokedBy === null ? '' : ` by ${revokedBy}`} at ${moment(revokedAt)}.`]),
    ];
    return `${style.bold(oneLine(id))}  ${state}\n${lines.map((line) => `${block(harmless(line), '  ', style.columns)}\n`).join('')}`;
  });
  const next = grants.some(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > now)
    ? `\n${style.cyan('next:')} \`hookline approvals grants revoke ID\` ends one.\n`
    : '';
  return `${rows.join('\n')}${next}`;
}
