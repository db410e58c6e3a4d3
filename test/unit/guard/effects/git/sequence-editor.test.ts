/** A rebase whose list only says how commits are kept passes, and one whose list can run something asks. No command is run. */
import { expect, test } from 'vitest';
import { guardCommand } from '../../../../../src/guard/guard.ts';

const KEEPS = ['e', 'r', 's', 'f', 'edit', 'reword', 'squash', 'fixup'];
const decide = (editor: string, name = 'GIT_SEQUENCE_EDITOR') =>
  guardCommand(`${name}=${editor} git rebase -i HEAD~3`, { home: '/home/ada' }).decision;

test.each(KEEPS)('the list may say %s instead of pick', (kept) => {
  for (const editor of [
    `"sed -i '2s/^pick/${kept}/'"`,
    `"sed -i.bak -E -e 's/^pick 4f3a2b1/${kept} 4f3a2b1/'"`,
    `"sed -i '2s/pick/${kept}/;3s/pick/${kept}/'"`,
    `'sed -i "1s|pick|${kept}|"'`,
  ])
    expect([editor, decide(editor)]).toEqual([editor, 'none']);
});

test.each([
  `"sed -i '1i exec make'"`,
  `"sed -i 's/pick/exec make;/'"`,
  `"sed -i 's/^pick/edit/e'"`,
  `"sed -i 's/^pick/drop/'"`,
  `"sed -i 's/^pick/edit/' notes.txt"`,
  `"sed -i 's/^pick/edit/'; make"`,
  `'sed -i s|pick|e|'`,
  `'sed -i "2,$s/pick/fixup/"'`,
  `"./sed -i 's/^pick/edit/'"`,
  'vim',
])('every other program of the list asks: %s', (editor) => expect(decide(editor)).not.toBe('none'));

test('the editor of messages may not change their text by a program', () =>
  expect(decide(`"sed -i 's/^pick/edit/'"`, 'GIT_EDITOR')).toBe('ask'));
