import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { limits } from '../../../../src/agents/codex/host-limits.ts';
import type { HostLook } from '../../../../src/core/contracts/host-limits.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';
import { parseToml } from '../../../../src/load/formats/toml.ts';

const FILE = '/home/ann/.codex/hooks.json';
const LINE = '/usr/bin/hookline-hook codex PreToolUse';
const LAST = '/usr/bin/hookline-hook codex SessionEnd';
const HOOKS = JSON.stringify({
  hooks: {
    PreToolUse: [{ hooks: [{ type: 'command', command: LINE }] }],
    SessionEnd: [{ hooks: [{ type: 'command', command: LAST, timeout: 3 }] }],
  },
});
/** As `hooks/list` of Codex 0.166.0 gives them for these very entries. */
const DIGESTS = {
  PreToolUse: 'sha256:31e699396143115f60b313c32527a59c17bf838c5f224e3f3058ec92edaca143',
  SessionEnd: 'sha256:5a34ba7a86ab15e6a91364283639f72edb3d682a9e6c1ffdc00780d1c44a4101',
};
const state = (event: string, fields: string) => `[hooks.state."${FILE}:${event}:0:0"]\n${fields}\n`;
const TRUSTED =
  state('pre_tool_use', `trusted_hash = "${DIGESTS.PreToolUse}"`) + state('session_end', `trusted_hash = "${DIGESTS.SessionEnd}"`);

function objections(config: string, more: Partial<HostLook> = {}, requirements = '') {
  const files: Record<string, string> = { '~/.codex/config.toml': config, '/etc/codex/requirements.toml': requirements, [FILE]: HOOKS };
  const look: HostLook = {
    scope: 'user',
    file: FILE,
    realFile: FILE,
    isLink: false,
    root: '/home/ann/shop',
    env: {},
    lines: [LINE, LAST],
    read: (path) => (path.endsWith('.toml') ? parseToml : parseJson)(path, files[path] ?? ''),
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    ...more,
  };
  return (limits.objections?.(look) ?? []).map(({ severity, code, because }) => `${severity} ${code}: ${because}`);
}

test('an entry runs once Codex trusts exactly what stands there', () => {
  expect(objections(TRUSTED)).toEqual([]);
});

test.each([
  ['nobody has trusted it', '', 'PreToolUse, SessionEnd: it is not trusted there yet.'],
  ['it was changed', TRUSTED.replace('31e6', '0000'), 'PreToolUse: it has changed since it was trusted there.'],
  [
    'it is switched off',
    state('pre_tool_use', 'enabled = false') + TRUSTED.slice(TRUSTED.indexOf('[hooks.state', 5)),
    'PreToolUse: it is switched off there.',
  ],
])('an entry is dead if %s', (_, config, words) => {
  expect(objections(config)).toEqual([`error not-trusted-there: Codex does not run our entry for ${words}`]);
});

test('the hooks of a project that Codex does not trust are not even read', () => {
  expect(objections(TRUSTED, { scope: 'project' })).toEqual([expect.stringContaining('it does not trust it')]);
  const trusted = `[projects."/home/ann/shop"]\ntrust_level = "trusted"\n${TRUSTED}`;
  expect(objections(trusted, { scope: 'project' })).toEqual([]);
});

test('the feature and the machine switch off all of them', () => {
  expect(objections(`${TRUSTED}[features]\nhooks = false\n`)).toEqual([
    expect.stringMatching(/^error hooks-switched-off: `features\.hooks`/),
  ]);
  expect(objections(TRUSTED, {}, 'allow_managed_hooks_only = true')).toEqual([expect.stringContaining('only managed hooks')]);
});
