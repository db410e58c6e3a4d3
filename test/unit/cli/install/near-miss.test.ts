/** A name that is almost that of an agent gets a suggestion, and help names all of them. */
import { expect, test } from 'vitest';
import { HOSTS } from '../../../../src/builtins.ts';
import { CommandError } from '../../../../src/cli/command.ts';
import { page } from '../../../../src/cli/help.ts';
import { installSpec, uninstallSpec } from '../../../../src/cli/install/install.ts';
import { hostNamed } from '../../../../src/cli/install/task.ts';
import { createStyle } from '../../../../src/cli/print/style.ts';

const IDS = HOSTS.map(({ id }) => id);

function hintFor(name: string): string | undefined {
  try {
    return hostNamed(name).id;
  } catch (error) {
    return error instanceof CommandError ? error.problem.hint : undefined;
  }
}

test.each(HOSTS)('$id: misspelt, or by the name of the product or of its program', ({ id, title, signs }) => {
  const names = [
    title,
    title.toUpperCase(),
    id.slice(0, -1),
    `${id}x`,
    `${id.slice(0, 2)}${id.slice(3)}`,
    id.replaceAll('-', '_'),
    ...signs.programs,
  ];
  for (const name of names.filter((one) => !IDS.includes(one))) expect(hintFor(name), name).toBe(`Did you mean \`${id}\`?`);
});

test('a name that is like none gets the list', () => {
  for (const name of ['xyz', 'q', '', 'emacs-plugin']) expect(hintFor(name), name).toBe(`Known: ${IDS.join(', ')}.`);
});

test.each([installSpec, uninstallSpec])('the help of $name names every agent', (spec) => {
  const text = page(spec, createStyle({ colour: false, columns: 80 }));
  for (const id of IDS) expect(text).toMatch(new RegExp(`\\b${id}\\b`));
  for (const id of IDS) expect(spec.words.missing).toContain(id);
});
