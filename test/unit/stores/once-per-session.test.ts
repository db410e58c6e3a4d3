import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openOncePerSession } from '../../../src/stores/session-notes.ts';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'said-'));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const open = (root = '/r') => openOncePerSession(state, root, 'default');

test('a thing is said once in a session, whoever says it; another session, thing or project hears it', () => {
  const first = open();
  expect([first('s1', 'a'), first('s1', 'a'), open()('s1', 'a')]).toEqual([true, false, false]);
  expect([open()('s2', 'a'), open()('s1', 'b'), open('/other')('s1', 'a')]).toEqual([true, true, true]);
});

test('those who name no session hear it once for each process, and nothing is written', () => {
  const first = open();
  expect([first('default', 'a'), first('default', 'a'), open()('default', 'a')]).toEqual([true, false, true]);
  expect(readdirSync(state)).toEqual([]);
});

test('the folder stays small', () => {
  const said = open();
  for (let i = 0; i < 1500; i++) said(`s${i}`, 'a');
  expect(readdirSync(join(state, 'hookline/said')).length).toBeLessThanOrEqual(1000);
  expect(open()('s1499', 'a')).toBe(false);
});

test('a folder that can not be written makes nobody silent', () => {
  writeFileSync(join(state, 'hookline'), 'in the way');
  expect([open()('s1', 'a'), open()('s1', 'a')]).toEqual([true, true]);
});
