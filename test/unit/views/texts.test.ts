/** Foreign text as the views keep it, and the shape of faults. */
import { expect, test } from 'vitest';
import { fingerprint, hookId, shapeOf } from '../../../src/views/problem-shape.ts';
import { visibleLine } from '../../../src/views/visible-text.ts';

test('every character that cannot be seen becomes visible, and the others stay', () => {
  expect(visibleLine('plain text', 100)).toBe('plain text');
  expect(visibleLine('a\n\t\r\x00\x1b[2J\x7f', 100)).toBe('a␊␉␍␀␛[2J␡');
  expect(visibleLine('\x9b\u202e\u200b\u2028\ufeff\u00ad\u{e0041}', 200)).toBe('<U+009B><U+202E><U+200B><U+2028><U+FEFF><U+00AD><U+E0041>');
  expect(visibleLine('\ud800x\udc00', 100)).toBe('<U+D800>x<U+DC00>');
  expect(visibleLine('Größe 日本語 🙂 ❤\ufe0f', 100)).toBe('Größe 日本語 🙂 ❤\ufe0f');
});

test('a long text is cut, never in the middle of a character', () => {
  expect(visibleLine('x'.repeat(20), 10)).toBe(`${'x'.repeat(9)}…`);
  expect(visibleLine('x'.repeat(10), 10)).toBe('x'.repeat(10));
  for (let length = 1; length < 12; length++) {
    const text = visibleLine('🙂'.repeat(20), length);
    expect(text.length).toBeLessThanOrEqual(length);
    expect(text.isWellFormed()).toBe(true);
  }
});

test('faults have one shape if they differ in numbers, paths and ids alone', () => {
  const shape = 'exit N of PATH (ID) after N ms';
  expect(shapeOf('exit 7 of /tmp/x/run.sh (0a7f63c2-98aa-4c11-b1a1-5fd7e0c9d1aa) after 12.5 ms')).toBe(shape);
  expect(shapeOf('exit 12 of C:\\work\\hooks\\run.cmd (3f9c2d1e77) after 1,000 ms')).toBe(shape);
  expect(shapeOf('could not be decoded')).toBe('could not be decoded');
});

test('a fingerprint names how it was grouped, and differs by hook, kind and shape', () => {
  const all = [fingerprint('a', 'b', 'c'), fingerprint('x', 'b', 'c'), fingerprint('a', 'x', 'c'), fingerprint('a', 'b', 'x')];
  expect(new Set(all).size).toBe(4);
  for (const one of all) expect(one).toMatch(/^v1:[0-9a-f]{16}$/);
  expect(hookId('d', 'e', 'n', 'f')).not.toBe(hookId('d', 'e', 'nf', ''));
});
