/**
 * Signs and verifies webhooks as Standard Webhooks v1 defines: HMAC-SHA256 over `id.timestamp.body` with a shared secret. Id and timestamp
 * must not contain a full stop, because then one signature would fit two readings of the same text.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export type WebhookHeaders =
  | { readonly [name: string]: string | readonly string[] | undefined }
  /** The `Headers` object of `fetch`. */
  | { get(name: string): string | null };

/**
 * Returns whether a request is recent, unchanged and signed with the secret. A request that cannot be checked returns false. The
 * `webhook-id` distinguishes a repeated delivery from a new one.
 * @param body the bytes as received; JSON that was parsed and written again may differ
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
  // There are several signatures while a secret is being replaced. Those of other versions are skipped.
  return signatures.split(' ').some((entry) => {
    const given = entry.startsWith(VERSION) ? Buffer.from(entry.slice(VERSION.length), 'base64') : undefined;
    return given?.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Returns the value of `webhook-signature`. */
export function sign(key: Uint8Array, id: string, timestamp: number, body: string | Uint8Array): string {
  return `${VERSION}${digest(key, id, String(timestamp), body).toString('base64')}`;
}

/** Returns undefined if the secret is not base64, or so short that it could be guessed. */
export function keyOf(secret: string): Buffer | undefined {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const key = Buffer.from(text, 'base64');
  return key.length >= SHORTEST_KEY ? key : undefined;
}

const VERSION = 'v1,';
const PREFIX = 'whsec_';
/** The shortest key that Standard Webhooks permits. */
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
