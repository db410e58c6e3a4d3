/** Conversation stores: what is saved is loaded, each session for itself, and a file that cannot be used is never begun anew. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ConversationStore, fileConversations, memoryConversations, storeConversations } from '../../../src/agent.ts';
import { createScene } from '../../support/agents.ts';
import { createWorkspace } from '../../support/workspace.ts';

const STORES: Readonly<Record<string, () => ConversationStore>> = {
  memory: () => memoryConversations(),
  files: () => fileConversations(createWorkspace().at('conversations')),
  sqlite() {
    const store = storeConversations(`sqlite:${createWorkspace().at('store.db')}`);
    onTestFinished(() => store.close());
    return store;
  },
};

describe.each(Object.entries(STORES))('%s', (_, open) => {
  test('keeps the conversations of sessions apart, whatever their names', async () => {
    const store = open();
    const names = ['a', 'A', 'a/b', '../a', 'a b', 'ä', 'con', '', '.'];
    for (const name of names) await store.save(name, { messages: [{ role: 'user', content: `of ${name}` }] });
    for (const name of names) expect(await store.load(name)).toEqual({ messages: [{ role: 'user', content: `of ${name}` }] });
    expect(await store.load('unknown')).toBeUndefined();
  });

  test('keeps the last save, with the turn that waits', async () => {
    const store = open();
    await store.save('s', { messages: [], parked: { version: 1 } });
    await store.save('s', { messages: [{ role: 'user', content: 'two' }] });
    expect(await store.load('s')).toEqual({ messages: [{ role: 'user', content: 'two' }] });
  });

  test('an agent that begins anew remembers', async () => {
    const conversation = open();
    const first = await createScene({ conversation, steps: ['Hello Ada.'] });
    await first.agent.send('I am Ada.');
    await first.agent.stop();
    const second = await createScene({ conversation });
    await second.agent.send('Who am I?');
    expect(second.script.prompts[0]).toContain('I am Ada.');
    expect(second.payloads('conversation.load.after')).toMatchObject([{ messageCount: 2 }]);
    expect(second.payloads('conversation.save.before')).toMatchObject([{ messageCount: 4 }]);
  });
});

test('a file holds bytes of messages in a form that the SDK reads, and only its owner may read it', async () => {
  const folder = createWorkspace().at('conversations');
  const store = fileConversations(folder);
  const image = { type: 'image' as const, image: new Uint8Array([1, 2, 3]) };
  await store.save('s', { messages: [{ role: 'user', content: [image] }] });
  expect(await store.load('s')).toEqual({ messages: [{ role: 'user', content: [{ type: 'image', image: 'AQID' }] }] });
  const [name = ''] = readdirSync(folder);
  expect(readdirSync(folder)).toHaveLength(1);
  expect(statSync(path.join(folder, name)).mode & 0o077).toBe(0);
});

test.each(['', '{', '[]', '{"version":2,"messages":[]}'])('a file with %j is an error, and the turn is denied', async (text) => {
  const folder = createWorkspace().at('conversations');
  const store = fileConversations(folder);
  await store.save('main', { messages: [] });
  const file = path.join(folder, readdirSync(folder)[0] ?? '');
  writeFileSync(file, text);
  await expect(store.load('main')).rejects.toMatchObject({ code: 'bad-conversation', message: expect.stringContaining(file) });
  const scene = await createScene({ conversation: store });
  expect(await scene.agent.send('hello')).toMatchObject({ status: 'denied', reason: expect.stringContaining(file) });
  expect(scene.script.prompts).toEqual([]);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('a store that cannot save is told in the turn', async () => {
  const conversation: ConversationStore = { load: async () => undefined, save: () => Promise.reject(new Error('disk full')) };
  const scene = await createScene({ conversation });
  expect(await scene.agent.send('hello')).toMatchObject({
    status: 'done',
    saved: false,
    reason: 'The conversation was not saved: disk full',
  });
  expect(scene.fired()).not.toContain('conversation.save.after');
});

test('a parked turn of a form that is not known here is not guessed at', async () => {
  const conversation: ConversationStore = { load: async () => ({ messages: [], parked: { version: 9 } }), save: async () => undefined };
  const scene = await createScene({ conversation });
  expect(await scene.agent.send('hello')).toMatchObject({ status: 'denied', reason: expect.stringContaining('not known here') });
});

test('conversations live in the file of the engine, and the engine opens it before and after', async () => {
  const workspace = createWorkspace();
  const url = `sqlite:${workspace.at('hookline.db')}`;
  const conversation = storeConversations(url);
  onTestFinished(() => conversation.close());
  await conversation.save('main', { messages: [{ role: 'user', content: 'before' }] });
  const scene = await createScene({ workspace, conversation, engine: { store: url } });
  expect(await scene.agent.send('hello')).toMatchObject({ status: 'done', saved: true });
  expect(scene.script.prompts[0]).toContain('before');
  expect(await scene.hookline.log.verify()).toMatchObject({ ok: true, entries: expect.any(Number) });
});

test('a URL that is no store, and a file that is no database, are named', async () => {
  expect(() => storeConversations('mysql://x')).toThrow(expect.objectContaining({ code: 'bad-option' }));
  const workspace = createWorkspace({ 'not.db': 'text, and enough of it that it cannot be an empty database '.repeat(20) });
  const conversation = storeConversations(`sqlite:${workspace.at('not.db')}`);
  const scene = await createScene({ workspace, conversation });
  expect(await scene.agent.send('hello')).toMatchObject({ status: 'denied', reason: expect.stringContaining('not.db') });
});
