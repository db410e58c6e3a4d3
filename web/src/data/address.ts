/** The address of a screen. It holds every filter, so that it can be kept and sent. */
import { signal } from '@preact/signals';

export const SCREENS = ['live', 'decision', 'approvals', 'sessions', 'hooks', 'log', 'what-if'] as const;
export type Screen = (typeof SCREENS)[number];
export type Query = Readonly<Record<string, string>>;

export interface Address {
  readonly screen: Screen;
  readonly id: string | null;
  readonly query: Query;
}

/** The conditions on entries that an address may have. */
export const CONDITIONS = [
  ...['decision', 'tool', 'kind', 'host', 'user', 'project', 'session', 'agent', 'sort', 'hook', 'fault', 'text'],
  ...['since', 'until'],
] as const;

export const address = signal<Address>(read(location.hash));
addEventListener('hashchange', () => {
  address.value = read(location.hash);
});

function read(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [name, id] = path.split('/');
  const screen = SCREENS.find((one) => one === name) ?? 'live';
  return { screen, id: id ? decoded(id) : null, query: Object.fromEntries(new URLSearchParams(query)) };
}

/** An address that a person typed may be broken. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function hrefOf(screen: Screen, id: string | null = null, query: Readonly<Record<string, string | null | undefined>> = {}): string {
  return `#/${screen}${id === null ? '' : `/${encodeURIComponent(id)}`}${endOf(query)}`;
}

/** The end of an address, which the links of a long list share. */
export function endOf(query: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(query).filter(
    (pair): pair is [string, string] => pair[1] !== null && pair[1] !== undefined && pair[1] !== '',
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

export function go(href: string): void {
  location.hash = href;
}

/**
 * Changes the address within its screen, without a step in the history: choosing a row should not need as many steps back.
 * Facts that arrive late choose a row too, so a person who has gone on to another screen is not called back.
 */
export function replace(href: string): void {
  const next = read(href);
  if (read(location.hash).screen !== next.screen) return;
  history.replaceState(null, '', href);
  address.value = next;
}

/** Returns the conditions of the present address. */
export function conditions(query: Query = address.value.query): Query {
  return Object.fromEntries(CONDITIONS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
}
