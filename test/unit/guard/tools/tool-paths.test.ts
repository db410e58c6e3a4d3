import { expect, test } from 'vitest';
import { pathsIn, pathsInPatch } from '../../../../src/guard/tools/tool-inputs.ts';

const writes = (input: never) => pathsIn(input, { use: 'write' })?.map(({ path }) => path);

test('a path is found under any of its names, and in lists', () => {
  for (const key of ['file_path', 'filePath', 'path', 'target_file', 'notebook_path', 'TargetFile', 'absolute-path']) {
    expect(writes({ [key]: 'a/b', content: '/etc/passwd' } as never), key).toEqual(['a/b']);
  }
  expect(writes({ edits: [{ path: 'a' }, { path: 'b' }] } as never)?.sort()).toEqual(['a', 'b']);
  expect(writes({ paths: ['a', 'b'] } as never)?.sort()).toEqual(['a', 'b']);
  expect(writes('a' as never)).toEqual(['a']);
});

test('a tool that changes a file and does not say which is unclear; one that reads none reads none', () => {
  expect(writes({ content: 'x' } as never)).toBeUndefined();
  expect(writes(null as never)).toBeUndefined();
  expect(pathsIn({ pattern: 'x' }, { use: 'read' })).toEqual([]);
});

test('a look by an editor is a look', () => {
  const editor = { use: 'write', looks: { key: 'command', words: ['view'] } } as const;
  expect(pathsIn({ command: 'view', path: 'a' }, editor)).toEqual([{ path: 'a', use: 'read' }]);
  expect(pathsIn({ command: 'create', path: 'a' }, editor)).toEqual([{ path: 'a', use: 'write' }]);
});

test('a move takes away and puts down', () => {
  expect(pathsIn({ source: 'a', destination: 'b' }, { use: 'write', from: 'delete' })).toEqual([
    { path: 'a', use: 'delete' },
    { path: 'b', use: 'write' },
  ]);
});

test('the headers of a patch name its files, in either form', () => {
  const envelope =
    '*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n@@\n-x\n+y\n*** Add File: c\n+z\n*** Delete File: d\n*** End Patch\n';
  expect(pathsInPatch({ input: envelope })).toEqual([
    { path: 'a.ts', use: 'write' },
    { path: 'b.ts', use: 'write' },
    { path: 'c', use: 'write' },
    { path: 'd', use: 'delete' },
  ]);
  const unified =
    'diff --git a/x b/x\n--- a/x\t2026-01-01\n+++ b/y z\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ "b/new"\nrename from old\nrename to newer\n';
  expect(pathsInPatch(unified)?.map(({ path }) => path)).toEqual(['x', 'y z', 'new', 'old', 'newer']);
  expect(pathsInPatch({ changes: { '/a': { type: 'update' }, '/b': { type: 'delete' } } })).toEqual([
    { path: '/a', use: 'write' },
    { path: '/b', use: 'delete' },
  ]);
});

test('what Codex takes for the header of a patch is one, and its name is taken as it stands', () => {
  const paths = (lines: string) => pathsInPatch({ command: `*** Begin Patch\n${lines}\n*** End Patch` })?.map(({ path }) => path);
  expect(paths('*** Add File: a\n+x\n  *** Add File: .git/hooks/pre-commit\n+y')).toEqual(['a', '.git/hooks/pre-commit']);
  expect(paths('*** Add File: a/b\n+x')).toEqual(['a/b']);
});

test('a patch that names no file, or too many, is unclear', () => {
  expect(pathsInPatch({ patch: 'hello' })).toBeUndefined();
  expect(pathsInPatch({ patch: Array.from({ length: 1200 }, (_, i) => `+++ b/${i}`).join('\n') })).toBeUndefined();
});
