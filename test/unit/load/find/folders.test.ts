import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { entriesOf, isBelow, isThere, lookBelow, realPath, statOf } from '../../../../src/load/find/folders.ts';

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'folders-'));
  mkdirSync(join(top, 'barred/inner'), { recursive: true });
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

test('what is missing is empty, not an error', () => {
  const gone = join(top, 'gone/further');
  expect([entriesOf(gone), statOf(gone), realPath(gone), isThere(gone)]).toEqual([[], undefined, undefined, false]);
});

test('what can not be read is an exception, so that no gate is lost unseen', () => {
  const asNobody = process.getuid?.() === 0;
  chmodSync(top, 0o755);
  chmodSync(join(top, 'barred'), 0o000);
  // Root may read everything: step down to see what others see.
  if (asNobody) process.seteuid?.(65534);
  try {
    const refused = expect.objectContaining({ name: 'HooklineError', code: 'unreadable-source' });
    expect(() => entriesOf(join(top, 'barred'))).toThrowError(refused);
    expect(() => statOf(join(top, 'barred/inner'))).toThrowError(refused);
    expect(() => realPath(join(top, 'barred/inner'))).toThrowError(refused);
    expect(() => lookBelow()(top, 'barred/inner/deep')).toThrowError(refused);
  } finally {
    if (asNobody) process.seteuid?.(0);
    chmodSync(join(top, 'barred'), 0o755);
  }
});

test('a path below a base is there if all of it is; a link counts as what it leads to', () => {
  symlinkSync(join(top, 'barred'), join(top, 'link'));
  symlinkSync(join(top, 'nowhere'), join(top, 'broken'));
  writeFileSync(join(top, 'file'), '');
  const isBelowThere = lookBelow();
  const there = ['', 'barred', 'barred/inner', 'link/inner', 'file'];
  const missing = ['gone', 'gone/further', 'barred/gone', 'broken', 'broken/inner', 'file/inner'];
  expect([...there, ...missing].filter((path) => isBelowThere(top, path))).toEqual(there);
  // Asked again, from what was seen; and from the root, whose name ends as no other does.
  expect(isBelowThere(top, 'barred/inner')).toBe(true);
  expect(isBelowThere('/', top.slice(1))).toBe(true);
});

test.each([
  ['/a/b', '/a', true],
  ['/a', '/a', true],
  ['/ab', '/a', false],
  ['/', '/a', false],
  ['/a', '/', true],
  ['/a/..b', '/a', true],
])('%s is below %s: %s', (path, folder, below) => {
  expect(isBelow(path, folder)).toBe(below);
});
