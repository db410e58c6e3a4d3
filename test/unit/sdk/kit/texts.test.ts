import { expect, test } from 'vitest';
import { withContext } from '../../../../src/sdk/kit/texts.ts';

test('context is added to a result as text, and a result without context stays the same value', () => {
  const result = { lines: 3 };
  expect(withContext(result, [])).toBe(result);
  expect(withContext('ok', ['one', 'two'])).toBe('ok\n\none\n\ntwo');
  expect(withContext(result, ['one'])).toBe('{"lines":3}\n\none');
  expect(withContext(undefined, ['one'])).toBe('one');
});
