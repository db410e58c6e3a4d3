/** Opens the store for held actions and the log by its URL. */
import path from 'node:path';
import type { Store, StoreKind, StoreOptions } from '../core/contracts/store.ts';
import type { Environment } from '../core/values/environment.ts';
import { HooklineError } from '../core/values/errors.ts';

/** Kinds of stores, by the scheme of the URL. Two schemes of one kind have the same value. */
export type StoreKinds = Readonly<Record<string, StoreKind>>;

/** Without a URL: SQLite below the user's state folder. */
export async function openStore(
  url: string | undefined,
  stateFolder: string,
  stores: StoreKinds,
  options: StoreOptions & { readonly env?: Environment } = {},
): Promise<Store> {
  const given = url ?? defaultStore(stateFolder);
  const wanted = storeUrl(given, options.env ?? process.env);
  if (wanted === undefined)
    throw new HooklineError('store-unavailable', `The variable \`${variableOf(given)}\`, which names the store, is not set.`, {
      hint: 'Set it for every program that runs Hookline: a program that is not started from a terminal may lack it.',
    });
  return kindOf(wanted, stores, given).open(wanted, options);
}

/** Returns the URL of the store that is used if none is named. */
export function defaultStore(stateFolder: string): string {
  return `sqlite:${path.join(stateFolder, 'hookline', 'hookline.db')}`;
}

/** Returns the name of a store without user and password, for people and for the names of files. Undefined if it is not known where it is. */
export function storeName(
  url: string | undefined,
  stateFolder: string,
  stores: StoreKinds,
  env: Environment = process.env,
): string | undefined {
  const wanted = storeUrl(url ?? defaultStore(stateFolder), env);
  if (wanted === undefined) return undefined;
  const scheme = wanted.slice(0, wanted.indexOf(':') + 1);
  const { place } = (Object.hasOwn(stores, scheme) ? stores[scheme] : undefined) ?? {};
  if (place === 'path') return `${scheme}${path.resolve(wanted.slice(scheme.length))}`;
  if (place !== 'server' || !URL.canParse(wanted)) return undefined;
  const { host, pathname } = new URL(wanted);
  return `${scheme}//${host}${pathname}`;
}

/** Checks the form alone, because a variable may be set later. */
export function checkStoreUrl(url: string, stores: StoreKinds, env: Environment = process.env): void {
  const wanted = storeUrl(url, env);
  if (wanted !== undefined) kindOf(wanted, stores, url);
}

/** Returns the URL, read from a variable if it is `env:NAME`; undefined if the variable is not set. */
export function storeUrl(url: string, env: Environment): string | undefined {
  const variable = variableOf(url);
  return variable === undefined ? url : env[variable] || undefined;
}

/** Returns the variable that contains the URL of the store; undefined if the URL is written out. */
export function variableOf(url: string): string | undefined {
  return /^env:(\w+)$/.exec(url)?.[1];
}

/** @param given the URL as it was written, for the message: a variable may contain a password */
function kindOf(url: string, stores: StoreKinds, given: string): StoreKind {
  const scheme = url.slice(0, url.indexOf(':') + 1);
  const kind = Object.hasOwn(stores, scheme) ? stores[scheme] : undefined;
  if (kind && (kind.place !== 'path' || url.length > scheme.length)) return kind;
  throw new HooklineError('bad-option', `\`${given}\` is not the URL of a store.`, {
    hint: `Give ${formsOf(stores)}, or \`env:NAME\` for a variable that contains it.`,
  });
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
