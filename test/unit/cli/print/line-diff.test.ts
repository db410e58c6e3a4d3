import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines, type Hunk, unified } from '../../../../src/cli/print/line-diff.ts';

/** What a patch makes of a text: the law of every diff. */
function patched(before: string, hunks: readonly Hunk[]): string[] {
  const lines = before === '' ? [] : before.replace(/\n$/, '').split('\n');
  const result: string[] = [];
  let at = 0;
  for (const { oldStart, lines: changed } of hunks) {
    while (at < oldStart - 1) result.push(lines[at++] as string);
    for (const { sign, text } of changed) {
      if (sign !== '+') expect(lines[at++]).toBe(text);
      if (sign !== '-') result.push(text);
    }
  }
  return [...result, ...lines.slice(at)];
}

test('applied to the old text, a difference gives the new one', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 }).map((lines) => lines.map((line) => `${line}\n`).join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(
        patched(before, diffLines(before, after))
          .map((line) => `${line}\n`)
          .join(''),
      ).toBe(after);
    }),
  );
});

test('equal texts have none; one changed line is one hunk with three lines around it', () => {
  const before = Array.from({ length: 20 }, (_, i) => `line ${i + 1}\n`).join('');
  expect(diffLines(before, before)).toEqual([]);
  expect(unified(diffLines(before, before.replace('line 10\n', 'other\n')))).toEqual([
    '@@ -7,7 +7,7 @@',
    ...[' line 7', ' line 8', ' line 9', '-line 10', '+other', ' line 11', ' line 12', ' line 13'],
  ]);
});

test('changes far apart are hunks of their own, and a missing newline at the end is a difference', () => {
  const before = Array.from({ length: 40 }, (_, i) => `${i}\n`).join('');
  expect(diffLines(before, before.replace('3\n', 'x\n').replace('30\n', 'y\n'))).toHaveLength(2);
  expect(unified(diffLines('a\n', 'a')).slice(1)).toEqual(['-a', '+a (no newline at the end)']);
});

test('texts that have nothing in common and thousands of lines are done in a moment', () => {
  const many = (word: string): string => Array.from({ length: 20_000 }, (_, i) => `${word}${i}\n`).join('');
  const started = performance.now();
  const [hunk] = diffLines(many('a'), many('b'));
  expect(hunk?.lines).toHaveLength(40_000);
  expect(performance.now() - started).toBeLessThan(20_000);
});
