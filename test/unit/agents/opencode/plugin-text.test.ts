/** The plugin file does what it is told: it is imported and called as OpenCode would, with a real program to ask. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { opencodeHost } from '../../../../src/agents/opencode/host.ts';

type Hook = (input: object, output?: object) => Promise<void>;

/** The hooks of the plugin, asking a script that is given the event's name as its argument. */
async function plugin(script: string): Promise<{ hooks: Record<string, Hook>; asked: () => object; folder: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline plugin-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, 'ask it.sh'), `cat > asked.json\n${script}\n`);
  const { value } = opencodeHost.entry.entry('tool.execute.before', `/bin/sh '${folder}/ask it.sh' tool.execute.before`);
  const file = path.join(folder, 'hookline.mjs');
  writeFileSync(file, String(value));
  const { Hookline } = await import(pathToFileURL(file).href);
  return {
    hooks: await Hookline({ directory: folder }),
    asked: () => JSON.parse(readFileSync(path.join(folder, 'asked.json'), 'utf8')),
    folder,
  };
}

const BEFORE = 'tool.execute.before';
const call = { tool: 'bash', sessionID: 's', callID: 'c' };

test('a deny is thrown, with its reason, and the whole call was shown', async () => {
  const { hooks, asked, folder } = await plugin(`echo '{"deny": "not here"}'`);
  await expect(hooks[BEFORE]?.(call, { args: { command: 'ls' } })).rejects.toThrow('not here');
  expect(asked()).toEqual({ opencode: BEFORE, directory: folder, ...call, args: { command: 'ls' } });
});

test('the event is the argument of the command', async () => {
  const { hooks } = await plugin('echo "{\\"deny\\": \\"$1\\"}"');
  await expect(hooks['chat.message']?.({ sessionID: 's' }, { parts: [] })).rejects.toThrow('chat.message');
});

test('new arguments take the place of the old ones, in the same object', async () => {
  const { hooks } = await plugin(`echo '{"args": {"command": "pwd"}}'`);
  const args = { command: 'ls', workdir: '/' };
  await hooks[BEFORE]?.(call, { args });
  expect(args).toEqual({ command: 'pwd' });
});

test('nothing said changes nothing', async () => {
  const { hooks } = await plugin('');
  const output = { args: { command: 'ls' } };
  await hooks[BEFORE]?.(call, output);
  expect(output).toEqual({ args: { command: 'ls' } });
});

test.each([
  ['ends with an error', 'echo broken >&2; exit 1', 'broken'],
  ['says what is no JSON', 'echo oops', 'Hookline could not judge this'],
  ['says what is no object', 'echo null', 'it answered null'],
  ['is killed', 'kill -9 $$', 'Hookline could not judge this'],
])('a program that %s is no consent before a tool, a prompt or a command, and holds up nothing else', async (_, script, words) => {
  const { hooks } = await plugin(script);
  await expect(hooks[BEFORE]?.(call, { args: {} })).rejects.toThrow(words);
  await expect(hooks['chat.message']?.({ sessionID: 's' }, { parts: [{ type: 'text', text: 'x' }] })).rejects.toThrow(words);
  await expect(hooks['command.execute.before']?.({ command: 'x', sessionID: 's', arguments: '' }, { parts: [] })).rejects.toThrow(words);
  await hooks['tool.execute.after']?.(call, { output: 'a' });
  await hooks['event']?.({ event: { type: 'session.idle', properties: { sessionID: 's' } } });
  await hooks['dispose']?.({});
});

test('a prompt is replaced in its first text, and context follows it', async () => {
  const { hooks, asked } = await plugin(`echo '{"prompt": "Other", "context": "On main."}'`);
  const parts = [{ type: 'file' }, { type: 'text', text: 'Fix' }, { type: 'text', text: 'it' }];
  await hooks['chat.message']?.({ sessionID: 's', agent: 'build' }, { parts });
  expect(parts).toEqual([{ type: 'file' }, { type: 'text', text: 'Other\n\nOn main.' }, { type: 'text', text: '' }]);
  expect(asked()).toMatchObject({ prompt: 'Fix\nit' });
});

test('context after a tool is added to what the tool brought back, and a compaction keeps it', async () => {
  const { hooks } = await plugin(`echo '{"context": "Mind the gap."}'`);
  const output = { output: 'done' };
  await hooks['tool.execute.after']?.({ ...call, args: {} }, output);
  const compaction = { context: [] };
  await hooks['experimental.session.compacting']?.({ sessionID: 's' }, compaction);
  expect([output, compaction]).toEqual([{ output: 'done\n\nMind the gap.' }, { context: ['Mind the gap.'] }]);
});

test('what a tool brought back is replaced, and context follows it', async () => {
  const { hooks } = await plugin(`echo '{"output": "key: ***", "context": "Masked."}'`);
  const output = { output: 'key: abc' };
  await hooks['tool.execute.after']?.({ ...call, args: {} }, output);
  expect(output).toEqual({ output: 'key: ***\n\nMasked.' });
});

test('it is one file, the same whichever event it is written for, and says where it came from', () => {
  const texts = opencodeHost.entry.events.map((event) => opencodeHost.entry.entry(event, `hookline hook opencode ${event}`));
  expect(new Set(texts.map(({ value }) => value)).size).toBe(1);
  expect(String(texts[0]?.value)).toContain('`hookline install opencode`');
});
