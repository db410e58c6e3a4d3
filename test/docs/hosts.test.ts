/** The page about hosts says what their profiles say. */
import { expect, test } from 'vitest';
import { HOSTS } from '../../src/builtins.ts';
import { coverageOf } from '../../src/cli/doctor/coverage.ts';
import type { Host } from '../../src/core/contracts/host.ts';
import type { Grant } from '../../src/core/decision/decision.ts';
import type { EventKind } from '../../src/core/event/event.ts';
import type { EventRule } from '../../src/core/meaning/profile.ts';
import { codeIn, headUnder, readPage, tableUnder } from './pages.ts';

const page = readPage('docs/hosts.md');

test('has every host and what hooks can do there', () => {
  const [, ...kinds] = headUnder(page, 'What hooks can do there').map((cell) => cell.replaceAll('`', ''));
  const actual = HOSTS.map((host) => [`\`${host.id}\``, ...kinds.map((kind) => grantsOn(host, kind as EventKind))]);
  expect(tableUnder(page, 'What hooks can do there')).toEqual(actual);
});

test('has where the entries of every host stand', () => {
  const documented = tableUnder(page, 'Where the entries stand').map(([id, title, user, project, http]) => ({
    id: codeIn(id)[0],
    title,
    user: codeIn(user)[0],
    project: codeIn(project)[0],
    http,
  }));
  const actual = HOSTS.map(({ id, title, entry: { files, http } }) => ({
    id,
    title,
    user: files.user === undefined ? undefined : `~/${files.user}`,
    project: files.project,
    http: http ? 'yes' : 'no',
  }));
  expect(documented).toEqual(actual);
});

test('has what the hooks of every host never see', async () => {
  const actual = await Promise.all(
    HOSTS.map(async (host) => (await host.limits()).blind.map(({ of, what, because }) => [`\`${host.id}\``, of, what, because])),
  );
  expect(tableUnder(page, 'What hooks never see')).toEqual(actual.flat());
});

test('has the events that every host does not have, or only tells of', () => {
  const documented = tableUnder(page, 'Events a host does not have').map(([id, none, told]) => [codeIn(id)[0], codeIn(none), codeIn(told)]);
  const actual = HOSTS.map((host) => {
    const { noEvent, onlyTold } = coverageOf(host, HOSTS, []);
    return [host.id, [...noEvent], [...onlyTold]];
  });
  expect(documented).toEqual(actual);
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
