import { expect, test } from 'vitest';
import { createStyle, wantsColour } from '../../../../src/cli/print/style.ts';

test('colours need a terminal, and give way to NO_COLOR', () => {
  expect(wantsColour({}, true)).toBe(true);
  expect(wantsColour({}, false)).toBe(false);
  expect(wantsColour({ NO_COLOR: '1' }, true)).toBe(false);
  expect(wantsColour({ NO_COLOR: '' }, true)).toBe(true);
  expect(wantsColour({ TERM: 'dumb' }, true)).toBe(false);
});

test('FORCE_COLOR wins over everything', () => {
  expect(wantsColour({ FORCE_COLOR: '1', NO_COLOR: '1' }, false)).toBe(true);
  expect(wantsColour({ FORCE_COLOR: '0' }, true)).toBe(false);
});

test('without colour nothing is added to a text', () => {
  const style = createStyle({ colour: false, columns: 80 });
  expect(style.red(style.bold('no'))).toBe('no');
  expect(createStyle({ colour: true, columns: 80 }).red('no')).toBe('\x1b[31mno\x1b[39m');
});
