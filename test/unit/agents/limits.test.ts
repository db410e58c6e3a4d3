/** What the settings and the trust of agents make of our entry, host by host. */
import { expect, test } from 'vitest';
import { HOSTS } from '../../../src/builtins.ts';
import type { HostLook } from '../../../src/core/contracts/host-limits.ts';
import { parseJson } from '../../../src/load/formats/json.ts';

async function objections(id: string, files: Readonly<Record<string, object>>, more: Partial<HostLook> = {}): Promise<string[]> {
  const limits = await HOSTS.find((host) => host.id === id)?.limits();
  const look: HostLook = {
    scope: 'user',
    file: '/home/ann/entry.json',
    realFile: '/home/ann/entry.json',
    isLink: false,
    root: '/home/ann/shop',
    env: {},
    lines: ['hookline hook'],
    read: (path) => (files[path] === undefined ? undefined : parseJson(path, JSON.stringify(files[path]))),
    sha256: () => '',
    ...more,
  };
  return (limits?.objections?.(look) ?? []).map(({ severity, code, file }) => `${severity} ${code} ${file ?? 'here'}`);
}

const OFF = { disableAllHooks: true };

test.each([
  ['claude-code', '~/.claude/settings.json', OFF],
  ['claude-code', '.claude/settings.local.json', OFF],
  ['claude-code', '/etc/claude-code/managed-settings.json', { allowManagedHooksOnly: true }],
  ['qwen', '.qwen/settings.json', OFF],
  ['copilot', '~/.copilot/settings.json', OFF],
  ['copilot', '/home/ann/entry.json', OFF],
  ['gemini-cli', '~/.gemini/settings.json', { hooksConfig: { enabled: false } }],
  ['gemini-cli', '~/.gemini/settings.json', { hooksConfig: { disabled: ['hookline'] } }],
  ['droid', '.factory/hooks.json', { hooksDisabled: true }],
  ['droid', '.factory/settings.json', { hooks: { hooksDisabled: true } }],
])('%s: %s switches our entry off', async (id, file, settings) => {
  expect(await objections(id, { [file]: settings })).toEqual([`error hooks-switched-off ${file}`]);
  expect(await objections(id, { [file]: {} })).toEqual([]);
});

test('of several settings of Claude Code the nearest counts', async () => {
  const files = { '~/.claude/settings.json': OFF, '.claude/settings.json': { disableAllHooks: false } };
  expect(await objections('claude-code', files)).toEqual([]);
});

test.each([
  ['claude-code', '~/.claude/settings.json', (list: string[]) => ({ allowedHttpHookUrls: list })],
  ['qwen', '~/.qwen/settings.json', (list: string[]) => ({ security: { allowedHttpHookUrls: list } })],
])('%s: an address of ours that its list does not have is not asked', async (id, file, settings) => {
  const lines = ['http://127.0.0.1:4100/v1/hook/x'];
  expect(await objections(id, { [file]: settings(['https://*']) }, { lines })).toEqual([
    expect.stringContaining('error hooks-switched-off'),
  ]);
  expect(await objections(id, { [file]: settings(['http://127.0.0.1:*']) }, { lines })).toEqual([]);
  expect(await objections(id, { [file]: settings(['https://*']) })).toEqual([]);
});

const PROJECT = { scope: 'project' } as const;

test('the entry of a project is not run where the folder is not trusted', async () => {
  expect(await objections('gemini-cli', {}, PROJECT)).toEqual(['warning not-trusted-there here']);
  const folders = (level: string) => ({ '~/.gemini/trustedFolders.json': { '/home/ann/shop': level } });
  expect(await objections('gemini-cli', folders('DO_NOT_TRUST'), PROJECT)).toEqual(['error not-trusted-there here']);
  expect(await objections('gemini-cli', folders('TRUST_FOLDER'), PROJECT)).toEqual([]);
  expect(await objections('gemini-cli', { '~/.gemini/settings.json': { security: { folderTrust: { enabled: false } } } }, PROJECT)).toEqual(
    [],
  );
  const qwen = { '~/.qwen/settings.json': { security: { folderTrust: { enabled: true } } } };
  expect(await objections('qwen', {}, PROJECT)).toEqual([]);
  expect(await objections('qwen', qwen, PROJECT)).toEqual(['warning not-trusted-there here']);
  expect(await objections('qwen', { ...qwen, '~/.qwen/trustedFolders.json': { '/home/ann': 'TRUST_FOLDER' } }, PROJECT)).toEqual([]);
  expect(await objections('copilot', {}, PROJECT)).toEqual(['warning not-trusted-there here']);
  expect(await objections('copilot', { '~/.copilot/config.json': { trusted_folders: ['/home/ann'] } }, PROJECT)).toEqual([]);
  const env = { GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS: 'true' };
  expect(await objections('copilot', {}, { ...PROJECT, env })).toEqual([]);
});

test('every host says what its hooks never see, in words', async () => {
  for (const host of HOSTS) {
    const { blind } = await host.limits();
    expect({ host: host.id, count: blind.length }).not.toEqual({ host: host.id, count: 0 });
    expect(
      blind.filter(({ what, because }) => /[.]$/.test(what) || /[.]$/.test(because) || what.length < 5 || because.length < 10),
    ).toEqual([]);
  }
});
