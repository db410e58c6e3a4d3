/** `hookline log`: lists past decisions, follows new ones, verifies and exports the chain, and removes old entries. */

import type { Store } from '../../core/contracts/store.ts';
import type { DecisionKind } from '../../core/decision/decision.ts';
import type { LogFilter } from '../../core/record/decision-record.ts';
import { suggest } from '../../core/values/suggest.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { problemText } from '../failure.ts';
import { requirePerson } from '../input/by-a-person.ts';
import { readMoment } from '../input/moment.ts';
import { HELP_OPTION, JSON_OPTION, STORE_OPTIONS } from '../options.ts';
import { jsonDocument, jsonLine, write } from '../output.ts';
import { fitted, terminalStyle } from '../print/style.ts';
import { plural } from '../print/text.ts';
import { day, moment } from '../print/time.ts';
import { openKeeping, withStore } from '../store.ts';
import { renderEntries, renderVerified } from './print-log.ts';

export { logSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const [action = 'list'] = args.positionals;
  const known = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!known) {
    const near = suggest(action, Object.keys(ACTIONS));
    throw usageError(
      `\`hookline log\` has no action \`${action}\`.`,
      near ? `Did you mean \`hookline log ${near}\`?` : 'Actions: verify, export, key, prune. Without an action it lists decisions.',
    );
  }
  const foreign = [...args.values.keys()].find((name) => OWN.has(name) && !known.options.includes(name));
  if (foreign !== undefined) {
    const where = action === 'list' ? 'hookline log` alone' : `hookline log ${action}\``;
    throw usageError(`\`--${foreign}\` has no effect with \`${where}.`, 'Leave it out.');
  }
  return known.act(args);
}

interface Action {
  readonly options: readonly string[];
  act(args: Arguments): Promise<CommandResult>;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  list: { options: ['follow', 'session', 'tool', 'decision', 'hook', 'since', 'until', 'limit'], act: list },
  verify: { options: ['head', 'key'], act: verify },
  export: {
    options: ['format', 'since', 'until', 'after', 'output'],
    act: async (args) => (await import('./export-log.ts')).exportEntries(args),
  },
  key: { options: [], act: async (args) => (await import('./export-log.ts')).printKey(args) },
  prune: { options: ['before', 'yes'], act: prune },
};
/** Options that belong to one action alone. */
const OWN: ReadonlySet<string> = new Set(Object.values(ACTIONS).flatMap(({ options }) => options));

const DECISIONS: readonly DecisionKind[] = ['pass', 'allow', 'ask', 'hold', 'deny'];

async function list(args: Arguments): Promise<CommandResult> {
  const follows = hasFlag(args, 'follow');
  if (follows && hasFlag(args, 'until')) throw usageError('`--follow` and `--until` cannot be combined.', 'Give one of them.');
  const limit = readLimit(optionValue(args, 'limit')) ?? (follows ? 10 : 50);
  const filter = { ...readFilter(args), limit };
  if (follows) return withStore(args, (store) => follow(store, filter, hasFlag(args, 'json')));
  const entries = await withStore(args, ({ log }) => log.list(filter));
  if (hasFlag(args, 'json')) return { exit: EXIT.ok, out: jsonDocument({ entries }) };
  const style = terminalStyle();
  if (entries.length === 0) return { exit: EXIT.ok, out: 'No recorded decision matches.\n' };
  const more = entries.length < limit ? '' : style.dim(`\n  These are the newest ${limit}; \`--limit N\` shows more.\n`);
  const next = `\n${style.cyan('next:')} \`hookline why\` explains the last decision, \`hookline why ID\` any of them.\n`;
  return { exit: EXIT.ok, out: `${renderEntries(entries, undefined, style)}${more}${next}` };
}

async function follow(store: Store, filter: LogFilter, json: boolean): Promise<CommandResult> {
  const { followLog } = await import('./follow-log.ts');
  const style = terminalStyle();
  let today: string | undefined;
  await followLog(store.log, filter, (entries) => {
    const text = json ? entries.map(jsonLine).join('') : fitted(renderEntries(entries, today, style));
    const last = entries.at(-1);
    if (last) today = day(last.at);
    return write(1, text);
  });
  return { exit: EXIT.ok };
}

async function verify(args: Arguments): Promise<CommandResult> {
  const [, file] = args.positionals;
  if (file !== undefined) {
    if (hasFlag(args, 'head')) throw usageError('`--head` has no effect with a file.', 'Leave it out.');
    return (await import('./export-log.ts')).verifyFile(args, file);
  }
  if (hasFlag(args, 'key')) throw usageError('`--key` needs a file to verify.', 'Write `hookline log verify FILE --key KEY`.');
  const progress = process.stderr.isTTY === true && !hasFlag(args, 'json');
  let shown = 0;
  const onPage = (count: number): void => {
    if (!progress || count < shown + 10_000) return;
    shown = count;
    process.stderr.write(`\r${count} entries …`);
  };
  const keeping = await openKeeping(args);
  const verified = await keeping.verify({ head: optionValue(args, 'head'), onPage }).finally(() => keeping.close(0));
  if (shown > 0) process.stderr.write('\r\x1b[K');
  const exit = verified.ok ? EXIT.ok : EXIT.negative;
  if (hasFlag(args, 'json')) return { exit, out: jsonDocument(verified) };
  return { exit, out: renderVerified(verified, terminalStyle()) };
}

async function prune(args: Arguments): Promise<CommandResult> {
  const written = optionValue(args, 'before');
  if (written === undefined)
    throw usageError('`hookline log prune` needs an age or a date.', 'Write, for example, `hookline log prune --before 90d`.');
  const before = readMoment('before', written, Date.now());
  const json = hasFlag(args, 'json');
  const data = { before: new Date(before).toISOString() };
  const permitted = await requirePerson(args, { kind: 'log.pruned', weight: 'settling', does: 'remove entries of the log', data });
  if (!hasFlag(args, 'yes')) {
    if (json || process.stdin.isTTY !== true || process.stdout.isTTY !== true) {
      const message = 'Nothing was removed, because there is no terminal to ask for confirmation.';
      const err = problemText({ message, hint: `Pass \`--yes\` to remove everything before ${moment(before)}.` });
      return { exit: EXIT.negative, ...(json && { out: jsonDocument({ removed: 0, before: new Date(before).toISOString() }) }), err };
    }
    const { askForEach } = await import('../input/confirm.ts');
    const {
      yes: [yes],
    } = await askForEach([before], (at) => `Remove every entry before ${moment(at)} permanently? [y/N] `);
    if (yes === undefined) return { exit: EXIT.negative, out: 'Nothing was removed.\n' };
  }
  const { who, actor } = permitted;
  const removed = await withStore(args, ({ log }) => log.prune(before, { who, actor }));
  if (json) return { exit: EXIT.ok, out: jsonDocument({ removed, before: new Date(before).toISOString() }) };
  return {
    exit: EXIT.ok,
    out: `Removed ${plural(removed, 'entry', 'entries')} before ${moment(before)}. The rest of the log still verifies.\n`,
  };
}

function readFilter(args: Arguments): LogFilter {
  const now = Date.now();
  const [session, tool, hook, since, until] = ['session', 'tool', 'hook', 'since', 'until'].map((name) => optionValue(args, name));
  const decision = readDecision(optionValue(args, 'decision'));
  return {
    ...(session !== undefined && { session }),
    ...(tool !== undefined && { tool }),
    ...(hook !== undefined && { hook }),
    ...(decision !== undefined && { decision }),
    ...(since !== undefined && { since: readMoment('since', since, now) }),
    ...(until !== undefined && { until: readMoment('until', until, now) }),
  };
}

function readDecision(written: string | undefined): DecisionKind | undefined {
  if (written === undefined) return undefined;
  const decision = DECISIONS.find((known) => known === written);
  if (decision) return decision;
  const near = suggest(written, DECISIONS);
  throw usageError(`There is no decision \`${written}\`.`, near ? `Did you mean \`${near}\`?` : `Decisions: ${DECISIONS.join(', ')}.`);
}

function readLimit(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(written)) return Number(written);
  throw usageError(`\`--limit\` must be a whole number above 0, not \`${written}\`.`, 'Write `--limit 100`.');
}

/** The specification of `hookline log`. */
export const logSpec: CommandSpec = {
  name: 'log',
  summary: 'List past decisions, follow new ones, and verify that the log is complete and unchanged.',
  takes: '[verify [file]|export|key|prune]',
  words: { min: 0, max: 2, missing: '' },
  options: [
    { name: 'follow', help: 'Show new decisions as they are made, until Ctrl-C. With --json: one document per line.' },
    { name: 'session', value: 'ID', help: 'Show only decisions of this session.' },
    { name: 'tool', value: 'NAME', help: 'Show only decisions about this tool.' },
    { name: 'decision', value: 'KIND', help: 'Show only these decisions: pass, allow, ask, hold or deny.' },
    { name: 'hook', value: 'NAME', help: 'Show only decisions for which a hook with this text in its name ran or was skipped.' },
    { name: 'since', value: 'WHEN', help: 'Show only decisions since this time: an age (90s, 15m, 1h, 30d) or an ISO date.' },
    { name: 'until', value: 'WHEN', help: 'Show only decisions up to this time: an age or an ISO date.' },
    { name: 'limit', value: 'N', help: 'Number of newest decisions to show. Default: 50; with --follow 10.' },
    { name: 'head', value: 'HASH', help: 'With `verify`: an earlier head hash that must still be in the log.' },
    {
      name: 'key',
      value: 'KEY',
      repeatable: true,
      help: 'With `verify FILE`: public key that you trust, or a file with it. Default: the key of this machine.',
    },
    { name: 'format', value: 'FORMAT', help: 'With `export`: ndjson, csv, cef or ocsf. Default: ndjson, which `verify` can read.' },
    { name: 'after', value: 'N', help: 'With `export`: begin after this entry.' },
    { name: 'output', value: 'FILE', help: 'With `export`: write to a new file instead of stdout.' },
    { name: 'before', value: 'WHEN', help: 'With `prune`: remove entries older than this age or date.' },
    { name: 'yes', help: 'With `prune`: remove without confirmation.' },
    ...STORE_OPTIONS,
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Secrets in common shapes are masked before an entry is written. Each entry contains the hash of the one before it. `hookline log verify` detects changed and removed entries and then exits with code 1.',
    '`export` writes all entries of a range with their checkpoints. `verify FILE` needs nothing but that file and the public key, which `key` prints.',
    '`hookline log prune` removes old entries and keeps an anchor, so that the rest still verifies.',
  ],
  examples: [
    { does: 'Show the denials of the last hour', line: 'hookline log --decision deny --since 1h' },
    { does: 'Watch one tool', line: 'hookline log --follow --tool Bash' },
    { does: 'Check the log for tampering', line: 'hookline log verify' },
    { does: 'For a SIEM', line: 'hookline log export --format ocsf --since 1d' },
    { does: 'Verify an exported file on another machine', line: 'hookline log verify audit.ndjson --key MCowBQYDK2VwAyEA…' },
    { does: 'Keep three months', line: 'hookline log prune --before 90d --yes' },
  ],
};
