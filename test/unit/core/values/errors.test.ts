/** An error of this library names its code, its cause and the way out. */
import { expect, test } from 'vitest';
import { ERROR_CODES, HooklineError } from '../../../../src/core/values/errors.ts';

test('an error keeps its code, message, hint and cause', () => {
  const cause = new Error('disk');
  const error = new HooklineError('closed', 'It is closed.', { hint: 'Open it.', cause });
  expect(error).toBeInstanceOf(Error);
  expect({ ...error, message: error.message }).toEqual({
    name: 'HooklineError',
    code: 'closed',
    hint: 'Open it.',
    message: 'It is closed.',
  });
  expect(error.cause).toBe(cause);
});

test('an error without a cause has no such field', () => {
  const error = new HooklineError('closed', 'It is closed.');
  expect(error.hint).toBeUndefined();
  expect(Object.hasOwn(error, 'cause')).toBe(false);
});

test('every code is explained in a sentence of its own', () => {
  const sentences = Object.values(ERROR_CODES);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].{15,}\.$/);
  expect(new Set(sentences).size).toBe(sentences.length);
});
