/** Only the agents that run an entry name the project to it. */
import { expect, test } from 'vitest';
import { HOSTS } from '../../../../src/builtins.ts';
import { AGENT_MARKERS, CALLER_VARIABLES, PROJECT_VARIABLES, projectVariablesOf } from '../../../../src/cli/input/started-by.ts';

test('the project is named by the variable of the entry’s host, and of the hosts that read its file too', () => {
  expect(projectVariablesOf('claude-code').toSorted()).toEqual(['CLAUDE_PROJECT_DIR', 'CURSOR_PROJECT_DIR']);
  expect(projectVariablesOf('cursor')).toEqual(['CURSOR_PROJECT_DIR']);
  expect(projectVariablesOf('codex')).toEqual([]);
  expect(projectVariablesOf('nobody')).toEqual([]);
});

test('every sign of a host is known wherever signs are looked for', () => {
  for (const { signs } of HOSTS) {
    expect(signs.markers.filter((name) => !Object.hasOwn(AGENT_MARKERS, name))).toEqual([]);
    expect(signs.env.filter((name) => !CALLER_VARIABLES.includes(name))).toEqual([]);
    if (signs.project !== null) expect(PROJECT_VARIABLES).toContain(signs.project);
  }
});
