/** `hookline mcp` on stdin and stdout: what an agent learns about hooks, and that it can change nothing. */
import { cpSync, existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { hookline } from '../cli/program.ts';
import { connect } from './connect.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const SECRET = 'sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyz';
const FILES = {
  '.agents/hooks/gate/HOOK.md': `---\nname: gate\ndescription: Keeps the gate.\ntrigger: before_tool\n---\nKey: ${SECRET}\n`,
  '.agents/hooks/gate/scripts/run.sh': '#!/bin/sh\ntouch ran\necho closed >&2\nexit 2\n',
};

type Structured = Record<string, unknown>;

async function open(workspace: Workspace, era: 'legacy' | 'auto' = 'legacy') {
  const connected = await connect(workspace, ['mcp'], { era });
  const ask = async (name: string, input: Structured = {}): Promise<Structured> => {
    const { structuredContent, isError, content } = await connected.client.callTool({ name, arguments: input });
    if (isError) throw new Error(JSON.stringify(content));
    return structuredContent as Structured;
  };
  return { ...connected, ask };
}

for (const era of ['legacy', 'auto'] as const) {
  test(`the tools tell what the commands tell, and run no hook (${era})`, async () => {
    const workspace = createWorkspace(FILES);
    const { client, ask } = await open(workspace, era);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'hook_list',
      'hook_reload',
      'hook_check',
      'hook_plan',
      'hook_why',
    ]);
    const listed = JSON.parse((await hookline(workspace, ['list', '--json'])).stdout);
    expect(await ask('hook_list')).toEqual(listed);
    expect(await ask('hook_reload')).toMatchObject({ ok: false, active: 0, inactive: [{ name: 'gate' }] });
    expect(await ask('hook_check')).toMatchObject({ hooks: 1 });
    const planned = await ask('hook_plan', { event: 'tool.before', tool: 'Bash', input: { command: 'ls' } });
    expect(planned).toMatchObject({ kind: 'tool.before', hooks: [{ name: 'gate', runs: false }] });
    expect(existsSync(workspace.at('ran'))).toBe(false);
  });
}

test('hook_why sees the decisions of this project alone', async () => {
  const workspace = createWorkspace({ ...FILES, 'other/x': '' });
  const fire = (root: string, tool: string) =>
    hookline(workspace, ['fire', 'tool.before', '--tool', tool, '--root', root, '--trust-all', '--hooks', workspace.at('.agents/hooks')]);
  await fire(workspace.root, 'Mine');
  await fire(workspace.at('other'), 'Theirs');
  const { entries } = JSON.parse((await hookline(workspace, ['log', '--json'])).stdout);
  const theirs = entries.find(({ tool }: { tool: string }) => tool === 'Theirs').id;
  const { ask } = await open(workspace);
  expect(await ask('hook_why', { lastDeny: true })).toMatchObject({ entry: { tool: 'Mine', root: workspace.root } });
  expect(JSON.stringify(await ask('hook_why'))).not.toContain('Theirs');
  await expect(ask('hook_why', { id: theirs })).rejects.toThrow('There is no decision');
});

test('wrong input is an error with a hint', async () => {
  const { ask } = await open(createWorkspace(FILES));
  await expect(ask('hook_plan', { event: 'tool.bevore' })).rejects.toThrow('Did you mean `tool.before`');
  await expect(ask('hook_plan', {})).rejects.toThrow('event');
  await expect(ask('hook_check', { paths: ['/etc'] })).rejects.toThrow('not in the project');
  await expect(ask('hook_list', { all: true })).rejects.toThrow('additional properties');
});

test('each hook is a resource with its file, in which secrets are masked', async () => {
  const { client } = await open(createWorkspace(FILES));
  const { resources } = await client.listResources();
  const hook = resources.find(({ uri }) => uri.startsWith('hookline://hook/'));
  expect(hook).toMatchObject({ title: 'gate', mimeType: 'text/markdown' });
  const { contents } = await client.readResource({ uri: hook?.uri ?? '' });
  expect(contents).toMatchObject([{ text: expect.stringContaining('description: Keeps the gate.') }]);
  expect(JSON.stringify(contents)).not.toContain(SECRET);
  await expect(client.readResource({ uri: 'hookline://hook/none' })).rejects.toThrow('not found');
});

test('the schema of each format is a resource', async () => {
  const { client } = await open(createWorkspace());
  const { resources } = await client.listResources();
  const schemas = resources.filter(({ uri }) => uri.startsWith('hookline://schema/'));
  expect(schemas.length).toBeGreaterThan(10);
  for (const { uri } of schemas) {
    const { contents } = await client.readResource({ uri });
    const [content] = contents as readonly { readonly text: string }[];
    expect(JSON.parse(content?.text ?? '')).toMatchObject({ $schema: expect.stringContaining('2020-12') });
  }
  await expect(client.readResource({ uri: 'hookline://schema/opencode' })).rejects.toThrow('not found');
});

test('the prompt to write a hook has the events, the places and the page of its format', async () => {
  const { client } = await open(createWorkspace());
  expect((await client.listPrompts()).prompts).toMatchObject([
    { name: 'write-hook', arguments: [{ name: 'goal' }, { name: 'event' }, { name: 'format' }] },
  ]);
  const wanted = { goal: 'No deploys on Friday.', event: 'tool.before', format: 'agenthooks' };
  const { messages } = await client.getPrompt({ name: 'write-hook', arguments: wanted });
  expect(messages).toMatchObject([
    {
      content: {
        text: expect.stringMatching(/No deploys on Friday[\s\S]*`before_tool` \(tool\.before\)[\s\S]*\.agents\/hooks\/\*\/HOOK\.md/),
      },
    },
    { content: { resource: { uri: 'hookline://format/agenthooks', text: expect.stringContaining('HOOK.md') } } },
  ]);
  await expect(client.getPrompt({ name: 'write-hook', arguments: { goal: 'x', format: 'nope' } })).rejects.toThrow(
    'There is no format `nope`',
  );
});

test('without the SDK the command prints the line that installs it, also where the project has one', async () => {
  const workspace = createWorkspace();
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(path.join(PROJECT, part), workspace.at(`~/install/${part}`), { recursive: true });
  const name = 'node_modules/@modelcontextprotocol/server';
  workspace.write({ [`${name}/package.json`]: '{"main":"x.js"}', [`${name}/x.js`]: "require('node:fs').writeFileSync('loaded', '')" });
  const ended = await hookline(workspace, ['mcp'], { bin: workspace.at('~/install/bin/hookline.js') });
  expect(ended).toMatchObject({ exit: 78, stdout: '' });
  expect(ended.stderr).toContain(`npm install --prefix ${workspace.at('~/.config/hookline')} @modelcontextprotocol/server@2`);
  expect(existsSync(workspace.at('loaded'))).toBe(false);
  // The installed package brings what it needs itself.
  cpSync(path.join(PROJECT, 'node_modules/@modelcontextprotocol'), workspace.at('~/.config/hookline/node_modules/@modelcontextprotocol'), {
    recursive: true,
  });
  cpSync(path.join(PROJECT, 'node_modules/zod'), workspace.at('~/.config/hookline/node_modules/zod'), { recursive: true });
  expect(await hookline(workspace, ['mcp'], { bin: workspace.at('~/install/bin/hookline.js') })).toMatchObject({ exit: 0, stderr: '' });
});

test('a wrong action is an error that names the right one', async () => {
  const workspace = createWorkspace();
  expect(await hookline(workspace, ['mcp', 'proxi'])).toMatchObject({ exit: 64, stderr: expect.stringContaining('hookline mcp proxy') });
  expect(await hookline(workspace, ['mcp', '--port', '1'])).toMatchObject({ exit: 64, stderr: expect.stringContaining('--http') });
});
