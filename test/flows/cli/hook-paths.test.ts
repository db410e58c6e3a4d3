/** `trust`, `check` and `audit` know every file that `list` loads, by any path that leads to it, and say so if they do not know one. */
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { AGENTS } from '../../../src/builtins.ts';
import type { Format } from '../../../src/core/contracts/dialect.ts';
import { findHooks } from '../../../src/load/check-files.ts';
import { hookFilesOf } from '../../support/hook-files.ts';
import { NATIVE, TOOL_EVENTS } from '../../support/native-hooks.ts';
import { createWorkspace, permitScripts, type Workspace } from '../../support/workspace.ts';
import { hookline } from './program.ts';

const EMPTY: Readonly<Record<Format, string>> = {
  json: '{}',
  toml: '',
  program: '',
  'hook-program': '',
  frontmatter: '---\nname: x\ndescription: x\n---\n',
  'loose-frontmatter': '---\nname: x\ndescription: x\n---\n',
};

/** A file at each place of a project, of every agent. */
function everyPlace(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { path: folder, find, base, format } of AGENTS.flatMap(({ places }) => places)) {
    if (base !== 'root') continue;
    const ended = `one${find.file}`;
    const below = {
      file: find.file,
      each: `one/${find.file}`,
      deep: `one/two/${find.file}`,
      ending: ended,
      endings: ended,
      named: find.file,
    }[find.kind];
    files[path.join(folder, below)] = EMPTY[format];
  }
  return files;
}

/** The codes of the problems with these paths. */
async function complaints(workspace: Workspace, words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await hookline(permitScripts(workspace), [...words, '--json']);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; file?: string }[] };
  return diagnostics
    .filter(({ code }) => ['unknown-file', 'not-found', 'no-hook-files'].includes(code))
    .map(({ code, file }) => `${code} ${path.relative(workspace.root, file ?? '')}`);
}

test.for(['check', 'audit', 'trust list', 'trust add', 'trust diff'])('`%s` knows a file at every place of every agent', async (words) => {
  const files = everyPlace();
  const workspace = createWorkspace(files);
  expect(await complaints(workspace, [...words.split(' '), ...Object.keys(files)])).toEqual([]);
});

/** A hook in each format that has one to show. */
const HOOKS: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries([
  ...Object.entries(NATIVE).map(([id, write]) => [id, write({ event: TOOL_EVENTS[id]?.before ?? '', command: 'exit 0' })]),
  ...AGENTS.flatMap(({ id }) => {
    const files = hookFilesOf(id)?.project;
    return files ? [[id, files]] : [];
  }),
]);

test.for(Object.entries(HOOKS))('a hook of %s is found by its file, by a folder above it and through a link', async ([, files]) => {
  const workspace = createWorkspace(files);
  const listed = (await (await workspace.open({ trust: 'ask' })).list()).hooks;
  expect(listed).not.toEqual([]);
  symlinkSync(workspace.root, workspace.at('~/link'));
  for (const { id, source } of listed) {
    const linked = source.file.replace(workspace.root, workspace.at('~/link'));
    for (const named of [source.file, path.dirname(source.file), linked, path.dirname(linked)]) {
      const { hooks, diagnostics } = await findHooks({ agents: AGENTS, root: workspace.root, paths: [named] });
      expect({ named, ids: hooks.map(({ hook }) => hook.id), diagnostics }).toMatchObject({
        ids: expect.arrayContaining([id]),
        diagnostics: [],
      });
    }
  }
});

const PLUGIN = {
  '.claude-plugin/plugin.json': JSON.stringify({ name: 'p', hooks: './more/own-hooks' }),
  'more/own-hooks': JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'true' }] }] } }),
};

test('a file that a plugin names is known whatever its name, and no other file of the plugin is', async () => {
  const workspace = createWorkspace({ ...PLUGIN, 'package.json': '{}' });
  const found = (name: string) => findHooks({ agents: AGENTS, root: workspace.root, paths: [workspace.at(name)] });
  expect(await found('more/own-hooks')).toMatchObject({
    hooks: [{ hook: { source: { file: workspace.at('more/own-hooks') } } }],
    diagnostics: [],
  });
  expect(await found('package.json')).toMatchObject({ hooks: [], diagnostics: [{ code: 'unknown-file', severity: 'error' }] });
});

test.for(['check', 'audit', 'trust list', 'trust add --yes', 'trust diff', 'trust remove', 'trust lock --yes'])(
  '`%s` of a path that names no hook file fails',
  { timeout: 60_000 },
  async (words) => {
    const workspace = createWorkspace({ ...PLUGIN, 'README.md': '# hello', 'package.json': '{}', 'src/code.js': '' });
    for (const named of ['README.md', 'package.json', 'src', 'gone']) {
      const { exit, stdout, stderr } = await hookline(permitScripts(workspace), [...words.split(' '), named]);
      expect({ named, exit, said: `${stdout}${stderr}` }).toEqual({
        named,
        exit: words === 'audit' ? 78 : 1,
        said: expect.stringMatching(words === 'trust remove' ? /at this path/ : /\[(unknown-file|no-hook-files|not-found)\]/),
      });
    }
  },
);

test('a path that names no hook file fails although another one does', async () => {
  const workspace = createWorkspace({ ...HOOKS['agenthooks'], 'README.md': '' });
  const { exit, stdout } = await hookline(permitScripts(workspace), ['trust', 'add', '--yes', '.agents/hooks/gate', 'README.md']);
  expect({ exit, stdout }).toEqual({ exit: 1, stdout: expect.stringMatching(/1 hook trusted[\s\S]*\[unknown-file\]/) });
});
