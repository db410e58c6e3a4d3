/** The laws of signatures, beginning with the published example of Standard Webhooks. */
import { expect, test } from 'vitest';
import { keyOf, sign } from '../../../../src/people/notifiers/signature.ts';
import { verifySignature } from '../../../../src/people/notifiers/webhook.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = '{"test": 2432232314}';
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
const NOW = 1614265330;
const HEADERS = { 'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek', 'webhook-timestamp': String(NOW), 'webhook-signature': SIGNATURE };

test('the published example is signed as published', () => {
  expect(sign(keyOf(SECRET) ?? Buffer.alloc(0), HEADERS['webhook-id'], NOW, BODY)).toBe(SIGNATURE);
});

test.each([
  ['as it came', SECRET, HEADERS, BODY],
  ['with a body of bytes', SECRET, HEADERS, Buffer.from(BODY)],
  ['with a secret that has no prefix', SECRET.slice('whsec_'.length), HEADERS, BODY],
  ['with headers as fetch has them', SECRET, new Headers(HEADERS), BODY],
  [
    'with headers in capitals',
    SECRET,
    { 'Webhook-Id': HEADERS['webhook-id'], 'WEBHOOK-TIMESTAMP': `${NOW}`, 'Webhook-Signature': SIGNATURE },
    BODY,
  ],
  ['among signatures of other keys and versions', SECRET, { ...HEADERS, 'webhook-signature': `v1a,AAAA v1,AAAA ${SIGNATURE}` }, BODY],
])('a genuine request is found genuine %s', (_, secret, headers, body) => {
  expect(verifySignature(secret, headers, body, NOW)).toBe(true);
});

test.each([
  ['another body', SECRET, HEADERS, '{"test":2432232314}'],
  ['another id', SECRET, { ...HEADERS, 'webhook-id': 'msg_other' }, BODY],
  ['another time', SECRET, { ...HEADERS, 'webhook-timestamp': String(NOW + 1) }, BODY],
  ['another key', `whsec_${Buffer.alloc(24).toString('base64')}`, HEADERS, BODY],
  ['a key that is too short', 'whsec_AAAA', HEADERS, BODY],
  ['a key that is no base64', 'whsec_§§§§', HEADERS, BODY],
  ['no key', '', HEADERS, BODY],
  ['a signature of another version', SECRET, { ...HEADERS, 'webhook-signature': SIGNATURE.replace('v1,', 'v2,') }, BODY],
  ['half a signature', SECRET, { ...HEADERS, 'webhook-signature': SIGNATURE.slice(0, 20) }, BODY],
  ['no signature', SECRET, { ...HEADERS, 'webhook-signature': undefined }, BODY],
  ['no headers at all', SECRET, {}, BODY],
])('%s is not genuine', (_, secret, headers, body) => {
  expect(verifySignature(secret, headers, body, NOW)).toBe(false);
});

test('a signature is good for five minutes before and after, or for as long as the receiver says', () => {
  const at = (now: number, tolerance?: number) => verifySignature(SECRET, HEADERS, BODY, now, tolerance);
  expect([at(NOW + 300), at(NOW - 300), at(NOW + 301), at(NOW - 301)]).toEqual([true, true, false, false]);
  expect([at(NOW + 1000, 1000), at(NOW + 11, 10), at(Number.NaN)]).toEqual([true, false, false]);
});

test('one signature fits one reading: the full stops of id and time can not be moved into the body', () => {
  const key = keyOf(SECRET) ?? Buffer.alloc(0);
  const signature = sign(key, 'a', NOW, `${NOW}.x`);
  const moved = { 'webhook-id': `a.${NOW}`, 'webhook-timestamp': String(NOW), 'webhook-signature': signature };
  expect(verifySignature(SECRET, { ...moved, 'webhook-id': 'a' }, `${NOW}.x`, NOW)).toBe(true);
  expect(verifySignature(SECRET, moved, 'x', NOW)).toBe(false);
});
