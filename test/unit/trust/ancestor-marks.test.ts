/** The laws of marks: the same for one user in every process, and not to be made by anybody else. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAncestorMarks } from '../../../src/trust/ancestor-marks.ts';
import { bundleSource } from '../../support/bundle-source.mjs';

function stateFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-marks-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('one user has one mark for a hook, in every engine and process', () => {
  const folder = stateFolder();
  const mark = createAncestorMarks(folder)('a hook');
  expect(mark).toMatch(/^[0-9a-f]{16}$/);
  expect(createAncestorMarks(folder)('a hook')).toBe(mark);
  expect(createAncestorMarks(folder)('another')).not.toBe(mark);
});

test('another user has another mark for the same hook', () => {
  expect(createAncestorMarks(stateFolder())('a hook')).not.toBe(createAncestorMarks(stateFolder())('a hook'));
});

test('the key is for its owner alone, and nothing else is left beside it', () => {
  const folder = stateFolder();
  createAncestorMarks(folder)('a hook');
  expect(readdirSync(path.join(folder, 'hookline'))).toEqual(['marks.key']);
  expect(statSync(path.join(folder, 'hookline', 'marks.key')).mode & 0o777).toBe(0o600);
});

test('nothing is written before a mark is wanted', () => {
  const folder = stateFolder();
  createAncestorMarks(folder);
  expect(readdirSync(folder)).toEqual([]);
});

test('processes that make the key at the same moment all have the same one', async () => {
  const folder = stateFolder();
  const bundle = path.join(folder, 'mark.mjs');
  // Thirty keys, each made by both processes at an agreed time: at least some of them meet.
  const contents = `
    import { createAncestorMarks } from ${JSON.stringify(path.join(import.meta.dirname, '../../../src/trust/ancestor-marks.ts'))};
    const [folder, start] = process.argv.slice(2);
    for (let i = 0; i < 30; i++) {
      const mark = createAncestorMarks(folder + '/' + i);
      while (Date.now() < Number(start) + i * 20);
      console.log(i, mark('a hook'));
    }`;
  writeFileSync(path.join(folder, 'source.mjs'), contents);
  await bundleSource(path.join(folder, 'source.mjs'), bundle);
  const start = String(Date.now() + 500);
  const both = 'for i in 1 2; do "$0" "$1" "$2" "$3" & done; wait';
  const lines = execFileSync('/bin/sh', ['-c', both, process.execPath, bundle, folder, start], { encoding: 'utf8' }).trim().split('\n');
  expect(lines).toHaveLength(60);
  expect(new Set(lines).size).toBe(30);
});

test('without a place for the key there still is a mark, of this process alone', () => {
  const folder = stateFolder();
  const blocked = path.join(folder, 'file');
  writeFileSync(blocked, '');
  chmodSync(blocked, 0o400);
  const mark = createAncestorMarks(blocked);
  expect(mark('a hook')).toMatch(/^[0-9a-f]{16}$/);
  expect(mark('a hook')).toBe(mark('a hook'));
});

test('a key of another length is not a key: it makes no mark that somebody else can make too', () => {
  for (const size of [0, 31, 33]) {
    const folder = stateFolder();
    mkdirSync(path.join(folder, 'hookline'));
    writeFileSync(path.join(folder, 'hookline', 'marks.key'), 'x'.repeat(size));
    expect(createAncestorMarks(folder)('a hook')).not.toBe(createAncestorMarks(folder)('a hook'));
    expect(readdirSync(path.join(folder, 'hookline'))).toEqual(['marks.key']);
  }
});

test('a key that is there is used as it is', () => {
  const [one, two] = [stateFolder(), stateFolder()];
  for (const folder of [one, two]) {
    mkdirSync(path.join(folder, 'hookline'));
    writeFileSync(path.join(folder, 'hookline', 'marks.key'), 'x'.repeat(32));
  }
  expect(createAncestorMarks(one)('a hook')).toBe(createAncestorMarks(two)('a hook'));
});

test('the folder of the key is made with all above it, for its owner alone', () => {
  const folder = path.join(stateFolder(), 'deep', 'state');
  const mark = createAncestorMarks(folder)('a hook');
  expect(createAncestorMarks(folder)('a hook')).toBe(mark);
  expect(statSync(path.join(folder, 'hookline')).mode & 0o777).toBe(0o700);
});
