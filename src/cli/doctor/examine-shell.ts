/**
 * Whether the shells by which agents start our entries print something of their own. What a start-up file prints stands before our answer,
 * and most agents then read none: a refusal by exit code survives that, a changed input and added context do not.
 */
import { spawnSync } from 'node:child_process';
import type { Diagnostic } from '../../core/diagnostic.ts';

const PATIENCE_MS = 5_000;

export function noisyShells(env: NodeJS.ProcessEnv): readonly Diagnostic[] {
  const own = env['SHELL'];
  const shells = new Set(['/bin/sh', 'bash', ...(own?.startsWith('/') ? [own] : [])]);
  const noisy = [...shells].filter((shell) => {
    const { stdout } = spawnSync(shell, ['-c', ':'], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: PATIENCE_MS });
    return typeof stdout === 'string' && stdout !== '';
  });
  if (noisy.length === 0) return [];
  const message = `${noisy.join(' and ')} prints something at its start, before any command: agents that start our entry by it may read no answer.`;
  const hint =
    'Look for what prints in `.zshenv`, or in the file that `BASH_ENV` or `ENV` names; let it print to stderr, or only on a terminal.';
  return [{ severity: 'warning', code: 'noisy-shell', message, hint }];
}
