import fc from 'fast-check';
import { expect, test } from 'vitest';
import { widthOf } from '../../../../../src/cli/print/text.ts';
import { lineOf, wholeLines } from '../../../../../src/cli/views/top/cells.ts';

const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const anyText = fc.string({ unit: 'binary', maxLength: 200 });

test('a line of any texts is no wider than it may be, and has no control', () => {
  fc.assert(
    fc.property(fc.array(anyText, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 120 }), (texts, width) => {
      const cells = texts.map((text, at) => ({ text, ...(at % 2 === 1 && { width: 8 }), ...(at === 3 && { from: 60 }) }));
      const line = lineOf(cells, width);
      expect(widthOf(line)).toBeLessThanOrEqual(width);
      expect(line).not.toMatch(CONTROL);
    }),
  );
});

test('cells are left out where the line is too narrow or too wide for them', () => {
  const cells = [{ text: 'always' }, { text: 'wide', from: 40 }, { text: 'narrow', below: 40 }];
  expect([lineOf(cells, 39), lineOf(cells, 40)]).toEqual([
    expect.stringMatching(/^always +narrow$/),
    expect.stringMatching(/^always +wide$/),
  ]);
});

test('a page loses no character, and keeps only the colours of Hookline', () => {
  expect(wholeLines('a\x1b[31mbcd\x1b[39mef', 4)).toEqual(['a\x1b[31mbcd\x1b[39m', 'ef']);
  expect(wholeLines('x\u200by', 4)).toEqual(['x<U+', '200B', '>y']);
  expect(wholeLines('a\x1b[2Jb', 80)).toEqual(['a␛[2Jb']);
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 40 }), (text, width) => {
      const lines = wholeLines(text, width);
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
      expect(lines.join('').replace(/\x1b\[\d+m/g, '')).not.toMatch(CONTROL);
    }),
  );
});
