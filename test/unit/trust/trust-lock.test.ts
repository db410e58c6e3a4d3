import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readLock } from '../../../src/trust/lock-file.ts';

let top: string;
let root: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'lock-')));
  root = join(top, 'project');
  mkdirSync(join(root, 'sub'), { recursive: true });
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const pin = { name: 'gate', dialect: 'd', file: 'hooks/gate', digest: `sha256:${'a'.repeat(64)}` };
const text = JSON.stringify({ version: 1, hooks: [pin] });
const refusal = expect.objectContaining({ name: 'HooklineError', code: 'bad-lock' });

test('a lock outside of the project is read', () => {
  writeFileSync(join(top, 'lock.json'), text);
  expect(readLock(join(top, 'lock.json'), root)).toEqual([pin]);
});

test('a checkout does not vouch for itself, by whatever way its lock is reached', () => {
  writeFileSync(join(root, 'sub/lock.json'), text);
  writeFileSync(join(top, 'outside.json'), text);
  symlinkSync(join(root, 'sub/lock.json'), join(top, 'link-in.json'));
  symlinkSync(join(root, 'sub'), join(top, 'folder-in'));
  symlinkSync(join(top, 'outside.json'), join(root, 'link-out.json'));
  symlinkSync(root, join(top, 'other-name'));
  const ways = ['project/sub/lock.json', 'link-in.json', 'folder-in/lock.json', 'project/link-out.json', 'other-name/sub/lock.json'];
  for (const way of ways) expect(() => readLock(join(top, way), root), way).toThrowError(refusal);
  expect(() => readLock(join(root, 'sub/lock.json'), join(top, 'other-name'))).toThrowError(refusal);
});

test.each([
  '',
  '{}',
  '[]',
  '{"version": 2, "hooks": []}',
  text.replace('sha256:', 'md5:'),
  text.replace('hooks/gate', '/etc/gate'),
  text.replace('"d"', '1'),
])('what is no lock (%s) vouches for nobody', (broken) => {
  writeFileSync(join(top, 'lock.json'), broken);
  expect(() => readLock(join(top, 'lock.json'), root)).toThrowError(refusal);
});

test('a lock that is not there is an error, not an empty lock', () => {
  expect(() => readLock(join(top, 'none.json'), root)).toThrowError(refusal);
  expect(() => readLock(top, root)).toThrowError(refusal);
});
