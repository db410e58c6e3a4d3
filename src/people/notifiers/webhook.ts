/**
 * What is to be sent: where to, with which headers, signed. Nothing is sent yet. A configuration that can't work is a failure that says
 * what is wrong without showing any value of it: the URL and the headers may be secrets as well.
 */

import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Notice, Notifier, NotifyFailure, WebhookNotifierConfig } from '../../core/contracts/notifier.ts';
import { keyOf, SHORTEST_KEY, sign } from './signature.ts';

export interface OutgoingNotice {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export function outgoingNotice(config: WebhookNotifierConfig, notice: Notice, nowMs: number): OutgoingNotice | NotifyFailure {
  const url = urlOf(config.url);
  if (!(url instanceof URL)) return url;
  if (notice.id.includes('.')) return wrong('the id of the notice contains a full stop, which would make its signature ambiguous');
  const { id, type, at, ticket } = notice;
  // The shape that Standard Webhooks recommend, so that tools that know them can read it.
  const body = Buffer.from(JSON.stringify({ id, type, timestamp: new Date(at).toISOString(), data: ticket }));
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
  if (!URL.canParse(text)) return wrong('its url is not a valid URL; write it whole, like https://example.com/hook');
  const url = new URL(text);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : wrong('its url begins with neither http: nor https:');
}

/** Undefined: there is no secret, and nothing is signed. */
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
    // How the body is framed and signed is ours to say: a wrong word of it would garble the request or forge its origin.
    if (FRAMING.has(key) || key.startsWith('webhook-')) continue;
    const text = resolved(value, `header ${key}`);
    if (typeof text !== 'string') return text;
    values[key] = text;
  }
  return { values };
}

const FRAMING = new Set(['content-length', 'transfer-encoding', 'connection', 'trailer', 'upgrade', 'expect']);

/** Read anew for each notice: a variable may be set late, or changed. */
function resolved(value: string, what: string): string | NotifyFailure {
  if (!value.startsWith('env:')) return value;
  const name = value.slice('env:'.length);
  return process.env[name] || wrong(`its ${what} should be in the environment variable ${name}, which is not set`);
}

/**
 * Tells people by a webhook, signed as Standard Webhooks v1 say. The status is all that counts of the answer. Redirects are not followed,
 * and every socket is closed when the answer is there.
 */

export { verifySignature, type WebhookHeaders } from './signature.ts';

export function webhookNotifier(config: WebhookNotifierConfig): Notifier {
  const { timeoutMs = 15_000 } = config;
  return {
    type: 'webhook',
    async tell(notice, signal) {
      const outgoing = outgoingNotice(config, notice, Date.now());
      if ('failed' in outgoing) return outgoing;
      // Loaded when the first notice is sent: whoever has none does not pay for an HTTP client.
      const { request } = outgoing.url.protocol === 'https:' ? await import('node:https') : await import('node:http');
      return signal.aborted ? GIVEN_UP : post(outgoing, request, timeoutMs, signal);
    },
  };
}

type Send = (url: URL, options: RequestOptions) => ClientRequest;
type Answer = 'told' | NotifyFailure;

const GIVEN_UP: NotifyFailure = { failed: 'was not waited for any longer', retry: true };
/** setTimeout takes a longer one for no time at all. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** So much of an answer is let come in, so that a polite server can finish its sentence. */
const MOST_BODY_BYTES = 64 * 1024;

function post({ url, headers, body }: OutgoingNotice, send: Send, timeoutMs: number, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    let request: ClientRequest;
    try {
      request = send(url, { method: 'POST', headers, agent: false });
    } catch (error) {
      // A header or path that HTTP does not permit.
      resolve({ failed: `the request to ${url.host} can not be made: ${codeOf(error)}`, retry: false });
      return;
    }
    // Once there is a status it is the answer, whatever becomes of the body.
    let answer: Answer | undefined;
    const settle = (otherwise: Answer) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      resolve(answer ?? otherwise);
      request.destroy();
    };
    const giveUp = () => settle(GIVEN_UP);
    const timer = setTimeout(
      () => setImmediate(() => settle({ failed: `${url.host} did not answer within ${timeoutMs} ms`, retry: true })),
      Math.min(timeoutMs, LONGEST_TIMER_MS),
    );
    signal.addEventListener('abort', giveUp);
    const broken: NotifyFailure = { failed: `${url.host} ended the connection without an answer`, retry: true };
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
  if (status >= 200 && status < 300) return 'told';
  if (status >= 300 && status < 400)
    return { failed: `${host} answered ${status}: redirects are not followed, change the url`, retry: false };
  if (status === 410) return { failed: `${host} answered 410: it wants no more notices, remove this notifier`, retry: false };
  const retry = status === 429 || status >= 500;
  const afterMs = retry ? retryAfterMs(headers['retry-after'], Date.now()) : undefined;
  return { failed: `${host} answered ${status}`, retry, ...(afterMs === undefined ? {} : { afterMs }) };
}

/** Seconds or a date; what is neither says nothing. */
function retryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

/** The code of an error, not its message: that may show what was sent. A host with several addresses has one error for each. */
function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error ? error.name : 'unknown error';
}
