// What one event costs an agent through a running server: by the installed entry, as a person has it, against a Node that does nothing, and by
// HTTP against a bare `node:http` that answers the same bytes. The agent and the server have different environments, as they have in life.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import { inTurns, median, row } from './measure.mjs';
import { growth, sparkline, svgPlot } from './memory-plot.mjs';
import { clock, cost, program, run } from './process-cost.mjs';
import { folder, hookFolder } from './sample-project.mjs';

const PLAIN = { PATH: process.env.PATH, LANG: 'C.UTF-8' };
const EVENT = '{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","tool_name":"Glob","tool_input":{"pattern":"**/*.ts"}}';
const RUNS = 40;
/** A long day. */
const EVENTS = Number(process.env.HOOKLINE_BENCH_EVENTS ?? 200_000);
const SAMPLE = 10_000;
/** The longest until the first full collection, and what falls then at least. */
const WARM_UP = 600_000;
const COLLECTED_MB = 5;
const PICTURE = path.join(import.meta.dirname, '../../docs/pictures/serve-memory.svg');

export async function serve() {
  const [home, root] = [folder('home-serve'), folder('root-serve')];
  // Ten hooks of the user's, none of which matches.
  mkdirSync(path.join(home, '.config/agents'), { recursive: true });
  symlinkSync(hookFolder(10, 0), path.join(home, '.config/agents/hooks'));
  mkdirSync(path.join(home, '.claude'));
  run([program, 'install', 'claude-code', '--no-serve'], '', { ...PLAIN, HOME: home });
  const server = await startServer(home);
  const echo = await startEcho();
  try {
    return [...(await clients(home, root)), ...(await overHttp(home, echo.port))];
  } finally {
    echo.child.kill();
    server.kill();
  }
}

async function clients(home, root) {
  const by = (more) => () => {
    const { hooks } = JSON.parse(readFileSync(path.join(home, '.claude/settings.json'), 'utf8'));
    const line = hooks.PreToolUse[0].hooks[0].command;
    const env = { ...PLAIN, HOME: home, EDITOR: 'vi', OF_THE_AGENT: '1', ...more };
    const before = clock();
    for (let i = 0; i < RUNS; i++) {
      const { status, stderr } = spawnSync('/bin/sh', ['-c', line], { cwd: root, env, input: EVENT });
      if (status !== 0) throw new Error(`the entry ended with ${status}: ${stderr}`);
    }
    return (clock() - before) / RUNS;
  };
  const before = eventsOf(home);
  const { medians, ratio } = await inTurns(7, { bash: by({}), curl: by({ HOOKLINE_HOOK_BASH: 'no' }), node: () => cost(['-e', '0']) });
  if (eventsOf(home) - before !== 2 * 7 * RUNS) throw new Error('the server did not answer every call');
  return [
    row('one event by the installed entry, in bash (CPU)', medians.bash, 'ms'),
    row('one event by the installed entry, with curl (CPU)', medians.curl, 'ms'),
    row('  `node -e 0` (CPU)', medians.node, 'ms'),
    row('installed entry in bash, against `node -e 0`', ratio('bash', 'node'), '×', 0.16),
    row('installed entry with curl, against `node -e 0`', ratio('curl', 'node'), '×', 0.45),
  ];
}

async function overHttp(home, echoPort) {
  const [, , , port, token] = readFileSync(path.join(home, '.local/state/hookline/serve/endpoint'), 'utf8').split('\n');
  const served = [Number(port), request(Number(port), token)];
  const bare = [echoPort, request(echoPort, token)];
  await load(served, 32, 4000);
  const { ratio, medians } = await inTurns(9, { served: () => load(served, 32, 4000), bare: () => load(bare, 32, 4000) });
  const times = (await Promise.all([timesOf(served, 3000)])).flat().sort((a, b) => a - b);
  const memory = await memoryAlong(served, token);
  return [
    row('one event by HTTP, kept alive: median', median(times), 'ms', 1),
    row('one event by HTTP, kept alive: 99 of 100', times[Math.floor(times.length * 0.99)], 'ms', 5),
    row('events a second by HTTP, in thousands', 1000 / medians.served / 1000, 'k'),
    // 60 % of its throughput is 1.67 times its time.
    row('time per event by HTTP, against a bare `node:http`', ratio('served', 'bare'), '×', 1.67),
    row(`growth of memory over ${EVENTS} events`, Math.max(0, growth(memory)), 'MB', 5),
  ];
}

/**
 * Resident megabytes after every so many events, from the first full collection on: until then V8 has not found out what lives long, and
 * what it collects is no growth. `--picture` draws all of it for the documentation.
 */
async function memoryAlong(served, token) {
  const rss = async () =>
    (await (await fetch(`http://127.0.0.1:${served[0]}/v1/health`, { headers: { 'x-hookline-token': token } })).json()).rssMb;
  const figures = [await rss()];
  let collected;
  while (figures.length * SAMPLE < WARM_UP + EVENTS && (collected === undefined || figures.length - collected <= EVENTS / SAMPLE)) {
    await load(served, 8, SAMPLE);
    figures.push(await rss());
    if (collected === undefined && figures.at(-1) < figures.at(-2) - COLLECTED_MB) collected = figures.length - 1;
  }
  process.stderr.write(
    `memory over ${(figures.length - 1) * SAMPLE} events: ${sparkline(figures)} ${Math.min(...figures)} to ${Math.max(...figures)} MB\n`,
  );
  if (process.argv.includes('--picture')) writeFileSync(PICTURE, svgPlot(figures, SAMPLE));
  return figures.slice(collected ?? -EVENTS / SAMPLE);
}

/** Milliseconds per event, of so many over so many connections. */
async function load(target, connections, count) {
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, () => timesOf(target, Math.ceil(count / connections))));
  return (performance.now() - start) / count;
}

/** One after the other over one connection; no HTTP client, which would cost more than what is measured. */
function timesOf([port, text], count) {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1').setNoDelay();
    const times = [];
    let start = 0;
    let answer = '';
    const ask = () => {
      start = performance.now();
      answer = '';
      socket.write(text);
    };
    socket.on('error', reject).on('connect', ask);
    socket.setEncoding('latin1').on('data', (chunk) => {
      answer += chunk;
      const end = answer.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(answer)?.[1];
      if (end < 0 || length === undefined || answer.length < end + 4 + Number(length)) return;
      if (!answer.startsWith('HTTP/1.1 200')) return reject(new Error(answer));
      times.push(performance.now() - start);
      if (times.length < count) return ask();
      socket.destroy();
      resolve(times);
    });
  });
}

function request(port, token) {
  const head = ['POST /v1/hook/claude-code/PreToolUse HTTP/1.1', `host: 127.0.0.1:${port}`, `x-hookline-token: ${token}`];
  return `${[...head, `content-length: ${Buffer.byteLength(EVENT)}`].join('\r\n')}\r\n\r\n${EVENT}`;
}

/** A server of the plainest kind in a process of its own: reads the body and sends it back. */
function startEcho() {
  const text = `
    const server = require('node:http').createServer((request, response) => {
      const chunks = [];
      request.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
        const body = Buffer.concat(chunks);
        response.writeHead(200, { 'content-length': body.length });
        response.end(body);
      });
    });
    server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ['-e', text], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve) => child.stdout.once('data', (line) => resolve({ child, port: Number(line) })));
}

/** With the heap that `--background` gives it, but beside the other one: what runs apart, a busy machine may treat otherwise. */
function startServer(home) {
  const line = ['--max-semi-space-size=4', program, 'serve'];
  const child = spawn(process.execPath, line, { env: { ...PLAIN, HOME: home }, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve) => child.stdout.once('data', () => resolve(child)));
}

function healthOf(home) {
  return JSON.parse(run([program, 'serve', 'status', '--json', '--home', home]));
}

function eventsOf(home) {
  return healthOf(home).events;
}
