/** Cron lines: which minutes they hold at, and what a wrong one says. */
import { describe, expect, test } from 'vitest';
import { readCronLine } from '../../../../src/runtime/schedule/cron-line.ts';
import { nextRun } from '../../../../src/runtime/schedule/next-run.ts';
import { wallIn } from '../../../../src/runtime/schedule/wall-time.ts';

/** The next runs after a moment, as local times. */
function runs(line: string, after: string, count: number, timeZone = 'UTC'): string[] {
  const read = readCronLine(line);
  const wall = wallIn(timeZone);
  const found: string[] = [];
  let at = new Date(after).getTime();
  while (found.length < count) {
    at = nextRun(read, at, wall);
    found.push(new Date(at).toISOString().slice(0, 16));
  }
  return found;
}

describe('a line holds', () => {
  test.each([
    ['* * * * *', '2026-01-01T00:00:30Z', ['2026-01-01T00:01', '2026-01-01T00:02']],
    ['*/20 * * * *', '2026-01-01T00:00Z', ['2026-01-01T00:20', '2026-01-01T00:40', '2026-01-01T01:00']],
    [
      '5,10-12 3 * * *',
      '2026-01-01T00:00Z',
      ['2026-01-01T03:05', '2026-01-01T03:10', '2026-01-01T03:11', '2026-01-01T03:12', '2026-01-02T03:05'],
    ],
    ['10/25 0 * * *', '2026-01-01T00:00Z', ['2026-01-01T00:10', '2026-01-01T00:35', '2026-01-02T00:10']],
    ['30 9 * * mon-fri', '2026-01-02T10:00Z', ['2026-01-05T09:30', '2026-01-06T09:30']],
    ['0 0 * * 7', '2026-01-01T00:00Z', ['2026-01-04T00:00', '2026-01-11T00:00']],
    ['0 0 * * SUN', '2026-01-01T00:00Z', ['2026-01-04T00:00']],
    ['0 12 * feb,Apr *', '2026-02-28T13:00Z', ['2026-04-01T12:00']],
    ['0 0 31 * *', '2026-01-31T00:00Z', ['2026-03-31T00:00', '2026-05-31T00:00']],
    ['0 0 29 2 *', '2026-01-01T00:00Z', ['2028-02-29T00:00', '2032-02-29T00:00']],
    ['0 0 29 2 *', '2096-03-01T00:00Z', ['2104-02-29T00:00']],
    ['@daily', '2026-01-01T00:00Z', ['2026-01-02T00:00']],
    [' @Monthly ', '2026-01-01T00:00Z', ['2026-02-01T00:00']],
  ])('%s after %s at %j', (line, after, expected) => {
    expect(runs(line, after, expected.length)).toEqual(expected);
  });

  test('on either day if a day of the month and one of the week are named', () => {
    expect(runs('0 0 13 * fri', '2026-02-01T00:00Z', 4)).toEqual([
      '2026-02-06T00:00',
      '2026-02-13T00:00',
      '2026-02-20T00:00',
      '2026-02-27T00:00',
    ]);
    expect(runs('0 0 10 * fri', '2026-02-01T00:00Z', 3)).toEqual(['2026-02-06T00:00', '2026-02-10T00:00', '2026-02-13T00:00']);
  });

  test('in the time of its zone', () => {
    expect(runs('0 9 * * *', '2026-01-01T00:00Z', 1, 'Asia/Kolkata')).toEqual(['2026-01-01T03:30']);
    expect(runs('0 0 1 * *', '2026-03-02T00:00Z', 1, 'America/New_York')).toEqual(['2026-04-01T04:00']);
  });

  test('not at a time that the clocks skip', () => {
    expect(runs('30 2 * * *', '2026-03-28T12:00Z', 2, 'Europe/Berlin')).toEqual(['2026-03-30T00:30', '2026-03-31T00:30']);
    expect(runs('0 0 * * *', '2026-03-28T12:00Z', 3, 'Europe/Berlin')).toEqual([
      '2026-03-28T23:00',
      '2026-03-29T22:00',
      '2026-03-30T22:00',
    ]);
  });

  test('once at a time that the clocks repeat, and every hour if it names none', () => {
    expect(runs('30 2 * * *', '2026-10-24T12:00Z', 2, 'Europe/Berlin')).toEqual(['2026-10-25T00:30', '2026-10-26T01:30']);
    expect(runs('30 * * * *', '2026-10-24T23:00Z', 4, 'Europe/Berlin')).toEqual([
      '2026-10-24T23:30',
      '2026-10-25T00:30',
      '2026-10-25T01:30',
      '2026-10-25T02:30',
    ]);
  });
});

describe('a wrong line is an error with its column', () => {
  test.each([
    ['', 1, 'it has 0 of 5 fields'],
    ['* * * *', 8, 'it has 4 of 5 fields'],
    ['* * * * * *', 11, '`*` is a sixth field'],
    ['60 * * * *', 1, 'the minute must be 0 to 59, not `60`'],
    ['0 24 * * *', 3, 'the hour must be 0 to 23, not `24`'],
    ['0 0 0 * *', 5, 'the day of the month must be 1 to 31, not `0`'],
    ['0 0 * 13 *', 7, 'the month must be 1 to 12 or jan to dec, not `13`'],
    ['0 0 * * mon-xyz', 13, 'the day of the week must be 0 to 7 or sun to sat, not `xyz`'],
    ['0  5,x * * *', 6, 'the hour must be 0 to 23, not `x`'],
    ['1,,2 * * * *', 3, 'a value of the minute is missing'],
    ['*/0 * * * *', 3, 'the step of the minute must be a number from 1 to 59, not `0`'],
    ['*/ * * * *', 3, 'the step of the minute must be a number from 1 to 59, not ``'],
    ['*/a * * * *', 3, 'the step of the minute must be a number from 1 to 59, not `a`'],
    ['30-10 * * * *', 1, 'the range `30-10` of the minute ends before it begins'],
    ['-5 * * * *', 1, 'the minute must be 0 to 59, not `-5`'],
    ['1.5 * * * *', 1, 'the minute must be 0 to 59, not `1.5`'],
    ['0 0 30 feb *', 5, 'no such day is in any of these months, so the line never holds'],
    ['@often', 1, 'there is no `@often`'],
  ])('%s at column %i: %s', (line, column, what) => {
    expect(() => readCronLine(line)).toThrow(`The cron line \`${line}\` is wrong at column ${column}: ${what}`);
    expect(() => readCronLine(line)).toThrow(expect.objectContaining({ code: 'bad-option', hint: expect.stringContaining('five fields') }));
  });

  test('and so is a zone that does not exist', () => {
    expect(() => wallIn('Europe/Nowhere')).toThrow('There is no time zone `Europe/Nowhere`.');
  });
});
