/** A pin vouches for one digest of one hook, and a lock file for exactly the hooks in it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Hook } from '../../../src/core/contracts/hook.ts';
import { checkPins, createPins, DIGEST, readLock, type TrustPins } from '../../../src/trust/lock-file.ts';

let top: string;
let root: string;
let lock: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'pins-')));
  root = join(top, 'project');
  lock = join(top, 'lock.json');
  mkdirSync(root);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const ONE = `sha256:${'1'.repeat(64)}`;
const TWO = `sha256:${'2'.repeat(64)}`;
const THREE = `sha256:${'3'.repeat(64)}`;
const hook = (name = 'gate', dialect = 'd', file = 'hooks/gate'): Hook =>
  ({ name, dialect, source: { file: join(root, file), scope: 'project' } }) as Hook;
const entry = (more: object = {}) => ({ name: 'gate', dialect: 'd', file: 'hooks/gate', digest: ONE, ...more });
const write = (...hooks: unknown[]): void => writeFileSync(lock, JSON.stringify({ version: 1, hooks }));
const thrown = (run: () => unknown): { code: string; message: string; hint?: string } => {
  try {
    run();
  } catch (error) {
    return error as never;
  }
  throw new Error('nothing was thrown');
};

test('a pin by name accepts its digests for every hook of that name, and no other digest or name', () => {
  const pins = createPins({ hooks: { gate: [ONE, TWO], wall: THREE } }, root);
  expect([ONE, TWO, THREE].map((digest) => pins.accepts(hook(), digest))).toEqual([true, true, false]);
  expect([ONE, TWO, THREE].map((digest) => pins.accepts(hook('wall', 'x', 'y'), digest))).toEqual([false, false, true]);
  expect(pins.accepts(hook('other'), ONE)).toBe(false);
  expect([hook(), hook('wall'), hook('other')].map((one) => pins.isAbout(one))).toEqual([true, true, false]);
});

test('a lock accepts a hook only in its file and its dialect', () => {
  write(entry());
  const pins = createPins({ lock }, root);
  expect(pins.accepts(hook(), ONE)).toBe(true);
  expect(pins.accepts(hook(), TWO)).toBe(false);
  for (const other of [hook('wall'), hook('gate', 'x'), hook('gate', 'd', 'other')])
    expect([pins.accepts(other, ONE), pins.isAbout(other)]).toEqual([false, false]);
});

test('pins by name and a lock count together, and without either nothing is accepted', () => {
  write(entry());
  const both = createPins({ hooks: { wall: TWO }, lock }, root);
  expect([both.accepts(hook(), ONE), both.accepts(hook('wall'), TWO)]).toEqual([true, true]);
  const none = createPins({}, root);
  expect([none.isAbout(hook()), none.accepts(hook(), ONE), none.mismatch(hook(), ONE), none.unmatched([hook()])]).toEqual([
    false,
    false,
    [],
    [],
  ]);
});

test('a hook with another digest than the pinned one is told with its name, file and digest; a hook without a pin is not', () => {
  const pins = createPins({ hooks: { gate: ONE } }, root);
  const [said, ...more] = pins.mismatch(hook(), TWO);
  expect(more).toEqual([]);
  expect(said).toMatchObject({ severity: 'warning', code: 'unmatched-pin', file: join(root, 'hooks/gate') });
  for (const part of ['`gate`', TWO]) expect(said?.message).toContain(part);
  expect(said?.hint).toMatch(/hookline trust/);
  expect(pins.mismatch(hook('wall'), TWO)).toEqual([]);
});

test('a pin of a hook that does not exist is told, with the file that a lock names', () => {
  write(entry(), entry({ name: 'wall', file: 'hooks/wall' }));
  const pins = createPins({ hooks: { door: ONE, gate: TWO }, lock }, root);
  const said = pins.unmatched([hook()]);
  expect(said.map(({ code }) => code)).toEqual(['unmatched-pin', 'unmatched-pin']);
  expect(said[0]?.message).toMatch(/`door` does not/);
  expect(said[1]?.message).toMatch(/`wall` in hooks\/wall does not/);
  for (const one of said) expect(Object.hasOwn(one, 'file')).toBe(false);
  expect(pins.unmatched([hook(), hook('door'), hook('wall', 'd', 'hooks/wall')])).toEqual([]);
});

test.each([`x${ONE}`, `${ONE}0`, ONE.slice(0, -1), ONE.toUpperCase(), 'sha256:', '', `sha256:${'g'.repeat(64)}`, 1, null, [ONE, 'x']])(
  'what is not a digest (%j) is a wrong option that names the hook and how a digest is written',
  (wrong) => {
    const error = thrown(() => checkPins({ hooks: { wall: ONE, gate: wrong as string } } as TrustPins));
    expect(error.code).toBe('bad-option');
    expect(error.message).toContain('`gate`');
    expect(error.message).toContain(`\`${String(Array.isArray(wrong) ? 'x' : wrong)}\``);
    expect(error.hint).toContain('sha256:');
  },
);

test('digests are right options, one or several, and so are no pins', () => {
  for (const pins of [{}, { hooks: {} }, { hooks: { gate: ONE, wall: [ONE, TWO] } }, { lock: 'x' }])
    expect(() => checkPins(pins)).not.toThrow();
  expect(DIGEST.test(ONE)).toBe(true);
});

test('a lock with several hooks is read whole, and an empty one vouches for none', () => {
  write(entry(), entry({ name: 'wall' }));
  expect(readLock(lock, root)).toEqual([entry(), entry({ name: 'wall' })]);
  write();
  expect(readLock(lock, root)).toEqual([]);
});

test.each([
  ['null', null],
  ['a text', 'x'],
  ['a list', []],
  ['no version', { hooks: [] }],
  ['a version as text', { version: '1', hooks: [] }],
  ['no hooks', { version: 1 }],
  ['hooks as a map', { version: 1, hooks: {} }],
  ['a hook that is none', { version: 1, hooks: [null] }],
  ['a list as a hook', { version: 1, hooks: [[]] }],
  ['one bad hook among good ones', { version: 1, hooks: [entry(), {}, entry()] }],
  ...['name', 'dialect', 'file', 'digest'].flatMap((key) => [
    [`a hook without ${key}`, { version: 1, hooks: [entry({ [key]: undefined })] }] as const,
    [`a hook whose ${key} is a number`, { version: 1, hooks: [entry({ [key]: 1 })] }] as const,
  ]),
  ['an absolute file', { version: 1, hooks: [entry({ file: '/etc/passwd' })] }],
  ['a short digest', { version: 1, hooks: [entry({ digest: 'sha256:abc' })] }],
  ['a long digest', { version: 1, hooks: [entry({ digest: `${ONE}0` })] }],
] as const)('a file with %s is not a lock file, and says how to write one', (_, value) => {
  writeFileSync(lock, JSON.stringify(value));
  const error = thrown(() => readLock(lock, root));
  expect(error.code).toBe('bad-lock');
  expect(error.message).toMatch(/lock\.json is not/);
  expect(error.hint).toContain('hookline trust lock');
});

test('every other problem with a lock has a message of its own, with the path and a way out', () => {
  const missing = thrown(() => readLock(lock, root));
  expect(missing.message).toMatch(/no lock file at .*lock\.json/);
  expect(missing.hint).toMatch(/\w.*\.$/);
  writeFileSync(join(root, 'lock.json'), '{}');
  const inside = thrown(() => readLock(join(root, 'lock.json'), root));
  expect(inside.message).toMatch(/lock\.json is in the project/);
  expect(inside.hint).toMatch(/outside/);
  const folder = thrown(() => readLock(top, root));
  expect(folder.message).toContain('cannot be read');
  expect(folder.hint).toMatch(/\w.*\.$/);
  expect([missing, inside, folder].map(({ code }) => code)).toEqual(['bad-lock', 'bad-lock', 'bad-lock']);
});

test('a lock beside the project is outside of it, even if its name begins alike', () => {
  write(entry());
  mkdirSync(`${root}-locks`);
  writeFileSync(`${root}-locks/lock.json`, JSON.stringify({ version: 1, hooks: [entry()] }));
  expect(readLock(`${root}-locks/lock.json`, root)).toHaveLength(1);
  expect(readLock(lock, join(top, 'no-such-project'))).toHaveLength(1);
});
