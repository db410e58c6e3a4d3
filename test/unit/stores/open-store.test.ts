/** The URL of a store, written out or in a variable. */
import { expect, test } from 'vitest';
import { STORES } from '../../../src/builtins.ts';
import { checkStoreUrl, openStore, storeUrl, variableOf } from '../../../src/stores/open-store.ts';
import { createWorkspace } from '../../support/workspace.ts';

test('`env:NAME` is the URL in that variable; any other URL is taken as it is', () => {
  expect(storeUrl('env:DATABASE_URL', { DATABASE_URL: 'postgres://db/app' })).toBe('postgres://db/app');
  expect(storeUrl('env:DATABASE_URL', { DATABASE_URL: '' })).toBe(undefined);
  expect(storeUrl('env:DATABASE_URL', {})).toBe(undefined);
  expect(storeUrl('sqlite:env', {})).toBe('sqlite:env');
  expect([variableOf('env:A_1'), variableOf('env:'), variableOf('env:a b'), variableOf('sqlite:x')]).toEqual([
    'A_1',
    undefined,
    undefined,
    undefined,
  ]);
});

test('a store is opened by the variable', async () => {
  const file = createWorkspace().at('held.db');
  const store = await openStore('env:STORE', '/nowhere', STORES, { env: { STORE: `sqlite:${file}` } });
  expect(await store.log.list({})).toEqual([]);
  await store.close();
});

test('a variable that is not set is a store that cannot be used, by its name', async () => {
  await expect(openStore('env:STORE', '/nowhere', STORES, { env: {} })).rejects.toMatchObject({
    code: 'store-unavailable',
    message: expect.stringContaining('`STORE`'),
  });
});

test('a URL from a variable is never shown, because it may contain a password', () => {
  const bad = () => checkStoreUrl('env:STORE', STORES, { STORE: 'mysql://ann:hunter2@db' });
  expect(bad).toThrow('`env:STORE` is not the URL of a store');
  expect(bad).not.toThrow('hunter2');
  expect(() => checkStoreUrl('env:STORE', STORES, {})).not.toThrow();
  expect(() => checkStoreUrl('env:', STORES, {})).toThrow('`env:`');
});
