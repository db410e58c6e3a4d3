/** A relative path means the same to `check` and to the hook that runs. */
import { expect, test } from 'vitest';
import { createWorkspace } from '../../support/workspace.ts';
import { hookline, skill } from './program.ts';

const SCRIPT = '#!/bin/sh\necho no >&2\nexit 2\n';
const FIRE = ['fire', 'tool.before', '--tool', 'Bash', '--input', '{}', '--trust-all'];

test.each([
  ['in the folder in which the hook runs', 'scripts/c.sh', 2, false],
  ["in the skill's own folder alone", 'skills/guard/scripts/c.sh', 0, true],
])('a script %s', async (_, place, exit, isMissing) => {
  const workspace = createWorkspace({ ...skill('./scripts/c.sh'), [place]: SCRIPT });
  expect((await hookline(workspace, FIRE)).exit).toBe(exit);
  expect((await hookline(workspace, ['check', '--json'])).stdout.includes('missing-script')).toBe(isMissing);
});
