/** Reads a line of five fields, as cron has them: minute, hour, day of the month, month, day of the week. Every error names its column. */
import { HooklineError } from '../../core/values/errors.ts';
import type { WallTime } from './wall-time.ts';

export interface CronLine {
  /** Whether the line holds at this minute. */
  readonly holds: (time: WallTime) => boolean;
  /** Whether the line holds on the day of this minute. */
  readonly holdsOn: (time: WallTime) => boolean;
  /** Whether the line names hours. Such a line runs once although the clocks are put back. */
  readonly namesHours: boolean;
}

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names for numbers, from `min` on. */
  readonly names?: readonly string[];
}

const FIELDS = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of the month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  // Sunday is 0, and also 7.
  { name: 'day of the week', min: 0, max: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
] as const satisfies readonly Field[];

const SHORT: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
};

/** The most days of each month. */
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Throws `bad-option` with the column, the field and what it may contain. */
export function readCronLine(line: string): CronLine {
  const words = [...(SHORT[line.trim().toLowerCase()] ?? line).matchAll(/\S+/g)].map((found) => ({
    text: found[0],
    column: found.index + 1,
  }));
  if (line.trim().startsWith('@') && SHORT[line.trim().toLowerCase()] === undefined)
    throw bad(line, 1, `there is no \`${line.trim()}\`; there are ${Object.keys(SHORT).join(', ')}`);
  if (words.length !== FIELDS.length) {
    const extra = words[FIELDS.length];
    const found = extra === undefined ? `it has ${words.length} of 5 fields` : `\`${extra.text}\` is a sixth field`;
    throw bad(line, extra?.column ?? line.length + 1, `${found}; the fields are ${FIELDS.map(({ name }) => name).join(', ')}`);
  }
  const [minutes, hours, days, months, weekdays] = words.map((word, i) => readField(line, word, FIELDS[i] as Field)) as [
    ...[Set<number>, Set<number>, Set<number>, Set<number>, Set<number>],
  ];
  if (weekdays.has(7)) weekdays.add(0);
  const isAny = (i: number): boolean => words[i]?.text.startsWith('*') === true;
  const [anyDay, anyWeekday] = [isAny(2), isAny(4)];
  if (anyWeekday && ![...months].some((month) => [...days].some((day) => day <= (DAYS[month - 1] ?? 0))))
    throw bad(line, words[2]?.column ?? 1, 'no such day is in any of these months, so the line never holds');
  const holdsOn = ({ day, month, weekday }: WallTime): boolean => {
    if (!months.has(month)) return false;
    // As in every cron: if both days are restricted, either is enough.
    return anyDay || anyWeekday ? days.has(day) && weekdays.has(weekday) : days.has(day) || weekdays.has(weekday);
  };
  return {
    holdsOn,
    holds: (time) => minutes.has(time.minute) && hours.has(time.hour) && holdsOn(time),
    namesHours: !isAny(1),
  };
}

interface Word {
  readonly text: string;
  readonly column: number;
}

function readField(line: string, { text, column }: Word, field: Field): Set<number> {
  const values = new Set<number>();
  let at = column;
  for (const part of text.split(',')) {
    readPart(line, { text: part, column: at }, field, values);
    at += part.length + 1;
  }
  return values;
}

/** One part of a list: `*`, `5`, `1-5`, and each with a step: `0-30/15`. */
function readPart(line: string, { text, column }: Word, field: Field, values: Set<number>): void {
  const { name, min, max } = field;
  const [, range = '', slash, step = ''] = /^([^/]*)(?:(\/)(.*))?$/s.exec(text) ?? [];
  if (text === '') throw bad(line, column, `a value of the ${name} is missing`);
  const [from, to] = readRange(line, { text: range, column }, field, slash !== undefined);
  const by = slash === undefined ? 1 : /^\d+$/.test(step) ? Number(step) : 0;
  if (by < 1 || by > max)
    throw bad(line, column + range.length + 1, `the step of the ${name} must be a number from 1 to ${max}, not \`${step}\``);
  if (from > to) throw bad(line, column, `the range \`${range}\` of the ${name} ends before it begins`);
  for (let value = Math.max(from, min); value <= to; value += by) values.add(value);
}

function readRange(line: string, { text, column }: Word, field: Field, isStepped: boolean): readonly [number, number] {
  // A star of days of the week is Sunday to Saturday once.
  if (text === '*') return [field.min, field.names && field.min === 0 ? field.max - 1 : field.max];
  const dash = text.indexOf('-', 1);
  if (dash < 0) {
    const value = readValue(line, { text, column }, field);
    return [value, isStepped ? field.max : value];
  }
  const from = readValue(line, { text: text.slice(0, dash), column }, field);
  return [from, readValue(line, { text: text.slice(dash + 1), column: column + dash + 1 }, field)];
}

function readValue(line: string, { text, column }: Word, { name, min, max, names = [] }: Field): number {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return named + min;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  const others = names.length > 0 ? ` or ${names[0]} to ${names.at(-1)}` : '';
  throw bad(line, column, `the ${name} must be ${min} to ${max}${others}, not \`${text}\``);
}

function bad(line: string, column: number, what: string): HooklineError {
  return new HooklineError('bad-option', `The cron line \`${line}\` is wrong at column ${column}: ${what}.`, {
    hint: 'Write five fields, for example `30 9 * * mon-fri` for 9:30 on working days.',
  });
}
