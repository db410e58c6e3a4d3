/** The page about hosts agrees with their profiles. */
import { expect, test } from 'vitest';
import { HOSTS } from '../../src/builtins.ts';
import { coverageOf } from '../../src/cli/doctor/coverage.ts';
import type { Host } from '../../src/core/contracts/host.ts';
import type { Grant } from '../../src/core/decision/decision.ts';
import type { EventKind } from '../../src/core/event/event.ts';
import type { EventRule } from '../../src/core/meaning/profile.ts';
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
