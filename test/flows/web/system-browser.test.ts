/** The tests of the pages use the browser of the machine where it has one. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openBrowser, unpacked } from './browser.ts';

test('a Chromium on the path of the machine is used, not the one of the package', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-system-'));
  const mark = path.join(folder, 'was-started');
  const { file, env } = await unpacked();
  const variables = Object.entries(env).map(([name, value]) => `export ${name}='${value}'`);
  const script = ['#!/bin/sh', ...variables, `echo yes > '${mark}'`, `exec '${file}' "$@"`, ''].join('\n');
  writeFileSync(path.join(folder, 'chromium'), script, { mode: 0o755 });
  const { browser, close } = await openBrowser(folder);
  const page = await browser.newPage();
  expect(await page.evaluate('1 + 1')).toBe(2);
  expect(existsSync(mark)).toBe(true);
  await close();
  rmSync(folder, { recursive: true, force: true });
});
