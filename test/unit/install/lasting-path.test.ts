/** A program that is likely to vanish is said when an entry is written, together with one that stays. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { vanishing } from '../../../src/install/lasting-path.ts';
import { createWorkspace } from '../../support/workspace.ts';

function machine() {
  const { root } = createWorkspace();
  const program = (name: string): string => {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '#!/bin/sh\n');
    chmodSync(file, 0o755);
    return file;
  };
  const text = (name: string): void => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), '{}');
  };
  return { root, program, text };
}

test.each([
  ['app/node_modules/hookline/bin/hookline-hook', 'app/package.json', 'the project'],
  ['.npm/_npx/0a1b/node_modules/hookline/bin/hookline-hook', '.npm/_npx/0a1b/package.json', '`npx`'],
  ['.cache/pnpm/dlx-123/node_modules/hookline/bin/hookline-hook', '.cache/pnpm/dlx-123/package.json', '`npx`'],
])('%s is likely to vanish', (name, besides, words) => {
  const { root, program, text } = machine();
  const file = program(name);
  text(besides);
  expect(vanishing([file], 'codex', '')).toMatchObject([
    { severity: 'warning', code: 'vanishing-path', message: expect.stringContaining(words), hint: expect.stringContaining('--global') },
  ]);
  const stable = program('bin/hookline');
  const [remark] = vanishing([file], 'codex', [path.dirname(file), path.join(root, 'bin')].join(path.delimiter));
  expect(remark?.hint).toContain(`\`${stable} install codex\``);
});

test('a bare name that the PATH leads into such a folder is no better', () => {
  const { program, text } = machine();
  const file = program('app/node_modules/.bin/hookline');
  text('app/package.json');
  expect(vanishing(['hookline'], 'codex', path.dirname(file))).toHaveLength(1);
});

test.each([
  ['lib/node_modules/hookline/bin/hookline-hook', undefined],
  ['.local/share/pnpm/global/5/node_modules/hookline/bin/hookline-hook', '.local/share/pnpm/global/5/package.json'],
  ['src/hookline/bin/hookline-hook', 'src/hookline/package.json'],
])('%s stays', (name, besides) => {
  const { program, text } = machine();
  const file = program(name);
  if (besides !== undefined) text(besides);
  expect(vanishing([file], 'codex', '')).toEqual([]);
});
