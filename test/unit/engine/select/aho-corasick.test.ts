import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findWords } from '../../../../src/engine/select/aho-corasick.ts';
import { foldCase } from '../../../../src/engine/select/case-fold.ts';

function scan(words: readonly string[], texts: readonly string[]): number[] {
  const found: number[] = [];
  findWords(words).scan(texts, (word) => found.push(word));
  return found.sort((a, b) => a - b);
}

test('exactly the words that occur are found, each once, without regard to case', () => {
  const unit = fc.constantFrom('a', 'b', 'A', 'k', '\u212a', 'ſ', 's', 'é', '\u0131', '\ud83d', '\ude00');
  const words = fc.uniqueArray(fc.string({ unit, minLength: 1, maxLength: 5 }), { selector: foldCase, maxLength: 12 });
  fc.assert(
    fc.property(words, fc.array(fc.string({ unit, maxLength: 15 }), { maxLength: 3 }), (all, texts) => {
      const expected = all.flatMap((word, i) => (texts.some((text) => foldCase(text).includes(foldCase(word))) ? [i] : []));
      expect(scan(all, texts)).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});

test('a word is not put together from two texts', () => {
  expect(scan(['ab'], ['a', 'b'])).toEqual([]);
});

test('a second scan remembers nothing of the first', () => {
  const finder = findWords(['he', 'she', 'hers']);
  const found: number[] = [];
  for (const text of ['ushers', 'ushers', 'the']) finder.scan([text], (word) => found.push(word));
  expect(found).toEqual([1, 0, 2, 1, 0, 2, 0]);
});

test('many words over a text made of them are found in one pass', () => {
  const words = Array.from({ length: 2000 }, (_, i) => 'a'.repeat(i + 1));
  expect(scan(words, ['a'.repeat(100_000)])).toHaveLength(2000);
});

test('with more states than have a row of their own, no word is missed after any other', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const words = letters.flatMap((one) => letters.map((two) => one + two));
  const finder = findWords(words);
  const missed: string[] = [];
  for (const [i, word] of words.entries()) {
    const last = letters[i % 7] ?? '';
    const found: number[] = [];
    finder.scan([(word + last).toUpperCase()], (index) => found.push(index));
    const expected = [...new Set([i, words.indexOf(word.charAt(1) + last)])];
    if (found.join() !== expected.join()) missed.push(word + last);
  }
  expect(missed).toEqual([]);
});
