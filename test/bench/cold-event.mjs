// What one cold event of an agent costs on each version of Node, against the same Node that does nothing: CPU time, taken in turns.
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fromNpm, nodes } from './from-npm.mjs';
import { inTurns, row } from './measure.mjs';
import { cost, program, run } from './process-cost.mjs';
import { folder, frontmatters, hookFolder } from './sample-project.mjs';

const about = { hook_event_name: 'PreToolUse', session_id: 's', tool_use_id: 'u' };
const GLOB = JSON.stringify({ ...about, tool_name: 'Glob', tool_input: { pattern: '**/*.ts' } });
const BASH = JSON.stringify({ ...about, tool_name: 'Bash', tool_input: { command: 'git status' } });
const GUARD = '---\nname: guard\ndescription: The guard.\ntrigger: before_tool\nmetadata:\n  command: hookline guard\n---\n';
const CLIENT = path.join(path.dirname(program), 'hookline-hook');
const GOALS = { silent: 1.5, guard: 2 };

export async function coldEvent() {
  const other = fromNpm('cc-safety-net')?.file('dist/bin/cc-safety-net.js');
  const rows = [];
  for (const [version, node] of Object.entries(nodes())) rows.push(...(await measure(version, node, other)));
  return rows;
}

async function measure(version, node, other) {
  const root = folder(`root-${version}`);
  const entry = (home, hooks) => [program, 'hook', 'claude-code', '--root', root, '--home', home, '--hooks', hooks];
  const home = homeFor(`home-silent-${version}`);
  const silent = entry(home, hookFolder(10));
  const guarded = homeFor(`home-guard-${version}`);
  mkdirSync(path.join(guarded, '.config/agents/hooks/guard'), { recursive: true });
  writeFileSync(path.join(guarded, '.config/agents/hooks/guard/HOOK.md'), GUARD);
  const guard = entry(guarded, hooksWithout('^Bash$'));
  // A file that was changed just now proves nothing, so the first events are judged.
  const memory = path.join(home, '.local/state/hookline/memory');
  const isRemembered = () => readdirSync(path.dirname(memory)).includes('memory');
  do run(silent, GLOB, {}, node);
  while (!isRemembered());
  run(guard, BASH, {}, node);
  const installed = installIn(folder(`home-installed-${version}`), node);
  const forget = () => rmSync(memory, { recursive: true, force: true });
  const contestants = {
    silent: () => cost(silent, GLOB, {}, node),
    bare: () => cost(silent, GLOB, { NODE_DISABLE_COMPILE_CACHE: '1' }, node),
    first: () => cost(silent, GLOB, {}, node, forget),
    guard: () => cost(guard, BASH, {}, node),
    installed: () => cost(installed.args, BASH, installed.env, CLIENT),
    ...(other && { other: () => cost([other, 'hook', '--coding-cli'], BASH, { HOME: folder(`home-other-${version}`) }, node) }),
    node: () => cost(['-e', '0'], '', {}, node),
  };
  const { medians, ratio } = await inTurns(9, contestants);
  const on = `Node ${version}: `;
  return [
    row(`${on}\`node -e 0\` (CPU)`, medians.node, 'ms'),
    row(`${on}cold \`hookline hook\`, ten hooks, none matching, against \`node -e 0\``, ratio('silent', 'node'), '×', GOALS.silent),
    row(`${on}  the same without the code cache`, ratio('bare', 'node'), '×'),
    row(`${on}  the same for the first time, with nothing remembered`, ratio('first', 'node'), '×'),
    row(`${on}cold \`hookline hook\`, the guard judges one command, against \`node -e 0\``, ratio('guard', 'node'), '×', GOALS.guard),
    row(`${on}  the same by the installed entry, with no server, against \`node -e 0\``, ratio('installed', 'node'), '×', GOALS.guard),
    ...(other ? [row(`${on}  the hook of cc-safety-net, against \`node -e 0\``, ratio('other', 'node'), '×')] : []),
    ...(other ? [row(`${on}  the guard in Hookline, against the hook of cc-safety-net`, ratio('guard', 'other'), '×', 1)] : []),
  ];
}

/** As a person has it: installed, then one event of each of the two kinds. The client starts Node, because there is no server. */
function installIn(home, node) {
  mkdirSync(path.join(home, '.claude'), { recursive: true });
  const hooks = path.join(home, '.config/agents/hooks');
  cpSync(hooksWithout('^Bash$'), hooks, { recursive: true });
  mkdirSync(path.join(hooks, 'guard'));
  writeFileSync(path.join(hooks, 'guard/HOOK.md'), GUARD);
  const person = { HOME: home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' };
  run([program, 'install', 'claude-code', '--no-serve'], '', person, node);
  const env = { ...person, CLAUDE_PROJECT_DIR: folder('root-installed'), HOOKLINE_SERVE: 'off' };
  const args = ['--installed', path.join(home, '.local/state/hookline/installed'), 'claude-code', 'PreToolUse'];
  for (const payload of [GLOB, BASH]) run(args, payload, env, CLIENT);
  return { args, env };
}

function homeFor(name) {
  // As after the first recorded event: the code cache is kept only where there is a state folder.
  folder(`${name}/.local/state/hookline`);
  return folder(name);
}

/** Ten hooks, none of which has this matcher. */
function hooksWithout(matcher) {
  const made = folder('hooks-without');
  const all = frontmatters(12);
  const kept = all.filter(({ matcher: { tool } }) => tool !== matcher).slice(0, 10);
  for (const { name } of kept) cpSync(path.join(hookFolder(12), name), path.join(made, name), { recursive: true });
  return made;
}
