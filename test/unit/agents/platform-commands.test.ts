/** VS Code's keys for one operating system, in the files of the agents that VS Code reads: the command that runs is the one of this system. */
import { describe, expect, test } from 'vitest';
import { load as loadClaudeCode } from '../../../src/agents/claude-code/load.ts';
import { load as loadCopilot } from '../../../src/agents/copilot/load.ts';
import { PLATFORM_KEYS, platformKey, reportOtherPlatform, withPlatformCommand } from '../../../src/agents/kit/platform-commands.ts';
import type { LoadContext, Loaded } from '../../../src/core/contracts/dialect.ts';
import { fieldOf, type MapNode, toJson } from '../../../src/core/values/document.ts';
import { problemsIn } from '../../../src/core/values/read-document.ts';
import { parseJson } from '../../../src/load/formats/json.ts';
import { hookDigest } from '../../../src/trust/hook-digest.ts';

const OWN = platformKey();
const OTHERS = PLATFORM_KEYS.filter((key) => key !== OWN);
const [OTHER = 'windows'] = OTHERS;
const CONTEXT: LoadContext = {
  scope: 'project',
  folder: '/shop',
  folderName: 'shop',
  idPrefix: 'x',
  checkPattern: () => undefined,
  read: () => undefined,
  stat: () => undefined,
};
const parsed = (value: unknown) => parseJson('a.json', JSON.stringify(value));
const AGENTS = [
  ['claude-code', (entry: object): Loaded => loadClaudeCode(parsed({ hooks: { PreToolUse: [{ hooks: [entry] }] } }), CONTEXT)],
  ['copilot', (entry: object): Loaded => loadCopilot(parsed({ version: 1, hooks: { PreToolUse: [entry] } }), CONTEXT)],
] as const;
const commands = ({ hooks }: Loaded) => hooks.map(({ handler }) => handler.config['command']);
const said = ({ diagnostics }: Loaded) => diagnostics.map(({ severity, code }) => `${severity} ${code}`);

describe.each(AGENTS)('platform-commands: in a file of %s', (_id, load) => {
  const one = (entry: object) => load({ type: 'command', ...entry });

  test('the key of this platform takes the place of `command`', () => {
    for (const entry of [{ [OWN]: 'mine' }, { command: 'any', [OWN]: 'mine' }, { [OWN]: 'mine', command: 'any', [OTHER]: 'theirs' }]) {
      const loaded = one(entry);
      expect({ entry, commands: commands(loaded), said: said(loaded) }).toEqual({
        entry,
        commands: ['mine'],
        said: ['warning loose-shape'],
      });
    }
  });

  test('the name of the hook is that of the command that runs', () => {
    expect(one({ command: './any.sh', [OWN]: './mine.sh' }).hooks).toMatchObject([{ name: 'mine.sh' }]);
  });

  test('trust covers the command that runs, and no other', () => {
    const digest = (entry: object) => one(entry).hooks.map((hook) => hookDigest(hook, []));
    expect(digest({ command: 'any', [OWN]: 'mine' })).not.toEqual(digest({ command: 'any', [OWN]: 'changed' }));
    expect(digest({ command: 'any', [OWN]: 'mine' })).toEqual(digest({ command: 'other', [OWN]: 'mine', [OTHER]: 'theirs' }));
  });

  test('keys of other platforms leave `command` alone, without a word', () => {
    for (const key of OTHERS) {
      const loaded = one({ command: 'any', [key]: 'theirs' });
      expect({ key, commands: commands(loaded), said: said(loaded) }).toEqual({ key, commands: ['any'], said: [] });
    }
  });

  test('a hook for other platforms alone is skipped, and that is said', () => {
    for (const entry of [{ [OTHER]: 'theirs' }, { command: null, [OTHER]: 'theirs' }, { [OWN]: null, [OTHER]: 'theirs' }]) {
      const loaded = one(entry);
      expect({ entry, commands: commands(loaded), said: said(loaded) }).toEqual({ entry, commands: [], said: ['warning missing-field'] });
      expect(loaded.diagnostics[0]?.message).toContain(`\`${OTHER}\``);
    }
    expect(one(Object.fromEntries(OTHERS.map((key) => [key, 'theirs']))).diagnostics[0]?.message).toContain(
      OTHERS.map((key) => `\`${key}\``).join(' and '),
    );
  });

  test('a key that is no command takes no guard away', () => {
    for (const value of [5, '', ' ', {}, [], true]) {
      const loaded = one({ command: 'any', [OWN]: value });
      expect({ value, commands: commands(loaded), said: said(loaded) }).toEqual({ value, commands: ['any'], said: ['error wrong-type'] });
    }
  });

  test('without any of them the command is missing, as before', () => {
    expect(said(one({}))).toEqual(['error missing-field']);
  });
});

test('platform-commands: `bash` of Copilot takes precedence, and that is said', () => {
  const load = AGENTS[1][1];
  expect(commands(load({ bash: 'own', [OWN]: 'mine' }))).toEqual(['own']);
  expect(said(load({ bash: 'own', [OWN]: 'mine' }))).toEqual(['warning no-effect']);
  expect(said(load({ bash: 'own', [OTHER]: 'theirs' }))).toEqual([]);
  expect(commands(load({ bash: '', [OWN]: 'mine' }))).toEqual(['mine']);
  expect(commands(load({ exec: 'gate', [OTHER]: 'theirs' }))).toEqual(['gate']);
});

test.each([
  ['win32', 'windows'],
  ['darwin', 'osx'],
  ['linux', 'linux'],
  ['freebsd', 'linux'],
] as const)('on %s the key is `%s`, and no other', (platform, key) => {
  const fields = parsed(Object.fromEntries(PLATFORM_KEYS.map((one) => [one, `for ${one}`]))).root as MapNode;
  const problems = problemsIn('a.json');
  expect(platformKey(platform)).toBe(key);
  const command = fieldOf(withPlatformCommand(fields, 'x', problems, platformKey(platform)), 'command');
  expect(command && toJson(command)).toBe(`for ${key}`);
  const alone = { ...fields, entries: fields.entries.filter((entry) => entry.key === key) };
  expect(reportOtherPlatform(alone, 'x', problems, key)).toBe(false);
});
