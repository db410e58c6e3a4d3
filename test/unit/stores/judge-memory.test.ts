/** The memory of judges: costs that processes share, and verdicts that are bounded, forgotten, and never half read. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openJudgeSpending } from '../../../src/stores/judge-spending.ts';
import { openVerdictFiles } from '../../../src/stores/verdict-files.ts';
import { createWorkspace } from '../../support/workspace.ts';

const open = (stateFolder: string) => openJudgeSpending({ stateFolder, nameless: 'nameless' });
const KNOWN = { verdict: { ok: true, reason: '' }, looks: [] };
const DIGEST = `sha256:${'a'.repeat(64)}`;
const DAY_MS = 24 * 60 * 60 * 1000;

test('what one process spends in a session the other sees, and other sessions do not count', () => {
  const { home } = createWorkspace();
  const [one, other] = [open(home), open(home)];
  one.add('s', { tokens: 100, micros: 7 });
  other.add('s', { tokens: -40, micros: 0 });
  other.add('t', { tokens: 1, micros: 1 });
  for (const spending of [one, other, open(home)]) expect(spending.of('s')).toEqual({ tokens: 60, micros: 7 });
  expect(open(home).of('unseen')).toEqual({ tokens: 0, micros: 0 });
});

test.each([undefined, 'nameless'])('a caller that names no session (%s) is counted in its process', (session) => {
  const { home } = createWorkspace();
  const spending = open(home);
  spending.add(session, { tokens: 5, micros: 1 });
  expect(spending.of(session)).toEqual({ tokens: 5, micros: 1 });
  expect(open(home).of(session)).toEqual({ tokens: 0, micros: 0 });
});

test('a line that is no cost makes the sum unknown, and a folder that cannot be written is told', () => {
  const workspace = createWorkspace();
  const spending = open(workspace.home);
  spending.add('s', { tokens: 1, micros: 0 });
  const folder = workspace.at('~/hookline/judge-spending');
  const [file = ''] = readdirSync(folder);
  writeFileSync(path.join(folder, file), `${readFileSync(path.join(folder, file), 'utf8')}-1e9 x\n`);
  expect(spending.of('s')).toContain('no cost');
  workspace.write({ '~/taken/hookline': 'a file' });
  expect(open(workspace.at('~/taken')).add('s', { tokens: 1, micros: 0 })).toEqual(expect.any(String));
});

test('a verdict is found again, in this process and the next, for a week', () => {
  const { home } = createWorkspace();
  let now = 1_000_000_000_000;
  const clock = () => now;
  openVerdictFiles(home, clock).set(DIGEST, KNOWN);
  const next = openVerdictFiles(home, clock);
  expect(next.get(DIGEST)).toEqual(KNOWN);
  expect(next.get(`sha256:${'b'.repeat(64)}`)).toBeUndefined();
  now += 6 * DAY_MS;
  expect(next.get(DIGEST)).toEqual(KNOWN);
  now += 2 * DAY_MS;
  expect([next, openVerdictFiles(home, clock)].map((verdicts) => verdicts.get(DIGEST))).toEqual([undefined, undefined]);
});

test.each([
  ['half a file', '{"digest"'],
  ['another question', JSON.stringify({ digest: 'sha256:other', at: 1, ...KNOWN })],
  ['no verdict', JSON.stringify({ digest: DIGEST, at: 1, verdict: { ok: 'true' }, looks: [] })],
  ['no looks', JSON.stringify({ digest: DIGEST, at: 1, verdict: { ok: true } })],
  ['a wrong look', JSON.stringify({ digest: DIGEST, at: 1, verdict: { ok: true }, looks: [{ tool: 'x' }] })],
])('%s is no verdict', (_, text) => {
  const workspace = createWorkspace();
  const folder = workspace.at('~/hookline/judge-verdicts');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${DIGEST.replace(':', '-')}.json`), text);
  expect(openVerdictFiles(workspace.home, () => 2).get(DIGEST)).toBeUndefined();
});

test('the folder of verdicts stays small, and a folder that cannot be written costs nothing but the memory', () => {
  const workspace = createWorkspace();
  const verdicts = openVerdictFiles(workspace.home);
  for (let i = 0; i < 1010; i++) verdicts.set(`sha256:${i}`, KNOWN);
  expect(readdirSync(workspace.at('~/hookline/judge-verdicts')).length).toBeLessThanOrEqual(1000);
  workspace.write({ '~/taken/hookline': 'a file' });
  const none = openVerdictFiles(workspace.at('~/taken'));
  none.set(DIGEST, KNOWN);
  expect(none.get(DIGEST)).toEqual(KNOWN);
  expect(existsSync(workspace.at('~/taken/hookline/judge-verdicts'))).toBe(false);
});
