import { expect, test } from 'vitest';
import { findByPrefix, shortIds } from '../../../../src/cli/input/id-prefix.ts';

const wanted = { what: 'ticket', code: 'unknown-ticket', list: 'hookline approvals --all' } as const;

function find(prefix: string, ...pages: readonly (readonly string[])[]): Promise<{ readonly id: string }> {
  async function* all() {
    for (const page of pages) yield page.map((id) => ({ id }));
  }
  return findByPrefix(prefix, all(), wanted);
}

test('the beginning of exactly one id finds it, on whatever page it stands', async () => {
  expect(await find('abcd2', ['abcd1', 'x'], ['abcd23'])).toEqual({ id: 'abcd23' });
});

test('a beginning that fits several is asked back, also across pages', async () => {
  await expect(find('abcd', ['abcd1'], ['abcd2'])).rejects.toMatchObject({
    problem: { exit: 1, code: 'unknown-ticket', message: '`abcd` fits 2 ids: abcd1, abcd2.' },
  });
});

test('a beginning that would fit by accident is refused', async () => {
  await expect(find('abc', ['abcd1'])).rejects.toMatchObject({ problem: { exit: 1, hint: expect.stringContaining('at least 4') } });
});

test('a misspelt id comes with the one that begins most like it', async () => {
  await expect(find('abcdef9', ['abcd1', 'abcdef12', 'zzzz'])).rejects.toMatchObject({ problem: { hint: 'Did you mean `abcdef12`?' } });
  await expect(find('nothing', ['abcd1'])).rejects.toMatchObject({ problem: { hint: '`hookline approvals --all` shows them.' } });
});

test('short ids tell apart what is shown; those that end in a counter stay whole', () => {
  const [one, two] = ['0f8fad5b-d9cb-469f-a165-70867728950e', '0f8fad5b-d9cb-5555-a165-70867728950e'];
  expect([...shortIds([one, two]).values()]).toEqual(['0f8fad5b-d9cb-4', '0f8fad5b-d9cb-5']);
  expect(shortIds([one]).get(one)).toBe('0f8fad5b-d9c');
  expect(shortIds(['mwiec5not0ub6kfyat-1']).get('mwiec5not0ub6kfyat-1')).toBe('mwiec5not0ub6kfyat-1');
});
