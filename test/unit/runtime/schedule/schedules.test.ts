/** Heartbeat, cron table and watched documents, on a clock that the test moves. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Delivery, Turn } from '../../../../src/runtime/contract.ts';
import { cron } from '../../../../src/runtime/schedule/cron.ts';
import { heartbeat } from '../../../../src/runtime/schedule/heartbeat.ts';
import { watchDocuments } from '../../../../src/runtime/schedule/watch-documents.ts';
import { manualTimers } from './manual-timers.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Collects deliveries. Each is done at once, unless the test ends it. */
function receiver() {
  const delivered: Delivery[] = [];
  const open: (() => void)[] = [];
  return {
    delivered,
    quickly: async (delivery: Delivery): Promise<null> => {
      delivered.push(delivery);
      return null;
    },
    slowly: (delivery: Delivery): Promise<Turn | null> => {
      delivered.push(delivery);
      return new Promise((resolve) => open.push(() => resolve(null)));
    },
    async endAll() {
      for (const end of open.splice(0)) end();
      await settled();
    },
  };
}

/** Lets promises that are resolved run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a heartbeat', () => {
  test('beats at its interval, with its text and channel, and not after it is stopped', async () => {
    const timers = manualTimers();
    const { delivered, quickly } = receiver();
    const beat = heartbeat({ every: '30m', text: 'Look around.', channel: 'terminal', timers });
    await beat.start(quickly);
    timers.pass(29 * MINUTE);
    expect(delivered).toEqual([]);
    timers.pass(MINUTE);
    expect(delivered).toEqual([{ type: 'heartbeat', text: 'Look around.', channel: 'terminal' }]);
    await settled();
    timers.pass(30 * MINUTE);
    expect(delivered).toHaveLength(2);
    await beat.stop();
    timers.pass(5 * HOUR);
    expect(delivered).toHaveLength(2);
    expect(timers.waiting).toBe(0);
  });

  test('is left out while the turn of the last one runs', async () => {
    const timers = manualTimers();
    const { delivered, slowly, endAll } = receiver();
    await heartbeat({ every: 10 * MINUTE, timers }).start(slowly);
    timers.pass(35 * MINUTE);
    expect(delivered).toHaveLength(1);
    await endAll();
    timers.pass(10 * MINUTE);
    expect(delivered).toHaveLength(2);
  });

  test('beats on after a delivery that rejects', async () => {
    const timers = manualTimers();
    let beats = 0;
    await heartbeat({ every: '1m', timers }).start(async () => {
      beats += 1;
      throw new Error('no');
    });
    timers.pass(MINUTE);
    await settled();
    timers.pass(MINUTE);
    expect(beats).toBe(2);
  });

  test.each(['', 'soon', '5 parsecs', '0m', -1, Number.NaN])('of every %j is an error that shows how to write it', (every) => {
    expect(() => heartbeat({ every })).toThrow(
      expect.objectContaining({ code: 'bad-option', hint: expect.stringContaining("every: '30m'") }),
    );
  });
});

describe('a cron table', () => {
  const job = { name: 'report', at: '0 9 * * *', text: 'Write the report.' };
  const options = { timeZone: 'UTC' };

  test('delivers each job at its time, without a session', async () => {
    const timers = manualTimers('2026-01-01T08:59:10Z');
    const { delivered, quickly } = receiver();
    const table = cron([job, { name: 'other', at: '*/30 * * * *', text: 'x', channel: 'http', user: 'ann' }], { ...options, timers });
    await table.start(quickly);
    timers.pass(MINUTE);
    expect(delivered).toEqual([
      { type: 'cron', name: 'report', text: 'Write the report.' },
      { type: 'cron', name: 'other', text: 'x', channel: 'http', user: 'ann' },
    ]);
    await settled();
    timers.pass(30 * MINUTE);
    expect(delivered).toHaveLength(3);
    await table.stop();
    timers.pass(24 * HOUR);
    expect(delivered).toHaveLength(3);
    expect(timers.waiting).toBe(0);
  });

  test('does not make up for a run that was missed while the machine slept, and keeps the next one', async () => {
    const timers = manualTimers('2026-01-01T08:50:00Z');
    const { delivered, quickly } = receiver();
    await cron([job], { ...options, timers }).start(quickly);
    timers.sleep(8 * HOUR);
    timers.pass(HOUR);
    expect(delivered).toEqual([]);
    timers.pass(24 * HOUR);
    expect(delivered).toHaveLength(1);
  });

  test('does not start a job that still runs', async () => {
    const timers = manualTimers('2026-01-01T00:00:00Z');
    const { delivered, slowly, endAll } = receiver();
    await cron([{ ...job, at: '* * * * *' }], { ...options, timers }).start(slowly);
    timers.pass(5 * MINUTE);
    expect(delivered).toHaveLength(1);
    await endAll();
    timers.pass(MINUTE);
    expect(delivered).toHaveLength(2);
  });

  test('with a wrong line or two jobs of one name is an error before anything starts', () => {
    expect(() => cron([{ ...job, at: '0 99 * * *' }])).toThrow('wrong at column 3');
    expect(() => cron([job, job])).toThrow('Two cron jobs have the name `report`.');
  });
});

describe('a watched document', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'hookline-watch-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  let tick = 0;
  /** Writes a file with a time of its own, because a file system may not tell two quick writes apart. */
  const write = (name: string, text: string): void => {
    writeFileSync(path.join(folder, name), text);
    tick += 1;
    utimesSync(path.join(folder, name), 1_700_000_000 + tick, 1_700_000_000 + tick);
  };
  const watching = async (files: readonly string[], more: object = {}) => {
    const timers = manualTimers();
    const { delivered, quickly } = receiver();
    const schedule = watchDocuments(files, { root: folder, every: '1s', timers, ...more });
    await schedule.start(quickly);
    return { timers, delivered, schedule };
  };

  test('is delivered when its text has changed, and not at the start', async () => {
    write('plan.md', 'one');
    const { timers, delivered, schedule } = await watching(['plan.md']);
    timers.pass(5000);
    expect(delivered).toEqual([]);
    write('plan.md', 'two');
    timers.pass(5000);
    expect(delivered).toEqual([{ type: 'document', path: 'plan.md', text: 'two' }]);
    await schedule.stop();
    write('plan.md', 'three');
    timers.pass(5000);
    expect(delivered).toHaveLength(1);
    expect(timers.waiting).toBe(0);
  });

  test('is not delivered while it is being written', async () => {
    const { timers, delivered } = await watching(['plan.md']);
    for (const text of ['a', 'ab', 'abc']) {
      write('plan.md', text);
      timers.pass(1000);
      expect(delivered).toEqual([]);
    }
    timers.pass(1000);
    expect(delivered).toEqual([{ type: 'document', path: 'plan.md', text: 'abc' }]);
  });

  test('is not delivered if it was only touched, or is gone, and is if it comes back different', async () => {
    write('plan.md', 'one');
    const { timers, delivered } = await watching(['plan.md']);
    write('plan.md', 'one');
    timers.pass(5000);
    rmSync(path.join(folder, 'plan.md'));
    timers.pass(5000);
    write('plan.md', 'one');
    timers.pass(5000);
    expect(delivered).toEqual([]);
    rmSync(path.join(folder, 'plan.md'));
    timers.pass(5000);
    write('plan.md', 'two');
    timers.pass(5000);
    expect(delivered).toMatchObject([{ text: 'two' }]);
  });

  test('that is long is cut, and says how much is left out', async () => {
    const { timers, delivered } = await watching(['plan.md'], { maxCharacters: 4 });
    write('plan.md', 'abcdefgh');
    timers.pass(5000);
    expect(delivered).toMatchObject([{ text: 'abcd\n(4 more characters are left out.)' }]);
  });

  test('that is a folder is never delivered', async () => {
    const { timers, delivered } = await watching(['.']);
    write('other.md', 'x');
    timers.pass(5000);
    expect(delivered).toEqual([]);
  });
});
