/** The notes of a search: every change that could lead to another result is seen, and a file that was changed just now proves nothing. */
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { expect, test } from 'vitest';
import { entriesOf, isDeadLink, realPath, statOf } from '../../../../src/load/find/folders.ts';
import { readText } from '../../../../src/load/find/read-text.ts';
import { areUnchanged, type Lookup, noteLookups, wouldFindTheSame } from '../../../../src/load/remembered/lookups.ts';
import { until } from '../../../support/patience.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

const LATER = (): number => Date.now() + 60_000;

const FILES = { 'hooks/one/HOOK.md': 'one', 'hooks/two/HOOK.md': 'two', 'elsewhere/HOOK.md': 'one' };

function search(workspace: Workspace, now = LATER): readonly Lookup[] | undefined {
  const notes = noteLookups(now);
  look(workspace);
  return notes.finish();
}

function look({ root, at }: Workspace): void {
  statOf(root);
  for (const { name } of entriesOf(at('hooks'))) readText(at(`hooks/${name}/HOOK.md`));
  readText(at('missing.json'));
  statOf(at('link'));
  realPath(at('link'));
  isDeadLink(at('dead'));
}

function project(): Workspace {
  const workspace = createWorkspace(FILES);
  symlinkSync(workspace.at('hooks'), workspace.at('link'));
  return workspace;
}

/** Waits until the clock of the file system has advanced, as it does every few milliseconds. */
async function nextTick({ at }: Workspace): Promise<void> {
  const probe = at('probe');
  writeFileSync(probe, '');
  const { ctimeNs } = statSync(probe, { bigint: true });
  await until(() => {
    writeFileSync(probe, 'x');
    return statSync(probe, { bigint: true }).ctimeNs !== ctimeNs;
  });
}

const CHANGES: Readonly<Record<string, (workspace: Workspace) => void>> = {
  'a file with other content of the same size and the same time': ({ at }) => {
    const { atime, mtime } = statSync(at('hooks/one/HOOK.md'));
    writeFileSync(at('hooks/one/HOOK.md'), 'ONE');
    utimesSync(at('hooks/one/HOOK.md'), atime, mtime);
  },
  'a file that another one replaced, with the same content, size and time': ({ at }) => {
    const { atime, mtime } = statSync(at('hooks/one/HOOK.md'));
    writeFileSync(at('next'), readFileSync(at('hooks/one/HOOK.md')));
    utimesSync(at('next'), atime, mtime);
    renameSync(at('next'), at('hooks/one/HOOK.md'));
  },
  'a file that is gone': ({ at }) => rmSync(at('hooks/two/HOOK.md')),
  'a file that was missing': ({ write }) => write({ 'missing.json': '{}' }),
  'a new entry of a folder': ({ at }) => mkdirSync(at('hooks/three')),
  'a folder that was renamed': ({ at }) => renameSync(at('hooks/two'), at('hooks/zwei')),
  'a folder that others may write to': ({ at }) => chmodSync(at('hooks'), 0o777),
  'a file that others may write to': ({ at }) => chmodSync(at('hooks/one/HOOK.md'), 0o666),
  'a folder in the place of another, with the same files': ({ at }) => {
    renameSync(at('hooks'), at('old'));
    mkdirSync(at('hooks/one'), { recursive: true });
    mkdirSync(at('hooks/two'), { recursive: true });
    for (const name of ['one', 'two']) linkSync(at(`old/${name}/HOOK.md`), at(`hooks/${name}/HOOK.md`));
  },
  'a link that leads nowhere': ({ at }) => symlinkSync(at('nowhere'), at('dead')),
  'a link that leads elsewhere': ({ at }) => {
    rmSync(at('link'));
    symlinkSync(at('elsewhere'), at('link'));
  },
  'a link to another name of the same file': ({ at }) => {
    linkSync(at('elsewhere/HOOK.md'), at('elsewhere/SAME.md'));
    rmSync(at('link'));
    symlinkSync(at('elsewhere/SAME.md'), at('link'));
  },
};

test.each(Object.entries(CHANGES))('%s is seen', async (_, change) => {
  const workspace = project();
  if (change === CHANGES['a link to another name of the same file']) {
    rmSync(workspace.at('link'));
    symlinkSync(workspace.at('elsewhere/HOOK.md'), workspace.at('link'));
  }
  const lookups = search(workspace);
  expect(lookups && areUnchanged(lookups)).toBe(true);
  await nextTick(workspace);
  change(workspace);
  expect(lookups && areUnchanged(lookups)).toBe(false);
});

test('other files in the folder of the project change nothing', async () => {
  const workspace = project();
  const lookups = search(workspace);
  await nextTick(workspace);
  workspace.write({ 'src/new.ts': 'x', 'README.md': 'x' });
  expect(lookups && areUnchanged(lookups)).toBe(true);
});

test('a file that was changed just now, or in the future, proves nothing', () => {
  const workspace = project();
  expect(search(workspace, Date.now)).toBeUndefined();
  const future = new Date(Date.now() + 3_600_000);
  utimesSync(workspace.at('hooks/one/HOOK.md'), future, future);
  expect(search(workspace)).toBeUndefined();
});

test('a change between the search and its end proves nothing', async () => {
  const changes = Object.values(CHANGES).filter((change) => change !== CHANGES['a link to another name of the same file']);
  for (const change of changes) {
    const workspace = project();
    const notes = noteLookups(LATER);
    look(workspace);
    await nextTick(workspace);
    change(workspace);
    expect(notes.finish()).toBeUndefined();
  }
});

test('a search that is remembered adds its lookups to a larger one, unless it would find something else', async () => {
  const workspace = project();
  const lookups = search(workspace) ?? [];
  const larger = noteLookups(LATER);
  expect(wouldFindTheSame(lookups)).toBe(true);
  expect(larger.finish()).toEqual(lookups);
  await nextTick(workspace);
  workspace.write({ 'hooks/one/HOOK.md': 'another' });
  const another = noteLookups(LATER);
  expect(wouldFindTheSame(lookups)).toBe(false);
  expect(another.finish()).toEqual([]);
});

test('nothing is noted unless a search asks for it', () => {
  const workspace = project();
  const notes = noteLookups(LATER);
  notes.finish();
  look(workspace);
  expect(notes.finish()).toEqual([]);
});
