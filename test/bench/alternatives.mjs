// Hookline beside the packages and scripts that people would use instead, in the same minute.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createHookline } from '../../dist/index.js';
import { fromNpm } from './from-npm.mjs';
import { inTurns, perCall, row } from './measure.mjs';
import { cost, program, run } from './process-cost.mjs';
import { folder } from './sample-project.mjs';

const EVENT = { tool: 'Bash', input: { command: 'git status' } };
const PAYLOAD = JSON.stringify({
  ...{ hook_event_name: 'PreToolUse', session_id: 's', cwd: folder('root-alternatives'), tool_use_id: 'u' },
  ...{ tool_name: 'Bash', tool_input: EVENT.input },
});

export async function alternatives() {
  return [...(await inTheAgent()), ...(await startedForEachEvent())];
}

/** A function that has no opinion, called by each package in the agent's own process. */
async function inTheAgent() {
  const engine = await createHookline({ root: folder('root-alternatives'), home: folder('home-alternatives') });
  engine.on('tool.before', () => undefined, { match: 'Bash' });
  const contestants = { Hookline: perCall(3000, () => engine.fire('tool.before', EVENT)) };
  const hookable = fromNpm('hookable');
  if (hookable) {
    const hooks = (await load(hookable)).createHooks();
    hooks.hook('tool.before', () => undefined);
    contestants[`hookable ${hookable.version}`] = perCall(3000, () => hooks.callHook('tool.before', EVENT));
  }
  const tapable = fromNpm('tapable');
  if (tapable) {
    const { AsyncSeriesBailHook } = await load(tapable);
    const hook = new AsyncSeriesBailHook(['event']);
    hook.tapPromise('gate', async () => undefined);
    contestants[`tapable ${tapable.version}`] = perCall(3000, () => hook.promise(EVENT));
  }
  const sdk = fromNpm('@anthropic-ai/claude-agent-sdk');
  if (sdk) contestants[`Claude Agent SDK ${sdk.version}, a callback`] = await callbackOfSdk(await load(sdk));
  const { medians } = await inTurns(7, contestants);
  await engine.close();
  return Object.entries(medians).map(([name, figure]) => ({ ...row(`one function hook: ${name}`, figure, 'µs'), chart: 'function' }));
}

async function load(found) {
  const module = await import(pathToFileURL(found.entry()).href);
  return { ...module.default, ...module };
}

/** A program that an agent starts for each tool call, and that judges one harmless command. Nothing of it runs before. */
async function startedForEachEvent() {
  const home = folder('home-alternatives');
  // Not in Claude Code's own file: the agent runs those hooks itself.
  mkdirSync(path.join(home, '.codex'), { recursive: true });
  mkdirSync(path.join(home, '.local/state/hookline'), { recursive: true });
  const group = { matcher: 'Bash', hooks: [{ type: 'command', command: 'hookline guard' }] };
  writeFileSync(path.join(home, '.codex/hooks.json'), JSON.stringify({ hooks: { PreToolUse: [group] } }));
  const script = path.join(folder('script'), 'guard.mjs');
  writeFileSync(script, SCRIPT);
  const env = { HOME: home, PATH: process.env.PATH };
  const contestants = {
    '`node -e 0`, which does nothing': () => cost(['-e', '0']),
    'a script of ten lines with one pattern': () => cost([script], PAYLOAD, env),
    '`hookline hook` with the guard, recorded': () => cost([program, 'hook', 'claude-code'], PAYLOAD, env),
  };
  const net = fromNpm('cc-safety-net');
  if (net) {
    const line = [net.file('dist/bin/cc-safety-net.js'), 'hook', '--coding-cli'];
    contestants[`cc-safety-net ${net.version}`] = () => cost(line, PAYLOAD, env);
  }
  for (const once of Object.values(contestants)) await once();
  if (JSON.parse(run([program, 'log', '--json'], '', env)).entries.length === 0)
    throw new Error('the guard must have been asked, and its decision recorded');
  const { medians } = await inTurns(9, contestants);
  return Object.entries(medians).map(([name, figure]) => ({
    ...row(`started for one event: ${name} (CPU)`, figure, 'ms'),
    chart: 'process',
  }));
}

const SCRIPT = `import { readFileSync } from 'node:fs';
const { tool_input } = JSON.parse(readFileSync(0, 'utf8'));
if (/rm\\s+-rf\\s+\\//.test(tool_input.command)) {
  console.error('No.');
  process.exitCode = 2;
}
`;

/**
 * The SDK calls back when the program it starts asks it to. A small program takes that place here: it asks again and again and measures the
 * time, so the figure is the SDK's own, without the agent.
 */
async function callbackOfSdk({ query }) {
  const stand = path.join(folder('sdk'), 'agent.mjs');
  writeFileSync(stand, STAND_IN);
  return async () => {
    const hooks = { PreToolUse: [{ hooks: [async () => ({})] }] };
    const spawnClaudeCodeProcess = ({ signal }) => spawn(process.execPath, [stand], { stdio: ['pipe', 'pipe', 'inherit'], signal });
    for await (const message of query({ prompt: 'Measure.', options: { hooks, spawnClaudeCodeProcess, settingSources: [] } }))
      if (message.type === 'result') return Number(message.result);
    throw new Error('the SDK ended without a result');
  };
}

const STAND_IN = `
import { createInterface } from 'node:readline';
const CALLS = 500;
const send = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
let callback;
let start;
let calls = 0;
const ask = () => {
  const input = { session_id: 's', transcript_path: '', cwd: '/', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'git status' }, tool_use_id: 'u' };
  send({ type: 'control_request', request_id: 'h' + calls, request: { subtype: 'hook_callback', callback_id: callback, input, tool_use_id: 'u' } });
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.type === 'control_request') {
    if (message.request.subtype === 'initialize') callback = message.request.hooks.PreToolUse[0].hookCallbackIds[0];
    send({ type: 'control_response', response: { subtype: 'success', request_id: message.request_id, response: {} } });
  } else if (message.type === 'user') {
    start = process.hrtime.bigint();
    ask();
  } else if (message.type === 'control_response') {
    calls += 1;
    if (calls < CALLS) return ask();
    const microseconds = Number(process.hrtime.bigint() - start) / 1000 / CALLS;
    send({ type: 'result', subtype: 'success', is_error: false, duration_ms: 1, duration_api_ms: 1, num_turns: 1, result: String(microseconds), session_id: 's', total_cost_usd: 0, usage: {}, uuid: 'r' });
    setTimeout(() => process.exit(0), 50);
  }
});
`;
