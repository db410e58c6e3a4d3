import { expect, test } from 'vitest';
import { inShapeOf } from '../../../../src/agents/claude-code/encode-reply.ts';

const BASH = { stdout: 'key: abc', stderr: 'abc', interrupted: false, isImage: false };

test('what has the shape of the result is said as it is, and so is anything where the result is not known', () => {
  expect(inShapeOf(undefined, { any: 1 })).toEqual({ any: 1 });
  expect(inShapeOf('abc', 'x')).toBe('x');
  expect(inShapeOf(BASH, { ...BASH, stdout: 'x' })).toEqual({ ...BASH, stdout: 'x' });
  expect(inShapeOf([{ type: 'text', text: 'abc' }], [])).toEqual([]);
});

test('a text goes where the result has its text, and nothing of the original stays beside it', () => {
  expect(inShapeOf(BASH, 'x')).toEqual({ ...BASH, stdout: 'x', stderr: '' });
  expect(inShapeOf({ type: 'text', file: { filePath: 'a', content: 'abc' } }, 'x')).toEqual({
    type: 'text',
    file: { filePath: 'a', content: 'x' },
  });
  expect(inShapeOf([{ type: 'text', text: 'abc' }], 'x')).toEqual([{ type: 'text', text: 'x' }]);
  expect(inShapeOf({ content: [{ type: 'text', text: 'abc' }], id: 1 }, 'x')).toEqual({ content: [{ type: 'text', text: 'x' }], id: 1 });
  expect(inShapeOf({ url: 'u', result: 'abc' }, 'x')).toEqual({ url: 'u', result: 'x' });
});

test('what the agent would ignore is not said', () => {
  expect(inShapeOf(BASH, { stdout: 'x' })).toBeUndefined();
  expect(inShapeOf({ rows: 3 }, 'x')).toBeUndefined();
  expect(inShapeOf('abc', { text: 'x' })).toBeUndefined();
});
