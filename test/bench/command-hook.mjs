// What a command costs as a hook, against starting the same command bare.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHookline } from '../../dist/index.js';
import { inTurns, perCall, row } from './measure.mjs';
import { folder } from './sample-project.mjs';

const PAUSE_MS = 20;

export async function commandHook() {
  const small = await compare('true', { command: 'ls' }, 40, 8);
  const apart = await compare('true', { command: 'ls' }, 20, 8, PAUSE_MS);
  const large = await compare('cat > /dev/null', { content: 'x'.repeat(1024 * 1024) }, 30, 5);
  return [
    row('command `true`', small.medians.hookline / 1000, 'ms'),
    row('  bare spawn of `true`', small.medians.bare / 1000, 'ms'),
    row('command `true`, against a bare spawn', small.ratio('hookline', 'bare'), '×', 0.7),
    row(`command \`true\`, ${PAUSE_MS} ms after the last one`, apart.medians.hookline / 1000, 'ms'),
    row('  bare spawn of `true` after as long', apart.medians.bare / 1000, 'ms'),
    row(`command \`true\`, ${PAUSE_MS} ms after the last one, against a bare spawn`, apart.ratio('hookline', 'bare'), '×', 1),
    row('command that reads 1 MB', large.medians.hookline / 1000, 'ms'),
    row('  bare spawn that is fed 1 MB', large.medians.bare / 1000, 'ms'),
    row('command that reads 1 MB, against a bare spawn', large.ratio('hookline', 'bare'), '×', 1),
  ];
}

/** @param pauseMs before each call, off the clock: agents do not call one hook right after the other */
async function compare(command, input, rounds, calls, pauseMs = 0) {
  const root = folder(`root-${command.slice(0, 3)}`);
  mkdirSync(path.join(root, 'hooks/gate'), { recursive: true });
  const manifest = `[hook]\nname = "gate"\nevent = "before_tool_call"\n\n[hook.action.shell]\ncommand = "${command}"\n`;
  writeFileSync(path.join(root, 'hooks/gate/HOOK.toml'), manifest);
  const engine = await createHookline({ root, home: folder('home-command'), trust: 'all' });
  const payload = { tool: 'Write', input };
  const { hooks } = await engine.fire('tool.before', payload);
  if (hooks[0]?.status !== 'answered') throw new Error(`the hook was not run: ${JSON.stringify(hooks)}`);
  // As in a server: the launcher is there after the first hooks.
  for (let i = 0; i < 20; i++) await engine.fire('tool.before', payload);
  const timed = pauseMs === 0 ? perCall : (times, run) => perPausedCall(times, run, pauseMs);
  const result = await inTurns(rounds, {
    hookline: timed(calls, () => engine.fire('tool.before', payload)),
    bare: timed(calls, () => bareSpawn(command, payload)),
  });
  await engine.close();
  return result;
}

function perPausedCall(calls, run, pauseMs) {
  return async () => {
    let took = 0;
    for (let i = 0; i < calls; i++) {
      await sleep(pauseMs);
      const start = performance.now();
      await run();
      took += performance.now() - start;
    }
    return (took * 1000) / calls;
  };
}

/** As one would write it: feed it, collect what it says, wait for the end. */
function bareSpawn(command, payload) {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command]);
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.stdin.on('error', () => {}); // a command that does not read its stdin is fine
    child.stdin.end(JSON.stringify(payload));
    child.on('error', reject);
    child.on('close', resolve);
  });
}
