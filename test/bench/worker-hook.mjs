// What a hook in TypeScript costs: in a worker that is kept, against starting a command; and with no server, against a HOOK.md.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createHookline } from '../../dist/index.js';
import { nodes } from './from-npm.mjs';
import { inTurns, perCall, row } from './measure.mjs';
import { program, run } from './process-cost.mjs';
import { folder } from './sample-project.mjs';

const HOOK = `import { defineHook, deny } from 'hookline/hook';

export default defineHook({
  on: 'tool.before',
  match: { tool: 'Bash' },
  run(event) {
    const { command } = event.data.input;
    return command.includes('--force') ? deny('No force.') : undefined;
  },
});
`;
const SCRIPT = `const { tool_input } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
if (tool_input?.command?.includes('--force')) process.exit(2);
`;
const CALL = JSON.stringify({
  ...{ hook_event_name: 'PreToolUse', session_id: 's', tool_use_id: 'u', tool_name: 'Bash' },
  tool_input: { command: 'git status' },
});

/** Longer than the coarsest step in the times of files. */
const SETTLED_MS = 3_000;

export async function workerHook() {
  for (const [version, node] of Object.entries(nodes())) checkQuiet(version, node);
  const warm = await keptWorker();
  const cold = await withoutServer();
  return [
    row('a hook in TypeScript, its worker kept', warm.medians.worker / 1000, 'ms'),
    row('  bare spawn of `true`', warm.medians.bare / 1000, 'ms'),
    row('a hook in TypeScript, its worker kept, against a bare spawn', warm.ratio('worker', 'bare'), '×', 0.15),
    row('cold `hookline hook` with a hook in TypeScript', cold.medians.worker, 'ms'),
    row('  the same with a HOOK.md whose script is for Node', cold.medians.node, 'ms'),
    row('  the same with a HOOK.md whose script is for a shell', cold.medians.shell, 'ms'),
    row('cold `hookline hook` with a hook in TypeScript, against a HOOK.md for Node', cold.ratio('worker', 'node'), '×', 1.3),
    row('cold `hookline hook` with a hook in TypeScript, against a HOOK.md for a shell', cold.ratio('worker', 'shell'), '×'),
  ];
}

/** A figure counts only if Node says nothing in the hook's name: on each version the way in which the hook is loaded warns in its own words. */
function checkQuiet(version, node) {
  const home = folder(`quiet-worker-${version}`);
  write(home, '.config/hookline/hooks/gate.ts', HOOK);
  const line = [
    'fire',
    'tool.before',
    '--tool',
    'Bash',
    '--input',
    '{"command":"ls"}',
    '--root',
    folder('root-quiet'),
    '--home',
    home,
    '--json',
  ];
  const { hooks } = JSON.parse(run([program, ...line], '', {}, node));
  const [{ status, stdout, stderr }] = hooks;
  if (status !== 'answered' || stdout !== undefined || stderr !== undefined)
    throw new Error(`Node ${version}: the hook is ${status}, and its output is ${JSON.stringify([stdout, stderr])}`);
}

async function keptWorker() {
  const root = folder('root-worker');
  mkdirSync(path.join(root, '.hookline/hooks'), { recursive: true });
  writeFileSync(path.join(root, '.hookline/hooks/gate.ts'), HOOK);
  const engine = await createHookline({ root, home: folder('home-worker'), trust: 'all' });
  const payload = { tool: 'Bash', input: { command: 'git status' } };
  // A file that was changed just now is read for every event, because its times prove nothing yet. The file of most hooks is older.
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  // A server that keeps a worker has answered before: its code is compiled.
  for (let i = 0; i < 300; i++) {
    const { hooks } = await engine.fire('tool.before', payload);
    if (hooks[0]?.status !== 'answered') throw new Error(`the hook was not run: ${JSON.stringify(hooks)}`);
  }
  const result = await inTurns(40, {
    worker: afterOne(() => engine.fire('tool.before', payload), 20),
    bare: afterOne(bareSpawn, 8),
  });
  await engine.close();
  return result;
}

/** The first call of each turn is not counted: it pays for the pages that the processes of the turn before have left to be copied. */
function afterOne(call, calls) {
  const turn = perCall(calls, call);
  return async () => {
    await call();
    return turn();
  };
}

function bareSpawn() {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', 'true']);
    child.stdin.on('error', () => {}); // it does not read its stdin
    child.stdin.end('{}');
    child.stdout.resume();
    child.stderr.resume();
    child.on('error', reject);
    child.on('close', resolve);
  });
}

/** On the wall, because a worker is a process next to the command. */
function withoutServer() {
  const entry = (home) => [program, 'hook', 'claude-code', '--root', folder('root-cold'), '--home', home];
  const homes = { worker: folder('cold-worker'), node: folder('cold-node'), shell: folder('cold-shell') };
  write(homes.worker, '.config/hookline/hooks/gate.ts', HOOK);
  const document = '---\nname: gate\ndescription: A gate.\ntrigger: before_tool\nmatcher:\n  tool: Bash\n---\n';
  for (const home of [homes.node, homes.shell]) write(home, '.config/agents/hooks/gate/HOOK.md', document);
  write(homes.node, '.config/agents/hooks/gate/scripts/run', `#!/usr/bin/env node\n${SCRIPT}`);
  write(homes.shell, '.config/agents/hooks/gate/scripts/run', '#!/bin/sh\ngrep -q -- --force && exit 2\nexit 0\n');
  // A file that was changed just now proves nothing, so the first events remember nothing.
  for (const home of Object.values(homes)) for (let i = 0; i < 12; i++) run(entry(home), CALL);
  const timed = (home) => async () => {
    const start = performance.now();
    run(entry(home), CALL);
    return performance.now() - start;
  };
  return inTurns(25, Object.fromEntries(Object.entries(homes).map(([name, home]) => [name, timed(home)])));
}

function write(home, name, text) {
  const file = path.join(home, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o755 });
}
