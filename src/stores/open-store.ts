/** Opens the store for held actions and the log by its URL. */
import path from 'node:path';
import type { Store, StoreKind } from '../core/contracts/store.ts';
import { HooklineError } from '../core/values/errors.ts';

/** Kinds of stores, by the scheme of the URL. Two schemes of one kind have the same value. */
export type StoreKinds = Readonly<Record<string, StoreKind>>;

/** Without a URL: SQLite below the user's state folder. */
export async function openStore(url: string | undefined, stateFolder: string, stores: StoreKinds): Promise<Store> {
  const wanted = url ?? `sqlite:${path.join(stateFolder, 'hookline', 'hookline.db')}`;
  return kindOf(wanted, stores).open(wanted);
}

export function checkStoreUrl(url: string, stores: StoreKinds): void {
  kindOf(url, stores);
}

function kindOf(url: string, stores: StoreKinds): StoreKind {
  const scheme = url.slice(0, url.indexOf(':') + 1);
  const kind = Object.hasOwn(stores, scheme) ? stores[scheme] : undefined;
  if (kind && (kind.place !== 'path' || url.length > scheme.length)) return kind;
  throw new HooklineError('bad-option', `\`${url}\` is not the URL of a store.`, { hint: `Give ${formsOf(stores)}.` });
}

const REST: Readonly<Record<StoreKind['place'], string>> = { nothing: '', path: 'PATH', server: '//…' };

/** Returns how the URL of each kind is written. Of several schemes of one kind it names the first. */
function formsOf(stores: StoreKinds): string {
  const kinds = Object.entries(stores);
  const forms = kinds
    .filter(([, kind], index) => kinds.findIndex(([, other]) => other === kind) === index)
    .map(([scheme, { place }]) => `\`${scheme}${REST[place]}\``);
  return [forms.slice(0, -1).join(', '), ...forms.slice(-1)].filter((part) => part !== '').join(' or ');
}
