/**
 * Starts the program once as the agent will, so that the agent's first event finds the code cache filled. No hook of the user is run:
 * the home is an empty one with sample hooks that do not apply.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Host } from '../../core/contracts/host.ts';
import type { HookEvent } from '../../core/event/event.ts';

/** One hook of each of the two formats that most people use. */
const SAMPLES: Readonly<Record<string, string>> = {
  '.claude/settings.json': '{ "hooks": { "PreToolUse": [{ "matcher": "Write", "hooks": [{ "type": "command", "command": "true" }] }] } }',
  '.config/agents/hooks/sample/HOOK.md':
    '---\nname: sample\ndescription: Applies to nothing.\ntrigger: before_tool\nmatcher:\n  tool: Write\n---\n',
  '.config/agents/hooks/sample/scripts/run.sh': '#!/bin/sh\n',
};
const PATIENCE_MS = 10_000;

export interface WarmUp {
  readonly host: Host;
  readonly stateFolder: string;
  /** The script that this process runs. */
  readonly script: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Settles once the program has run. A failure changes nothing but the time that the first event takes. */
export async function warmUp({ host, stateFolder, script, env }: WarmUp): Promise<void> {
  const home = mkdtempSync(path.join(tmpdir(), 'hookline-warm-up-'));
  try {
    mkdirSync(path.join(stateFolder, 'hookline'), { recursive: true, mode: 0o700 });
    for (const [file, text] of Object.entries(SAMPLES)) {
      mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
      writeFileSync(path.join(home, file), text);
    }
    // Nothing else: a variable that moves an agent's folder would lead to hooks of the user.
    const { PATH, TMPDIR, NODE_DISABLE_COMPILE_CACHE } = env;
    const own = { PATH, TMPDIR, NODE_DISABLE_COMPILE_CACHE, HOME: home, XDG_STATE_HOME: stateFolder };
    const start = (argv: readonly string[], input: string) => run([script, ...argv], input, home, own);
    const [event, payload] = sampleCall(host, home);
    await Promise.all([
      start(['hook', host.id, event], payload),
      start(['guard'], '{"tool":"Bash","input":{"command":"git status | grep modified"}}'),
    ]);
  } catch {
    // A folder that cannot be written leaves the first event as slow as it would be without a cache.
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The use of a tool that no hook applies to; where the agent has no such event, the first of its events. */
function sampleCall({ entry, dialect }: Host, cwd: string): [event: string, payload: string] {
  const isGate = (event: string): boolean => dialect.profile.events[event]?.kinds.includes('tool.before') === true;
  const native = entry.events.find(isGate) ?? (entry.events[0] as string);
  const data = { tool: 'Read', input: { file_path: 'README.md' }, toolUseId: 'hookline-warm-up' };
  const event: HookEvent = {
    id: 'hookline-warm-up',
    kind: 'tool.before',
    at: new Date().toISOString(),
    session: { id: 'warm-up', cwd },
    data,
  };
  return [native, JSON.stringify(dialect.wire.encodeEvent(event, native))];
}

function run(line: readonly string[], input: string, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, line, { cwd, env, stdio: ['pipe', 'ignore', 'ignore'], timeout: PATIENCE_MS });
    child.stdin?.on('error', () => {}).end(input);
    child.once('error', () => resolve()).once('close', () => resolve());
  });
}
