/** The inputs of tools that change files, as agents send them. */
import { expect, test } from 'vitest';
import { fileChanges } from '../../../web/src/parts/file-changes.ts';

const shown = (input: Parameters<typeof fileChanges>[0]): readonly string[] =>
  fileChanges(input).flatMap(({ path, does, parts }) => [`${does} ${path}`, ...parts.map(({ sign, text }) => `${sign}${text}`)]);

test('a replaced text is shown as lines that go and lines that come', () => {
  const input = { file_path: '/p/a.ts', old_string: 'one\ntwo\nthree', new_string: 'one\n2\nthree' };
  expect(shown(input)).toEqual(['edit /p/a.ts', ' one', '-two', '+2', ' three']);
});

test('several edits of one file are several changes of it', () => {
  const edits = [
    { old_string: 'a', new_string: 'b' },
    { old_string: 'c', new_string: '' },
  ];
  expect(shown({ file_path: 'x', edits })).toEqual(['edit x', '-a', '+b', 'edit x', '-c']);
});

test('a whole new text is added lines, because the input does not have the old ones', () => {
  expect(shown({ path: 'x.md', content: '# A\n\nb\n' })).toEqual(['write x.md', '+# A', '+', '+b']);
});

test('a patch is read file by file, wherever the input has it', () => {
  const patch = [
    ...['*** Begin Patch', '*** Update File: src/a.ts', '@@ function f', ' keep', '-old', '+new'],
    ...['*** Add File: b.ts', '+fresh', '*** Delete File: c.ts', '*** Update File: d.ts', '*** Move to: e.ts', '-x', '+y', '*** End Patch'],
  ].join('\n');
  const changes = [
    ...['edit src/a.ts', ' keep', '-old', '+new', 'edit b.ts', '+fresh', 'delete c.ts'],
    ...['move d.ts → e.ts', '-x', '+y'],
  ];
  for (const input of [patch, { input: patch }, { command: ['apply_patch', patch] }, { patchText: patch }])
    expect(shown(input)).toEqual(changes);
});

test('a patch as git writes it names its files without their sides', () => {
  const patch = 'diff --git a/x.ts b/x.ts\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\n--- a/gone.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-z\n';
  expect(shown({ patch })).toEqual(['edit x.ts', '-a', '+b', 'delete gone.ts', '-z']);
});

test('an input that changes no file has no changes', () => {
  for (const input of [null, 'ls', { command: 'rm -rf x' }, { file_path: '/p/a' }, { content: 'no path' }, [], { edits: [null, 3] }])
    expect(fileChanges(input)).toEqual([]);
});
