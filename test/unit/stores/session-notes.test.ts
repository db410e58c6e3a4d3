import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSessionCounts, openSessionNotes } from '../../../src/stores/session-notes.ts';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'notes-'));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const open = (topic = 'once', root = '/r') => openSessionNotes({ stateFolder: state, topic, root, nameless: 'default' });

test('what one process notes, another one knows; not of another session, thing, topic or project', () => {
  expect(open().has('s1', 'a')).toBe(false);
  expect(open().add('s1', 'a')).toEqual({ isNew: true });
  expect([open().has('s1', 'a'), open().add('s1', 'a')]).toEqual([true, { isNew: false }]);
  expect([open().has('s2', 'a'), open().has('s1', 'b'), open('said').has('s1', 'a'), open('once', '/other').has('s1', 'a')]).toEqual(
    Array(4).fill(false),
  );
});

test('of those who name no session each process knows its own, and nothing is written', () => {
  const notes = open();
  notes.add('default', 'a');
  expect([notes.has('default', 'a'), open().has('default', 'a'), readdirSync(state)]).toEqual([true, false, []]);
});

test('a note about nothing but a session is found again, whatever the session is called', () => {
  for (const session of ['s1', 'a/../b', 'x'.repeat(300)]) {
    expect([session, open('refused', '').has(session, '')]).toEqual([session, false]);
    expect(open('refused', '').add(session, '')).toEqual({ isNew: true });
    expect(open('refused', '').has(session, '')).toBe(true);
  }
  expect(readdirSync(join(state, 'hookline/refused'))).toContain('session-s1');
});

test('to look leaves nothing behind', () => {
  open().has('s1', 'a');
  expect(readdirSync(state)).toEqual([]);
});

test('what can not be written is known here, and why others will not know', () => {
  writeFileSync(join(state, 'hookline'), 'in the way');
  const notes = open();
  expect(notes.add('s1', 'a')).toEqual({ isNew: true, problem: expect.stringMatching(/ENOTDIR|EEXIST/) });
  expect([notes.has('s1', 'a'), open().has('s1', 'a')]).toEqual([true, false]);
});

const counts = () => openSessionCounts({ stateFolder: state, topic: 'stops', root: '', nameless: 'default' });

test('a count is shared by processes, raised and cleared, and each session has its own', () => {
  expect(counts().get('s1')).toBe(0);
  expect(counts().raise('s1', 1, 'Go on.')).toBeUndefined();
  expect(counts().raise('s1', 4, 'Really.')).toBeUndefined();
  expect([counts().get('s1'), counts().get('s2')]).toEqual([4, 0]);
  expect(['Go on.', ' Really.\n', 'else', ''].map((text) => counts().has('s1', text))).toEqual([true, true, false, false]);
  counts().clear('s2');
  counts().clear('s1');
  expect([counts().get('s1'), counts().has('s1', 'Go on.')]).toEqual([0, false]);
});

test('the count of a nameless session stays in its process', () => {
  const mine = counts();
  mine.raise('default', 2, 'Go on.');
  expect([mine.get('default'), mine.has('default', 'Go on.'), counts().get('default'), readdirSync(state)]).toEqual([2, true, 0, []]);
  mine.clear('default');
  expect(mine.get('default')).toBe(0);
});

test('a count that cannot be written is kept here, and says why it goes no further', () => {
  writeFileSync(join(state, 'hookline'), '');
  const mine = counts();
  expect(mine.raise('s1', 1, 'Go on.')).toMatch(/\w/);
  expect([mine.get('s1'), counts().get('s1')]).toEqual([1, 0]);
});

test('to ask for a count leaves nothing behind', () => {
  counts().get('s1');
  counts().clear('s1');
  expect(readdirSync(state)).toEqual([]);
});
