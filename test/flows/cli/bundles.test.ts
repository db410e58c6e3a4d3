/** The files that a run of the program loads. An agent starts it for every tool call, so each file must be needed. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { Hookline } from '../../../src/index.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { hookline } from './program.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const CHUNKS = path.join(PROJECT, 'dist/cli');
const FIRE = ['fire', 'tool.before', '--tool', 'Bash', '--input', '{"command":"ls"}'];
const CALL = {
  hook_event_name: 'PreToolUse',
  session_id: 's',
  cwd: '/tmp',
  tool_use_id: 'u',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
};

const GATE = '---\nname: gate\ndescription: A gate.\ntrigger: before_tool\nmatcher:\n  tool: Write\n---\n';
const settings = (matcher: string, command: string): string =>
  JSON.stringify({ hooks: { PreToolUse: [{ matcher, hooks: [{ type: 'command', command }] }] } });

/** The chunks of the program, in the order in which they were loaded, and then the packages. */
async function loadedBy(workspace: Workspace, argv: readonly string[], stdin = ''): Promise<string[]> {
  workspace.write({
    'bin.cjs': `process.on('exit', () => require('node:fs').writeFileSync('loaded.json', JSON.stringify(Object.keys(require.cache))));
      require(${JSON.stringify(path.join(PROJECT, 'bin/hookline.js'))});`,
  });
  const { exit, stderr } = await hookline(workspace, argv, { stdin, bin: workspace.at('bin.cjs') });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  const files: string[] = JSON.parse(readFileSync(workspace.at('loaded.json'), 'utf8'));
  const packages = files.flatMap((file) => /.*node_modules.([^\\/]+)/.exec(file)?.[1] ?? []);
  const own = files.filter((file) => !file.includes('node_modules') && path.basename(file) !== 'bin.cjs');
  expect(own.length).toBeLessThanOrEqual(MOST_FILES);
  return [...own.filter((file) => path.dirname(file) === CHUNKS).map((file) => path.basename(file, '.js')), ...packages];
}

const MOST_FILES = 12;
/** The start, with everything that an event needs to which no hook applies. */
const HOT = ['main', 'rolldown-runtime', 'hot', 'base'];
const event = JSON.stringify(CALL);
const reading = (names: readonly string[]): string[] => names.filter((name) => /-load$|^load-formats-|^json$/.test(name));

test('without a hook, an event of an agent loads the hot chunk and nothing else', async () => {
  expect(await loadedBy(createWorkspace(), ['hook', 'claude-code'], event)).toEqual(HOT);
  // As the shell client starts it.
  expect(await loadedBy(createWorkspace(), ['hook', '--proof=1', 'claude-code'], event)).toEqual(HOT);
  const fired = await loadedBy(createWorkspace(), FIRE);
  expect(fired).toContain('fire');
  expect(reading(fired)).toEqual([]);
});

test('the reader of a format is loaded where one of its files is, and no other reader', async () => {
  const files = { '~/.config/agents/hooks/gate/HOOK.md': GATE };
  const expected = ['load-formats-frontmatter', 'agents-agenthooks-load'];
  expect(reading(await loadedBy(createWorkspace(files), FIRE))).toEqual(expected);
  expect(reading(await loadedBy(createWorkspace(files), ['hook', 'codex'], event))).toEqual(expected);
});

test('of two formats that share a file, only the one that has entries in it is loaded', async () => {
  const settled = createWorkspace({ '~/.claude/settings.json': settings('Write', 'true') });
  expect(reading(await loadedBy(settled, FIRE))).toEqual(['json', 'agents-claude-code-load']);
  const both = JSON.stringify({ hooks: { ...JSON.parse(settings('Write', 'true')).hooks, stop: ['true'] } });
  expect(await loadedBy(createWorkspace({ '~/.claude/settings.json': both }), FIRE)).toContain('agents-claude-agent-load');
});

test('the guard is loaded by the hook that is it, and never by an event that no hook applies to', async () => {
  const guarded = (matcher: string) => createWorkspace({ '~/.claude/settings.json': settings(matcher, 'hookline guard') });
  expect(await loadedBy(guarded('Bash'), ['hook', 'codex'], event)).toContain('guard');
  expect(await loadedBy(guarded('Write'), ['hook', 'codex'], event)).not.toContain('guard');
  const asHook = await loadedBy(createWorkspace(), ['guard'], '{"tool":"Bash","input":{"command":"ls"}}');
  expect(asHook).toContain('guard');
  expect(asHook).not.toContain('hot');
});

test('the readers of code are loaded by the first code, and not by a plain command', async () => {
  const judging = (command: string) => loadedBy(createWorkspace(), ['guard'], JSON.stringify({ tool: 'Bash', input: { command } }));
  expect(await judging('git status | grep -c main; npm test -- -t name; tar -tf a.tar')).not.toContain('guard-code');
  expect(await judging("python3 -c 'print(1)'")).toContain('guard-code');
  expect(await judging("pwsh -c 'Get-ChildItem'")).toContain('guard-code');
});

test('the texts of the rules are data of the program, and no part of its code', () => {
  const rules = readFileSync(path.join(CHUNKS, 'guard-rules.txt'), 'utf8');
  expect(rules).toContain('Recursively deletes a home folder');
  for (const name of readdirSync(CHUNKS).filter((file) => file.endsWith('.js')))
    expect(readFileSync(path.join(CHUNKS, name), 'utf8')).not.toContain('Recursively deletes a home folder');
});

test('the regex engine is loaded by the first pattern that needs it', async () => {
  const pattern = (matcher: string) => createWorkspace({ '~/.claude/settings.json': settings(matcher, 'true') });
  expect(await loadedBy(pattern('^Task_[a-z]+_\\d{1,3}$'), FIRE)).toContain('re2js');
  expect(await loadedBy(pattern('^(Write|Edit)$'), FIRE)).not.toContain('re2js');
});

test('the AI SDK is no part of the program: one file with a real import() loads it, and no event of an agent does', async () => {
  const having = (pattern: RegExp) => readdirSync(CHUNKS).filter((name) => pattern.test(readFileSync(path.join(CHUNKS, name), 'utf8')));
  // Code that comes out of the code cache cannot import. A worker has no such cache, and the parser only names the syntax.
  const mayImport = ['worker-main.js', 'syntax.js'];
  expect(having(/(?<![.\w])import\(/).filter((name) => !mayImport.includes(name))).toEqual([]);
  const importing = having(/import-file\.js/);
  expect(importing).toHaveLength(1);
  expect(readFileSync(path.join(CHUNKS, '../licences.txt'), 'utf8')).not.toMatch(/^(?:ai|@ai-sdk\/.*) \d/m);
  const [chunk = ''] = importing.map((name) => path.basename(name, '.js'));
  expect([...HOT, ...(await loadedBy(createWorkspace(), FIRE))]).not.toContain(chunk);
});

test('the program is ASCII alone, which Node reads fastest', () => {
  const files = readdirSync(CHUNKS).filter((name) => /\.(?:js|txt)$/.test(name));
  expect(files).toEqual(expect.arrayContaining(['guard.js', 'guard-rules.txt']));
  expect(files.filter((name) => /[^\0-\x7F]/.test(readFileSync(path.join(CHUNKS, name), 'utf8')))).toEqual([]);
});

test('an error of the library is an instance of the class that it exports', async () => {
  const { createHookline, HooklineError } = await import(pathToFileURL(path.join(PROJECT, 'dist/index.js')).href);
  const { root, home } = createWorkspace({ '~/taken/file': '' });
  const failed = createHookline({ root, home, store: `sqlite:${path.join(home, 'taken')}` });
  await expect(failed.then((engine: Hookline) => engine.log.list({}))).rejects.toBeInstanceOf(HooklineError);
});

test('an error of the program is an instance of one class, whichever chunk throws it and whichever catches it', async () => {
  const workspace = createWorkspace();
  // A folder in the place of the database: the store throws a `HooklineError` in one chunk, the command line catches it in another.
  workspace.write({ '~/taken/file': '' });
  const { exit, stderr } = await hookline(workspace, ['log', '--store', `sqlite:${workspace.at('~/taken')}`]);
  expect(exit).toBe(78);
  expect(stderr).not.toContain('bug');
});

test('the declarations of the library are few files, and name no package that a user does not install', () => {
  const types = path.join(PROJECT, 'dist/types');
  const files = readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'));
  const { exports, peerDependencies } = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8'));
  expect(files.length).toBeLessThanOrEqual(2 * Object.keys(exports).length);
  const named = files.flatMap((file) =>
    [...readFileSync(path.join(types, file), 'utf8').matchAll(/(?:from |import\()["']([^."'][^"']*)/g)].map(([, name]) => name),
  );
  expect(named.filter((name = '') => !name.startsWith('node:') && !Object.hasOwn(peerDependencies, name))).toEqual([]);
  expect(named).toContain('ai');
});
