/** The tools of an `agent` hook: they read the project, and nothing outside it, whatever a path or a link says. */
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { projectFolder } from '../../../../src/judges/tools/inside.ts';
import { LOOKING_TOOLS, lookWith } from '../../../../src/judges/tools/look.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

const OUTSIDE = 'OUTSIDE-TEXT';
const HIDDEN = 'HIDDEN-TEXT';

/** A project with links of every kind out of it, and files beside it whose text must not be seen. */
function project(): Workspace {
  const workspace = createWorkspace({
    'src/a.ts': 'const a = 1;\nconst b = 2;\n',
    'src/deep/b.ts': 'const b = 3;\n',
    '.env': HIDDEN,
    '.env.local': HIDDEN,
    'keys/id_rsa': HIDDEN,
    'deploy/server.pem': HIDDEN,
    '.git/config': HIDDEN,
    '.npmrc': HIDDEN,
    '~/outside.txt': OUTSIDE,
    '~/folder/outside.txt': OUTSIDE,
  });
  writeFileSync(`${workspace.root}-sibling.txt`, OUTSIDE);
  mkdirSync(`${workspace.root}-sibling`);
  writeFileSync(`${workspace.root}-sibling/outside.txt`, OUTSIDE);
  symlinkSync(workspace.at('~/outside.txt'), workspace.at('link.txt'));
  symlinkSync(workspace.home, workspace.at('linked'));
  symlinkSync('linked', workspace.at('twice'));
  symlinkSync('..', workspace.at('up'));
  symlinkSync('.env', workspace.at('plain.txt'));
  symlinkSync('/', workspace.at('src/slash'));
  symlinkSync('loop', workspace.at('loop'));
  return workspace;
}

const look = (workspace: Workspace, tool: string, input: object) =>
  lookWith(projectFolder(workspace.root, workspace.home), tool, input as never, new AbortController().signal);

test('a file is read from any line, a folder is listed, and a text is found', () => {
  const workspace = project();
  expect(look(workspace, 'read_file', { path: 'src/a.ts' })).toBe('const a = 1;\nconst b = 2;\n');
  expect(look(workspace, 'read_file', { path: 'src/a.ts', from: 2 })).toBe('const b = 2;\n');
  expect(look(workspace, 'read_file', { path: workspace.at('src/a.ts') })).toContain('const a');
  expect(look(workspace, 'list_files', { path: 'src' })).toBe('a.ts\ndeep/');
  expect(look(workspace, 'search_files', { text: 'const b' })).toBe('src/a.ts:2: const b = 2;\nsrc/deep/b.ts:1: const b = 3;');
  expect(look(workspace, 'search_files', { text: 'const b', path: 'src/deep' })).toBe('src/deep/b.ts:1: const b = 3;');
});

test.each(['.env', '.env.local', 'keys/id_rsa', 'deploy/server.pem', '.git/config', '.git', '.npmrc', 'plain.txt', './src/../.env'])(
  '%s may hold secrets and is not read',
  (name) => {
    const workspace = project();
    for (const tool of ['read_file', 'list_files']) expect(look(workspace, tool, { path: name })).toContain('may hold secrets');
    expect(look(workspace, 'search_files', { text: HIDDEN })).toBe('(No line contains it.)');
    expect(look(workspace, 'list_files', { path: '.' })).not.toMatch(/env|git|npmrc/);
  },
);

test.each([
  '..',
  '../project-sibling.txt',
  'link.txt',
  'linked',
  'linked/outside.txt',
  'twice/outside.txt',
  'up/home/outside.txt',
  '/etc/passwd',
  'src/slash/etc/passwd',
  'a\0b',
])('%s leads out of the project and is refused', (name) => {
  for (const tool of ['read_file', 'list_files']) expect(look(project(), tool, { path: name })).toBe('The path is outside the project.');
});

test('what cannot be looked at has a result that says why', () => {
  const workspace = project();
  workspace.write({ 'binary.bin': new Uint8Array([1, 0, 2]), 'long.txt': 'line\n'.repeat(20_000) });
  expect(look(workspace, 'read_file', { path: 'no-such' })).toBe('There is no `no-such`.');
  expect(look(workspace, 'read_file', { path: 'loop' })).toBe('There is no `loop`.');
  expect(look(workspace, 'read_file', { path: 'src' })).toContain('is a folder');
  expect(look(workspace, 'list_files', { path: 'src/a.ts' })).toContain('is a file');
  expect(look(workspace, 'read_file', { path: 'binary.bin' })).toContain('is not text');
  expect(look(workspace, 'read_file', { path: 'long.txt' })).toMatch(/\(Cut here\. Read on from line \d+\.\)$/);
  expect(look(workspace, 'read_file', {})).toBe('The tool needs path.');
  expect(look(workspace, 'write_file', { path: 'x' })).toBe('There is no tool `write_file`.');
  expect(lookWith(undefined, 'read_file', { path: 'x' }, new AbortController().signal)).toContain('does not exist');
});

test('no path that can be written leads out of the project, in any tool', () => {
  const workspace = project();
  const parts = [
    '..',
    '.',
    '',
    'src',
    'linked',
    'twice',
    'up',
    'slash',
    'folder',
    'link.txt',
    'outside.txt',
    'project',
    'home',
    'plain.txt',
    '.env',
    '~',
    'project-sibling',
    '%2e%2e',
    '..\\',
    'keys',
    'id_rsa',
  ];
  const written = fc
    .array(fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 6 })), { maxLength: 8 })
    .map((list) => list.join('/'));
  const absolute = fc
    .tuple(fc.constantFrom(workspace.root, workspace.home, path.dirname(workspace.root), '/', '//'), written)
    .map(([start, rest]) => `${start}/${rest}`);
  fc.assert(
    fc.property(fc.oneof(written, absolute), fc.constantFrom('read_file', 'list_files', 'search_files'), (given, tool) => {
      const seen = look(workspace, tool, { path: given, text: 'TEXT' });
      expect(seen).not.toContain(OUTSIDE);
      expect(seen).not.toContain(HIDDEN);
      expect(seen).not.toMatch(/^(?:home|outside\.txt|project-sibling)/m);
    }),
    { numRuns: 300 },
  );
});

test('a second name of a file of the project is the file', () => {
  const workspace = project();
  linkSync(workspace.at('src/a.ts'), workspace.at('src/same.ts'));
  expect(look(workspace, 'read_file', { path: 'src/same.ts' })).toContain('const a');
});

test('no tool can do more than look', () => {
  expect(LOOKING_TOOLS.map(({ name }) => name)).toEqual(['read_file', 'list_files', 'search_files']);
});
