/**
 * Signatures as Standard Webhooks v1 have them: HMAC-SHA256 over `id.timestamp.body`, by a secret of which both sides know. Neither id nor
 * timestamp may contain a full stop, else the same signature would fit another reading of the same text.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export type WebhookHeaders =
  | { readonly [name: string]: string | readonly string[] | undefined }
  /** As `fetch` has them. */
  | { get(name: string): string | null };

/**
 * Whether a request was sent by one who knows the secret, not long ago, and is as it was sent. `body` is what came, byte by byte: parsed
 * and written again it may differ. What can't be checked is not genuine. The `webhook-id` tells a repeated delivery from a new one.
 */
export function verifySignature(
  secret: string,
  headers: WebhookHeaders,
  body: string | Uint8Array,
  nowSeconds: number,
  toleranceSeconds = 300,
): boolean {
  const key = keyOf(secret);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!key || !id || id.includes('.') || !timestamp || !signatures || !/^\d{1,15}$/.test(timestamp)) return false;
  if (!(Math.abs(nowSeconds - Number(timestamp)) <= toleranceSeconds)) return false;
  const expected = digest(key, id, timestamp, body);
  // Several while a secret is being replaced; those of other versions are not ours to judge.
  return signatures.split(' ').some((entry) => {
    const given = entry.startsWith(VERSION) ? Buffer.from(entry.slice(VERSION.length), 'base64') : undefined;
    return given?.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** The value of `webhook-signature`. */
export function sign(key: Uint8Array, id: string, timestamp: number, body: string | Uint8Array): string {
  return `${VERSION}${digest(key, id, String(timestamp), body).toString('base64')}`;
}

/** Undefined if it is no base64, or so short that it could be guessed. */
export function keyOf(secret: string): Buffer | undefined {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const key = Buffer.from(text, 'base64');
  return key.length >= SHORTEST_KEY ? key : undefined;
}

const VERSION = 'v1,';
const PREFIX = 'whsec_';
/** The least that Standard Webhooks permit. */
export const SHORTEST_KEY = 24;

function digest(key: Uint8Array, id: string, timestamp: string, body: string | Uint8Array): Buffer {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === name) return typeof value === 'string' ? value : undefined;
  }
  return undefined;
}
