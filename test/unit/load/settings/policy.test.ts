import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPolicy } from '../../../../src/load/settings/policy.ts';
import { systemPolicyFile } from '../../../../src/load/settings/policy-file.ts';

let top: string;
let system: string;
let given: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'policy-'));
  [system, given] = [join(top, 'etc/policy.json'), join(top, 'given.json')];
  mkdirSync(join(top, 'etc'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const read = (file?: string) => readPolicy(file, ['arawn'], system);

test('each platform has its place', () => {
  expect(
    ['linux', 'darwin', 'win32'].map((platform) => systemPolicyFile(platform as NodeJS.Platform, { ProgramData: 'D:\\Data' })),
  ).toEqual(['/etc/hookline/policy.json', '/Library/Application Support/Hookline/policy.json', 'D:\\Data\\Hookline\\policy.json']);
});

test('without a file there is no policy', async () => {
  expect(await read()).toEqual({ policy: {}, diagnostics: [] });
});

test('every key is read; paths are seen from the policy', async () => {
  const policy = {
    hooks: ['hooks', '/srv/x'],
    allowedSources: ['user', 'arawn', '/opt'],
    managedOnly: false,
    required: ['gate'],
    trust: 'never',
  };
  writeFileSync(system, JSON.stringify(policy));
  expect(await read()).toEqual({ policy: { ...policy, hooks: [join(top, 'etc/hooks'), '/srv/x'] }, diagnostics: [] });
});

test("a file that is named does not take the place of the machine's, not even of a broken one", async () => {
  writeFileSync(given, '{"trust": "never"}');
  expect((await read(given)).policy).toEqual({ trust: 'never' });
  writeFileSync(system, '{"managedOnly": true}');
  expect((await read(given)).policy).toEqual({ managedOnly: true });
  writeFileSync(system, 'oops');
  expect(await read(given)).toMatchObject({ policy: {}, broken: { severity: 'error', code: 'broken-policy', file: system } });
  rmSync(system);
  mkdirSync(system);
  expect(await read(given)).toMatchObject({ broken: { file: system } });
});

test.each([
  '',
  '[]',
  '{"managedOnly": "yes"}',
  '{"managedonly": true}',
  '{"allowedSources": ["users"]}',
  '{"trust": "ask"}',
  '{"hooks": [1]}',
  '{',
])('a policy that is not understood to its end (%s) is broken', async (text) => {
  writeFileSync(system, text);
  expect(await read()).toMatchObject({ policy: {}, broken: { code: 'broken-policy' } });
});

test('a file that is named and is not there is broken', async () => {
  expect(await read(given)).toMatchObject({ broken: { file: given } });
});
