/** The tools of `hookline agent` on real files and processes. */
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { jsonSchema } from 'ai';
import { describe, expect, test } from 'vitest';
import { projectTools } from '../../../../src/cli/agent/project-tools.ts';
import { runCommand } from '../../../../src/cli/agent/run-command.ts';
import { until } from '../../../support/patience.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

async function use(workspace: Workspace, tool: string, input: object): Promise<unknown> {
  const { execute } = projectTools(workspace.root, jsonSchema)[tool] ?? {};
  return execute?.(input as never, { toolCallId: 'c', messages: [] } as never);
}

test('a file is written with its folders, and read again', async () => {
  const workspace = createWorkspace();
  expect(await use(workspace, 'Write', { file_path: 'a/b.txt', content: 'grüß' })).toBe('Wrote 6 bytes to a/b.txt.');
  expect(await use(workspace, 'Read', { file_path: './a/../a/b.txt' })).toBe('grüß');
});

test('a file outside of the project is neither read nor written, by no way to name it', async () => {
  const workspace = createWorkspace({ '~/secret.txt': 'secret' });
  symlinkSync(workspace.home, workspace.at('link'));
  symlinkSync(workspace.at('~/new.txt'), workspace.at('dangling'));
  for (const file_path of ['../home/secret.txt', workspace.at('~/secret.txt'), 'link/secret.txt', '.', '..', '']) {
    await expect(use(workspace, 'Read', { file_path })).rejects.toThrow('is not a file of the project');
    await expect(use(workspace, 'Write', { file_path, content: 'x' })).rejects.toThrow('is not a file of the project');
  }
  await expect(use(workspace, 'Write', { file_path: 'link/new.txt', content: 'x' })).rejects.toThrow('is not a file of the project');
  await expect(use(workspace, 'Write', { file_path: 'dangling', content: 'x' })).rejects.toThrow('is not a file of the project');
  expect([existsSync(workspace.at('~/new.txt')), readFileSync(workspace.at('~/secret.txt'), 'utf8')]).toEqual([false, 'secret']);
});

test('a long text keeps its beginning and its end, and says how much is left out', async () => {
  const workspace = createWorkspace({ 'long.txt': `begin${'x'.repeat(60_000)}end` });
  const text = String(await use(workspace, 'Read', { file_path: 'long.txt' }));
  expect(text).toMatch(/^begin[\s\S]*\(10008 characters are left out\.\)[\s\S]*end$/);
});

describe('a command', () => {
  test('has its output and its exit code', async () => {
    const workspace = createWorkspace({ 'a.txt': '' });
    expect(await use(workspace, 'Bash', { command: 'ls' })).toBe('a.txt');
    expect(await use(workspace, 'Bash', { command: 'echo out; echo err >&2; exit 3' })).toMatch(/out[\s\S]*err[\s\S]*\(exit code 3\)$/);
    expect(await use(workspace, 'Bash', { command: 'kill -9 $$' })).toBe('(ended by SIGKILL)');
  });

  test('that is aborted ends with everything that it started', async () => {
    const workspace = createWorkspace();
    const stop = new AbortController();
    const running = runCommand('(sleep 600; touch late) & echo $! > child; wait', workspace.root, stop.signal);
    const ended = expect(running).rejects.toThrow('enough');
    await until(() => existsSync(workspace.at('child')) && readFileSync(workspace.at('child'), 'utf8').endsWith('\n'));
    const child = Number(readFileSync(workspace.at('child'), 'utf8'));
    stop.abort(new Error('enough'));
    await ended;
    await until(() => isGone(child));
  });

  test('that prints without an end is ended', async () => {
    const { output, end } = await runCommand('yes', createWorkspace().root);
    expect(end).toBe('(ended: it printed more than 4000000 bytes)');
    expect(output.length).toBeLessThanOrEqual(4_000_000);
  });
});

function isGone(pid: number): boolean {
  try {
    // A process that ended and that no parent has waited for is no longer running.
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return !existsSync('/proc/self') || !existsSync(`/proc/${pid}`);
  }
}
