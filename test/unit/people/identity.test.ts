/** Whose action it is: the same answer in every process of one user on one machine. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { createIdentity } from '../../../src/people/identity.ts';
import { bundleSource } from '../../support/bundle-source.mjs';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'hookline-identity-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let count = 0;
const fresh = (): string => {
  const folder = path.join(base, `f${count++}`);
  mkdirSync(folder);
  return folder;
};
const still = (): number => 0;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

test('it names the account, the machine, the caller and the project', () => {
  const [state, root] = [fresh(), fresh()];
  const identity = createIdentity(state, root, still);
  const { username, uid } = userInfo();
  expect(identity.who({ host: 'an-agent', hostVersion: '1.2', agent: 'helper', parent: 'main' })).toEqual({
    ...{ host: 'an-agent', hostVersion: '1.2', agent: 'helper', parent: 'main' },
    ...{ osUser: username, userId: String(uid), machine: { id: identity.origin, name: hostname() }, project: { root } },
  });
});

test('each caller is named as itself, whoever called before', () => {
  const identity = createIdentity(fresh(), base, still);
  const callers = [
    { host: 'a' },
    { host: 'a', agent: 'x' },
    { host: 'b' },
    { host: 'a', parent: 'x' },
    { host: 'a', hostVersion: 'x' },
    {},
    { host: 'a' },
  ];
  for (const caller of callers) {
    const { osUser: _, userId: __, machine: ___, project: ____, ...named } = identity.who(caller);
    expect(named).toEqual(caller);
  }
});

test('a caller cannot name another account, machine or project', () => {
  const root = fresh();
  const given = { osUser: 'root', userId: '0', machine: { id: 'x', name: 'x' }, project: { root: '/' } } as object;
  expect(createIdentity(fresh(), root, still).who(given)).toMatchObject({ osUser: userInfo().username, project: { root } });
  expect(createIdentity(fresh(), root, still).who(given).machine.id).toMatch(UUID);
});

test('it names the log: the same in every process, another for each store and each state folder', () => {
  const state = fresh();
  const originOf = (folder: string, store?: string) => createIdentity(folder, base, still, store).who().origin;
  expect(originOf(state, 'sqlite:/a.db')).toMatch(UUID);
  expect(originOf(state, 'sqlite:/a.db')).toBe(originOf(state, 'sqlite:/a.db'));
  expect(new Set([originOf(state, 'sqlite:/a.db'), originOf(state, 'sqlite:/b.db'), originOf(fresh(), 'sqlite:/a.db')]).size).toBe(3);
  expect(originOf(state)).toBe(undefined);
});

test('the id of a state folder is made once, for its user alone', () => {
  const state = fresh();
  const { origin } = createIdentity(state, base, still);
  expect(origin).toMatch(UUID);
  expect(createIdentity(state, base, still).origin).toBe(origin);
  expect(createIdentity(fresh(), base, still).origin).not.toBe(origin);
  const file = path.join(state, 'hookline', 'origin');
  expect(readFileSync(file, 'utf8')).toBe(`${origin}\n`);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(path.dirname(file))).toEqual(['origin']);
});

test('of many processes that make it at once, all have the same', async () => {
  const state = fresh();
  const module = await bundleSource(path.join(import.meta.dirname, '../../../src/people/identity.ts'));
  const program = `import { createIdentity } from ${JSON.stringify(module)}; process.stdout.write(createIdentity(${JSON.stringify(state)}, '/', () => 0).origin);`;
  const runs = Array.from({ length: 8 }, () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]));
  expect(new Set((await Promise.all(runs)).map(({ stdout }) => stdout)).size).toBe(1);
});

test('a file that holds no id is replaced', () => {
  for (const text of ['', 'hello', '../../x']) {
    const state = fresh();
    mkdirSync(path.join(state, 'hookline'));
    writeFileSync(path.join(state, 'hookline', 'origin'), text);
    const { origin } = createIdentity(state, base, still);
    expect(origin).toMatch(UUID);
    expect(createIdentity(state, base, still).origin).toBe(origin);
  }
});

test('a folder that cannot be written has an id nevertheless, the same in each process', () => {
  const file = path.join(fresh(), 'file');
  writeFileSync(file, '');
  const { origin } = createIdentity(file, base, still);
  expect(origin).toMatch(UUID);
  expect(createIdentity(file, base, still).origin).toBe(origin);
  const other = path.join(fresh(), 'file');
  writeFileSync(other, '');
  expect(createIdentity(other, base, still).origin).not.toBe(origin);
});

test.runIf(process.getuid?.() !== 0 && process.platform !== 'win32')('also one that only the system may write', () => {
  const state = fresh();
  chmodSync(state, 0o500);
  expect(createIdentity(state, base, still).origin).toBe(createIdentity(state, base, still).origin);
});

test('without a state folder each engine has an id of its own, and nothing is written', () => {
  const [one, other] = [createIdentity(null, base, still), createIdentity(null, base, still)];
  expect(one.origin).toBe(one.origin);
  expect(one.origin).not.toBe(other.origin);
});

test('the commit is read again after a second, and not before', () => {
  const root = fresh();
  mkdirSync(path.join(root, '.git'));
  let now = 0;
  const identity = createIdentity(fresh(), root, () => now);
  const check = (commit: string): string | undefined => {
    writeFileSync(path.join(root, '.git', 'HEAD'), commit);
    return identity.who().project.commit;
  };
  const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
  expect(check(one)).toBe(one);
  now = 1000;
  expect(check(two)).toBe(one);
  now = 1001;
  expect(check(two)).toBe(two);
});
