import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSettings } from '../../../../src/load/settings/settings.ts';

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'settings-'));
  mkdirSync(join(top, 'hookline'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const given = (text: string) => {
  writeFileSync(join(top, 'hookline/settings.json'), text);
  return readSettings(top, ['skillkit', 'arawn']);
};

test('no file, and an empty file, are no settings', async () => {
  expect(await readSettings(top, [])).toEqual({ settings: {}, diagnostics: [] });
  expect(await given('')).toEqual({ settings: {}, diagnostics: [] });
});

test('every setting is read, comments or not', async () => {
  const { settings, diagnostics } = await given(
    '{ // mine\n "dialects": ["arawn"], "strict": true, "maxHooks": 7, "audit": { "allowSkip": true }, }',
  );
  expect(settings).toEqual({ dialects: ['arawn'], strict: true, maxHooks: 7, audit: { allowSkip: true } });
  expect(diagnostics).toEqual([]);
});

test('what is not known or of the wrong type is said with its place and left out; the rest counts', async () => {
  const { settings, diagnostics } = await given(
    '{\n"strickt": true,\n"strict": "yes",\n"maxHooks": 0,\n"dialects": ["skilkit", 3, "arawn"],\n"audit": {"allowskip": 1, "allowSkip": false}}',
  );
  expect(settings).toEqual({ dialects: ['arawn'], audit: { allowSkip: false } });
  expect(diagnostics.map(({ severity, code, line, hint }) => [severity, code, line, hint])).toEqual([
    ['warning', 'unknown-key', 2, 'Did you mean `strict`?'],
    ['warning', 'wrong-type', 3, 'Write `true` or `false`.'],
    ['warning', 'wrong-type', 4, 'Write a whole number above 0.'],
    ['warning', 'unknown-dialect', 5, 'Did you mean `skillkit`?'],
    ['warning', 'unknown-dialect', 5, 'Known: skillkit, arawn.'],
    ['warning', 'unknown-key', 6, 'Did you mean `allowSkip`?'],
  ]);
});

test('a broken file, or one that is no map, is no settings and a diagnostic', async () => {
  expect(await given('{"strict": tru}')).toMatchObject({
    settings: {},
    diagnostics: [{ severity: 'error', code: 'invalid-json', line: 1, column: 12 }],
  });
  expect(await given('[]')).toMatchObject({ settings: {}, diagnostics: [{ severity: 'warning', code: 'wrong-type' }] });
});

test('the settings of the log are read under their old name too, with a word about the new one', async () => {
  const current = await given(JSON.stringify({ log: { record: 'all', onFailure: 'deny', keepDays: 30 } }));
  expect(current).toEqual({ settings: { log: { record: 'all', onFailure: 'deny', keepDays: 30 } }, diagnostics: [] });
  const { settings, diagnostics } = await given(
    JSON.stringify({ audit: { allowSkip: true, record: 'all', onFailure: 'deny', keepDays: 30 } }),
  );
  expect(settings).toEqual({ audit: { allowSkip: true, record: 'all', onFailure: 'deny', keepDays: 30 } });
  expect(diagnostics.map(({ code, message }) => [code, /`(log\.\w+)`/.exec(message)?.[1]])).toEqual([
    ['deprecated', 'log.record'],
    ['deprecated', 'log.onFailure'],
    ['deprecated', 'log.keepDays'],
  ]);
});
