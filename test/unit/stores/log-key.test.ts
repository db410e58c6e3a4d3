import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { authenticator } from '../../../src/stores/log-key.ts';

test('the seal of a head is the HMAC of its text', () => {
  const ascii = fc.string({ unit: 'grapheme-ascii', maxLength: 256 });
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.array(ascii, { minLength: 1 }), (bytes, texts) => {
      const key = Buffer.from(bytes);
      const code = authenticator(key);
      // One after the other, because a longer text must leave nothing for a shorter one.
      for (const text of texts) expect(code(text)).toBe(createHmac('sha256', key).update(text).digest('base64'));
    }),
  );
});

test('a text that is too long to be sealed is an error, not a code of a part of it', () => {
  expect(() => authenticator(Buffer.alloc(32))('x'.repeat(257))).toThrow(RangeError);
});
