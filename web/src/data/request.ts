/** Requests to the server of this page. The token is in the memory of this tab alone, so no other site can use it. */
import { signal } from '@preact/signals';
import type { ProblemAnswer } from '../../../src/ui/api.ts';

const KEY = 'hookline-token';
const CHANNEL = 'hookline-token';
/** After this long without a token of another tab the page says how to get one. A token that comes later still counts. */
const HANDOVER_MS = 400;

/** `out`: the server does not know this tab. */
export const access = signal<'wait' | 'in' | 'out'>('wait');
/** Why the last login failed, if one did. */
export const refusal = signal<string | null>(null);
let token: string | null = null;

/** An answer of the server that is an error, or no answer at all. */
export class Refused extends Error {
  readonly status: number;
  readonly hint: string;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Partial<ProblemAnswer> & Readonly<Record<string, unknown>>) {
    super(body.detail ?? body.title ?? `The server answered with status ${status}.`);
    this.status = status;
    this.hint = body.hint ?? '';
    this.body = body;
  }
}

type Query = Readonly<Record<string, string | number | undefined>>;

export function pathWith(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

export async function open(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { ...(init.headers as Record<string, string> | undefined), ...(token !== null && { authorization: `Bearer ${token}` }) };
  const response = await fetch(path, { ...init, headers, cache: 'no-store', credentials: 'omit' });
  if (response.ok) return response;
  if (response.status === 401 && token !== null) leave();
  const body = (await response.json().catch(() => ({}))) as Partial<ProblemAnswer> & Record<string, unknown>;
  throw new Refused(response.status, body);
}

export async function get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
  const response = await open(pathWith(`/v1/${path}`, query), signal ? { signal } : {});
  return (await response.json()) as T;
}

export async function send<T>(method: 'POST' | 'PATCH', path: string, body: unknown): Promise<T> {
  const response = await open(`/v1/${path}`, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** Exchanges the one-time code of the address, or takes the token that this tab or another one has. */
export async function enter(): Promise<void> {
  const code = /^#code=([^&]+)/.exec(location.hash)?.[1];
  if (code !== undefined) {
    // The code must not stay in the history of the browser.
    history.replaceState(null, '', `${location.pathname}#/live`);
    try {
      keep((await send<{ token: string }>('POST', 'login', { code: decodeURIComponent(code) })).token);
    } catch (error) {
      refusal.value = error instanceof Error ? error.message : String(error);
    }
  }
  token ??= sessionStorage.getItem(KEY) ?? (await fromOtherTab());
  if (token !== null) keep(token);
  access.value = token === null ? 'out' : 'in';
  handOver();
}

function keep(fresh: string): void {
  token = fresh;
  sessionStorage.setItem(KEY, fresh);
}

function leave(): void {
  token = null;
  sessionStorage.removeItem(KEY);
  access.value = 'out';
}

function fromOtherTab(): Promise<string | null> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise((resolve) => {
    let isLate = false;
    channel.onmessage = ({ data }) => {
      if (typeof data?.token !== 'string') return;
      channel.close();
      resolve(data.token);
      if (!isLate) return;
      keep(data.token);
      location.reload();
    };
    channel.postMessage({ wants: true });
    setTimeout(() => {
      isLate = true;
      resolve(null);
    }, HANDOVER_MS);
  });
}

/** Only pages of this very address and port receive it. */
function handOver(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (data?.wants === true && token !== null) channel.postMessage({ token });
  };
}
