import { createHmac, createPrivateKey, createPublicKey, verify } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { checkpointText } from '../../../src/core/record/checkpoint.ts';
import { authenticator, isSigned, openLogKey } from '../../../src/stores/log-key.ts';

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

test('checkpoints are signed with the Ed25519 key of the seed, and name its public key as SPKI', () => {
  const state = mkdtempSync(path.join(tmpdir(), 'hookline key '));
  onTestFinished(() => rmSync(state, { recursive: true }));
  mkdirSync(path.join(state, 'hookline'));
  const seed = Buffer.from(Array.from({ length: 32 }, (_, i) => 255 - i));
  writeFileSync(path.join(state, 'hookline/log.key'), seed);
  const key = openLogKey(state, 'origin');
  const checkpoint = key?.sign({ seq: 1, hash: 'h', at: 0, store: 'sqlite' });
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const expected = createPublicKey(createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }));
  expect(key?.publicKey).toBe(expected.export({ format: 'der', type: 'spki' }).toString('base64'));
  if (!checkpoint) return expect.unreachable();
  expect(verify(null, Buffer.from(checkpointText(checkpoint)), expected, Buffer.from(checkpoint.signature, 'base64'))).toBe(true);
  expect(isSigned(checkpoint)).toBe(true);
  expect(isSigned({ ...checkpoint, seq: 2 })).toBe(false);
});
