/**
 * What is to be sent: where to, with which headers, signed. Nothing is sent yet. A configuration that can't work is a failure that says
 * what is wrong without showing any value of it: the URL and the headers may be secrets as well.
 */
import type { Notice, NotifyFailure, WebhookNotifierConfig } from '../../core/notifier.ts';
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
