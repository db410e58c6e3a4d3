/** The laws of the settings about what hooks may see and reach. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSettings } from '../../../../src/load/settings/settings.ts';

function settings(value: unknown) {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-reach-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, 'hookline'));
  writeFileSync(path.join(folder, 'hookline', 'settings.json'), JSON.stringify(value));
  return readSettings(folder);
}

test('policy, names, exceptions and the frame are read', async () => {
  const given = { environment: { policy: 'allow', names: ['A*'] }, http: { allowAddresses: ['169.254.0.0/16'] }, markContext: true };
  expect(await settings(given)).toEqual({ settings: given, diagnostics: [] });
});

test('what can not be used is said and left out, and the rest counts', async () => {
  const given = { environment: { policy: 'some', names: ['A', 1] }, http: { alowAddresses: [] }, markContext: 'yes' };
  const { settings: read, diagnostics } = await settings(given);
  expect(read).toEqual({ environment: { names: ['A'] }, http: {} });
  expect(diagnostics.map(({ code, line }) => [code, line])).toEqual([
    ['wrong-type', 1],
    ['wrong-type', 1],
    ['unknown-key', 1],
    ['wrong-type', 1],
  ]);
});
