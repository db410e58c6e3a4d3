/** Version managers: a shell sources their files by the variable that they set. */
import { expect, test } from 'vitest';
import { guardCommand } from '../../../../../src/guard/guard.ts';
import { MANAGERS } from '../../../../../src/guard/shell/programs/managers.ts';

const FILES = Object.entries(MANAGERS).flatMap(([variable, files]) => files.map((file) => [variable, file] as const));

function each(commands: readonly string[], decision: string): void {
  for (const command of commands) expect({ command, decision: guardCommand(command).decision }).toEqual({ command, decision });
}

test('a version manager is sourced from its own variable without an objection', () => {
  for (const [variable, file] of FILES)
    each(
      [
        `. "$${variable}/${file}"`,
        `source "\${${variable}}/${file}"`,
        `[ -s "$${variable}/${file}" ] && \\. "$${variable}/${file}"`,
        `bash -lc 'source $${variable}/${file} && node -v'`,
      ],
      'none',
    );
});

test('another variable, another file, a way out of the folder, and a variable that the command sets ask', () => {
  for (const [variable, file] of FILES)
    each(
      [
        `. "$OTHER/${file}"`,
        `. "$${variable}/other-${file}"`,
        `. "$${variable}/../${file}"`,
        `. "$${variable}"`,
        `. "$${variable}$X/${file}"`,
        `${variable}=$X; . "$${variable}/${file}"`,
        `bash "$${variable}/${file}"`,
      ],
      'ask',
    );
});
