/** Settings as people have them, before and after an installation: what is expected stands in test/flows/install/golden, to be read. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { carryOut, type InstallTask, planInstall, planUninstall } from '../../../src/install/install.ts';
import { grouped } from '../../flows/install/sample-hosts.ts';
import { createWorkspace } from '../../support/workspace.ts';

const GOLDEN = path.join(import.meta.dirname, '../../flows/install/golden');
const names = readdirSync(GOLDEN).flatMap((name) => /^(.*)\.after$/.exec(name)?.[1] ?? []);

describe.each(names)('%s', (name) => {
  const before = existsSync(goldenFile(name, 'before')) ? readFileSync(goldenFile(name, 'before'), 'utf8') : undefined;

  test('is as expected after install, to the byte', () => {
    const { task, read } = scene(before);
    done(planInstall(task));
    expect(read()).toBe(readFileSync(goldenFile(name, 'after'), 'utf8'));
  });

  test('is as it was after uninstall', () => {
    const { task, read } = scene(before);
    const hadOurs = before?.includes('hook grouped');
    done(planInstall(task));
    done(planUninstall(task));
    if (hadOurs) expect(read()).not.toContain('hook grouped');
    else expect(read()).toBe(before);
  });
});

test('there is a golden file for every settings file', () => {
  const befores = readdirSync(GOLDEN).filter((name) => name.endsWith('.before'));
  expect(befores.filter((name) => !names.includes(name.replace('.before', '')))).toEqual([]);
  expect(names.length).toBeGreaterThan(12);
});

function goldenFile(name: string, side: 'before' | 'after'): string {
  return path.join(GOLDEN, `${name}.${side}`);
}

function scene(before: string | undefined) {
  const space = createWorkspace(before === undefined ? {} : { '~/.grouped/settings.json': before });
  const file = space.at('~/.grouped/settings.json');
  const reach = { via: 'command', program: ['hookline'] } as const;
  const task: InstallTask = { host: grouped, scope: 'user', folders: { home: space.home, root: space.root }, reach };
  return { task, read: () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined) };
}

function done(change: ReturnType<typeof planInstall>): void {
  if ('problems' in change) throw new Error(JSON.stringify(change.problems));
  expect(carryOut(change.files)).toBe(true);
}
