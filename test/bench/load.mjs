// One server under load: so many events a second from 200 clients, each judged by the guard and written to SQLite. Each event has its time, whether
// or not the answers before it have come, so a server that falls behind shows in every later answer. Afterwards the log must have every event.
import { spawn, spawnSync } from 'node:child_process';
import { createReadStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { median, row } from './measure.mjs';
import { growth, sparkline } from './memory-plot.mjs';
import { program } from './process-cost.mjs';
import { folder } from './sample-project.mjs';

const CLIENTS = 200;
const PER_SECOND = Number(process.env.HOOKLINE_BENCH_PER_SECOND ?? 2000);
const SECONDS = Number(process.env.HOOKLINE_BENCH_SECONDS ?? 60);
const EVENTS = PER_SECOND * SECONDS;
/** With and without the dashboard in turns. */
const [ROUNDS, ROUND] = [3, 5 * PER_SECOND];
/** Until the code is compiled. These events are in the log too. */
const WARM_UP = 10_000;
/** The longest to wait for the last answers. */
const PATIENCE_MS = 180_000;
/** Until the server has taken all connections. */
const CONNECTED_MS = 500;

const STREAM_READER = path.join(import.meta.dirname, 'read-stream.mjs');

const HOOK = `---
name: guarded
description: Nothing dangerous is run.
trigger: before_tool
metadata:
  command: hookline guard
---
`;

export async function load() {
  const home = folder('home-load');
  const hook = path.join(home, '.config/agents/hooks/guarded');
  mkdirSync(hook, { recursive: true });
  writeFileSync(path.join(hook, 'HOOK.md'), HOOK);
  const env = { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: home };
  const server = await startServer(env);
  try {
    const [, , , port, token] = readFileSync(path.join(home, '.local/state/hookline/serve/endpoint'), 'utf8').split('\n');
    const target = { port: Number(port), token };
    await fire(target, { events: WARM_UP, perSecond: PER_SECOND / 2, first: 0 });
    const memory = [await rssOf(target)];
    const watch = setInterval(async () => memory.push(await rssOf(target)), (SECONDS * 1000) / 20);
    const cpu = cpuOf(server.pid);
    const times = await fire(target, { events: EVENTS, perSecond: PER_SECOND, first: WARM_UP });
    clearInterval(watch);
    const perEvent = (cpuOf(server.pid) - cpu) / times.length;
    const watched = await againstDashboard(target, env);
    process.stderr.write(`memory under load: ${sparkline(memory)} ${Math.min(...memory)} to ${Math.max(...memory)} MB\n`);
    server.kill();
    await new Promise((resolve) => server.once('exit', resolve));
    const lost = await notInLog(env, watched.events);
    times.sort((a, b) => a - b);
    return [
      row(`${PER_SECOND} events a second, guard and log: median`, times[times.length >> 1], 'ms'),
      row(`${PER_SECOND} events a second, guard and log: 99 of 100`, times[Math.floor(times.length * 0.99)], 'ms', 25),
      row('  CPU of the server for each event', perEvent, 'ms'),
      row('  answered events that are not in the log', lost, '', 0),
      row(`  growth of memory over ${EVENTS} events`, Math.max(0, growth(memory.slice(memory.length >> 1))), 'MB', 5),
      row('  99 of 100 while the dashboard is open, against without it', watched.ratio, '×', 1.2),
    ];
  } finally {
    server.kill();
  }
}

/** Fires with and without an open dashboard in turns. Its page is a stream that is read by another process, as a browser is. */
async function againstDashboard(target, env) {
  const slow = { alone: [], watched: [] };
  let first = WARM_UP + EVENTS;
  const round = async (name) => {
    const times = await fire(target, { events: ROUND, perSecond: PER_SECOND, first });
    first += ROUND;
    slow[name].push(times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)]);
  };
  const dashboard = await openDashboard(env);
  try {
    for (let turn = 0; turn < ROUNDS; turn++) {
      dashboard.child.kill('SIGSTOP');
      await round('alone');
      dashboard.child.kill('SIGCONT');
      await dashboard.caughtUp();
      await round('watched');
    }
  } finally {
    dashboard.child.kill('SIGCONT');
    dashboard.child.kill();
  }
  return { events: first, ratio: median(slow.watched) / median(slow.alone) };
}

async function openDashboard(env) {
  const child = spawn(process.execPath, [program, 'ui', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const { url } = JSON.parse(await new Promise((resolve) => child.stdout.once('data', resolve)));
  const { origin, hash } = new URL(url);
  const headers = { 'content-type': 'application/json', origin };
  const login = await fetch(`${origin}/v1/login`, { method: 'POST', headers, body: JSON.stringify({ code: hash.slice('#code='.length) }) });
  const { token } = await login.json();
  // As the pages ask for it: many passes at once are their number.
  spawn(process.execPath, [STREAM_READER, `${origin}/v1/stream?fold=1`, token], { env, stdio: 'ignore' });
  const caughtUp = async () => {
    for (;;) {
      const { progress } = await (await fetch(`${origin}/v1/me`, { headers: { authorization: `Bearer ${token}` } })).json();
      if (progress.pos === progress.head) return;
      await pause(100);
    }
  };
  return { child, caughtUp };
}

/** Milliseconds from the time of each event to its answer. Fails if one is not answered. */
async function fire(target, { events, perSecond, first }) {
  const times = [];
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => connect(target)));
  // Clients keep their connections, so none is made while events are measured.
  const start = performance.now() + CONNECTED_MS;
  for (let sent = 0; sent < events; ) {
    const due = Math.min(events, Math.floor(((performance.now() - start) * perSecond) / 1000));
    for (; sent < due; sent++) clients[sent % CLIENTS].ask(first + sent, start + (sent * 1000) / perSecond, times);
    await pause(1);
  }
  for (const end = performance.now() + PATIENCE_MS; times.length < events && performance.now() < end; ) await pause(10);
  for (const { socket } of clients) socket.destroy();
  if (times.length < events) throw new Error(`${events - times.length} of ${events} events were not answered`);
  return times;
}

/** One kept connection. A client asks one question after the other, as an agent does; a question that has to wait grows old. */
function connect({ port, token }) {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1').setNoDelay();
    const waiting = [];
    let asked;
    let answer = '';
    const next = () => {
      asked = waiting.shift();
      if (asked) socket.write(requestText(port, token, asked.number));
    };
    socket.setEncoding('latin1').on('data', (chunk) => {
      answer += chunk;
      const end = answer.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(answer)?.[1];
      if (end < 0 || length === undefined || answer.length < end + 4 + Number(length)) return;
      if (!answer.startsWith('HTTP/1.1 200')) throw new Error(answer);
      asked.times.push(performance.now() - asked.at);
      answer = '';
      next();
    });
    socket.on('error', reject).on('connect', () =>
      resolve({
        socket,
        ask(number, at, times) {
          waiting.push({ number, at, times });
          if (!asked) next();
        },
      }),
    );
  });
}

function requestText(port, token, number) {
  const input = { hook_event_name: 'PreToolUse', session_id: `s${number % CLIENTS}`, cwd: '/', tool_name: 'Bash' };
  const body = JSON.stringify({ ...input, tool_input: { command: `git show HEAD~${number}` } });
  const head = ['POST /v1/hook/claude-code/PreToolUse HTTP/1.1', `host: 127.0.0.1:${port}`, `x-hookline-token: ${token}`];
  return `${[...head, `content-length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`;
}

async function rssOf({ port, token }) {
  return (await (await fetch(`http://127.0.0.1:${port}/v1/health`, { headers: { 'x-hookline-token': token } })).json()).rssMb;
}

/** User and system time of a process, in milliseconds. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Verifies the log and returns how many events it lacks. */
async function notInLog(env, events) {
  const exported = path.join(folder('load-export'), 'log.ndjson');
  for (const args of [['verify'], ['export', '--output', exported]]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'log', ...args], { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`hookline log ${args[0]} ended with ${status}: ${stdout}${stderr}`);
  }
  const found = new Set();
  for await (const line of createInterface({ input: createReadStream(exported) })) {
    const number = /"command":"git show HEAD~(\d+)"/.exec(line)?.[1];
    if (number !== undefined) found.add(Number(number));
  }
  return events - found.size;
}

/** With the heap that `--background` gives it. */
function startServer(env) {
  const line = [...(process.env.HOOKLINE_BENCH_NODE?.split(' ') ?? []), '--max-semi-space-size=4', program, 'serve'];
  const child = spawn(process.execPath, line, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve) => child.stdout.once('data', () => resolve(child)));
}
