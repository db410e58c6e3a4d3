/** `close` waits for the hooks that run, or ends them, as its option says. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { until } from '../../support/patience.ts';
import { createWorkspace } from '../../support/workspace.ts';

const CALL = { tool: 'Bash', input: { command: 'ls' } };

/** A gate that says that it runs, waits, and says that it ends. */
async function running(seconds: number) {
  const workspace = createWorkspace();
  const script = `#!/bin/sh\necho > '${workspace.at('begun')}'\nsleep ${seconds}\necho > '${workspace.at('ended')}'\n`;
  workspace.write({
    '.agents/hooks/gate/HOOK.md': '---\nname: gate\ndescription: A gate.\ntrigger: before_tool\n---\n',
    '.agents/hooks/gate/scripts/run.sh': script,
  });
  const hookline = await workspace.open();
  const outcome = hookline.fire('tool.before', CALL);
  await until(() => existsSync(workspace.at('begun')));
  return { hookline, outcome, hasEnded: () => existsSync(workspace.at('ended')) };
}

test('close with a deadline ends a hook that runs for longer, and its action is denied', async () => {
  const { hookline, outcome, hasEnded } = await running(25);
  expect(await hookline.close(10)).toEqual({ unsettled: ['gate'] });
  expect((await outcome).decision).toBe('deny');
  expect(hasEnded()).toBe(false);
});

test('close waits for a hook that ends within the deadline', async () => {
  const { hookline, outcome, hasEnded } = await running(1);
  expect(await hookline.close(600_000)).toEqual({ unsettled: [] });
  expect([(await outcome).decision, hasEnded()]).toEqual(['pass', true]);
});

test("close with `running: 'wait'` waits for a hook beyond the deadline", async () => {
  const { hookline, outcome, hasEnded } = await running(1);
  expect(await hookline.close({ deadlineMs: 0, running: 'wait' })).toEqual({ unsettled: [] });
  expect([(await outcome).decision, hasEnded()]).toEqual(['pass', true]);
});
