/** Opens the store for held actions and the log by its URL. */
import path from 'node:path';
import type { Store } from '../core/contracts/store.ts';
import { HooklineError } from '../core/values/errors.ts';

/** Opens a store, by the scheme of its URL. */
export type StoreOpeners = Readonly<Record<string, (url: string) => Promise<Store>>>;

/** Without a URL: SQLite below the user's state folder. */
export async function openStore(url: string | undefined, stateFolder: string, stores: StoreOpeners): Promise<Store> {
  const wanted = url ?? `sqlite:${path.join(stateFolder, 'hookline', 'hookline.db')}`;
  checkStoreUrl(wanted, stores);
  return (stores[schemeOf(wanted)] as StoreOpeners[string])(wanted);
}

export function checkStoreUrl(url: string, stores: StoreOpeners): void {
  if (Object.hasOwn(stores, schemeOf(url)) && (schemeOf(url) !== 'sqlite:' || url.length > 'sqlite:'.length)) return;
  throw new HooklineError('bad-option', `\`${url}\` is not the URL of a store.`, {
    hint: 'Give `memory:`, `sqlite:PATH` or `postgres://…`.',
  });
}

function schemeOf(url: string): string {
  return url.slice(0, url.indexOf(':') + 1);
}
