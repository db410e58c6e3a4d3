import { expect, test } from 'vitest';
import { heldText, refusalText, withContext } from '../../../../src/sdk/kit/texts.ts';

test('context is added to a result as text, and a result without context stays the same value', () => {
  const result = { lines: 3 };
  expect(withContext(result, [])).toBe(result);
  expect(withContext('ok', ['one', 'two'])).toBe('ok\n\none\n\ntwo');
  expect(withContext(result, ['one'])).toBe('{"lines":3}\n\none');
  expect(withContext(undefined, ['one'])).toBe('one');
});

test.each([
  ['No deploys', 'Reason: No deploys. Do'],
  ['No deploys!', 'Reason: No deploys! Do'],
  ['Did you mean `x`?', 'Reason: Did you mean `x`? Do'],
])('the reason `%s` ends before the next sentence begins', (reason, shown) => {
  for (const text of [refusalText(reason), heldText('t1', reason)]) expect(text).toContain(shown);
});
