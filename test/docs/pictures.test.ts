/** The pictures show the current output of the program. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repository } from './pages.ts';

test('the pictures are up to date', () => {
  const { status, stderr } = spawnSync(process.execPath, [path.join(repository, 'scripts/pictures.mjs'), '--check'], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
