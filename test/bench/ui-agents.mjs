// What agents wait for while somebody looks: the 99th of 100 waiting times at a fixed rate of events, with the dashboard open and without it, in turns.
// Each event is recorded. Its time runs from the moment at which it was due, so a server that falls behind shows.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inTurns } from './measure.mjs';

const BIN = path.join(import.meta.dirname, '../../bin/hookline.js');
const [CONNECTIONS, ROUNDS, SECONDS, WARM_UP_SECONDS] = [16, 5, 4, 2];
const EVENT = (n) =>
  `{"hook_event_name":"PreToolUse","session_id":"session-${n % 8}","cwd":"/","tool_name":"Glob","tool_input":{"pattern":"**/*.ts"}}`;

/** @param look opens the dashboard of this home in a browser; returns the function that closes it */
export async function agentsWait(look, rate) {
  const home = mkdtempSync(path.join(tmpdir(), 'hookline-ui-agents-'));
  mkdirSync(path.join(home, '.config/hookline'), { recursive: true });
  writeFileSync(path.join(home, '.config/hookline/settings.json'), '{ "log": { "record": "all" } }\n');
  const env = { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: home };
  const server = spawn(process.execPath, ['--max-semi-space-size=4', BIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  try {
    await new Promise((resolve) => server.stdout.once('data', resolve));
    const [, , , port, token] = readFileSync(path.join(home, '.local/state/hookline/serve/endpoint'), 'utf8').split('\n');
    const target = { port: Number(port), token };
    await p99(target, rate, WARM_UP_SECONDS);
    const { medians, ratio } = await inTurns(ROUNDS, {
      alone: () => p99(target, rate, SECONDS),
      async watched() {
        const close = await look(home);
        try {
          return await p99(target, rate, SECONDS);
        } finally {
          await close();
        }
      },
    });
    return { alone: medians.alone, watched: medians.watched, ratio: ratio('watched', 'alone') };
  } finally {
    server.kill();
    await ended;
    rmSync(home, { recursive: true, force: true });
  }
}

async function p99(target, rate, seconds) {
  const start = performance.now() + 50;
  const all = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, own) =>
      waits(target, start + (own * 1000) / rate, (CONNECTIONS * 1000) / rate, rate * seconds),
    ),
  );
  return all.flat().sort((a, b) => a - b)[Math.floor(all.flat().length * 0.99)];
}

/** One connection: an event each `every` ms, or as soon as the one before it was answered. */
function waits({ port, token }, start, every, total) {
  const count = Math.floor(total / CONNECTIONS);
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1').setNoDelay();
    const times = [];
    let answer = '';
    const due = () => start + times.length * every;
    const ask = () => {
      const early = due() - performance.now();
      if (early > 1) return void setTimeout(ask, early);
      answer = '';
      const body = EVENT(times.length);
      const head = ['POST /v1/hook/claude-code/PreToolUse HTTP/1.1', `host: 127.0.0.1:${port}`, `x-hookline-token: ${token}`];
      socket.write(`${[...head, `content-length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`);
    };
    socket.on('error', reject).on('connect', ask);
    socket.setEncoding('latin1').on('data', (chunk) => {
      answer += chunk;
      const end = answer.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(answer)?.[1];
      if (end < 0 || length === undefined || answer.length < end + 4 + Number(length)) return;
      if (!answer.startsWith('HTTP/1.1 200')) return reject(new Error(answer));
      times.push(performance.now() - due());
      if (times.length < count) return ask();
      socket.destroy();
      resolve(times);
    });
  });
}
