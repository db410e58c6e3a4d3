/** `hookline test --watch` on the built program: changes run the tests again, and an interrupt leaves no process. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { POLL } from '../../support/patience.ts';
import { livingOf } from '../../support/processes.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { hookline, programLine, WITHOUT_PERSON } from '../cli/program.ts';

const BIN = path.join(import.meta.dirname, '../../../bin/hookline.js');

const hook = (reason: string, pids: string): string => `import { appendFileSync } from 'node:fs';
import { defineHook, deny } from 'hookline/hook';
export default defineHook({ on: 'tool.before', run() { appendFileSync(${JSON.stringify(pids)}, process.pid + '\\n'); return deny('${reason}'); } });
`;
const cases = (reason: string): string =>
  `cases:\n  - name: denies\n    event: tool.before\n    tool: Bash\n    input: { command: ls }\n    expect: { decision: deny, reason: ${reason} }\n`;

test('a changed hook and a changed test run again, and an interrupt ends it without a process left', async () => {
  const workspace = createWorkspace();
  const pids = workspace.at('~/pids');
  workspace.write({ '.hookline/hooks/gate.ts': hook('one', pids), '.hookline/hooks/gate.hooktest.yaml': cases('one') });
  const { env } = programLine(workspace, []);
  const child = spawn(process.execPath, [BIN, 'test', '--watch', '--trust-all'], { cwd: workspace.root, env });
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve));
  let out = '';
  child.stdout?.on('data', (text: Buffer) => (out += text));
  const runs = (): number => out.split('Waiting for a change.').length - 1;
  const last = (): string => out.split('Waiting for a change.').at(-2) ?? '';
  await expect.poll(runs, POLL).toBeGreaterThanOrEqual(1);
  expect(last()).toContain('1 passed, 0 failed');
  workspace.write({ '.hookline/hooks/gate.ts': hook('two', pids) });
  await expect.poll(last, POLL).toContain('0 passed, 1 failed');
  workspace.write({ '.hookline/hooks/gate.hooktest.yaml': cases('two') });
  await expect.poll(last, POLL).toContain('1 passed, 0 failed');
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(livingOf(pids)).toEqual([]);
});

test.skipIf(WITHOUT_PERSON)('`q` ends it also after a question about trust', async () => {
  const workspace = createWorkspace();
  workspace.write({ '.hookline/hooks/gate.ts': hook('one', workspace.at('~/pids')), '.hookline/hooks/gate.hooktest.yaml': cases('one') });
  const typed = [
    { at: 'Trust it?', keys: 'y\n' },
    { at: 'Waiting for a change.', keys: 'q' },
  ];
  expect(await hookline(workspace, ['test', '--watch'], { terminal: true, typed })).toMatchObject({ exit: 0 });
});
