/** One problem is one diagnostic, and a short answer is not buried under the problems of hook files. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { createHookline } from '../../../src/api/create-hookline.ts';
import { run as runCheck } from '../../../src/cli/hooks/check.ts';
import { renderList } from '../../../src/cli/hooks/list.ts';
import { renderBriefly, renderFileProblems } from '../../../src/cli/print/diagnostics.ts';
import { terminalStyle } from '../../../src/cli/print/style.ts';
import type { Diagnostic } from '../../../src/core/values/diagnostic.ts';
import { createWorkspace } from '../../support/workspace.ts';

const style = { ...terminalStyle(), columns: 80 };
const placed = (severity: Diagnostic['severity'], file: string, line: number): Diagnostic => ({
  severity,
  code: 'wrong-type',
  file,
  line,
  message: `Problem in line ${line}.`,
});
const lost = (name: string): Diagnostic => ({
  severity: 'error',
  code: 'lost-hook',
  file: '/p/a.json',
  message: `Protection not active: hook \`${name}\` has changed.`,
});

test('problems with a place in a file are counted, and `check` is named; others are shown', () => {
  const all = [placed('error', '/a', 1), placed('warning', '/a', 2), placed('warning', '/b', 1), placed('info', '/c', 1)];
  const shown = renderFileProblems([...all, { severity: 'error', code: 'broken-trust', message: 'The list is broken.' }], style);
  expect(shown).toContain('1 error, 2 warnings');
  expect(shown).toContain('in 2 hook files;');
  expect(shown).not.toContain('Problem in line');
  expect(shown).toContain('The list is broken.');
  expect(renderFileProblems([], style)).toBe('');
});

test('the command that is named shows the files: without `--home` it looks at the project alone', () => {
  const inside = placed('error', path.resolve('hooks/a'), 1);
  expect(renderFileProblems([inside], style)).toContain('`hookline check` shows them.');
  expect(renderFileProblems([inside, placed('error', '/home/ann/b', 1)], style)).toContain('`hookline check --home ~` shows them.');
});

test('a hook with nothing to run is counted as such: to trust it would not help', async () => {
  const files = { '.agents/hooks/empty/HOOK.md': '---\nname: empty\ndescription: d\ntrigger: before_tool\n---\n' };
  const workspace = createWorkspace(files);
  const hookline = await createHookline({ root: workspace.root, home: workspace.home });
  const shown = renderList(await hookline.list(), style);
  expect(shown).toContain('1 hook, 0 active, 1 with nothing to run\n');
  expect(shown).not.toContain('trust add');
  await hookline.close();
});

test('"Protection not active" stands once, with a count', () => {
  for (const render of [renderFileProblems, renderBriefly]) {
    const shown = render([lost('a'), lost('b'), lost('c')], style);
    expect(shown.match(/Protection not active/g)).toHaveLength(1);
    expect(shown).toContain('`a`');
    expect(shown).toContain('2 other hooks');
    expect(render([lost('a')], style)).not.toContain('other hook');
  }
});

const handler = (timeout?: number) => ({ type: 'command', command: 'true', ...(timeout !== undefined && { timeout }) });
const settings = (...timeouts: (number | undefined)[]) =>
  JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: timeouts.map(handler) }] } });

test('list counts the problems of a file instead of repeating them', async () => {
  const workspace = createWorkspace({ '.claude/settings.json': settings(5000, 6000, 7000) });
  const hookline = await createHookline({ root: workspace.root, home: workspace.home });
  const shown = renderList(await hookline.list(), style);
  expect(shown).toContain('0 errors, 3 warnings in 1 hook file');
  expect(shown).not.toContain('long-timeout');
  await hookline.close();
});

test.each([
  ['.claude/settings.json', [5000], ['long-timeout']],
  ['.claude/settings.json', [5000, undefined, 7000], ['long-timeout', 'long-timeout']],
  ['.claude/settings.json', [5], []],
  ['.claude/settings.json', [900], ['audit-timeout-long']],
] as const)('a doubtful timeout in %s is one diagnostic: %j', async (file, timeouts, codes) => {
  const workspace = createWorkspace({ [file]: settings(...timeouts) });
  const values = new Map([
    ['root', [workspace.root]],
    ['json', []],
  ]);
  const { out } = await runCheck({ positionals: [], values });
  const { diagnostics } = JSON.parse(String(out)) as { diagnostics: Diagnostic[] };
  expect(diagnostics.map(({ code }) => code).filter((code) => code.includes('timeout'))).toEqual(codes);
});
