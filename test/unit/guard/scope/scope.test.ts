import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import { TOOL_ROWS } from '../../../../src/core/event/tool-names.ts';
import type { GrantScope, GrantWish } from '../../../../src/core/record/grant.ts';
import type { Json } from '../../../../src/core/values/json.ts';
import { inScope, scopeOf } from '../../../../src/guard/scope/scope.ts';

const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'hookline-scope-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const context = { hash: (text: string) => createHash('sha256').update(text).digest('hex'), root, home: '/home/ann' };

function use(tool: string, input: Json, cwd = root): HookEvent {
  return { id: 'e', kind: 'tool.before', at: '2025-01-01T00:00:00.000Z', session: { id: 's', cwd }, data: { tool, input } };
}

function scoped(event: HookEvent, wish: Omit<GrantWish, 'for'>): GrantScope {
  const found = scopeOf(event, { for: 1000, ...wish }, context);
  if ('why' in found) throw new Error(found.why);
  return found.scope;
}

function refused(event: HookEvent, wish: Omit<GrantWish, 'for'>): string {
  const found = scopeOf(event, { for: 1000, ...wish }, context);
  return 'why' in found ? found.why : `granted: ${JSON.stringify(found.scope)}`;
}

const bash = (command: string, more: object = {}, cwd?: string): HookEvent => use('Bash', { command, ...more }, cwd);

describe('the same action', () => {
  const scope = scoped(bash('npm run test', { description: 'Run them' }), {});
  test('is the same with another wording, and not with another input, tool, kind or folder', () => {
    expect(inScope(scope, bash('npm run test', { description: 'Once more' }), context)).toBe(true);
    for (const other of [
      bash('npm run test '),
      bash('npm run test', { run_in_background: true }),
      bash('npm run test', {}, path.join(root, 'sub')),
      use('Shell', { command: 'npm run test' }),
      { ...bash('npm run test'), kind: 'tool.after' as const },
    ])
      expect(inScope(scope, other, context)).toBe(false);
  });
});

describe('a command prefix', () => {
  const scope = scoped(bash('npm run test --x', { timeout: 5 }), { same: 'command-prefix' });

  test('is guessed up to the first word that looks like data', () => {
    expect(scope).toMatchObject({ words: ['npm', 'run', 'test'], cwd: root });
    expect(scoped(bash('git commit -m "a b"'), { same: 'command-prefix' })).toMatchObject({ words: ['git', 'commit'] });
    expect(scoped(bash('npm run test --x'), { same: 'command-prefix', prefix: 'npm "run"' })).toMatchObject({ words: ['npm', 'run'] });
  });

  test.each(['npm run test', 'npm  run  test --x', '"npm" run test', 'npm run test -- -t "a; b"', 'npm run test a=b'])(
    'covers %j',
    (command) => expect(inScope(scope, bash(command), context)).toBe(true),
  );

  test.each([
    ...[
      'npm run testx',
      'npm run "test x"',
      'npm run',
      'npm',
      'npm test',
      'npm run -s test',
      '/usr/bin/npm run test',
      'NPM run test',
      'nрm run test',
    ],
    ...[
      'npm run test; rm -rf /',
      'npm run test$(x)',
      'npm run test\nrm',
      'npm run test && x',
      'X=1 npm run test',
      'npm run test > x',
      'npm run te\\st',
    ],
    ...['alias npm=rm', 'sudo npm run test', 'cd x && npm run test', 'npm\u00a0run test', 'npm run test # x', 'npm run test &', ''],
  ])('does not cover %j', (command) => expect(inScope(scope, bash(command), context)).toBe(false));

  test('covers nothing in another folder, of another tool, or with another field in the input', () => {
    expect(inScope(scope, bash('npm run test', {}, path.join(root, 'sub')), context)).toBe(false);
    expect(inScope(scope, bash('npm run test', { timeout: 9, description: 'x' }), context)).toBe(true);
    for (const more of [{ dangerouslyDisableSandbox: true }, { workdir: '/' }, { cmd: 'rm x' }, { script: 'rm x' }, { args: ['x'] }])
      expect(inScope(scope, bash('npm run test', more), context)).toBe(false);
    expect(inScope(scope, use('Shell', { command: 'npm run test' }), context)).toBe(false);
    expect(inScope(scope, use('Bash', { command: ['npm', 'run', 'test'] }), context)).toBe(false);
  });

  test.each<[string, string | undefined, RegExp]>([
    ['npm run test && x', undefined, /not one simple command/],
    ['FOO=1 npm run test', undefined, /not one simple command/],
    ['./run.sh', undefined, /does not show/],
    ['ls -la', undefined, /does not show/],
    ['npm run test', 'npm run build', /does not begin/],
    ['npm run test', 'npm run te', /does not begin/],
    ['npm run test', '', /must be words/],
    ['npm run test', 'npm; rm', /must be words/],
    ['npm run test', 'npm', /any program/],
    ['bash x', 'bash', /any program/],
    ['python3 manage', undefined, /any program/],
    ['sudo npm install', undefined, /any program/],
    ['npx vitest run', undefined, /any program/],
    ['git -c a=b status', 'git -c', /no options/],
    ['ls -la', 'ls -la', /no options/],
  ])('of %j with %j is refused', (command, prefix, why) =>
    expect(refused(bash(command), { same: 'command-prefix', ...(prefix !== undefined && { prefix }) })).toMatch(why),
  );

  test('is refused for tools that run no shell command', () => {
    for (const event of [
      use('Write', { file_path: 'a' }),
      use('PowerShell', { command: 'npm run test' }),
      use('mcp__x__y', { command: 'npm run test' }),
    ])
      expect(refused(event, { same: 'command-prefix' })).toMatch(/does not run one shell command/);
  });
});

describe('every use of a tool', () => {
  const runs = new Set(['shell', 'monitor', 'type']);
  const rows = TOOL_ROWS.flatMap(({ does, names }) => names.map((name) => [name, does] as const));

  test.each(rows.filter(([, does]) => runs.has(does)))('%s runs commands, so it is refused', (tool) => {
    for (const input of [{ command: 'ls' }, {}, { chars: 'ls\n' }, 'ls'])
      expect(refused(use(tool, input), { same: 'tool' })).toMatch(/runs commands/);
  });

  test.each(['python', 'run_code', 'mcp__box__execute_command', 'call_tool', 'repl', 'mcp__x__terminal'])('so is %s', (tool) =>
    expect(refused(use(tool, { code: '1' }), { same: 'tool' })).toMatch(/runs commands/),
  );

  test.each(['command', 'cmd', 'script', 'code'])('an unknown tool with a `%s` is refused, and is not covered later', (key) => {
    expect(refused(use('mcp__lab__go', { [key]: 'rm -rf x' }), { same: 'tool' })).toMatch(/runs commands/);
    const scope = scoped(use('mcp__lab__go', { issue: 1 }), { same: 'tool' });
    expect(inScope(scope, use('mcp__lab__go', { issue: 2 }), context)).toBe(true);
    expect(inScope(scope, use('mcp__lab__go', { [key]: 'rm -rf x' }), context)).toBe(false);
    expect(inScope(scope, use('mcp__lab__gone', { issue: 2 }), context)).toBe(false);
  });

  test('a prompt is no tool', () => {
    const prompt: HookEvent = { ...bash(''), kind: 'prompt.submit', data: { prompt: 'x' } };
    expect(refused(prompt, { same: 'tool' })).toMatch(/not the use of a tool/);
    expect(inScope(scoped(prompt, {}), prompt, context)).toBe(true);
  });
});

describe('a path', () => {
  mkdirSync(path.join(root, 'src', 'deep'), { recursive: true });
  mkdirSync(path.join(root, 'out'));
  writeFileSync(path.join(root, 'src', 'a.ts'), '');
  symlinkSync(path.join(root, 'out'), path.join(root, 'src', 'leads-out'));
  symlinkSync(path.join(root, 'src'), path.join(root, 'leads-in'));
  const write = (file: string, cwd?: string): HookEvent => use('Write', { file_path: file, content: 'x' }, cwd);
  const file = scoped(write('src/a.ts'), { same: 'path' });
  const folder = scoped(write('src/a.ts'), { same: 'path', path: 'src/' });

  test('is the real one', () => {
    expect(file).toEqual({ same: 'path', tool: 'Write', path: path.join(root, 'src', 'a.ts') });
    expect(folder).toEqual({ same: 'path', tool: 'Write', path: `${path.join(root, 'src')}${path.sep}` });
  });

  test.each<[string, boolean, boolean]>([
    ['src/a.ts', true, true],
    ['src/../src/./a.ts', true, true],
    ['leads-in/a.ts', true, true],
    ['src/b.ts', false, true],
    ['src/deep/new/c.ts', false, true],
    ['src', false, false],
    ['srcs/a.ts', false, false],
    ['src/../x.ts', false, false],
    ['src/leads-out/x.ts', false, false],
    ['src/leads-out', false, false],
    ['src/deep/../../x', false, false],
    ['~/src/a.ts', false, false],
    ['/etc/passwd', false, false],
    ['', false, false],
    ['src/a.ts\0', false, false],
  ])('%j: file %s, folder %s', (given, ofFile, ofFolder) => {
    expect([inScope(file, write(given), context), inScope(folder, write(given), context)]).toEqual([ofFile, ofFolder]);
  });

  test('is relative to the folder of the action, and a folder in the input makes it uncertain', () => {
    expect(inScope(file, write('a.ts', path.join(root, 'src')), context)).toBe(true);
    expect(inScope(file, use('Write', { file_path: 'src/a.ts', cwd: '/' }), context)).toBe(false);
  });

  test('covers a call with several files only if it covers all of them', () => {
    const patch = (...files: string[]): HookEvent =>
      use('apply_patch', {
        input: `*** Begin Patch\n${files.map((name) => `*** Update File: ${name}\n@@\n-a\n+b\n`).join('')}*** End Patch`,
      });
    const scope = scoped(patch('src/a.ts', 'src/b.ts'), { same: 'path', path: 'src/' });
    expect(inScope(scope, patch('src/x.ts'), context)).toBe(true);
    expect(inScope(scope, patch('src/x.ts', 'package.json'), context)).toBe(false);
    expect(refused(patch('src/a.ts', 'src/b.ts'), { same: 'path' })).toMatch(/several files/);
  });

  test('is refused if it does not contain what was approved, or the tool names no file for certain', () => {
    expect(refused(write('src/a.ts'), { same: 'path', path: 'out/' })).toMatch(/does not contain/);
    expect(refused(write('src/a.ts'), { same: 'path', path: 'src' })).toMatch(/does not contain/);
    expect(refused(write('src/leads-out/x'), { same: 'path', path: 'src/' })).toMatch(/does not contain/);
    for (const event of [bash('cat src/a.ts'), use('mcp__lab__go', { path: 'src/a.ts' }), use('Glob', { path: 'src' }), use('Write', {})])
      expect(refused(event, { same: 'path' })).toMatch(/does not name the files/);
  });

  test('another tool is not covered', () => {
    expect(inScope(folder, use('Edit', { file_path: 'src/a.ts' }), context)).toBe(false);
  });
});
