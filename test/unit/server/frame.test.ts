import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeFrame, encodeFrame, STILL_WORKING } from '../../../src/server/frame.ts';

const PROOF = 'ab'.repeat(32);
const said = fc.record({
  stdout: fc.string({ unit: 'grapheme' }),
  stderr: fc.string({ unit: 'grapheme' }),
  exit: fc.integer({ min: 0, max: 255 }),
});

test('what is framed is read back, however often it was said before that it takes time', () => {
  fc.assert(
    fc.property(said, fc.nat(3), (answer, waits) => {
      expect(decodeFrame(Buffer.from(STILL_WORKING.repeat(waits) + encodeFrame(answer, PROOF)), PROOF)).toEqual(answer);
    }),
  );
});

test('a frame that was cut anywhere, or has anything behind it, is no answer', () => {
  const frame = Buffer.from(encodeFrame({ stdout: 'né\n', stderr: 'x', exit: 0 }, PROOF));
  for (let length = 0; length < frame.length; length++) expect(decodeFrame(frame.subarray(0, length), PROOF)).toBeUndefined();
  expect(decodeFrame(Buffer.concat([frame, Buffer.from('x')]), PROOF)).toBeUndefined();
});

test('a frame with the proof of another server, or an impossible exit code, is no answer', () => {
  const answer = { stdout: '', stderr: '', exit: 0 };
  expect(decodeFrame(Buffer.from(encodeFrame(answer, 'cd'.repeat(32))), PROOF)).toBeUndefined();
  expect(decodeFrame(Buffer.from(encodeFrame({ ...answer, exit: 256 }, PROOF)), PROOF)).toBeUndefined();
});
