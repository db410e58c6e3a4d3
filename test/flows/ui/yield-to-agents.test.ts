/** The dashboard takes little of the processor while it follows agents: no thread of it has their priority, and it compiles no hot code. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../../../src/stores/sqlite/index.ts';
import { openViews } from '../../../src/views/open-views.ts';
import { until } from '../../support/patience.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { programLine } from '../cli/program.ts';
import { busyEntry } from '../views/sample-log.ts';
import { appendMany } from '../views/scene.ts';
import { openProgram } from './program.ts';

test('a dashboard that has caught up compiles nothing anew, however many entries follow', async () => {
  const workspace = createWorkspace();
  const url = `sqlite:${workspace.at('~/log.db')}`;
  const store = await openSqliteStore(workspace.at('~/log.db'));
  const write = async (from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n += 500) await appendMany(store, n, n + 500, busyEntry);
  };
  await write(0, 5000);
  const { args, env } = programLine(workspace, ['ui', '--json', '--store', url]);
  const child = spawn(process.execPath, ['--trace-opt', ...args.slice(args.indexOf('ui') - 1)], { cwd: workspace.root, env });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    said += part;
  });
  await until(() => said.includes('"url"'));
  const views = await openViews(url, store.log);
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
    await views.close();
    await store.close();
  });
  const compiled = (): number => said.match(/\[completed (optimizing|compiling)/g)?.length ?? 0;
  const hasRead = (count: number) => until(async () => (await views.progress()).pos >= count);
  await hasRead(5000);
  const before = compiled();
  expect(before).toBeGreaterThan(0);
  // What is being compiled at this moment is finished first.
  for (let known = -1; known < compiled(); await sleep(500)) known = compiled();
  const [after, rest] = [compiled(), said.length];
  await write(5000, 25_000);
  await hasRead(25_000);
  expect(compiled() - after, said.slice(rest)).toBe(0);
});

test.runIf(process.platform === 'linux')('each thread of the dashboard has a lower priority than agents', async () => {
  const { shown } = await openProgram(createWorkspace());
  const threads = readdirSync(`/proc/${shown.pid}/task`).map((id) => readFileSync(`/proc/${shown.pid}/task/${id}/stat`, 'latin1'));
  const priorities = threads.map((text) => Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[NICE]));
  expect(priorities.length).toBeGreaterThan(4);
  expect([...new Set(priorities)]).toEqual([constants.priority.PRIORITY_BELOW_NORMAL]);
});

/** Its place after the name of a thread, in what Linux tells of it. */
const NICE = 16;
