/** The page about hosts agrees with their profiles. */
import { expect, test } from 'vitest';
import { DIALECTS, HOSTS } from '../../src/builtins.ts';
import { coverageOf } from '../../src/cli/doctor/coverage.ts';
import type { Host } from '../../src/core/contracts/host.ts';
import type { Grant } from '../../src/core/decision/decision.ts';
import type { EventKind, HookEvent } from '../../src/core/event/event.ts';
import type { EventRule, SessionFact } from '../../src/core/meaning/profile.ts';
import type { Json, JsonObject } from '../../src/core/values/json.ts';
import { headUnder, readPage } from './pages.ts';
import { expectTable, namesCell } from './tables.ts';

const page = readPage('docs/hosts.md');

test('has every host and what hooks can do there', () => {
  const kinds = headUnder(page, 'Effects by event').slice(1);
  const rows = HOSTS.map((host) => [`\`${host.id}\``, ...kinds.map((kind) => grantsOn(host, kind.replaceAll('`', '') as EventKind))]);
  expectTable('docs/hosts.md', 'Effects by event', rows);
});

test('has where the entries of every host are', () => {
  const rows = HOSTS.map(({ id, title, entry: { files, http } }) => [
    `\`${id}\``,
    title,
    namesCell(files.user === undefined ? [] : [`~/${files.user}`]),
    namesCell(files.project === undefined ? [] : [files.project]),
    http ? 'yes' : 'no',
  ]);
  expectTable('docs/hosts.md', 'Where the entries are', rows);
});

test('has what the parser of every host reads', () => {
  const word = (isRead: boolean): string => (isRead ? 'read' : 'refused');
  const rows = HOSTS.map(({ id, entry: { reads } }) => {
    const comments = reads?.comments === 'everywhere' ? 'read, also within a text' : reads?.comments;
    return [`\`${id}\``, ...(reads === null ? ['–', '–', '–'] : [comments ?? '', word(reads.trailingCommas), word(reads.bom)])];
  });
  expectTable('docs/hosts.md', 'How an agent reads its file', rows);
});

test('has what the hooks of every host never see', async () => {
  const rows = await Promise.all(
    HOSTS.map(async (host) => (await host.limits()).blind.map(({ of, what, because }) => [`\`${host.id}\``, of, what, because])),
  );
  expectTable('docs/hosts.md', 'Calls that hooks never see', rows.flat());
});

test('has the events that every host does not have, or only tells of', () => {
  const rows = HOSTS.map((host) => {
    const { noEvent, onlyTold } = coverageOf(host, HOSTS, []);
    return [`\`${host.id}\``, namesCell([...noEvent]), namesCell([...onlyTold])];
  });
  expectTable('docs/hosts.md', 'Events a host does not have', rows);
});

test('has the denials that are carried out on another event, or by a whole answer alone', () => {
  const rows = HOSTS.flatMap((host) => {
    const { deniedEarlier, byReplyOnly } = coverageOf(host, HOSTS, []);
    if (deniedEarlier.length === 0 && byReplyOnly.length === 0) return [];
    const earlier = deniedEarlier.map(({ kind, calls }) => `\`${kind}\`: ${calls}`).join('; ');
    return [[`\`${host.id}\``, earlier === '' ? '–' : earlier, namesCell(byReplyOnly)]];
  });
  expectTable('docs/hosts.md', 'Denials with conditions', rows);
});

test('has the variables that move a folder of a host', () => {
  for (const { entry } of HOSTS) {
    if (!entry.movedBy) continue;
    expect(page.prose.join('\n')).toContain(`\`${entry.movedBy.variable}\``);
    expect(page.prose.join('\n')).toContain(`\`~/${entry.movedBy.holds}\``);
  }
});

/** To keep something out of the log is ours to do, so it is not in the table. */
function grantsOn({ dialect }: Host, kind: EventKind): string {
  const rules = Object.values<EventRule>(dialect.profile.events).filter(({ kinds }) => kinds.includes(kind));
  const grants = new Set(rules.flatMap((rule): readonly Grant[] => rule.grants).filter((grant) => grant !== 'quiet'));
  return grants.size === 0 ? '–' : [...grants].sort().join(', ');
}

/** A fact that formats have a field for: its kind of event, its key, and a value that no host writes by itself. */
const FACTS: readonly { readonly kind: EventKind; readonly key: string; readonly value: Json }[] = [
  { kind: 'stop.before', key: 'reason', value: 'probe' },
  { kind: 'stop.before', key: 'message', value: 'probe' },
  { kind: 'stop.before', key: 'stepCount', value: 41 },
  { kind: 'session.end', key: 'durationSeconds', value: 41 },
  { kind: 'session.end', key: 'totalSteps', value: 41 },
  { kind: 'session.end', key: 'turnCount', value: 41 },
  { kind: 'subagent.before', key: 'depth', value: 41 },
  { kind: 'subagent.before', key: 'task', value: 'probe' },
  { kind: 'subagent.after', key: 'result', value: 'probe' },
  { kind: 'subagent.after', key: 'durationMs', value: 41 },
];
const SEEN = new Set(DIALECTS.flatMap(({ profile }) => Object.values<EventRule>(profile.events).flatMap(({ wants = [] }) => wants)));

test('has where each fact of a payload comes from, and what stays empty', () => {
  const head = ['host', '`agent`', ...FACTS.map(({ kind, key }) => `\`${key}\` of \`${kind}\``)];
  const rows = HOSTS.map((host) => [
    `\`${host.id}\``,
    host.tells.agent.length > 0 ? 'subagent, else host' : 'host',
    ...FACTS.map((fact) => originOf(host, fact)),
  ]);
  expectTable('docs/hosts.md', 'Facts in payloads', rows, head);
});

/** Whether the host's own payload has the fact: then it survives the way there and back. */
function originOf({ entry, dialect: { profile, wire } }: Host, { kind, key, value }: (typeof FACTS)[number]): string {
  const names = Object.entries<EventRule>(profile.events).flatMap(([name, { kinds }]) => (kinds.includes(kind) ? [name] : []));
  if (names.length === 0) return 'no event';
  const starts = Object.entries<EventRule>(profile.events).flatMap(([name, { kinds }]) =>
    kinds.includes('subagent.before') ? [name] : [],
  );
  const decoded = (name: string, of: EventKind, data: JsonObject): JsonObject =>
    wire.decodeEvent(name, wire.encodeEvent(eventWith(of, data), name)).data;
  const says = (wanted: string, sample: Json): boolean =>
    names.some((name) => decoded(name, kind, { [wanted]: sample })[wanted] === sample);
  // The host may have words of its own for it.
  const hasWords = typeof value === 'string' && names.some((name) => typeof decoded(name, kind, {})[key] === 'string');
  if (says(key, value) || hasWords) return 'reported';
  const isCalled = (wanted: EventKind): boolean => entry.events.some((name) => profile.events[name]?.kinds.includes(wanted));
  // The start of a subagent is found by its id.
  const isFound =
    key !== 'durationMs' ||
    (says('id', 'probe') && starts.some((name) => decoded(name, 'subagent.before', { id: 'probe' })['id'] === 'probe'));
  return SEEN.has(key as SessionFact) && isFound && FOLLOWS_FROM[key as SessionFact].every(isCalled) ? 'seen' : '–';
}

function eventWith(kind: EventKind, data: JsonObject): HookEvent {
  return { id: 'e', kind, at: '2026-01-01T00:00:00.000Z', session: { id: 's', cwd: '/' }, data };
}

/** The events without which the number is not known. */
const FOLLOWS_FROM: Readonly<Record<SessionFact, readonly EventKind[]>> = {
  stepCount: ['prompt.submit', 'tool.before'],
  durationSeconds: ['session.start'],
  totalSteps: ['session.start', 'tool.before'],
  turnCount: ['session.start', 'prompt.submit'],
  durationMs: ['subagent.before'],
  depth: ['session.start', 'subagent.before'],
};
