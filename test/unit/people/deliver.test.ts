/** The laws of delivery: tried again with patience, told once, and nothing under way after a drain. */
import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Notice, Notifier, NotifyFailure } from '../../../src/core/contracts/notifier.ts';
import { createDelivery, DELAYS_MS } from '../../../src/people/deliver.ts';
import { bundleSource } from '../../support/bundle-source.mjs';

const noticeWith = (id: string): Notice => ({
  id,
  type: 'ticket.opened',
  at: 1,
  ticket: {
    id,
    state: 'open',
    kind: 'tool.before',
    tool: 'Bash',
    input: {},
    edit: null,
    masked: [],
    reason: 'why',
    heldBy: [],
    root: '/',
    session: 's',
    openedAt: 1,
    expiresAt: 2,
    by: null,
    note: null,
  },
});

const DOWN: NotifyFailure = { failed: 'down', retry: true };

/** Answers in this order; the last answer for ever after. */
function answering(type: string, ...answers: ('sent' | NotifyFailure)[]): Notifier & { readonly heard: string[] } {
  const heard: string[] = [];
  return {
    type,
    heard,
    async notify(notice) {
      heard.push(notice.id);
      return answers[Math.min(heard.length, answers.length) - 1] ?? 'sent';
    },
  };
}

/** Time passes at once, and how much of it is written down. */
function fastTime(random = 0) {
  const slept: number[] = [];
  let clock = 0;
  const sleep = async (ms: number) => {
    slept.push(ms);
    clock += ms;
  };
  return { slept, options: { sleep, random: () => random, now: () => clock } };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

test('a notice goes to every notifier, and one that fails does not keep it from the others', async () => {
  const [a, b] = [answering('a', { failed: 'gone', retry: false }), answering('b', 'sent')];
  const delivery = createDelivery([a, b]);
  delivery.deliver(noticeWith('n'));
  expect(await delivery.drain(5000)).toEqual([]);
  expect([a.heard, b.heard]).toEqual([['n'], ['n']]);
});

test('a failure is tried again after 1 s, 4 s, 15 s, 60 s and 5 min, and then given up', async () => {
  const { slept, options } = fastTime();
  const failures: unknown[] = [];
  const down = answering('down', DOWN);
  const delivery = createDelivery([down], { ...options, onFailure: (...failure) => void failures.push(failure) });
  const notice = noticeWith('n');
  delivery.deliver(notice);
  await settled();
  expect(slept).toEqual([1000, 4000, 15_000, 60_000, 300_000]);
  expect(down.heard).toHaveLength(6);
  expect(failures).toEqual([...DELAYS_MS, undefined].map((next) => [notice, 'down', DOWN, next]));
});

test('jitter makes a wait longer by up to a quarter, never shorter', async () => {
  const { slept, options } = fastTime(0.999);
  createDelivery([answering('down', DOWN)], options).deliver(noticeWith('n'));
  await settled();
  expect(slept).toHaveLength(DELAYS_MS.length);
  slept.forEach((ms, index) => {
    const base = DELAYS_MS[index] ?? 0;
    expect(ms).toBeGreaterThan(base * 1.2);
    expect(ms).toBeLessThanOrEqual(base * 1.25);
  });
});

test('who asks for more time gets it, within an hour; who asks for less does not shorten the wait', async () => {
  const { slept, options } = fastTime();
  const busy = answering('busy', { ...DOWN, afterMs: 30_000 }, { ...DOWN, afterMs: 10 }, { ...DOWN, afterMs: 1e12 }, 'sent');
  createDelivery([busy], options).deliver(noticeWith('n'));
  await settled();
  expect(slept).toEqual([30_000, 4000, 3_600_000]);
});

test('what another try can not mend is not tried again', async () => {
  const { slept, options } = fastTime();
  const gone = answering('gone', { failed: 'gone', retry: false });
  createDelivery([gone], options).deliver(noticeWith('n'));
  await settled();
  expect([gone.heard, slept]).toEqual([['n'], []]);
});

test('a notice is told once: not again while it is under way, not again afterwards', async () => {
  const { options } = fastTime();
  const notifier = answering('n', DOWN, 'sent');
  const delivery = createDelivery([notifier], options);
  delivery.deliver(noticeWith('a'));
  delivery.deliver(noticeWith('a'));
  await settled();
  delivery.deliver(noticeWith('a'));
  delivery.deliver(noticeWith('b'));
  await settled();
  expect(notifier.heard).toEqual(['a', 'a', 'b']);
});

test('a notice that could not be told may be delivered anew', async () => {
  const notifier = answering('n', { failed: 'no', retry: false }, 'sent');
  const delivery = createDelivery([notifier]);
  delivery.deliver(noticeWith('a'));
  await delivery.drain(5000);
  delivery.deliver(noticeWith('a'));
  await delivery.drain(5000);
  expect(notifier.heard).toEqual(['a', 'a']);
});

test('a notifier that throws has failed, and a reporter that throws ends nothing', async () => {
  const { slept, options } = fastTime();
  const failures: string[] = [];
  const broken: Notifier = {
    type: 'broken',
    notify: () => {
      throw new Error('a bug');
    },
  };
  const onFailure = (_: Notice, __: string, { failed }: NotifyFailure) => {
    failures.push(failed);
    throw new Error('another bug');
  };
  createDelivery([broken], { ...options, onFailure }).deliver(noticeWith('n'));
  await settled();
  expect(slept).toHaveLength(5);
  expect(failures[0]).toBe('the notifier failed: a bug');
});

test('a drain waits for what is under way, also if it came meanwhile', async () => {
  const heard: string[] = [];
  const slow: Notifier = {
    type: 'slow',
    async notify({ id }) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      heard.push(id);
      return 'sent';
    },
  };
  const delivery = createDelivery([slow]);
  delivery.deliver(noticeWith('a'));
  const drained = delivery.drain(20_000);
  delivery.deliver(noticeWith('b'));
  expect(await drained).toEqual([]);
  expect(heard).toEqual(['a', 'b']);
});

test('a drain ends what is not done in time, and names it', async () => {
  let aborted = false;
  const hanging: Notifier = {
    type: 'hanging',
    notify: (_, signal) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          aborted = true;
          resolve(DOWN);
        }),
      ),
  };
  const reported: unknown[] = [];
  const delivery = createDelivery([hanging, answering('quick', 'sent')], { onFailure: (...failure) => void reported.push(failure) });
  delivery.deliver(noticeWith('a'));
  expect(await delivery.drain(50)).toEqual(['hanging a']);
  expect([aborted, reported]).toEqual([true, []]);
  expect(await delivery.drain(20_000)).toEqual([]);
});

test('what was told in the very moment it was given up is not named', async () => {
  const lucky: Notifier = {
    type: 'lucky',
    notify: (_, signal) => new Promise((done) => signal.addEventListener('abort', () => done('sent'))),
  };
  const delivery = createDelivery([lucky]);
  delivery.deliver(noticeWith('a'));
  expect(await delivery.drain(50)).toEqual([]);
});

test('a drain gives up at once what would be tried again too late for it', async () => {
  const down = answering('down', { ...DOWN, afterMs: 300_000 });
  const delivery = createDelivery([down]);
  delivery.deliver(noticeWith('waits already'));
  await settled();
  delivery.deliver(noticeWith('is being tried'));
  const started = performance.now();
  expect(await delivery.drain(60_000)).toEqual(['down waits already', 'down is being tried']);
  expect(performance.now() - started).toBeLessThan(20_000);
});

test('not even a notifier that never ends holds up a drain for ever, or the next one', async () => {
  const stuck: Notifier = { type: 'stuck', notify: () => new Promise(() => {}) };
  const delivery = createDelivery([stuck]);
  delivery.deliver(noticeWith('a'));
  expect(await delivery.drain(10)).toEqual(['stuck a']);
  expect(await delivery.drain(60_000)).toEqual([]);
});

test('waiting for the next try keeps no process alive', async () => {
  const program = `
    import { createDelivery } from ${JSON.stringify(pathToFileURL(await bundleSource('src/people/deliver.ts')).href)};
    const down = { type: 'down', notify: async () => ({ failed: 'down', retry: true, afterMs: 600000 }) };
    createDelivery([down], { onFailure: (n, t, f, next) => console.log(next >= 600000) }).deliver({ id: 'a' });`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { timeout: 20_000 });
  expect(stdout).toBe('true\n');
});
