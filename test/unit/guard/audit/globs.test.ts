/** Globs in the commands of hooks. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { globbed, pathMatcher } from '../../../../src/guard/audit/cover/lookup.ts';

test('any text is read as a glob without an error', () => {
  const piece = fc.constantFrom(
    '[',
    ']',
    '-',
    '!',
    '^',
    '\\',
    '*',
    '?',
    'z',
    'a',
    '{',
    '}',
    ',',
    '(',
    ')',
    '|',
    '+',
    '.',
    '[z-a]',
    '[]',
    '**',
  );
  const folder = mkdtempSync(path.join(tmpdir(), 'globs-'));
  try {
    writeFileSync(path.join(folder, 'a.sh'), '');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (parts) => {
        const glob = parts.join('');
        expect(Array.isArray(globbed(path.posix.join(folder, glob)).paths)).toBe(true);
        expect(typeof pathMatcher([glob, `x/${glob}`])('x/y')).toBe('boolean');
      }),
      { numRuns: 400 },
    );
    // A range in the wrong order matches nothing in some shells, but a file that a shell may run is never left out.
    expect(globbed(`${folder}/[z-a].sh`)).toEqual({ paths: [path.join(folder, 'a.sh')], isWhole: true });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  ['groups that multiply', `/${'{a,b}'.repeat(40)}`],
  ['groups within groups', `/${'{a,'.repeat(40)}b${'}'.repeat(40)}${'{a,b}'.repeat(40)}`],
  ['one long group', `/{${'a,'.repeat(3000)}b}`],
  ['a group without an end', `/{${','.repeat(60_000)}`],
])('a pattern with %s ends, and is not called whole', (_, pattern) => {
  expect(globbed(pattern).isWhole).toBe(false);
});

test('every file that a group names is found, and a folder with more files than the limit is not called whole', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'globs-'));
  try {
    for (const name of ['a1', 'a2', 'b1', 'c1']) writeFileSync(path.join(folder, name), '');
    expect(globbed(`${folder}/{a{1,2},c1}`)).toEqual({ paths: ['a1', 'a2', 'c1'].map((name) => path.join(folder, name)), isWhole: true });
    for (let i = 0; i < 501; i++) mkdirSync(path.join(folder, `many${i}`));
    for (let i = 0; i < 501; i++) writeFileSync(path.join(folder, `many${i}`, 'x.sh'), '');
    expect(globbed(`${folder}/*/x.sh`).isWhole).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
