/** Performs the jobs of the adapter contract in processes: each starts the adapter's script with the job and reads its report. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import type { AdapterJob, AdapterReport, AdapterUnderTest } from '../../src/api/testing/index.ts';

/**
 * Must be called where tests are described. The folders are removed after them.
 * @param script prints the report of the job in its first argument on the last line of stdout
 * @param node the program that runs it
 */
export function inProcesses(script: string, node: string = process.execPath): Pick<AdapterUnderTest, 'perform' | 'newFolder'> {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'hookline-adapter-')));
  afterAll(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
  return {
    newFolder() {
      const folder = mkdtempSync(path.join(base, 'law-'));
      for (const name of ['project', 'home']) mkdirSync(path.join(folder, name));
      return folder;
    },
    perform: (job) => perform(node, script, job),
  };
}

function perform(node: string, script: string, job: AdapterJob): Promise<AdapterReport> {
  const { PATH, LANG } = process.env;
  const env = { PATH, LANG, HOME: path.join(job.folder, 'home') };
  return new Promise((resolve, reject) => {
    const child = execFile(node, [script, JSON.stringify(job)], { env, maxBuffer: 2 ** 26, timeout: 300_000 }, (error, stdout, stderr) => {
      const last = stdout.trimEnd().split('\n').at(-1) ?? '';
      if (error || !last.startsWith('{')) reject(new Error(`${script} failed: ${error?.message ?? ''}\n${stderr}\n${stdout}`));
      else resolve(JSON.parse(last));
    });
    child.stdin?.end();
  });
}
