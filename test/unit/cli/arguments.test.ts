import { expect, test } from 'vitest';
import {
  type Arguments,
  hasFlag,
  optionValue,
  optionValues,
  parseArguments,
  type UsageProblem,
  wantsJson,
} from '../../../src/cli/arguments.ts';
import type { CommandSpec } from '../../../src/cli/command.ts';
import { SPECS } from '../../../src/cli/commands.ts';

const spec: CommandSpec = {
  name: 'demo',
  summary: '',
  takes: '<thing>',
  words: { min: 1, max: 1, missing: 'Which thing?' },
  options: [
    { name: 'root', value: 'DIR', help: '' },
    { name: 'skills', value: 'DIR', repeatable: true, help: '' },
    { name: 'json', help: '' },
  ],
  examples: [],
};

function good(...argv: string[]): Arguments {
  const read = parseArguments(argv, spec);
  if ('message' in read) throw new Error(read.message);
  return read;
}

function bad(...argv: string[]): UsageProblem {
  const read = parseArguments(argv, spec);
  if (!('message' in read)) throw new Error('was accepted');
  return read;
}

test('a value follows its option, after a space or an equals sign', () => {
  expect(optionValue(good('x', '--root', 'a b'), 'root')).toBe('a b');
  expect(optionValue(good('--root=a=b', 'x'), 'root')).toBe('a=b');
  expect(optionValue(good('--root=', 'x'), 'root')).toBe('');
  expect(optionValue(good('x', '--root', '-'), 'root')).toBe('-');
  expect(optionValue(good('x', '--root', '-5'), 'root')).toBe('-5');
});

test('a repeatable option keeps every value in order, a switch is there or not', () => {
  const args = good('--skills', 'a', 'x', '--skills=b', '--json');
  expect(optionValues(args, 'skills')).toEqual(['a', 'b']);
  expect(hasFlag(args, 'json')).toBe(true);
  expect(hasFlag(args, 'root')).toBe(false);
  expect(optionValues(args, 'root')).toEqual([]);
});

test('what stands after -- is never an option', () => {
  expect(good('--', '--json').positionals).toEqual(['--json']);
  expect(hasFlag(good('--', '--json'), 'json')).toBe(false);
});

test('an unknown option is a problem that names the nearest one', () => {
  expect(bad('x', '--rot', 'a')).toEqual({ message: '`hookline demo` has no option `--rot`.', hint: 'Did you mean `--root`?' });
  expect(bad('x', '-r').message).toContain('-r');
  expect(bad('x', '--__proto__').message).toContain('no option');
});

test('a forgotten value, a value too much and a second value are problems', () => {
  expect(bad('x', '--root').message).toContain('needs a value');
  expect(bad('x', '--root', '--json').message).toContain('needs a value');
  expect(bad('x', '--json=yes').message).toContain('takes no value');
  expect(bad('x', '--root', 'a', '--root', 'b').message).toContain('twice');
});

test('missing and surplus words are problems', () => {
  expect(bad().message).toBe('Which thing?');
  expect(bad('x', 'y').message).toContain('`y`');
});

test('whether JSON is wanted is known even if the rest is nonsense', () => {
  expect(wantsJson(['--nonsense', '--json'])).toBe(true);
  expect(wantsJson(['x', '--', '--json'])).toBe(false);
});

test('every command explains itself: a summary, examples, and help for each option', () => {
  for (const { summary, examples, options, name } of SPECS) {
    expect(summary, name).not.toBe('');
    expect(examples.length, name).toBeGreaterThanOrEqual(2);
    for (const option of options) expect(option.help, `${name} --${option.name}`).not.toBe('');
    expect(new Set(options.map((option) => option.name)).size).toBe(options.length);
    for (const { line } of examples) expect(line.startsWith(`hookline ${name}`), line).toBe(true);
  }
});
