import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { countBySeverity, renderBriefly, renderDiagnostics } from '../../../../src/cli/print/diagnostics.ts';
import { createStyle } from '../../../../src/cli/print/style.ts';
import type { Diagnostic } from '../../../../src/core/values/diagnostic.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hookline-diagnostics-'));
afterAll(() => rmSync(folder, { recursive: true }));
const style = createStyle({ colour: false, columns: 60 });

function complaint(text: string, line: number, column: number): Diagnostic {
  const file = path.join(folder, 'HOOK.md');
  writeFileSync(file, text);
  return { severity: 'error', code: 'out-of-range', file, line, column, message: 'Too long.', hint: 'Make it shorter.' };
}

/** The source line and the line with the caret, without the gutter. */
function excerpt(shown: string): [source: string, mark: string] {
  const [source = '', mark = ''] = shown.split('\n').filter((line) => line.includes('│'));
  return [source.slice(source.indexOf('│') + 2), mark.slice(mark.indexOf('│') + 2)];
}

test('the caret stands under the column, whatever is before it', () => {
  for (const [text, column] of [
    ['timeout: 999', 10],
    ['\ttimeout: 999', 11],
    ['é\x1b: 999', 5],
  ] as const) {
    const [source, mark] = excerpt(renderDiagnostics([complaint(`---\n${text}\n---\n`, 2, column)], style));
    expect([...source].slice([...mark].indexOf('^')).join('')).toBe('999');
  }
});

test('a long line is shown around its column', () => {
  const [source, mark] = excerpt(renderDiagnostics([complaint(`${'a'.repeat(500)}HERE${'b'.repeat(500)}`, 1, 501)], style));
  expect(source.length).toBeLessThanOrEqual(60);
  expect(source.slice(mark.indexOf('^')).startsWith('HERE')).toBe(true);
});

test('place, severity, code, message and help are all there', () => {
  const shown = renderDiagnostics([complaint('x', 1, 1)], style);
  expect(shown).toContain('HOOK.md:1:1  error[out-of-range]');
  expect(shown).toContain('  Too long.');
  expect(shown).toContain('  help: Make it shorter.');
});

test('a file that is gone, or a line it does not have, is no reason to fail', () => {
  const gone: Diagnostic = { severity: 'warning', code: 'x', file: path.join(folder, 'gone'), line: 3, column: 1, message: 'Gone.' };
  expect(renderDiagnostics([gone], style)).toContain('gone:3:1  warning[x]');
  expect(excerpt(renderDiagnostics([complaint('x', 99, 1)], style))).toEqual(['', '']);
});

test('what a hostile file says can not repaint the terminal', () => {
  const hostile: Diagnostic = { severity: 'error', code: 'x', file: 'a\x1b[2J\nb', message: 'no\x1b[31m\rok', hint: '\x07' };
  for (const shown of [renderDiagnostics([hostile], style), renderBriefly([hostile], style)])
    expect(shown).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
});

test('counts are words', () => {
  expect(countBySeverity([{ severity: 'error', code: '', message: '' }])).toBe('1 error, 0 warnings');
});
