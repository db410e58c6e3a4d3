import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AGENTS } from '../../../../src/builtins.ts';
import { watchPlaces, watchSources } from '../../../../src/load/find/watch.ts';

let top: string;
let close: () => Promise<void> = async () => {};
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'watch-'));
  mkdirSync(join(top, 'root/.git'), { recursive: true });
  mkdirSync(join(top, 'home/.claude/projects'), { recursive: true });
});
afterEach(async () => {
  await close();
  rmSync(top, { recursive: true, force: true });
});

async function watched(): Promise<{ seen(): number }> {
  let count = 0;
  const places = {
    root: join(top, 'root'),
    home: join(top, 'home'),
    configFolder: join(top, 'home/.config'),
    skills: [],
    plugins: [],
    hooks: [],
  };
  const watcher = await watchPlaces(places, AGENTS, () => count++);
  close = () => watcher.close();
  return { seen: () => count };
}

/** Waits for a change to be told, and then for the quiet after it. */
async function told(watcher: { seen(): number }, change: () => void): Promise<void> {
  const before = watcher.seen();
  change();
  await vi.waitFor(() => expect(watcher.seen()).toBeGreaterThan(before), { timeout: 120_000, interval: 20 });
  await quiet();
}

const quiet = () => new Promise((resolve) => setTimeout(resolve, 500));

test('a hook in folders that did not exist is seen, and so is every later change of it', async () => {
  const watcher = await watched();
  const folder = join(top, 'root/.agents/hooks/gate');
  const file = join(folder, 'HOOK.md');
  await told(watcher, () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, 'one');
  });
  await told(watcher, () => writeFileSync(file, 'two'));
  await told(watcher, () => {
    writeFileSync(`${file}.tmp`, 'three');
    renameSync(`${file}.tmp`, file);
  });
  await told(watcher, () => writeFileSync(file, 'four'));
  await told(watcher, () => rmSync(folder, { recursive: true }));
});

test('many writes in a row are few changes, and settings of the user are seen', async () => {
  const watcher = await watched();
  // Without a pause: on a busy machine the writes would be too far apart to be in a row. Each folder and each file is an event.
  for (let i = 0; i < 15; i++) {
    mkdirSync(join(top, `root/.agents/hooks/gate-${i}`), { recursive: true });
    writeFileSync(join(top, `root/.agents/hooks/gate-${i}/HOOK.md`), 'x');
  }
  writeFileSync(join(top, 'home/.claude/settings.json'), 'x');
  await vi.waitFor(() => expect(watcher.seen()).toBeGreaterThan(0), { timeout: 120_000, interval: 20 });
  await quiet();
  expect(watcher.seen()).toBeLessThanOrEqual(6);
});

test('what is no hook is not told: other files, node_modules, .git', async () => {
  mkdirSync(join(top, 'root/skills/node_modules/x'), { recursive: true });
  const watcher = await watched();
  writeFileSync(join(top, 'root/readme.md'), 'x');
  writeFileSync(join(top, 'root/.git/HEAD'), 'x');
  writeFileSync(join(top, 'root/skills/node_modules/x/SKILL.md'), 'x');
  writeFileSync(join(top, 'home/.claude/projects/log.jsonl'), 'x');
  await quiet();
  await quiet();
  expect(watcher.seen()).toBe(0);
});

test('nothing is told after close', async () => {
  mkdirSync(join(top, 'root/skills'), { recursive: true });
  const watcher = await watched();
  writeFileSync(join(top, 'root/skills/SKILL.md'), 'x');
  await close();
  const before = watcher.seen();
  writeFileSync(join(top, 'root/skills/SKILL.md'), 'y');
  await quiet();
  expect(watcher.seen()).toBe(before);
});

test.runIf(process.platform === 'linux')(
  'no folder is watched above the start of a target, even if another target starts above it',
  async () => {
    mkdirSync(join(top, 'busy/home/.agents/hooks'), { recursive: true });
    const watcher = await watchSources([join(top, 'busy/home/.agents/hooks'), join(top, '.agents/hooks')], () => {});
    close = () => watcher.close();
    const folders = inodesWatched();
    const isWatched = (path: string): boolean => folders.has(statSync(join(top, path)).ino);
    expect(['busy/home/.agents/hooks', '.', 'busy', 'busy/home', 'busy/home/.agents'].map(isWatched)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  },
);

/** What this process watches, as the kernel says. */
function inodesWatched(): Set<number> {
  const texts = readdirSync('/proc/self/fdinfo').map((name) => textOf(`/proc/self/fdinfo/${name}`));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/^inotify .*ino:([0-9a-f]+)/gm)].map(([, ino]) => Number.parseInt(ino ?? '', 16))),
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Closed meanwhile, as the listing of the folder itself is.
    return '';
  }
}

test.each([
  ['a file', 'home/.claude/settings.json', 'home/.claude/settings.json'],
  ['a folder', 'home/.claude/skills', 'home/.claude/skills/a/SKILL.md'],
  ['the folder above a file', 'home/.claude', 'home/.claude/settings.json'],
])('%s that is deleted and made again is told, and so is every later change', async (_, deleted, written) => {
  const file = join(top, written);
  const write = (): void => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, String(Math.random()));
  };
  write();
  let count = 0;
  const targets = ['home/.claude/settings.json', 'home/.claude/skills', 'root/skills'].map((path) => join(top, path));
  const watcher = await watchSources(targets, () => count++);
  close = () => watcher.close();
  const seen = { seen: () => count };
  for (let turn = 0; turn < 2; turn++) {
    await told(seen, () => rmSync(join(top, deleted), { recursive: true }));
    await told(seen, write);
    await told(seen, write);
  }
});
