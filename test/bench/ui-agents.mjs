// What agents wait for while somebody looks: the 99th of 100 waiting times at a fixed rate of events, with the dashboard open and without it, in turns.
// Each event is recorded. Its time runs from the moment at which it was due, so a server that falls behind shows.
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { inTurns } from './measure.mjs';

const BIN = path.join(import.meta.dirname, '../../bin/hookline.js');
const [ROUNDS, SECONDS, WARM_UP_SECONDS] = [5, 4, 2];

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

/** The agents are processes of their own: the one that drives the browser is busy with it. */
async function p99({ port, token }, rate, seconds) {
  const line = [path.join(import.meta.dirname, 'agents-at-rate.mjs'), port, token, rate, seconds].map(String);
  return Number((await promisify(execFile)(process.execPath, line)).stdout);
}
