import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toJson } from '../../../../src/core/values/document.ts';
import { type FolderReader, folderReader } from '../../../../src/load/find/folder-reader.ts';
import { loadFormat } from '../../../../src/load/formats/index.ts';

let top: string;
let reader: FolderReader;
beforeEach(async () => {
  top = mkdtempSync(join(tmpdir(), 'reader-'));
  mkdirSync(join(top, 'hook/scripts'), { recursive: true });
  writeFileSync(join(top, 'secret.json'), '{"a": 1}');
  writeFileSync(join(top, 'hook/x.json'), '{"b": 2}');
  writeFileSync(join(top, 'hook/scripts/run.sh'), '#!/bin/sh\n', { mode: 0o755 });
  symlinkSync(join(top, 'secret.json'), join(top, 'hook/link.json'));
  symlinkSync(top, join(top, 'hook/linked'));
  symlinkSync('x.json', join(top, 'hook/inner.json'));
  reader = folderReader(join(top, 'hook'), new Map([['json', await loadFormat('json')]]));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

test.each(['../secret.json', 'link.json', 'linked/secret.json', 'scripts/../../secret.json', '/etc/hostname'])(
  '%s leads out of the folder and is not read',
  (path) => {
    const document = reader.read(path, 'json');
    expect(document?.root).toBeUndefined();
    expect(document?.diagnostics).toMatchObject([{ severity: 'error', code: 'outside-folder' }]);
    expect(reader.diagnostics()).toEqual(document?.diagnostics);
  },
);

test('what is in the folder is read, through links within it too; what is missing is undefined', () => {
  for (const path of ['x.json', './x.json', 'inner.json', 'scripts/../x.json']) {
    const root = reader.read(path, 'json')?.root;
    expect(root && toJson(root)).toEqual({ b: 2 });
  }
  expect(reader.read('gone.json', 'json')).toBeUndefined();
  expect(reader.isWaiting()).toBe(false);
  expect(reader.files()).toEqual([join(top, 'hook/x.json'), join(top, 'hook/inner.json')]);
});

test('a folder that is a link itself is the folder it leads to', async () => {
  symlinkSync(join(top, 'hook'), join(top, 'alias'));
  const aliased = folderReader(join(top, 'alias'), new Map([['json', await loadFormat('json')]]));
  expect(aliased.read('x.json', 'json')?.diagnostics).toEqual([]);
});

test('facts are of the folder alone', () => {
  expect(['scripts', 'scripts/run.sh', 'x.json', 'gone', '../secret.json', '..', '/etc'].map((path) => reader.stat(path))).toEqual([
    { kind: 'folder', executable: false },
    { kind: 'file', executable: true },
    { kind: 'file', executable: false },
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
