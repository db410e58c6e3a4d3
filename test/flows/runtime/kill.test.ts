/** A parked turn survives the death of its process: another one continues it, and the approved tool runs once. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Turn } from '../../../src/agent.ts';
import { createWorkspace } from '../../support/workspace.ts';

const SCRIPT = path.join(import.meta.dirname, 'agent-process.mjs');
const run = promisify(execFile);

interface Report {
  readonly turn: Turn;
  readonly prompts: readonly unknown[];
  readonly fired: readonly string[];
}

test.each(['files', 'sqlite'])(
  'kill -9 while a turn is parked in %s: another process continues it, and the approved tool runs once',
  async (keeps) => {
    const folder = path.dirname(createWorkspace().root);
    const deployed = (): string => (existsSync(path.join(folder, 'deployed')) ? readFileSync(path.join(folder, 'deployed'), 'utf8') : '');
    const first = spawn(process.execPath, [SCRIPT, 'park', folder, keeps], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void first.kill('SIGKILL'));
    const { turn } = JSON.parse(await firstLine(first)) as Report;
    expect(turn).toMatchObject({ status: 'parked', saved: true, held: [{ tool: 'deploy', input: { to: 'production' } }] });
    const dead = new Promise((resolve) => first.once('exit', (_, signal) => resolve(signal)));
    first.kill('SIGKILL');
    expect(await dead).toBe('SIGKILL');

    // No one has decided yet: another process finds the turn and leaves it as it is.
    expect((await perform('resume', folder, keeps)).turn).toMatchObject({ status: 'parked', held: [{ ticket: turn.held[0]?.ticket }] });
    expect(deployed()).toBe('');

    await perform('approve', folder);
    const resumed = await perform('resume', folder, keeps);
    expect(resumed.turn).toMatchObject({ status: 'done', text: 'deployed', steps: 1 });
    expect(deployed()).toBe('production\n');
    expect(JSON.stringify(resumed.prompts)).toContain('Deploy it.');
    // The way in of the message is not taken again.
    for (const kind of ['message.received', 'prompt.submit', 'turn.before']) expect(resumed.fired).not.toContain(kind);

    await expect(perform('resume', folder, keeps)).rejects.toThrow('no turn that waits');
    expect(deployed()).toBe('production\n');
  },
);

test('kill -9 while the approved tool runs: it is not run again', async () => {
  const folder = path.dirname(createWorkspace().root);
  const started = (what: string): ChildProcess => {
    const child = spawn(process.execPath, [SCRIPT, what, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const killed = async (child: ChildProcess): Promise<void> => {
    const dead = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await dead;
  };
  const first = started('park');
  await firstLine(first);
  await killed(first);
  await perform('approve', folder);
  const second = started('hang');
  expect(await firstLine(second)).toBe('hangs');
  await killed(second);
  const { turn, prompts } = await perform('resume', folder);
  expect(turn).toMatchObject({ status: 'done' });
  expect(JSON.stringify(prompts)).toContain('did not run');
  expect(readFileSync(path.join(folder, 'deployed'), 'utf8')).toBe('production\n');
});

async function perform(what: string, folder: string, keeps = 'files'): Promise<Report> {
  const { stdout } = await run(process.execPath, [SCRIPT, what, folder, keeps], { maxBuffer: 2 ** 24 });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Report;
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += String(chunk);
      if (text.includes('\n')) resolve(text.split('\n', 1)[0] ?? '');
    });
    child.once('exit', () => reject(new Error(`The process ended without a line: ${text}`)));
  });
}
