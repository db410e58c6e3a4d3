/** Globs in the commands of hooks. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
        expect(Array.isArray(globbed(path.posix.join(folder, glob)))).toBe(true);
        expect(typeof pathMatcher([glob, `x/${glob}`])('x/y')).toBe('boolean');
      }),
      { numRuns: 400 },
    );
    // A range in the wrong order matches nothing in some shells, but a file that a shell may run is never left out.
    expect(globbed(`${folder}/[z-a].sh`)).toEqual([path.join(folder, 'a.sh')]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
