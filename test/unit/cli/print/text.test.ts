import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonDocument } from '../../../../src/cli/output.ts';
import { block, cut, cutWords, fit, flow, harmless, oneLine, widthOf } from '../../../../src/cli/print/text.ts';

const HOSTILE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const hostile = fc.string({ unit: fc.constantFrom(...'ab \n\t\r\x1b[31m\x07\x00\x9b\u202e\u2066漢é', '\x1b]0;x\x07'), maxLength: 60 });

test('no text from outside keeps a character that moves the cursor or turns the line around', () => {
  fc.assert(
    fc.property(hostile, fc.integer({ min: 10, max: 80 }), (text, width) => {
      expect(harmless(text)).not.toMatch(HOSTILE);
      expect(oneLine(text)).not.toMatch(HOSTILE);
      expect(oneLine(text)).not.toMatch(/[\n\t]/);
      expect(block(text, '  ', width)).not.toMatch(HOSTILE);
    }),
  );
});

test('an escape sequence stays readable', () => {
  expect(harmless('\x1b[2Jgone')).toBe('␛[2Jgone');
  expect(harmless('a\u202eb')).toBe('a<U+202E>b');
  expect(harmless('one\r\ntwo\tthree')).toBe('one\ntwo\tthree');
});

test('a JSON document means the same as the value, and can not move a cursor either', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const document = jsonDocument({ text });
      expect(JSON.parse(document)).toEqual({ text });
      expect(document.replaceAll('\n', '')).not.toMatch(HOSTILE);
    }),
  );
});

test('what is cut is within its width and says that it was cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), fc.integer({ min: 2, max: 30 }), (text, width) => {
      const short = cut(text, width);
      expect(widthOf(short)).toBeLessThanOrEqual(Math.max(width, 1));
      if (short !== text) expect(short.endsWith('…')).toBe(true);
    }),
  );
});

test('wide characters take two columns, colours none', () => {
  expect(widthOf('漢字')).toBe(4);
  expect(widthOf('\x1b[31mred\x1b[39m')).toBe(3);
});

test('a block loses no word and keeps to its width', () => {
  const text = 'The quick brown fox jumps over the lazy dog, and then it jumps again.';
  const lines = block(text, '    ', 30).split('\n');
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.map((line) => line.trim()).join(' ')).toBe(text);
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(30);
});

const words = fc.array(fc.string({ unit: fc.constantFrom(...'abc-/.:'), minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 30 });

test('no word is ever divided, and a line is too long only if its one word is', () => {
  fc.assert(
    fc.property(words, fc.constantFrom('', '  ', ' '.repeat(12)), fc.integer({ min: 20, max: 80 }), (list, indent, width) => {
      for (const shown of [block(list.join(' '), indent, width), fit(`${indent}${list.join(' ')}`, width)]) {
        expect(shown.split(/\s+/).filter((word) => word !== '')).toEqual(list);
        for (const line of shown.split('\n')) if (widthOf(line) > width) expect(line.trim()).not.toContain(' ');
      }
      const row = flow(list, indent, width);
      expect(row.split(/\s+·\s+|\s+/).filter((word) => word !== '')).toEqual(list);
    }),
  );
});

test('a word that needs the whole line loses its indent before it is divided', () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  expect(block(`keep ${digest} safe`, ' '.repeat(12), 72)).toBe(`            keep\n ${digest}\n            safe`);
});

test('a script without spaces is wrapped too', () => {
  for (const line of block('漢'.repeat(50), '  ', 30).split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(30);
});

test('lines that fit stay as they are', () => {
  const text = '  a   b\n\n    c\n';
  expect(fit(text, 20)).toBe(text);
});

test('a text is cut between words, and a single long word within it', () => {
  expect(cutWords('one two three four', 12)).toBe('one two…');
  expect(cutWords('abcdefghijkl', 6)).toBe('abcde…');
  expect(cutWords('short', 6)).toBe('short');
});
