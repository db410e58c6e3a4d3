import { chmodSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Hook } from '../../../src/core/contracts/hook.ts';
import { fingerprintOf, hookDigest, snapshotOf } from '../../../src/trust/hook-digest.ts';

let top: string;
let script: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'digest-'));
  script = join(top, 'run.sh');
  writeFileSync(script, 'exit 0\n');
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const hook = (change: Partial<Hook> = {}): Hook => ({
  id: 'i',
  name: 'gate',
  dialect: 'd',
  event: 'e',
  when: [{ facet: 'tool', test: { kind: 'pattern', source: 'Shell', anchor: 'search' }, missing: 'holds' }],
  handler: { type: 'command', config: { command: './run.sh' } },
  timeoutMs: 1000,
  priority: 0,
  detach: false,
  enabled: true,
  source: { file: join(top, 'HOOK.md'), line: 1, scope: 'project' },
  folder: top,
  cwd: top,
  env: { A: '1' },
  ...change,
});

test('the digest is the same as long as the hook and its files are, wherever they stand', () => {
  const before = hookDigest(hook(), [script]);
  expect(before).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(hookDigest(hook({ source: { file: '/elsewhere', line: 9, scope: 'user' }, id: 'other' }), [script])).toBe(before);
  const moved = `${top}-moved`;
  renameSync(top, moved);
  try {
    expect(hookDigest(hook({ folder: moved, cwd: moved }), [join(moved, 'run.sh')])).toBe(before);
  } finally {
    renameSync(moved, top);
  }
});

test('any change of the definition is a new digest', () => {
  const changes: Partial<Hook>[] = [
    { name: 'x' },
    { dialect: 'x' },
    { event: 'x' },
    { when: [] },
    { handler: { type: 'command', config: { command: './run.sh; rm x' } } },
    { handler: { type: 'http', config: { command: './run.sh' } } },
    { timeoutMs: 1001 },
    { priority: 1 },
    { detach: true },
    { env: { A: '2' } },
    { cwd: join(top, 'sub') },
    { skipAudit: true },
    { strict: true },
    { required: true },
  ];
  const digests = [hook(), ...changes.map(hook)].map((changed) => hookDigest(changed, [script]));
  expect(new Set(digests).size).toBe(changes.length + 1);
});

test('any change of a file is a new digest, its appearance and disappearance too', () => {
  const before = hookDigest(hook(), [script]);
  writeFileSync(script, 'exit 1\n');
  const changed = hookDigest(hook(), [script]);
  rmSync(script);
  const missing = hookDigest(hook(), [script]);
  writeFileSync(script, '');
  const empty = hookDigest(hook(), [script]);
  expect(new Set([before, changed, missing, empty, hookDigest(hook(), [])]).size).toBe(5);
  writeFileSync(script, 'exit 0\n');
  chmodSync(script, 0o755);
  expect(hookDigest(hook(), [script])).toBe(before);
});

test('the order in which files are named does not matter, their names do', () => {
  const other = join(top, 'other.sh');
  writeFileSync(other, 'exit 3\n');
  const before = hookDigest(hook(), [script, other]);
  expect(hookDigest(hook(), [other, script])).toBe(before);
  writeFileSync(other, 'exit 0\n');
  writeFileSync(script, 'exit 3\n');
  expect(hookDigest(hook(), [script, other])).not.toBe(before);
});

test('where the project stands is not part of the digest, even where the definition has whole paths', () => {
  const placed = (folder: string) =>
    hook({ folder, cwd: folder, handler: { type: 'command', config: { script: `${folder}/run.sh` } }, env: { HOOK_DIR: folder } });
  const before = hookDigest(placed(top), [script], top);
  const moved = `${top}-moved`;
  renameSync(top, moved);
  try {
    expect(hookDigest(placed(moved), [join(moved, 'run.sh')], moved)).toBe(before);
  } finally {
    renameSync(moved, top);
  }
});

test('no hook can be written to have the digest of one in another folder', () => {
  const said = (command: string) => hookDigest(hook({ handler: { type: 'command', config: { command } } }), []);
  const digests = [`${top}/run.sh`, '\0folder/run.sh', '\0\0folder/run.sh', '{folder}/run.sh', './run.sh', '/run.sh'].map(said);
  expect(new Set(digests).size).toBe(digests.length);
});

test('a file outside of the project counts by its whole path', () => {
  const other = mkdtempSync(join(tmpdir(), 'digest-other-'));
  const tool = join(other, 'tool.sh');
  writeFileSync(tool, 'exit 0\n');
  const before = hookDigest(hook(), [tool], top);
  renameSync(other, `${other}-2`);
  expect(hookDigest(hook(), [join(`${other}-2`, 'tool.sh')], top)).not.toBe(before);
  rmSync(`${other}-2`, { recursive: true });
});

test('a snapshot keeps the texts of small files and only the hash of large or binary ones', () => {
  const [large, binary] = [join(top, 'large'), join(top, 'binary')];
  writeFileSync(large, 'x'.repeat(256 * 1024 + 1));
  writeFileSync(binary, new Uint8Array([0xff, 0xfe, 0]));
  const { definition, files, digest } = snapshotOf(hook(), [script, large, binary, join(top, 'gone')]);
  expect(digest).toBe(hookDigest(hook(), [script, large, binary, join(top, 'gone')]));
  expect(JSON.parse(definition)).toMatchObject({ name: 'gate', handler: { config: { command: './run.sh' } } });
  expect(files.map(({ name, text }) => [name, text?.length])).toEqual([
    ['run.sh', 7],
    ['large', undefined],
    ['binary', undefined],
    ['gone', undefined],
  ]);
  expect(files.map(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toEqual([true, true, true, false]);
});

test('the digest of older versions is reckoned as they did', () => {
  expect(fingerprintOf(hook({ folder: '/f', cwd: '/f/sub', env: {} }), []).legacy()).toBe(
    'sha256:68a2bcaed0317d003064c96f03eec0d586466d5593d12b9e4b19e1707adc24f7',
  );
});

test('the folder of the session counts as a folder of its own, and not as none', () => {
  const { cwd: _, ...without } = hook();
  expect(hookDigest(without, [script])).not.toBe(hookDigest(hook(), [script]));
  expect(fingerprintOf(without, []).legacy()).not.toBe(fingerprintOf(hook(), []).legacy());
  const { folder: __, ...homeless } = hook();
  expect(hookDigest(homeless, [script])).not.toBe(hookDigest(hook(), [script]));
});

test('a hook without a folder is known by whole paths', () => {
  const { folder: _, ...homeless } = hook();
  expect(hookDigest(homeless, [script])).not.toBe(hookDigest(homeless, [join(top, 'sub', '..', '..', 'run.sh')]));
  expect(snapshotOf(homeless, [script]).files.map(({ name }) => name)).toEqual([script]);
  expect(JSON.parse(snapshotOf(homeless, []).definition)).toMatchObject({ cwd: top });
});

test('a path in a list of the definition does not bind the digest to a place either', () => {
  const placed = (folder: string): Hook =>
    hook({ folder, cwd: folder, handler: { type: 'command', config: { args: [`${folder}/a`, 1, null, { deep: [`${folder}/b`] }] } } });
  expect(hookDigest(placed('/one'), [])).toBe(hookDigest(placed('/two'), []));
  const args = (...values: (string | number | null)[]) => hookDigest(hook({ handler: { type: 'command', config: { args: values } } }), []);
  expect(new Set([args('a', 'b'), args('b', 'a'), args('a'), args('a', null), args('a', 0), args()]).size).toBe(6);
});

test('a file of the project counts by its place in it, one of the hook by its place in the hook', () => {
  const folder = join(top, 'hooks/gate');
  const names = (root?: string) =>
    snapshotOf(hook({ folder }), [join(folder, 'run.sh'), join(top, 'tools/lint.sh'), '/usr/bin/lint'], root).files.map(({ name }) => name);
  expect(names(top)).toEqual(['run.sh', '../../tools/lint.sh', '/usr/bin/lint']);
  expect(names()?.[1]).toBe('../../tools/lint.sh');
  expect(names(join(top, 'hooks'))).toEqual(['run.sh', join(top, 'tools/lint.sh'), '/usr/bin/lint']);
});

test('a file that cannot be read is neither a missing one nor an empty one', () => {
  const digests = [hookDigest(hook(), [top]), hookDigest(hook(), [join(top, 'none')])];
  expect(new Set(digests).size).toBe(2);
  expect(snapshotOf(hook(), [top, join(top, 'none')]).files.map(({ hash }) => hash)).toEqual(['unreadable-file', 'missing']);
});

test('a file too large to be hashed never has the same digest twice', () => {
  const large = join(top, 'large');
  writeFileSync(large, '');
  truncateSync(large, 64 * 1024 * 1024 + 1);
  expect(hookDigest(hook(), [large])).not.toBe(hookDigest(hook(), [large]));
  truncateSync(large, 64 * 1024 * 1024);
  expect(hookDigest(hook(), [large])).toBe(hookDigest(hook(), [large]));
});

test('a text of exactly the kept size is kept', () => {
  writeFileSync(script, 'x'.repeat(256 * 1024));
  expect(snapshotOf(hook(), [script]).files[0]?.text).toHaveLength(256 * 1024);
});

test('a definition is shown line by line, with its description and with a folder relative to the hook', () => {
  const text = snapshotOf(hook({ description: 'Keeps the gate.', cwd: join(top, 'sub') }), []).definition;
  expect(JSON.parse(text)).toMatchObject({ description: 'Keeps the gate.', event: 'e', cwd: 'sub', env: { A: '1' } });
  expect(text.startsWith('{\n  "description": "Keeps the gate.",\n')).toBe(true);
  expect(text.endsWith('}\n')).toBe(true);
  const { cwd: _, ...without } = hook();
  expect(JSON.parse(snapshotOf(without, []).definition)).not.toHaveProperty('cwd');
});

test('a snapshot has the digests of the hook', () => {
  const [shot, print] = [snapshotOf(hook(), [script], top), fingerprintOf(hook(), [script], top)];
  expect([shot.digest, shot.legacy()]).toEqual([print.digest, print.legacy()]);
  expect(shot.digest).not.toBe(shot.legacy());
});

test('the older digest depends on the files and on their place in the folder', () => {
  const other = join(top, 'other.sh');
  writeFileSync(other, 'exit 0\n');
  const before = fingerprintOf(hook(), [script]).legacy();
  expect(fingerprintOf(hook(), [other]).legacy()).not.toBe(before);
  writeFileSync(script, 'exit 9\n');
  expect(fingerprintOf(hook(), [script]).legacy()).not.toBe(before);
});

test('a list is not a map of its numbers, and a hook without a folder may say anything', () => {
  const said = (config: Hook['handler']['config'], more: Partial<Hook> = {}) =>
    hookDigest(hook({ handler: { type: 'command', config }, ...more }), []);
  expect(said({ args: ['a'] })).not.toBe(said({ args: { 0: 'a' } }));
  const { folder: _, ...homeless } = hook();
  const digests = ['undefined', '\0folder', ''].map((command) =>
    hookDigest({ ...homeless, handler: { type: 'command', config: { command } } }, []),
  );
  expect(new Set(digests).size).toBe(3);
  const old = fingerprintOf(homeless, [script]).legacy();
  expect(old).not.toBe(fingerprintOf(hook(), [script]).legacy());
});
