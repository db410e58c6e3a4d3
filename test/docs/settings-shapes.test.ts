/** The table in README of what people write in `.claude/settings.json` is true: each row is loaded and fired as it stands there. */
import { expect, test } from 'vitest';
import { createWorkspace } from '../support/workspace.ts';
import { readPage, tableUnder } from './pages.ts';

const HEADING = 'One settings file, two formats';
const rows = tableUnder(readPage('README.md'), HEADING).map(([shape = '', format = '', exit = '']) => ({
  shape: shape.replaceAll('`', ''),
  format: format.replaceAll('`', ''),
  exit,
}));

test('has rows of both formats', () => {
  expect(new Set(rows.map(({ format }) => format)).size).toBe(2);
});

test.each(rows)('$shape is read as $format', async ({ shape, format, exit }) => {
  const text = `{ "hooks": ${shape.replace('"…"', '"exit 1"')} }`;
  const hookline = await createWorkspace({ '.claude/settings.json': text }).open();
  const { hooks } = await hookline.list();
  expect(hooks.map(({ dialect }) => dialect)).toEqual([format]);
  const { decision } = await hookline.fire('tool.before', { tool: 'Bash', input: { command: 'ls' } });
  expect(decision).toBe(exit === 'denies' ? 'deny' : 'pass');
});
