/** The audit follows hooks into every folder but those of Hookline's own package. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageFolders } from '../../../../src/guard/audit/own-program.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const manifest = (name: string): string => JSON.stringify({ name, version: '1.0.0' });

test.each(['dist/judge.js', 'dist/cli/guard.js', 'src/guard/audit/own-program.ts'])('%s of the package belongs to Hookline', (file) => {
  const workspace = createWorkspace({ 'package.json': manifest('hookline') });
  const below = (folder: string): string => workspace.at(folder) + path.sep;
  expect(packageFolders(workspace.at(file))).toEqual([below('bin'), below('dist')]);
});

test('a bundle in the folder `dist` of another package has no folders of its own', () => {
  const workspace = createWorkspace({ 'package.json': manifest('my-agent') });
  expect(packageFolders(workspace.at('dist/agent.js'))).toEqual([]);
});

test('a bundle without a manifest, or one that does not know its own place, has none', () => {
  expect(packageFolders(createWorkspace().at('dist/agent.js'))).toEqual([]);
  expect(packageFolders(undefined)).toEqual([]);
});
