import { expect, test } from 'vitest';
import { foldCase, foldUnit } from '../../../../src/engine/select/case-fold.ts';

test('of all code units exactly the capitals of ASCII, the long s and the Kelvin sign are folded', () => {
  const folded = Array.from({ length: 0x10000 }, (_, unit) => unit).filter((unit) => foldUnit(unit) !== unit);
  expect(String.fromCharCode(...folded)).toBe('ABCDEFGHIJKLMNOPQRSTUVWXYZſ\u212a');
  expect(String.fromCharCode(...folded.map(foldUnit))).toBe('abcdefghijklmnopqrstuvwxyzsk');
});

test('a text is folded unit by unit, whatever else is in it', () => {
  for (const text of ['', '@AZ[`az{', 'aſK\u212aÉİ', 'ÀB\u{1F600}c'])
    expect(foldCase(text)).toBe(String.fromCharCode(...[...Array(text.length).keys()].map((i) => foldUnit(text.charCodeAt(i)))));
});
