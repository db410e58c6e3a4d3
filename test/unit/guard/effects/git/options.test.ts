import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readOptions } from '../../../../../src/guard/effects/git/options.ts';
import { UNKNOWN } from '../../../../../src/guard/shell/marks.ts';

const read = (text: string) => {
  const [subcommand = '', ...args] = text.split(' ');
  return readOptions(subcommand, args);
};

test('a beginning of a long option counts if only one option has it', () => {
  expect(read('reset --har').has('hard')).toBe(true);
  expect(read('reset --m').has('merge')).toBe(false);
  expect(read('gc --p=now').value('prune')).toBe('now');
  expect(read('push --force-w').has('force')).toBe(false);
});

test('letters stand together, and the first that takes a value ends them', () => {
  expect(read('clean -qdf').has('force')).toBe(true);
  expect(read('checkout -bf').value('b')).toBe('f');
  expect(read('checkout -bf').has('force')).toBe(false);
  expect(read('clean -e f').has('force')).toBe(false);
});

test('the last of an option and its negation wins', () => {
  expect(read('rm --force --no-force').has('force')).toBe(false);
  expect(read('rm --no-force -f').has('force')).toBe(true);
  expect(read('commit -n').given).toEqual([{ name: 'verify', on: false }]);
});

test('after two dashes everything is an operand', () => {
  expect(read('checkout main -- -f')).toMatchObject({ operands: ['main', '-f'], dashes: 1, given: [] });
});

test('an option that takes a value takes the next word whatever it looks like', () => {
  const options = read('restore --source --staged x');
  expect(options.value('source')).toBe('--staged');
  expect(options.has('staged')).toBe(false);
});

test('an option that is known in part may be any that fits, and none of them makes a command harmless', () => {
  const options = readOptions('clean', [`-${UNKNOWN}`]);
  expect([options.partial, options.has('force'), options.sure('dry-run')]).toEqual([true, true, false]);
  expect(readOptions('reset', [`--s${UNKNOWN}`]).has('hard')).toBe(false);
  expect(readOptions('log', [`--format=${UNKNOWN}`]).partial).toBe(false);
});

test('any words at all are read without a fault', () => {
  const words = fc.array(fc.oneof(fc.constantFrom('-f', '--', '--force', '-e', '--no-x', `-${UNKNOWN}`, '-'), fc.string()));
  fc.assert(
    fc.property(fc.constantFrom('checkout', 'push', 'clean', 'no-such'), words, (subcommand, args) => {
      const { operands, given } = readOptions(subcommand, args);
      expect(operands.length).toBeLessThanOrEqual(args.length);
      expect(given.every(({ name }) => typeof name === 'string')).toBe(true);
    }),
  );
});
