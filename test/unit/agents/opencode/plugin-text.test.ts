/** Our plugin file as OpenCode runs it: the reason of a denied prompt is seen. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { pluginText } from '../../../../src/agents/opencode/plugin-text.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'opencode-plugin-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Hooks = Readonly<Record<string, (input: object, output: object) => Promise<void>>>;
interface Shown extends Error {
  toObject?(): { readonly name: string; readonly data: { readonly message: string } };
}

/** The plugin's hooks if Hookline prints this, and what it showed beside them. */
async function pluginThatHears(answer: string, showToast?: (options: object) => unknown, notes = ''): Promise<Hooks> {
  const printed = `process.stdout.write(${JSON.stringify(answer)}); process.stderr.write(${JSON.stringify(notes)});`;
  writeFileSync(path.join(folder, 'answer.js'), `process.stdin.resume(); ${printed}`);
  const file = path.join(folder, `plugin-${answer.length}-${showToast ? 'toast' : 'plain'}.mjs`);
  writeFileSync(file, pluginText(`'${process.execPath}' '${path.join(folder, 'answer.js')}'`));
  const { Hookline } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
    Hookline: (context: object) => Promise<Hooks>;
  };
  return Hookline({ directory: folder, ...(showToast && { client: { tui: { showToast } } }) });
}

const call = (hooks: Hooks, event: string): Promise<Shown | undefined> =>
  (hooks[event] as Hooks[string])(
    { sessionID: 's1', tool: 'bash', command: 'c', arguments: '' },
    { parts: [{ type: 'text', text: 'Hi' }], args: {} },
  ).then(
    () => undefined,
    (error: Shown) => error,
  );

test.each(['chat.message', 'command.execute.before'])(
  'a denied %s is an error whose reason the server passes on, and a toast',
  async (event) => {
    const toasts: object[] = [];
    const hooks = await pluginThatHears('{"deny":"Not today."}', async (options) => toasts.push(options));
    const error = await call(hooks, event);
    expect(error?.toObject?.()).toEqual({ name: 'UnknownError', data: { message: 'Not today.' } });
    // The server passes on only errors of a name that it knows.
    expect(error).toMatchObject({ name: 'ConfigInvalidError', message: 'Not today.' });
    expect(toasts).toEqual([{ body: { title: 'Hookline', message: 'Not today.', variant: 'error' } }]);
  },
);

test('a note for the person is a toast, and the tool runs', async () => {
  const toasts: object[] = [];
  const hooks = await pluginThatHears('{}', async (options) => toasts.push(options), 'hookline: Hook `gate` failed.\n');
  expect(await call(hooks, 'tool.execute.before')).toBeUndefined();
  expect(toasts).toEqual([{ body: { title: 'Hookline', message: 'hookline: Hook `gate` failed.', variant: 'warning' } }]);
});

test('a client that cannot show a toast changes nothing about the denial', async () => {
  const toasts = [
    undefined,
    () => undefined,
    () => Promise.reject(new Error('no terminal')),
    () => {
      throw new Error('no terminal');
    },
  ];
  for (const showToast of toasts)
    expect(await call(await pluginThatHears('{"deny":"Not today."}', showToast), 'chat.message')).toMatchObject({ message: 'Not today.' });
});

test('a prompt that could not be judged says so in the same way', async () => {
  const error = await call(await pluginThatHears('no JSON'), 'chat.message');
  expect(error?.toObject?.().data.message).toContain('Hookline could not judge this');
});

test('a denied tool is a plain error, which the model reads; a prompt without objection passes', async () => {
  expect(await call(await pluginThatHears('{"deny":"Not today."}'), 'tool.execute.before')).toMatchObject({
    name: 'Error',
    message: 'Not today.',
  });
  expect(await call(await pluginThatHears('{}'), 'chat.message')).toBeUndefined();
});
