import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSettings } from '../../../../src/load/settings/settings.ts';

async function read(audit: unknown) {
  const folder = mkdtempSync(path.join(tmpdir(), 'waivers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, 'hookline'));
  writeFileSync(path.join(folder, 'hookline/settings.json'), JSON.stringify({ audit }));
  const { settings, diagnostics } = await readSettings(folder);
  return { waivers: settings.audit?.waivers, codes: diagnostics.map(({ code }) => code) };
}

const GOOD = { hook: 'gate', rules: ['exec-remote'], reason: 'known', expires: '2030-12-31' };

test('a waiver is read as it is written', async () => {
  expect(await read({ waivers: [GOOD] })).toEqual({ waivers: [GOOD], codes: [] });
});

test('a waiver without a hook, rules, a reason or an end waives nothing, and that is said', async () => {
  const bad = [
    { ...GOOD, hook: '' },
    { ...GOOD, rules: [] },
    { ...GOOD, rules: 'exec-remote' },
    { ...GOOD, rules: ['x', 1] },
    { ...GOOD, reason: ' ' },
    { ...GOOD, expires: 'never' },
    { hook: 'gate', rules: ['x'], reason: 'y' },
    'gate',
  ];
  expect(await read({ waivers: [...bad, GOOD] })).toEqual({ waivers: [GOOD], codes: bad.map(() => 'bad-waiver') });
  expect(await read({ waivers: GOOD })).toEqual({ waivers: undefined, codes: ['wrong-type'] });
});
