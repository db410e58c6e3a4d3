/** The documentation is true: its examples run, its links exist, and its tables agree with the code. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtinHandlers, DIALECTS, STORES } from '../../src/builtins.ts';
import { EVENT_KINDS, type EventKind, kindRule } from '../../src/core/event/event.ts';
import { isGating } from '../../src/core/meaning/profile.ts';
import { ERROR_CODES } from '../../src/core/values/errors.ts';
import { AUDIT_RULES } from '../../src/guard/audit/rules.ts';
import { allRules } from '../../src/guard/rules/rulebook.ts';
import { quirksOf } from '../support/quirks.ts';
import { compileExamples, isProgram } from './compile-examples.ts';
import { codesIn } from './diagnostic-codes.ts';
import { allPages, brokenLinks, codeIn, headUnder, type Page, readPage, repository, tableUnder } from './pages.ts';
import { packagesOf, runPage } from './run-page.ts';
import { expectTable, namesCell } from './tables.ts';

const pages = allPages();
/** Hookline's own dialect is for functions: it has no files, and its events are the canonical kinds. */
const [functions, ...formats] = DIALECTS;

describe('every example runs', () => {
  // A page about an SDK that is not here is run by `npm run test:sdks`.
  const isHere = (page: Page): boolean => packagesOf(page).every((name) => existsSync(path.join(repository, 'node_modules', name)));
  test.each(pages.filter((page) => page.blocks.length > 0 && isHere(page)))('$name', async (page) => {
    expect(await runPage(page)).toEqual([]);
  });
});

test('every program compiles in a strict project', async () => {
  expect(pages.flatMap(({ blocks }) => blocks.filter(isProgram)).length).toBeGreaterThan(5);
  expect(await compileExamples(pages)).toEqual([]);
});

test('every link leads somewhere', () => {
  expect(pages.flatMap(brokenLinks)).toEqual([]);
});

describe('docs/events.md', () => {
  const page = readPage('docs/events.md');

  const inDocuments = headUnder(page, 'Names').slice(1);
  const inAgents = formats.map(({ id }) => id).filter((id) => !inDocuments.includes(id));
  const named = (ids: readonly string[]) => formats.filter(({ id }) => ids.includes(id));
  const kindsOf = (ids: readonly string[]) =>
    EVENT_KINDS.filter((kind) => named(ids).some(({ profile }) => namesOf(kind, profile.events).length > 0));

  test('has the names of every kind in every format', () => {
    const rows = kindsOf(inDocuments).map((kind) => [
      `\`${kind}\``,
      ...named(inDocuments).map(({ profile }) => namesCell(namesOf(kind, profile.events))),
    ]);
    expectTable('docs/events.md', 'Names', rows, ['kind', ...named(inDocuments).map(({ id }) => id)]);
  });

  test('has the names of every kind in every agent, in bold where they can deny', () => {
    const rows = kindsOf(inAgents).map((kind) => [
      `\`${kind}\``,
      ...named(inAgents).map(({ profile }) => markedNamesOf(kind, profile.events).join(', ') || '–'),
    ]);
    expectTable('docs/events.md', 'Names in agents', rows, ['kind', ...inAgents]);
  });

  test('says of every kind what a rewrite replaces and who can deny', () => {
    const rows = EVENT_KINDS.map((kind) => [
      `\`${kind}\``,
      undefined,
      namesCell([kindRule(kind).rewrites?.key ?? []].flat()),
      deniersOf(kind, inDocuments).join(', ') || '–',
    ]);
    expectTable('docs/events.md', 'Payloads', rows);
  });
});

describe.each(DIALECTS.map((format) => ({ ...format, name: `docs/dialects/${format.id}.md` })))('$name', ({ id, profile, name }) => {
  const page = readPage(name);

  test('has every event, its kinds and what it can do', () => {
    const documented = tableUnder(page, 'Events').map(([event, kinds, can = '']) => [codeIn(event)[0], codeIn(kinds), wordsIn(can).sort()]);
    const actual = Object.entries(profile.events).map(([event, { kinds, grants }]) => [event, [...kinds], [...grants].sort()]);
    expect(documented).toEqual(actual);
  });

  test('has every quirk', async () => {
    const documented = page.prose.flatMap((line) => /^- `([a-z-]+)`: /.exec(line)?.[1] ?? []);
    expect(documented.sort()).toEqual((await quirksOf(id)).map((quirk) => quirk.id).sort());
  });
});

test('docs/handlers.md has every handler type, in one row', () => {
  const documented = readPage('docs/handlers.md').prose.flatMap(
    (line) => /^\| ((?:`[a-z_]+`(?:, )?)+) \| [^|]+ \| [^|]+ \|$/.exec(line)?.[1] ?? [],
  );
  const types = builtinHandlers(undefined).map(({ type }) => type);
  expect(
    documented
      .flatMap(codeIn)
      .filter((code) => types.includes(code))
      .sort(),
  ).toEqual(types.sort());
});

test('docs/storage.md has every kind of store, in one row', () => {
  const documented = readPage('docs/storage.md').prose.flatMap((line) => /^\| `([a-z]+:)[^`]*` \|/.exec(line)?.[1] ?? []);
  const kinds = documented.map((scheme) => STORES[scheme]);
  expect(new Set(kinds)).toEqual(new Set(Object.values(STORES)));
  expect(kinds).toHaveLength(new Set(kinds).size);
});

describe('docs/diagnostics.md', () => {
  const page = readPage('docs/diagnostics.md');
  const codes = codesIn(path.join(repository, 'src'));
  const sections = ['Unreadable files', 'Places', 'Fields', 'Events and reloads', 'The audit', 'Agents and the doctor'];
  const errors = tableUnder(page, 'Errors').flatMap(([code]) => codeIn(code));
  const documented = [...sections.flatMap((section) => tableUnder(page, section).flatMap(([code]) => codeIn(code))), ...errors];

  test('has every code that the source says', () => {
    expect([...codes].filter((code) => !documented.includes(code))).toEqual([]);
  });

  test('has no code that the source does not say', () => {
    const isSaid = (code: string): boolean => codes.has(code) || Object.hasOwn(ERROR_CODES, code);
    expect(documented.filter((code) => !isSaid(code))).toEqual([]);
  });

  test('has every code of an exception', () => {
    expect(Object.keys(ERROR_CODES).filter((code) => !errors.includes(code))).toEqual([]);
  });
});

describe('the rules of the audit', () => {
  test('docs/audit.md has every rule for hooks alone, with its severity and what it is about', () => {
    const notes = new Map(
      tableUnder(readPage('docs/audit.md'), 'Scope of the audit').map(([rule, , about = '']) => [
        rule,
        / \((?:medium|low): .*\)$/.exec(about)?.[0] ?? '',
      ]),
    );
    const rows = Object.entries(AUDIT_RULES).map(([id, { severity, about }]) => [
      `\`${id}\``,
      severity,
      `${about}${notes.get(`\`${id}\``) ?? ''}`,
    ]);
    expectTable('docs/audit.md', 'Scope of the audit', rows);
  });

  test('docs/guard-rules.md has every rule for commands', () => {
    const text = readPage('docs/guard-rules.md').prose.join('\n');
    expect(
      allRules()
        .map(({ id }) => id)
        .filter((id) => !text.includes(`\`${id}\``)),
    ).toEqual([]);
  });
});

test('README.md has every format that is read, with the number of its events', () => {
  const read = DIALECTS.filter(({ id }) => readPage(path.join('docs/dialects', `${id}.md`)).prose.includes('## Where'));
  const rows = read.map(({ id, profile }) => {
    const granting = (...grants: string[]) =>
      Object.values(profile.events).filter((rule) => rule.grants.some((grant) => grants.includes(grant))).length;
    const link = `[\`${id}\`](docs/dialects/${id}.md)`;
    return [
      link,
      undefined,
      `${Object.keys(profile.events).length}`,
      `${granting('deny')}`,
      `${granting('ask', 'hold') || '–'}`,
      undefined,
      undefined,
    ];
  });
  expectTable('README.md', 'Formats', rows);
});

function namesOf(kind: EventKind, events: (typeof DIALECTS)[number]['profile']['events']): string[] {
  return Object.keys(events)
    .filter((name) => events[name]?.kinds.includes(kind))
    .sort();
}

function markedNamesOf(kind: EventKind, events: (typeof DIALECTS)[number]['profile']['events']): string[] {
  return namesOf(kind, events).map((name) => (events[name] && isGating(events[name]) ? `**\`${name}\`**` : `\`${name}\``));
}

/** Lists functions and the formats of the first table; the table of the agents' names has the rest. */
function deniersOf(kind: EventKind, documents: readonly string[]): string[] {
  const denies = ({ profile }: (typeof DIALECTS)[number]): boolean =>
    Object.values(profile.events).some((rule) => rule.kinds.includes(kind) && isGating(rule));
  return DIALECTS.filter(({ id }) => id === functions?.id || documents.includes(id))
    .filter(denies)
    .map((dialect) => (dialect === functions ? 'code' : dialect.id));
}

/** The words of a cell; a dash has none. */
function wordsIn(cell: string): string[] {
  return cell === '–' ? [] : cell.split(', ');
}
