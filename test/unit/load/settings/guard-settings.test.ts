import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSettings } from '../../../../src/load/settings/settings.ts';

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'guard-settings-'));
  mkdirSync(join(top, 'hookline'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const given = (guard: unknown) => {
  writeFileSync(join(top, 'hookline/settings.json'), JSON.stringify({ guard }));
  return readSettings(top);
};

test('preset, packs and overrides are read', async () => {
  const guard = { preset: 'strict', packs: ['cloud'], overrides: [{ rule: 'a', command: 'x *', reason: 'r', expires: '2030-01-01' }] };
  expect(await given(guard)).toEqual({ settings: { guard }, diagnostics: [] });
});

test('an override without rule, reason or end, or with a condition that is misspelt, is said and does not count', async () => {
  const whole = { rule: 'a', reason: 'r', expires: '2030-01-01' };
  const bad = [
    { ...whole, rule: '' },
    { ...whole, reason: undefined },
    { ...whole, expires: 'soon' },
    { ...whole, comand: 'x' },
    { ...whole, path: 7 },
    'a',
  ];
  const { settings, diagnostics } = await given({ overrides: [...bad, whole] });
  expect(settings.guard?.overrides).toEqual([whole]);
  expect(diagnostics.map(({ code }) => code)).toEqual(bad.map(() => 'bad-override'));
});

test('a preset that is none is said, and the default stays', async () => {
  const { settings, diagnostics } = await given({ preset: 'off' });
  expect(settings.guard).toEqual({});
  expect(diagnostics).toMatchObject([{ code: 'wrong-type', hint: expect.stringContaining('standard') }]);
});
