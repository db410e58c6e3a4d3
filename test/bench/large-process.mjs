// What a command costs as a hook of a process with a gigabyte of memory, against starting it bare there, and how long it holds the process up.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createHookline } from '../../dist/index.js';
import { inTurns, perCall, row } from './measure.mjs';
import { folder } from './sample-project.mjs';

export async function largeProcess() {
  const ballast = Buffer.alloc(1024 * 1024 * 1024, 1);
  const root = folder('root-large');
  mkdirSync(path.join(root, 'hooks/gate'), { recursive: true });
  const manifest = '[hook]\nname = "gate"\nevent = "before_tool_call"\n\n[hook.action.shell]\ncommand = "true"\n';
  writeFileSync(path.join(root, 'hooks/gate/HOOK.toml'), manifest);
  const engine = await createHookline({ root, home: folder('home-large'), trust: 'all' });
  const fire = () => engine.fire('tool.before', { tool: 'Write', input: { command: 'ls' } });
  const { hooks } = await fire();
  if (hooks[0]?.started !== 'helper') throw new Error(`the helper was not used: ${JSON.stringify(hooks)}`);
  const { medians, ratio } = await inTurns(15, { hookline: perCall(4, fire), bare: perCall(4, bareSpawn) });
  const wait = () => new Promise((resolve) => setTimeout(resolve, 5));
  const gaps = await inTurns(40, { fire: () => longestGap(fire), idle: () => longestGap(wait), bare: () => longestGap(bareSpawn) });
  await engine.close();
  if (ballast[12345] !== 1) throw new Error('there was no ballast');
  return [
    row('command `true` in a process of 1 GB', medians.hookline / 1000, 'ms'),
    row('  bare spawn of `true` there', medians.bare / 1000, 'ms'),
    row('command `true` in a process of 1 GB, against a bare spawn', ratio('hookline', 'bare'), '×', 0.15),
    // What a busy machine holds it up by is not the hook's doing.
    row('  longest the process is held up by it', Math.max(0, gaps.difference('fire', 'idle')), 'ms', 2),
    row('  by a bare spawn', Math.max(0, gaps.difference('bare', 'idle')), 'ms'),
  ];
}

/** The longest time between two turns of the event loop while something is done. */
async function longestGap(work) {
  let longest = 0;
  let last = performance.now();
  let done = false;
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!done) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  done = true;
  return longest;
}

function bareSpawn() {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', 'true']);
    child.stdin.on('error', () => {});
    child.stdin.end('{}');
    child.stdout.resume();
    child.stderr.resume();
    child.on('error', reject);
    child.on('close', resolve);
  });
}
