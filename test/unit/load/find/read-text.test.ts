import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readText } from '../../../../src/load/find/read-text.ts';

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'read-'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function given(bytes: string | Uint8Array): string {
  const file = join(top, 'f');
  writeFileSync(file, bytes);
  return file;
}

test.each([0, 1, 65_535, 65_536, 65_537, 1024 * 1024])('a file of %i bytes is read whole', (size) => {
  const text = 'äb'.repeat(Math.floor(size / 3)) + 'x'.repeat(size % 3);
  expect(readText(given(text))).toEqual({ text });
});

test('a text read before is not touched by the next', () => {
  const first = readText(given('first'));
  readText(given('other'));
  expect(first).toEqual({ text: 'first' });
});

test('a byte order mark stays: formats deal with it', () => {
  expect(readText(given('\ufeffx'))).toEqual({ text: '\ufeffx' });
});

test('no file is undefined; a folder, a file too large and a file that is barred are errors', () => {
  expect(readText(join(top, 'gone'))).toBeUndefined();
  expect(readText(join(given('x'), 'below-a-file'))).toBeUndefined();
  mkdirSync(join(top, 'folder'));
  expect(readText(join(top, 'folder'))).toMatchObject({
    problem: { severity: 'error', code: 'unreadable-file', file: join(top, 'folder') },
  });
  expect(readText(given(Buffer.alloc(1024 * 1024 + 1, 0x20)))).toMatchObject({ problem: { severity: 'error', code: 'file-too-large' } });
  const file = given('x');
  chmodSync(top, 0o755);
  chmodSync(file, 0o000);
  const asNobody = process.getuid?.() === 0;
  if (asNobody) process.seteuid?.(65534);
  try {
    expect(readText(file)).toMatchObject({ problem: { code: 'unreadable-file', file } });
  } finally {
    if (asNobody) process.seteuid?.(0);
  }
});

test('a FIFO does not make it wait, an endless device does not make it run on', () => {
  const fifo = join(top, 'fifo');
  execFileSync('mkfifo', [fifo]);
  expect(readText(fifo)).toMatchObject({ problem: { code: 'unreadable-file' } });
  expect(readText('/dev/zero')).toMatchObject({ problem: { code: 'file-too-large' } });
});

test('what is not UTF-8 is an error at its line and column', () => {
  const file = given(Buffer.concat([Buffer.from('ä\nab'), Buffer.from([0xff]), Buffer.from('c\n')]));
  expect(readText(file)).toMatchObject({ problem: { severity: 'error', code: 'not-text', file, line: 2, column: 3 } });
});
