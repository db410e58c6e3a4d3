/** Opens the place where held actions and the log are kept, by its URL. */
import path from 'node:path';
import { STORES } from '../builtins.ts';
import type { Store } from '../core/contracts/store.ts';
import { HooklineError } from '../core/values/errors.ts';

/** Without a URL: SQLite below the user's state folder. */
export async function openStore(url: string | undefined, stateFolder: string): Promise<Store> {
  const wanted = url ?? `sqlite:${path.join(stateFolder, 'hookline', 'hookline.db')}`;
  checkStoreUrl(wanted);
  return (STORES[schemeOf(wanted)] as (url: string) => Promise<Store>)(wanted);
}

export function checkStoreUrl(url: string): void {
  if (Object.hasOwn(STORES, schemeOf(url)) && (schemeOf(url) !== 'sqlite:' || url.length > 'sqlite:'.length)) return;
  throw new HooklineError('bad-option', `\`${url}\` is no place where held actions could be kept.`, {
    hint: 'Give `memory:`, `sqlite:PATH` or `postgres://…`.',
  });
}

function schemeOf(url: string): string {
  return url.slice(0, url.indexOf(':') + 1);
}
