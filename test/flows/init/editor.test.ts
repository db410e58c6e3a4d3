/** Completion in an editor, asked from TypeScript's own language server in a project that `hookline new` has written. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createWorkspace } from '../../support/workspace.ts';
import { hookline } from '../cli/program.ts';

const TSC = path.join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');
const servers: ChildProcess[] = [];
afterAll(() => {
  for (const server of servers) server.kill();
});

test.each([
  ['the fields of the input of the named tool', 'event.data.input.¦', ['command', 'timeout?']],
  ['the parts of an event', 'event.¦', ['data', 'session', 'exec']],
  ['the kinds of events', "on: '¦'", ['tool.before', 'stop.before']],
  ['the tools whose input has a type', "match: { tool: '¦' }", ['Bash', 'Write']],
  ['the settings', '¦ match:', ['timeoutMs?', 'onError?', 'once?']],
])('an editor completes %s', async (_, typed, expected) => {
  const workspace = createWorkspace();
  expect(await hookline(workspace, ['new', 'hookline', 'gate'])).toMatchObject({ exit: 0 });
  const text = PARTS.find(([part]) => typed.includes(part))?.[1](typed) ?? '';
  expect(await completed(workspace.root, text)).toEqual(expect.arrayContaining(expected));
});

const HOOK = `import { defineHook } from 'hookline/hook';

export default defineHook({
  on: 'tool.before',
  match: { tool: 'Bash' },
  run(event) {
    void event.data;
  },
});
`;
/** Where in the hook a person types. */
const PARTS: readonly (readonly [string, (typed: string) => string])[] = [
  ['on:', (typed) => HOOK.replace("on: 'tool.before'", typed)],
  ['tool:', (typed) => HOOK.replace("match: { tool: 'Bash' }", typed)],
  ['match:', (typed) => HOOK.replace('match:', typed)],
  ['event', (typed) => HOOK.replace('event.data', typed)],
];

/** Returns the labels that the language server offers at the mark. */
async function completed(root: string, marked: string): Promise<readonly string[]> {
  const uri = pathToFileURL(path.join(root, '.hookline/hooks/gate.ts')).href;
  const before = marked.slice(0, marked.indexOf('¦')).split('\n');
  const server = languageServer();
  await server.request('initialize', { processId: process.pid, rootUri: pathToFileURL(root).href, capabilities: {} });
  server.notify('initialized', {});
  const textDocument = { uri, languageId: 'typescript', version: 1, text: marked.replace('¦', '') };
  server.notify('textDocument/didOpen', { textDocument });
  const position = { line: before.length - 1, character: before.at(-1)?.length };
  const result = await server.request('textDocument/completion', { textDocument: { uri }, position });
  const items = (Array.isArray(result) ? result : (result as { items: unknown }).items) as { label: string }[];
  return items.map(({ label }) => label);
}

/** Speaks the language server protocol on stdin and stdout. */
function languageServer() {
  const child = spawn(process.execPath, [TSC, '--lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
  servers.push(child);
  const waiting = new Map<number, (result: unknown) => void>();
  let bytes = Buffer.alloc(0);
  let last = 0;
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  child.stdout.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const head = bytes.indexOf('\r\n\r\n');
      const size = Number(/Content-Length: (\d+)/i.exec(bytes.subarray(0, Math.max(0, head)).toString())?.[1]);
      if (head < 0 || bytes.length < head + 4 + size) return;
      const message = JSON.parse(bytes.subarray(head + 4, head + 4 + size).toString());
      bytes = bytes.subarray(head + 4 + size);
      // It asks for the settings of the editor: there are none.
      if (message.method !== undefined && message.id !== undefined) send({ id: message.id, result: null });
      else waiting.get(message.id)?.(message.result);
    }
  });
  return {
    notify: (method: string, params: object) => send({ method, params }),
    request: (method: string, params: object) =>
      new Promise<unknown>((resolve) => {
        last += 1;
        waiting.set(last, resolve);
        send({ id: last, method, params });
      }),
  };
}
