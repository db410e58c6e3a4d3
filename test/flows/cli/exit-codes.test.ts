/** The table of exit codes, and what goes to which stream. */
import { describe, expect, test } from 'vitest';
import { createWorkspace } from '../../support/workspace.ts';
import { hookline, skill } from './program.ts';

const FIRE = ['fire', 'tool.before', '--tool', 'Bash', '--input', '{"command":"ls"}', '--trust-all'];

describe('fire', () => {
  test('0: nobody objects', async () => {
    const ended = await hookline(createWorkspace(skill('exit 0')), FIRE);
    expect(ended).toMatchObject({ exit: 0, stderr: '' });
    expect(ended.stdout).toContain('no objection');
  });

  test('2: denied, and the reason is on stderr', async () => {
    const workspace = createWorkspace(skill('echo not today; exit 2'));
    expect(await hookline(workspace, FIRE)).toMatchObject({ exit: 2, stderr: 'not today\n' });
    expect(await hookline(workspace, [...FIRE, '--json'])).toMatchObject({ exit: 2, stderr: 'not today\n' });
  });

  test('3: held, and nobody settled it while --wait waited', async () => {
    const { createServer } = await import('node:http');
    const server = createServer((_, response) => response.end('{"decision":"pending","state":{}}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const text = `---\nname: guard\ndescription: A guard.\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: http\n          url: http://127.0.0.1:${port}/\n---\n`;
    const ended = await hookline(createWorkspace({ 'skills/guard/SKILL.md': text }), [...FIRE, '--json', '--wait', '1']);
    server.close();
    expect(ended.exit).toBe(3);
    expect(JSON.parse(ended.stdout)).toMatchObject({ decision: 'hold', ticket: { id: expect.any(String) } });
    expect(ended.stderr).toBe('');
  });

  test('a hook that asks holds the action; in memory, where nobody could answer, it denies', async () => {
    const workspace = createWorkspace({
      '.agents/hooks/gate/HOOK.md': '---\nname: gate\ndescription: A gate.\ntrigger: before_tool\n---\n',
      '.agents/hooks/gate/scripts/run.sh': '#!/bin/sh\necho \'{"decision":"ask","reason":"sure?"}\'\n',
    });
    expect((await hookline(workspace, FIRE)).exit).toBe(3);
    const ended = await hookline(workspace, [...FIRE, '--store', 'memory:']);
    expect(ended.exit).toBe(2);
    expect(ended.stderr).toContain('sure?');
  });
});

describe('64: wrong usage', () => {
  const wrong: readonly (readonly [what: string, argv: readonly string[], says: string])[] = [
    ['an unknown command', ['fier'], 'hookline fire'],
    ['an unknown option', ['fire', 'tool.before', '--paylod', '{}'], '--payload'],
    ['no event', ['fire'], 'The event is missing'],
    ['an unknown kind', ['fire', 'tool.befor'], 'tool.before'],
    ['a native name without its dialect', ['fire', 'PreToolUse'], '--as'],
    ['an unknown dialect', ['fire', 'PreToolUse', '--as', 'skilkit'], 'skillkit'],
    ['an unknown native event', ['fire', 'PreToolUze', '--as', 'skillkit'], 'PreToolUse'],
    ['an unknown dialect to load', ['fire', 'tool.before', '--only', 'arawm'], 'arawn'],
    ['a payload that is not JSON', ['fire', 'tool.before', '--payload', '{\n "a": }'], 'line 2, column 7'],
    ['a payload that is a list', ['fire', 'tool.before', '--payload', '[]'], 'a list'],
    ['a payload file that is not there', ['fire', 'tool.before', '--payload', '@none.json'], 'none.json'],
    ['an input that is not JSON', ['fire', 'tool.before', '--tool', 'X', '--input', 'ls'], 'The input is not JSON'],
    ['an input without a tool', ['fire', 'tool.before', '--input', '{}'], '--tool'],
    ['a tool on another event', ['fire', 'session.start', '--tool', 'X'], 'tool events'],
    ['a tool and a payload', ['fire', 'tool.before', '--tool', 'X', '--payload', '{}'], 'exclude'],
    ['a project that is not there', ['fire', 'tool.before', '--root', 'nowhere'], 'nowhere'],
    ['a store of no kind', ['fire', 'tool.before', '--store', 'redis://x'], 'sqlite:PATH'],
    ['seconds that are no number', ['fire', 'tool.before', '--wait', 'long'], '--wait'],
    ['a surplus word', ['list', 'everything'], 'everything'],
    ['something trust can not do', ['trust', 'ad'], 'trust add'],
    ['help on nothing', ['help', 'fier'], 'fire'],
  ];
  test.each(wrong)('%s', async (_, argv, says) => {
    const ended = await hookline(createWorkspace(), argv);
    expect(ended.exit).toBe(64);
    expect(ended.stdout).toBe('');
    expect(ended.stderr).toContain(says);
  });

  test('with --json the complaint is one JSON document on stdout', async () => {
    const workspace = createWorkspace();
    for (const [, argv] of wrong) {
      if (argv[0] === 'help') continue;
      const ended = await hookline(workspace, [...argv, '--json']);
      expect(ended.exit, argv.join(' ')).toBe(64);
      const { error } = JSON.parse(ended.stdout);
      expect(error).toEqual({ code: expect.any(String), message: expect.any(String), hint: expect.any(String) });
    }
  });
});

test('78: a store that can not be opened', async () => {
  const ended = await hookline(createWorkspace(), ['log', '--store', 'sqlite:/dev/null/x.db']);
  expect(ended.exit).toBe(78);
  expect(ended.stderr).toContain('/dev/null/x.db');
});

test('1: a negative answer of check and trust; 2 is never used for it', async () => {
  const workspace = createWorkspace({ 'hooks/gate/HOOK.toml': '[hook]\nname = "gate"\n' });
  expect((await hookline(workspace, ['check'])).exit).toBe(1);
  expect((await hookline(workspace, ['trust', 'remove'])).exit).toBe(1);
});

test('0: list, plan, help and version', async () => {
  const workspace = createWorkspace(skill('exit 2'));
  for (const argv of [
    ['list'],
    ['plan', 'tool.before', '--tool', 'X'],
    ['help'],
    ['--help'],
    [],
    ['fire', '--help'],
    ['version'],
    ['--version'],
  ]) {
    const ended = await hookline(workspace, argv);
    expect(ended, argv.join(' ')).toMatchObject({ exit: 0, stderr: '' });
    expect(ended.stdout).not.toBe('');
  }
});
