// What a command costs as a hook, against starting the same command bare.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createHookline } from '../../dist/index.js';
import { inTurns, perCall, row } from './measure.mjs';
import { folder } from './sample-project.mjs';

export async function commandHook() {
  const small = await compare('true', { command: 'ls' }, 40, 8);
  const large = await compare('cat > /dev/null', { content: 'x'.repeat(1024 * 1024) }, 30, 5);
  return [
    row('command `true`', small.medians.hookline / 1000, 'ms'),
    row('  bare spawn of `true`', small.medians.bare / 1000, 'ms'),
    row('command `true`, against a bare spawn', small.ratio('hookline', 'bare'), '×', 0.7),
    row('command that reads 1 MB', large.medians.hookline / 1000, 'ms'),
    row('  bare spawn that is fed 1 MB', large.medians.bare / 1000, 'ms'),
    row('command that reads 1 MB, against a bare spawn', large.ratio('hookline', 'bare'), '×', 1),
  ];
}

async function compare(command, input, rounds, calls) {
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
  const result = await inTurns(rounds, {
    hookline: perCall(calls, () => engine.fire('tool.before', payload)),
    bare: perCall(calls, () => bareSpawn(command, payload)),
  });
  await engine.close();
  return result;
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
