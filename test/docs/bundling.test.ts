/** The page about bundling has the rows that are tested. */
import { test } from 'vitest';
import { BUNDLERS } from '../bundlers/bundlers.ts';
import { expectTable } from './tables.ts';

test.each([
  ['The recommended way', true],
  ['Bundling it', false],
])('%s has every bundler and setting that is tested', (heading, isExternal) => {
  const rows = BUNDLERS.filter((bundler) => (bundler.isExternal ?? false) === isExternal).map(rowOf);
  expectTable('docs/bundling.md', heading, rows, ['bundler', 'setting', 'version']);
});

const rowOf = ({ name, setting, version }: (typeof BUNDLERS)[number]): string[] => [`\`${name}\``, setting, version];
