/** What a hook leaves of itself in the process that ran it, and what that process leaves of the hook. Each case is a Node process. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bundleSource } from '../../../support/bundle-source.mjs';
import { LONG_MS } from '../../../support/patience.ts';

const folder = mkdtempSync(join(tmpdir(), 'hookline-life-'));
afterAll(() => rmSync(folder, { recursive: true }));
await bundleSource('src/handlers/command/index.ts', join(folder, 'command.mjs'));

const PRELUDE = `
import { createCommandHandler } from './command.mjs';
const commandHandler = createCommandHandler();
const ask = (command, timeoutMs = 20000) => commandHandler.handle({
  hook: { name: 'h', handler: { type: 'command', config: { command } } }, payload: {}, cwd: '.', timeoutMs,
  ask: { command: { launch: 'shell', input: 'stdin', json: 'compact', capture: 'split', environment: [] } },
  limits: { outputBytes: 1000000, payloadBytes: 1000000 },
  permits: { environment: { policy: 'promised', names: [] }, allowAddresses: [] },
  nesting: { depth: 1, hooks: [] },
});
`;

function run(name: string, script: string) {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, PRELUDE + script);
  const started = performance.now();
  const result = spawnSync(process.execPath, [file], { cwd: folder, encoding: 'utf8', timeout: LONG_MS });
  return { ...result, ms: performance.now() - started };
}

test('the process stays alive while a hook runs, and ends when it has answered', () => {
  const { stdout, status, ms } = run('stay', `ask('sleep 0.5; echo done').then((answer) => console.log(answer.stdout));`);
  expect([stdout, status]).toEqual(['done\n\n', 0]);
  expect(ms).toBeLessThan(10_000);
});

test.each([
  ['on FIFOs', ''],
  ['on Node’s own pipes', "process.env.PATH = '/nowhere';"],
])('a background process and a long timeout keep nobody alive: %s', (_, first) => {
  const { stdout, ms } = run('background', `${first}console.log((await ask('/bin/sleep 15 & exit 0')).exit);`);
  expect(stdout).toBe('0\n');
  expect(ms).toBeLessThan(10_000);
});

test('a process that exits takes the hooks that are still running with it', async () => {
  const { status } = run('exit', `ask('(sleep 1; touch survived) & sleep 1; touch survived'); setTimeout(() => process.exit(3), 200);`);
  expect(status).toBe(3);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(existsSync(join(folder, 'survived'))).toBe(false);
});

test('a process that is killed takes the hooks of its launcher with it, however young they are', async () => {
  const { signal } = run(
    'killed-launcher',
    `
    import { existsSync } from 'node:fs';
    for (let n = 0; n < 20; n += 1) await ask('true');
    const { readFileSync } = await import('node:fs');
    const launchers = () => readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim();
    if (launchers() === '') throw new Error('there is no launcher');
    ask('touch young; sleep 1; touch outlived');
    const look = () => existsSync('young') ? process.kill(process.pid, 'SIGKILL') : setImmediate(look);
    look();
    `,
  );
  expect(signal).toBe('SIGKILL');
  await new Promise((resolve) => setTimeout(resolve, 2000));
  expect([existsSync(join(folder, 'young')), existsSync(join(folder, 'outlived'))]).toEqual([true, false]);
});

test('nothing of a hook stays on disk, not even of one that is running when this process is killed', () => {
  const ours = () =>
    [tmpdir(), '/dev/shm'].flatMap((place) => (existsSync(place) ? readdirSync(place) : []).filter((name) => name.startsWith('hookline-')));
  const { signal, pid } = run('killed', `ask('sleep 1'); ask('sleep 1'); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 200);`);
  expect(signal).toBe('SIGKILL');
  expect(ours().filter((name) => name.includes(String(pid)))).toEqual([]);
});

test('a thousand hooks leave no zombie and no descriptor', () => {
  const { stdout } = run(
    'many',
    `
    import { readdirSync, readFileSync } from 'node:fs';
    const zombies = () => readdirSync('/proc').filter((pid) => { try { return new RegExp('\\\\) Z ' + process.pid + ' ').test(readFileSync('/proc/' + pid + '/stat', 'utf8')); } catch { return false; } }).length;
    const open = () => readdirSync('/proc/self/fd').length;
    await ask('true');
    const before = open();
    for (let n = 0; n < 100; n += 1) await Promise.all(Array.from({ length: 10 }, () => ask('true')));
    console.log(zombies(), open() - before < 60);
    `,
  );
  expect(stdout).toBe('0 true\n');
});
