/**
 * Notifies people by a webhook that is signed as Standard Webhooks v1 defines. Only the status of the response counts. Redirects are not
 * followed, and every socket is closed after the response.
 */

import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Notice, Notifier, NotifyFailure, WebhookNotifierConfig } from '../../core/contracts/notifier.ts';
import { LONGEST_TIMER_MS } from '../../core/values/timer.ts';
import { keyOf, SHORTEST_KEY, sign } from './signature.ts';

export interface OutgoingNotice {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Builds the request of a notice: URL, headers, body and signature. Sends nothing. An unusable configuration is reported without its
 * values, because the URL and the headers may be secrets.
 */
export function outgoingNotice(config: WebhookNotifierConfig, notice: Notice, nowMs: number): OutgoingNotice | NotifyFailure {
  const { id, type, at, ticket } = notice;
  return outgoingMessage(config, { id, type, timestamp: new Date(at).toISOString(), data: ticket }, nowMs);
}

/** The body that Standard Webhooks recommends, so that existing tools can read it. */
export interface Message {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: unknown;
}

function outgoingMessage(config: WebhookNotifierConfig, message: Message, nowMs: number): OutgoingNotice | NotifyFailure {
  const url = urlOf(config.url);
  if (!(url instanceof URL)) return url;
  const { id } = message;
  if (id.includes('.')) return wrong('the id of the notice contains a full stop, which would make its signature ambiguous');
  const body = Buffer.from(JSON.stringify(message));
  const headers = extraHeaders(config.headers ?? {});
  if ('failed' in headers) return headers;
  const timestamp = Math.floor(nowMs / 1000);
  const signature = signatureOf(config.secret, (key) => sign(key, id, timestamp, body));
  if (typeof signature === 'object') return signature;
  return {
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'hookline',
      ...headers.values,
      'content-length': String(body.length),
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      ...(signature === undefined ? {} : { 'webhook-signature': signature }),
    },
  };
}

function wrong(failed: string): NotifyFailure {
  return { failed, retry: false };
}

function urlOf(configured: string): URL | NotifyFailure {
  const text = resolved(configured, 'url');
  if (typeof text !== 'string') return text;
  if (!URL.canParse(text)) return wrong('its url is not valid; write a complete URL such as https://example.com/hook');
  const url = new URL(text);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : wrong('its url starts with neither http: nor https:');
}

/** Returns undefined if there is no secret; the request is then not signed. */
function signatureOf(secret: string | undefined, signBy: (key: Uint8Array) => string): string | undefined | NotifyFailure {
  if (secret === undefined) return undefined;
  const text = resolved(secret, 'secret');
  if (typeof text !== 'string') return text;
  const key = keyOf(text);
  return key ? signBy(key) : wrong(`its secret is not \`whsec_\` followed by at least ${SHORTEST_KEY} bytes in base64`);
}

function extraHeaders(configured: Readonly<Record<string, string>>): { readonly values: Record<string, string> } | NotifyFailure {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(configured)) {
    const key = name.toLowerCase();
    // Hookline sets the headers that frame and sign the body. A configured value could garble the request or forge its origin.
    if (FRAMING.has(key) || key.startsWith('webhook-')) continue;
    const text = resolved(value, `header ${key}`);
    if (typeof text !== 'string') return text;
    values[key] = text;
  }
  return { values };
}

const FRAMING = new Set(['content-length', 'transfer-encoding', 'connection', 'trailer', 'upgrade', 'expect']);

/** Reads the variable for each notice, because it may be set late or change. */
function resolved(value: string, what: string): string | NotifyFailure {
  if (!value.startsWith('env:')) return value;
  const name = value.slice('env:'.length);
  return process.env[name] || wrong(`its ${what} is read from the environment variable ${name}, which is not set`);
}

export { verifySignature, type WebhookHeaders } from './signature.ts';

export function webhookNotifier(config: WebhookNotifierConfig): Notifier {
  return { type: 'webhook', notify: async (notice, signal) => send(config, outgoingNotice(config, notice, Date.now()), signal) };
}

/** Sends a message that is no notice, with the same signature. */
export async function postSigned(config: WebhookNotifierConfig, message: Message, signal: AbortSignal): Promise<Answer> {
  return send(config, outgoingMessage(config, message, Date.now()), signal);
}

async function send(
  { timeoutMs = 15_000 }: WebhookNotifierConfig,
  outgoing: OutgoingNotice | NotifyFailure,
  signal: AbortSignal,
): Promise<Answer> {
  if ('failed' in outgoing) return outgoing;
  // Loaded when the first notice is sent, so that a process without webhooks does not load an HTTP client.
  const { request } = outgoing.url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return signal.aborted ? GIVEN_UP : post(outgoing, request, timeoutMs, signal);
}

type Send = (url: URL, options: RequestOptions) => ClientRequest;
type Answer = 'sent' | NotifyFailure;

const GIVEN_UP: NotifyFailure = { failed: 'was cancelled', retry: true };
/** This much of a response is read, so that the server can finish sending it. */
const MOST_BODY_BYTES = 64 * 1024;

function post({ url, headers, body }: OutgoingNotice, start: Send, timeoutMs: number, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    let request: ClientRequest;
    try {
      request = start(url, { method: 'POST', headers, agent: false });
    } catch (error) {
      // HTTP does not permit the header or the path.
      resolve({ failed: `the request to ${url.host} cannot be made: ${codeOf(error)}`, retry: false });
      return;
    }
    // Once the status is known it is the result, even if the body fails.
    let answer: Answer | undefined;
    const settle = (otherwise: Answer) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      resolve(answer ?? otherwise);
      request.destroy();
    };
    const giveUp = () => settle(GIVEN_UP);
    const timer = setTimeout(
      () => setImmediate(() => settle({ failed: `${url.host} did not respond within ${timeoutMs} ms`, retry: true })),
      Math.min(timeoutMs, LONGEST_TIMER_MS),
    );
    signal.addEventListener('abort', giveUp);
    const broken: NotifyFailure = { failed: `${url.host} closed the connection without a response`, retry: true };
    request.on('error', (error) => settle({ failed: `${url.host} could not be reached: ${codeOf(error)}`, retry: true }));
    request.on('close', () => settle(broken));
    request.on('response', (response) => {
      answer = meaningOf(response, url.host);
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MOST_BODY_BYTES) settle(broken);
      });
      response.on('end', () => settle(broken));
      response.on('error', () => settle(broken));
    });
    request.end(body);
  });
}

function meaningOf({ statusCode: status = 0, headers }: IncomingMessage, host: string): Answer {
  if (status >= 200 && status < 300) return 'sent';
  if (status >= 300 && status < 400)
    return { failed: `${host} responded with ${status}: redirects are not followed, change the url`, retry: false };
  if (status === 410) return { failed: `${host} responded with 410: it accepts no more notices, remove this notifier`, retry: false };
  const retry = status === 429 || status >= 500;
  const afterMs = retry ? retryAfterMs(headers['retry-after'], Date.now()) : undefined;
  return { failed: `${host} responded with ${status}`, retry, ...(afterMs === undefined ? {} : { afterMs }) };
}

/** Reads seconds or a date; returns undefined for anything else. */
function retryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

/** Returns the code of an error. Its message may contain the request. A host with several addresses has one error for each. */
function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error ? error.name : 'unknown error';
}
