/** Conversations in Postgres: processes that begin at once share them. */
import { expect, onTestFinished, test } from 'vitest';
import { type StoredConversations, storeConversations } from '../../../src/agent.ts';
import { createScene } from '../../support/agents.ts';
import { sql, testDatabase } from '../postgres/server.ts';

test('agents that begin at once share their conversations in Postgres, and each session is its own', async () => {
  const database = await testDatabase();
  const stores: StoredConversations[] = [];
  onTestFinished(async () => {
    for (const store of stores) await store.close();
    await database.drop();
  });
  const open = (): StoredConversations => {
    const store = storeConversations(database.url);
    stores.push(store);
    return store;
  };
  const names = ['a', 'A', 'a/b', "a'b", 'a\0b', '\ud800'];
  await Promise.all(names.map((name) => open().save(name, { messages: [{ role: 'user', content: `of ${JSON.stringify(name)} \0` }] })));
  for (const name of names)
    expect(await open().load(name)).toEqual({ messages: [{ role: 'user', content: `of ${JSON.stringify(name)} \0` }] });
  expect(await open().load('unknown')).toBeUndefined();

  const first = await createScene({ conversation: open(), steps: ['Hello Ada.'] });
  await first.agent.send('I am Ada.');
  const second = await createScene({ conversation: open() });
  expect(await second.agent.send('Who am I?')).toMatchObject({ status: 'done', saved: true });
  expect(second.script.prompts[0]).toContain('I am Ada.');
  expect(await sql(database.url, 'SELECT count(*)::int AS count FROM hookline_conversations')).toEqual([{ count: names.length + 1 }]);
});
