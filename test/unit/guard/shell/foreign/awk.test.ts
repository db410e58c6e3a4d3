/** Commands that awk builds: each way to run one × each way to build its text × each sink. Programs are only ever read here, never run. */
import { expect, test } from 'vitest';
import { guardCommand } from '../../../../../src/guard/guard.ts';

const decide = (text: string) => guardCommand(text, { cwd: '/home/ada/shop', root: '/home/ada/shop', home: '/home/ada' }).decision;

/** Ways to run the text of an expression. */
const RUNS: Readonly<Record<string, (expression: string, before: string) => string>> = {
  system: (expression, before) => `BEGIN { ${before}system(${expression}) }`,
  'system for each line': (expression, before) => `{ ${before}system(${expression}); next }`,
  getline: (expression, before) => `BEGIN { ${before}${expression} | getline line; print line }`,
  'a pipe': (expression, before) => `BEGIN { ${before}print "y" | ${expression} }`,
};
/** Ways to build the same text, with the options of awk and the statements before it. */
const BUILT: Readonly<Record<string, (head: string, tail: string) => readonly [options: string, before: string, expression: string]>> = {
  'texts next to each other': (head, tail) => ['', '', `"${head} " "${tail}"`],
  'a variable': (head, tail) => ['', `t = "${tail}"; `, `"${head} " t`],
  'a variable for all of it': (head, tail) => ['', `c = "${head} " "${tail}"; `, 'c'],
  'a variable that grows': (head, tail) => ['', `c = "${head}"; c = c " "; c = c "${tail}"; `, 'c'],
  'an option': (head, tail) => [`-v t='${tail}' `, '', `"${head} " t`],
  'an attached option': (head, tail) => [`-vt='${tail}' `, '', `"${head} " t`],
};
const SINKS = [
  ['rm -rf', '/home/ada'],
  ['rm -r', '/etc'],
  ['mkfs.ext4', '/dev/sda1'],
  ['chmod -R 777', '/'],
] as const;

for (const program of ['awk', 'gawk', 'mawk'])
  test.each(Object.entries(RUNS))(`${program} runs a command that it builds: %s`, (_, run) => {
    for (const [way, build] of Object.entries(BUILT)) {
      for (const [head, tail] of SINKS) {
        const [options, before, expression] = build(head, tail);
        const command = `${program} ${options}'${run(expression, before)}' list.txt`;
        expect([way, command, decide(command)]).toEqual([way, command, 'deny']);
      }
    }
  });

test('the environment of awk is known', () => {
  expect(decide(`awk 'BEGIN { system("rm -rf " ENVIRON["HOME"]) }'`)).toBe('deny');
  expect(decide(`awk 'BEGIN { h = ENVIRON["HOME"]; system("rm -rf " h) }'`)).toBe('deny');
});

test('texts that awk only prints, and harmless commands, are not stopped', () => {
  for (const program of [
    '{ print "rm -rf " "/" }',
    'BEGIN { c = "rm -rf /"; print c }',
    'BEGIN { system("wc -l " "out.txt") }',
    '{ print $1 | "sort" }',
  ])
    expect([program, decide(`awk -v d=/ '${program}' list.txt`)]).toEqual([program, 'none']);
});
