// Agents of the Claude Agent SDK for the laws of this SDK alone: prints what each scene showed, as JSON on the last line of stdout.
// The first argument is an empty folder.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { query } from '@anthropic-ai/claude-agent-sdk';
import { createHookline } from 'hookline';
import { guardHooks } from 'hookline/claude-agent-sdk';
import { startModel } from './messages-api.mjs';

const [, , folder] = process.argv;
const notes = path.join(folder, 'notes.txt');

/** The model makes the call, if there is one, and then answers. */
async function scene(call, addHooks, allowedTools = ['Bash', 'Read', 'Write']) {
  const home = path.join(folder, `home-${Date.now()}`);
  mkdirSync(home, { recursive: true });
  const hookline = await createHookline({ root: home, home, store: 'memory:' });
  addHooks(hookline);
  const inputs = [];
  const model = await startModel(({ messages }) => {
    inputs.push(JSON.stringify(messages.slice(1)));
    return call && inputs.length === 1 ? [{ type: 'tool_use', id: 'call-1', ...call }] : [{ type: 'text', text: 'finished' }];
  });
  const env = { PATH: process.env.PATH, HOME: home, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'none' };
  const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' };
  const hooks = guardHooks(hookline, { session: 's1' });
  const options = { hooks, allowedTools, settingSources: [], cwd: folder, env: { ...env, ...quiet } };
  const messages = [];
  for await (const message of query({ prompt: 'go', options })) messages.push(message);
  model.close();
  await hookline.close();
  const results = JSON.stringify(messages.filter(({ type }) => type === 'user'));
  return { modelCalls: inputs.length, seen: inputs.at(-1) ?? '', results, ended: messages.at(-1).terminal_reason ?? null };
}

writeFileSync(notes, 'KEPT SECRET');
const replace = (hookline) => hookline.on('tool.after', () => ({ replace: 'a redacted text' }));
const shell = { name: 'Bash', input: { command: "printf 'KEPT %s' SECRET; printf 'KEPT %s' SECRET >&2", description: 'Prints.' } };
const write = (name) => ({ name: 'Write', input: { file_path: path.join(folder, name), content: 'x' } });
const wrote = (name) => existsSync(path.join(folder, name));

const scenes = {
  shell: await scene(shell, replace),
  file: await scene({ name: 'Read', input: { file_path: notes } }, replace),
  unknownShape: await scene(write('1.txt'), replace),
  notPermitted: await scene(write('2.txt'), (hookline) => hookline.on('tool.before', () => undefined), ['Read']),
  allowed: await scene(write('3.txt'), (hookline) => hookline.on('tool.before', () => ({ decision: 'allow', reason: 'it is new' })), [
    'Read',
  ]),
  sentBack: await scene(undefined, (hookline) => {
    hookline.on('stop.before', ({ data }) => (data.continuations === 0 ? { decision: 'deny', reason: 'run the tests first' } : undefined));
  }),
  noPrompt: await scene(undefined, (hookline) => hookline.on('prompt.submit', () => ({ decision: 'deny', reason: 'not today' }))),
};
console.log(JSON.stringify({ scenes, wrote: ['1.txt', '2.txt', '3.txt'].map(wrote) }));
