/** Checkpoints follow what is written, are the owner's alone, and go where the settings say. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Checkpoint } from '../../../src/core/record/checkpoint.ts';
import { verifySignature } from '../../../src/people/notifiers/webhook.ts';
import { isSigned } from '../../../src/stores/log-key.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/index.ts';
import { createWorkspace } from '../../support/workspace.ts';

const bash = (command: string) => ({ tool: 'Bash', input: { command } }) as const;
const SECRET = `whsec_${Buffer.from('a key of more than twenty-four bytes').toString('base64')}`;

function checkpointsIn(state: string): Checkpoint[] {
  const folder = path.join(state, 'checkpoints');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(path.join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as Checkpoint);
}

test('a process that wrote leaves one checkpoint when it ends, and one that wrote nothing leaves none', async () => {
  const workspace = createWorkspace();
  const state = workspace.at('~/.local/state/hookline');
  const store = `sqlite:${workspace.at('~/log.db')}`;
  const silent = await workspace.open({ store });
  await silent.close();
  expect([checkpointsIn(state), existsSync(path.join(state, 'log.key'))]).toEqual([[], false]);
  const hookline = await workspace.open({ store });
  hookline.on('tool.before', () => undefined);
  await hookline.fire('tool.before', bash('a'));
  await hookline.fire('tool.before', bash('b'));
  await hookline.close();
  const [checkpoint, ...more] = checkpointsIn(state);
  expect([checkpoint, more]).toMatchObject([{ seq: 2, store }, []]);
  expect(isSigned(checkpoint as Checkpoint)).toBe(true);
  expect(isSigned({ ...(checkpoint as Checkpoint), seq: 1 })).toBe(false);
  for (const file of ['log.key', `checkpoints/${readdirSync(path.join(state, 'checkpoints'))[0]}`])
    expect(statSync(path.join(state, file)).mode & 0o777).toBe(0o600);
});

test('checkpoints go to a file, a signed webhook and the log of another store; a place that fails is named and tried again', async () => {
  const received: { headers: Record<string, string>; body: string }[] = [];
  let status = 500;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const workspace = createWorkspace();
  const file = workspace.at('~/away.jsonl');
  const other = workspace.at('~/other.db');
  const webhook = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, secret: SECRET };
  workspace.write({
    '~/.config/hookline/settings.json': JSON.stringify({ log: { checkpoints: { file, webhook, store: `sqlite:${other}` } } }),
  });
  const once = async (command: string): Promise<void> => {
    const hookline = await workspace.open({ store: `sqlite:${workspace.at('~/log.db')}` });
    hookline.on('tool.before', () => undefined);
    await hookline.fire('tool.before', bash(command));
    await hookline.close();
  };
  await once('a');
  const folder = workspace.at('~/.local/state/hookline/checkpoints');
  const sent = path.join(folder, readdirSync(folder).find((name) => name.endsWith('.sent.json')) ?? '');
  expect(JSON.parse(readFileSync(sent, 'utf8'))).toMatchObject({
    file: { seq: 1 },
    webhook: { seq: 0, problem: expect.stringContaining('500') },
    store: { seq: 1 },
  });
  // A place that failed rests for a while, so that not every command waits for it.
  await once('b');
  expect(received).toHaveLength(1);
  status = 204;
  const late = JSON.parse(readFileSync(sent, 'utf8'));
  workspace.write({ [`~/${path.relative(workspace.home, sent)}`]: JSON.stringify({ ...late, webhook: { ...late.webhook, at: 0 } }) });
  await once('c');
  const [, { headers, body } = { headers: {}, body: '' }] = received;
  expect(verifySignature(SECRET, headers, body, Date.now() / 1000)).toBe(true);
  expect(JSON.parse(body)).toMatchObject({ type: 'log.checkpoint', data: { seq: 3 } });
  expect(isSigned(JSON.parse(body).data)).toBe(true);
  expect(JSON.parse(readFileSync(sent, 'utf8')).webhook).toEqual({ seq: 3, at: expect.any(Number) });
  expect(
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).seq),
  ).toEqual([1, 2, 3]);
  const store = openSqliteStore(other);
  const entries = await store.log.list({});
  expect(entries.map(({ kind, data }) => [kind, data['seq']])).toEqual([1, 2, 3].map((seq) => ['log.checkpoint', seq]));
  // Nothing of it was masked, so it proves the same there.
  expect(entries.every(({ data }) => isSigned(data as unknown as Checkpoint))).toBe(true);
  await store.close();
});
