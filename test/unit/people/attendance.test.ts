/** Whether a person is at an agent is found out by its own facts: payload, variables, command line and terminal. */
import { describe, expect, test } from 'vitest';
import { HOSTS } from '../../../src/builtins.ts';
import type { Host } from '../../../src/core/contracts/host.ts';
import { createAttendance } from '../../../src/people/attendance.ts';
import type { Ancestor } from '../../../src/people/processes.ts';

const ASKING = HOSTS.flatMap(({ id, attendance, signs }) => (attendance === null ? [] : [{ id, attendance, signs }]));

const ancestor = (words: readonly string[], terminal: boolean | undefined): Ancestor => ({ words, isTerminal: () => terminal });
const SHELL = ancestor(['/bin/sh', '-c', 'hookline hook -p exec'], false);

/** The agent with these words, a shell between it and the hook, and another shell above it. */
function seen(
  host: Pick<Host, 'attendance' | 'signs'>,
  words: readonly string[],
  more: { payload?: object; env?: object; terminal?: boolean | undefined } = {},
) {
  const terminal = 'terminal' in more ? more.terminal : true;
  const above = [SHELL, ancestor(words, terminal), ancestor(['bash', '-p'], false)];
  return createAttendance('auto', () => above)(host, { ...more.payload } as never, { ...more.env } as never, 7);
}

test('every host that asks people says how to find out whether there are any', () => {
  expect(HOSTS.filter(({ asksPeople }) => asksPeople.length > 0).map(({ id }) => id)).toEqual(ASKING.map(({ id }) => id));
});

describe.each(ASKING)('$id', (host) => {
  const { attendance, signs } = host;
  const [program = ''] = signs.programs;

  test('in its terminal a person is there, however it was started', () => {
    const started = [
      [program],
      [`/usr/bin/${program}`],
      ['/usr/bin/node', '--max-old-space-size=9', `/opt/${program}`],
      [`C:\\x\\${program}.exe`],
    ];
    for (const words of started) expect([words, seen(host, words)]).toEqual([words, true]);
    for (const name of signs.programs) expect(seen(host, ['node', `/x/node_modules/${name}/cli.js`])).toBe(true);
  });

  test('with an option that runs one task nobody is, wherever it stands and whatever the terminal', () => {
    for (const word of attendance.nobody.words) {
      expect([word, seen(host, [program, word])]).toEqual([word, false]);
      expect([word, seen(host, ['node', `/opt/${program}.js`, word, 'x'])]).toEqual([word, false]);
      if (word.startsWith('--')) expect(seen(host, [program, `${word}=do it`])).toBe(false);
      else if (word.startsWith('-')) expect(seen(host, [program, `-y${word.slice(1)}`])).toBe(false);
      // Behind `--` it is a word of the prompt.
      if (word.startsWith('-') && !attendance.promptEnds) expect(seen(host, [program, '--', word])).toBe(true);
    }
  });

  test('a prompt alone ends the run where the agent says so', () => {
    expect(seen(host, [program, 'do it'])).toBe(!attendance.promptEnds);
    expect(seen(host, [program, '--yolo', 'do it'])).toBe(!attendance.promptEnds);
    expect(seen(host, [program, '--model', 'gpt'])).toBe(true);
  });

  test('without a terminal nobody is there, and what cannot be seen is decided by the host', () => {
    const isAsked = attendance.otherwise === 'ask';
    expect(seen(host, [program], { terminal: false })).toBe(false);
    expect(seen(host, [program], { terminal: undefined })).toBe(isAsked);
    expect(seen(host, ['something-else', '-p'])).toBe(isAsked);
    expect(createAttendance('auto', () => [])(host, {}, {}, undefined)).toBe(isAsked);
  });

  test('a way to ask elsewhere outweighs all of it but the payload', () => {
    const env = Object.fromEntries(Object.entries(attendance.nobody.env).map(([name, [value = '']]) => [name, value]));
    for (const word of attendance.somebody.words)
      expect([word, seen(host, [program, '-p', word, 'x'], { env, terminal: false })]).toEqual([word, true]);
    for (const [key, values] of Object.entries(attendance.nobody.payload))
      for (const value of values) expect(seen(host, [program], { payload: { [key]: value } })).toBe(false);
  });

  test('its variables outweigh its command line', () => {
    for (const [name, values] of Object.entries(attendance.nobody.env))
      for (const value of values) expect([name, value, seen(host, [program], { env: { [name]: value } })]).toEqual([name, value, false]);
    for (const [name, values] of Object.entries(attendance.somebody.env))
      for (const value of values) expect(seen(host, [program, '-p'], { env: { [name]: value }, terminal: false })).toBe(true);
  });

  test('the setting outweighs everything', () => {
    expect(createAttendance('always', () => [ancestor([program, '-p'], false)])(host, {}, {}, 7)).toBe(true);
    expect(createAttendance('never', () => [ancestor([program], true)])(host, {}, {}, 7)).toBe(false);
  });
});

test('the nearest agent counts, and not the one that started it', () => {
  const [one] = ASKING.filter(({ attendance }) => attendance.nobody.words.includes('-p'));
  const [program = ''] = one?.signs.programs ?? [];
  const both = [ancestor([program, '-p', 'x'], true), ancestor([program], true)];
  const isThere = (above: readonly Ancestor[]) => createAttendance('auto', () => above)(one as (typeof ASKING)[number], {}, {}, 7);
  expect([isThere(both), isThere(both.toReversed())]).toEqual([false, true]);
});
