/**
 * Checks the machine: who may write to the files that decide on protection, whether the server answers, and whether shells print text of their own.
 */

import { spawnSync } from 'node:child_process';
import { type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Dialect } from '../../core/contracts/dialect.ts';
import type { Host } from '../../core/contracts/host.ts';
import { isGating } from '../../core/meaning/profile.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import type { InstalledFile } from '../../install/installed.ts';
import { askServer, HEALTH } from '../../server/client.ts';

/** Checks who may write to the files that decide on protection: a file that every user may change protects nothing. */
export function openToAll(files: readonly string[]): readonly Diagnostic[] {
  // Windows has no such bits, and reports that every user may do everything.
  if (process.platform === 'win32') return [];
  const paths = new Set(files.flatMap((file) => [file, dirname(file)]));
  return [...paths].filter(isOpen).map((file) => ({
    severity: 'error',
    code: 'open-to-all',
    file,
    message: 'Every user of this machine may change this, and so decide which hooks run.',
    hint: `Remove the right: \`chmod o-w\`.`,
  }));
}

/** In a folder with the sticky bit, a user cannot replace another user's files. */
function isOpen(path: string): boolean {
  const stat = statOf(path);
  return stat !== undefined && (stat.mode & 0o002) !== 0 && (stat.mode & 0o1000) === 0;
}

/** A path through a file, or through a folder that may not be entered, leads nowhere. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Checks that a server answers at the address of an agent's entries, and accepts their token. */
export async function examineServer({ title, entry, dialect }: Host, files: readonly InstalledFile[]): Promise<readonly Diagnostic[]> {
  const findings: Diagnostic[] = [];
  for (const { file, lines, config } of files) {
    const asked = lines.filter(({ via }) => via === 'http');
    const token = /"x-hookline-token"\s*:\s*"([^"]*)"/.exec(config?.text ?? '')?.[1] ?? '';
    const ports = new Set(asked.map(({ text }) => Number(new URL(text).port || 80)));
    for (const port of ports) {
      if (await askServer({ port, token }, HEALTH)) continue;
      const events = asked.flatMap(({ event }) => event ?? []);
      const open = events.filter((event) => gates(dialect, event) && (entry.http === false || !entry.http.blocksWhenDead(event)));
      const follows = open.length === 0 ? 'The agent blocks its actions.' : `The agent runs these without a check: ${open.join(', ')}.`;
      const message = `${title} calls http://127.0.0.1:${port}, but no server answers there that accepts its token. ${follows}`;
      const hint = 'Start `hookline serve --background`; if it runs already, install again with `--via http`.';
      findings.push({ severity: 'error', code: 'dead-entry', file, message, hint });
    }
  }
  return findings;
}

function gates({ profile }: Dialect, event: string): boolean {
  const rule = profile.events[event];
  return rule !== undefined && isGating(rule);
}

const PATIENCE_MS = 5_000;

/**
 * Checks whether the shells by which agents start Hookline's entries print something of their own. Text of a start-up file precedes the answer, and
 * most agents then read none. A denial by exit code survives that; a changed input and added context do not.
 */
export function noisyShells(env: NodeJS.ProcessEnv): readonly Diagnostic[] {
  const own = env['SHELL'];
  const shells = new Set(['/bin/sh', 'bash', ...(own?.startsWith('/') ? [own] : [])]);
  const noisy = [...shells].filter((shell) => {
    const { stdout } = spawnSync(shell, ['-c', ':'], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: PATIENCE_MS });
    return typeof stdout === 'string' && stdout !== '';
  });
  if (noisy.length === 0) return [];
  const message = `${noisy.join(' and ')} prints something at its start, before any command, so agents that start Hookline by it may read no answer.`;
  const hint =
    'Find the command that prints in `.zshenv`, or in the file that `BASH_ENV` or `ENV` names. Let it print to stderr, or only on a terminal.';
  return [{ severity: 'warning', code: 'noisy-shell', message, hint }];
}
