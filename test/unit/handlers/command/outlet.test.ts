/** Where no FIFO can be made, Node's own pipes serve. This file's process finds no `mkfifo`, so every hook in it runs on those. */
import { expect, test } from 'vitest';
import { type Call, DEFAULT_LIMITS, DEFAULT_PERMITS } from '../../../../src/core/contracts/handler.ts';
import { NOT_NESTED } from '../../../../src/core/contracts/nesting.ts';

const path = process.env['PATH'];
process.env['PATH'] = '/nowhere';
const { createCommandHandler } = await import('../../../../src/handlers/command/index.ts');

function ask(command: string, options: { capture?: 'split' | 'joined'; timeoutMs?: number } = {}) {
  const hook: Call['hook'] = {
    id: 'h',
    name: 'h',
    dialect: 'd',
    event: 'E',
    when: [],
    handler: { type: 'command', config: { command } },
    timeoutMs: 1000,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: '/f', scope: 'user' },
    env: { PATH: path ?? '' },
  };
  return createCommandHandler().handle({
    hook,
    payload: { a: 1 },
    ask: {
      timeout: { unit: 'ms', fallbackMs: 1000 },
      command: { launch: 'shell', input: 'stdin', json: 'compact', capture: options.capture ?? 'split', environment: [] },
      http: { redirects: 0 },
      judge: null,
    },
    cwd: '/',
    timeoutMs: options.timeoutMs ?? 10_000,
    limits: DEFAULT_LIMITS,
    permits: DEFAULT_PERMITS,
    nesting: NOT_NESTED,
  });
}

test('without mkfifo a hook is given sockets, and its output is complete all the same', async () => {
  expect(await ask('readlink /proc/self/fd/1')).toMatchObject({ exit: 0, stdout: expect.stringContaining('socket') });
  const answer = await ask('cat; head -c 3000000 /dev/zero; echo e >&2; exit 3');
  if (answer.kind !== 'process') throw new Error(answer.kind);
  expect([answer.exit, answer.stdout.length, answer.stderr]).toEqual([3, 3_000_007, 'e\n']);
});

test('without mkfifo a background process holds no answer, and a timeout ends the hook', async () => {
  const started = performance.now();
  expect(await ask('echo hi; sleep 8 & exit 0')).toMatchObject({ exit: 0, stdout: 'hi\n' });
  expect(await ask('sleep 8', { timeoutMs: 200 })).toMatchObject({ fault: 'timeout' });
  expect(performance.now() - started).toBeLessThan(6000);
});

test('without mkfifo a joined capture has both streams', async () => {
  const answer = await ask('echo one; sleep 0.2; echo two >&2', { capture: 'joined' });
  expect(answer).toMatchObject({ output: 'one\ntwo\n', stderr: '' });
});

test('with mkfifo back, this process does not try again', async () => {
  process.env['PATH'] = path;
  expect(await ask('readlink /proc/self/fd/1')).toMatchObject({ stdout: expect.stringContaining('socket') });
});
