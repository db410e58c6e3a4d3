/** `npm start`: the tour with its dashboard. Both end together, however they end, and nothing is left of them. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../support/patience.ts';
import { HAS_TERMINAL, openTerminal, type Terminal } from '../../support/terminal.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { WITHOUT_PERSON } from '../cli/program.ts';

const START = path.resolve('examples/tour/start.mjs');
const LINK = /http:\/\/127\.0\.0\.1:(\d+)\/#code=([\w-]+)/g;

interface Scene {
  readonly workspace: Workspace;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

function scene(): Scene {
  const workspace = createWorkspace();
  const folder = path.join(workspace.home, 'a folder');
  mkdirSync(folder);
  return { workspace, folder, env: { TMPDIR: folder } };
}

/** The processes that have this folder in their command line. */
function processesOf(folder: string): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all.map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });
}

async function run({ workspace, env }: Scene, words: readonly string[], more: Record<string, string> = {}): Promise<string> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [START, ...words], {
    ...{ env: { PATH, HOME: workspace.home, ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (out += text));
  const exit = await new Promise<number | null>((resolve) => child.once('close', resolve));
  expect([exit, out]).toEqual([0, expect.stringContaining('The agent crossed')]);
  return out;
}

function linksIn(terminal: Terminal): readonly { readonly port: string; readonly code: string }[] {
  return [...terminal.written().matchAll(LINK)].map(([, port = '', code = '']) => ({ port, code }));
}

async function ask(port: string, route: string, token: string, body?: object): Promise<Record<string, unknown>> {
  const page = `http://127.0.0.1:${port}`;
  const answer = await fetch(`${page}/v1${route}`, {
    headers: { authorization: `Bearer ${token}`, origin: page, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Record<string, unknown>;
}

test('without a terminal it prints a link, runs the tour and ends, and nothing is left', async () => {
  const here = scene();
  const out = await run(here, []);
  expect(out.indexOf('Dashboard: http://127.0.0.1:')).toBeLessThan(out.indexOf('Hookline tour'));
  expect(out.indexOf('Dashboard: http://127.0.0.1:')).toBeGreaterThanOrEqual(0);
  expect(out).not.toContain('waits for you');
  expect(readdirSync(here.folder)).toEqual([]);
  if (process.platform === 'linux') expect(processesOf(here.folder)).toEqual([]);
});

test('`--no-ui` and CI run the tour alone', async () => {
  for (const [words, env] of [
    [['--no-ui'], {}],
    [[], { CI: '1' }],
  ] as const) {
    const here = scene();
    expect(await run(here, words, env)).not.toContain('Dashboard');
    expect(readdirSync(here.folder)).toEqual([]);
  }
});

const person = test.skipIf(WITHOUT_PERSON || !HAS_TERMINAL);

function open({ workspace, env }: Scene): Terminal {
  return openTerminal(workspace, [process.execPath, START], { columns: 200, rows: 200, env });
}

person('a person approves the last action in the dashboard, sees the session in it, and Ctrl-C leaves nothing', async () => {
  const here = scene();
  const terminal = open(here);
  await terminal.shows('waits for you');
  // A link works for a minute, and a busy machine may take longer to come here.
  terminal.type('\n');
  await until(() => linksIn(terminal).length === 2);
  const { port, code } = linksIn(terminal)[1] as { port: string; code: string };
  const { token, may } = (await ask(port, '/login', '', { code })) as { token: string; may: string };
  expect(may).toBe('settle');
  expect(await ask(port, '/sessions/tour', token)).toMatchObject({ session: { id: 'tour', title: 'Tidy up and ship it.' } });
  const { tickets } = (await ask(port, '/tickets?state=open', token)) as { tickets: readonly { id: string; digest: string }[] };
  const [{ id, digest } = { id: '', digest: '' }] = tickets;
  await ask(port, `/tickets/${id}/approve`, token, { digest });
  await terminal.shows(/Approved by .*[\s\S]*Deployed to production[\s\S]*Deployed to production/);
  await terminal.shows('The dashboard stays until Ctrl-C');
  expect(processesOf(here.folder).length).toBeGreaterThan(0);
  terminal.type('\x03');
  expect(await terminal.ended()).toBe(0);
  expect([readdirSync(here.folder), processesOf(here.folder)]).toEqual([[], []]);
});

test.skipIf(process.platform !== 'linux')('a tour that is killed leaves no dashboard behind', async () => {
  const { workspace, folder, env } = scene();
  const { PATH = '' } = process.env;
  // Without a terminal, whose end would be told to both.
  const child = spawn(process.execPath, [START], { env: { PATH, HOME: workspace.home, ...env }, stdio: ['ignore', 'pipe', 'ignore'] });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    if (out.includes('Dashboard:')) child.kill('SIGKILL');
  });
  const [, signal] = await new Promise<readonly unknown[]>((resolve) => child.once('exit', (...ended) => resolve(ended)));
  expect(signal).toBe('SIGKILL');
  await until(() => processesOf(folder).length === 0);
});

test('a killed tour leaves its folder, and the next one removes it, but none whose process lives or is unknown', async () => {
  const here = scene();
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [START, '--no-ui'], {
    env: { PATH, HOME: here.workspace.home, ...here.env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child.stdout.once('data', () => child.kill('SIGKILL'));
  await new Promise((resolve) => child.once('close', resolve));
  const [killed] = readdirSync(here.folder);
  expect(killed).toMatch(/^hookline-tour-/);
  const living = path.join(here.folder, 'hookline-tour-living');
  mkdirSync(living);
  writeFileSync(path.join(living, '.tour-process'), String(process.pid));
  mkdirSync(path.join(here.folder, 'hookline-tour-unknown'));
  mkdirSync(path.join(here.folder, 'another'));
  await run(here, ['--no-ui']);
  expect(readdirSync(here.folder).sort()).toEqual(['another', 'hookline-tour-living', 'hookline-tour-unknown']);
});

test('without SQLite it says so in one line, and runs the tour alone', async () => {
  const here = scene();
  const preload = here.workspace.at('no-sqlite.cjs');
  here.workspace.write({
    'no-sqlite.cjs': `const Module = require('node:module');
      const load = Module._load;
      Module._load = function (name, ...rest) { if (name === 'better-sqlite3') throw new Error('missing'); return load.call(this, name, ...rest); };
      const isBuiltin = Module.isBuiltin;
      Module.isBuiltin = (name) => name !== 'node:sqlite' && isBuiltin(name);
      Module.syncBuiltinESMExports();`,
  });
  const out = await run(here, [], { NODE_OPTIONS: `--require=${JSON.stringify(preload)}` });
  expect(out).toMatch(/^The tour runs without its dashboard: .*better-sqlite3.*\n/);
  expect(readdirSync(here.folder)).toEqual([]);
});
