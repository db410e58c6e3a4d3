/** Every built-in dialect, host and handler keeps its contract: the same suites that authors of new ones run. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleCall } from '../../src/api/testing/describe-handler.ts';
import { describeDialect, describeHandler, describeHost, type HandlerScenes } from '../../src/api/testing/index.ts';
import { AGENTS, builtinHandlers, HOSTS } from '../../src/builtins.ts';
import type { Handler } from '../../src/core/contracts/handler.ts';
import type { JsonObject } from '../../src/core/values/json.ts';
import { quirksOf } from '../support/quirks.ts';

const suite = { describe, test, expect };

for (const { dialect, places } of AGENTS) {
  const folder = path.join(import.meta.dirname, '../unit/agents', dialect.id);
  const files = (existsSync(folder) ? readdirSync(folder) : []).filter((name) => name.endsWith('.test.ts'));
  describeDialect(suite, dialect, {
    quirks: await quirksOf(dialect.id),
    payloads: nativePayloads(path.join(import.meta.dirname, '../fixtures', dialect.id, 'events'), Object.keys(dialect.profile.events)),
    tests: files.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('\n'),
    ...(places.length === 0 && { oneWay: { skip: 'functions are shown the event itself, and fired at with its payload' } }),
  });
}

for (const host of HOSTS) {
  const folder = path.join(import.meta.dirname, '../fixtures', host.id, 'events');
  describeHost(suite, host, { payloads: nativePayloads(folder, Object.keys(host.dialect.profile.events)) });
}

/** The payloads a dialect keeps as fixtures, each in a file named after its event. */
function nativePayloads(folder: string, events: readonly string[]): Record<string, JsonObject[]> {
  if (!existsSync(folder)) return {};
  const named = events.filter((event) => existsSync(path.join(folder, `${event}.json`)));
  return Object.fromEntries(named.map((event) => [event, [JSON.parse(readFileSync(path.join(folder, `${event}.json`), 'utf8'))]]));
}

const never = (): Promise<unknown> => new Promise(() => {});
const model = { judge: async ({ prompt }: { prompt: string }) => (prompt === 'hang' ? never() : { ok: true }) };
const handlers = new Map(builtinHandlers({ ...model, verify: model.judge }).map((handler) => [handler.type, handler]));
const handlerOf = (type: string) => (): Handler => handlers.get(type) as Handler;

describeHandler(suite, handlerOf('command'), () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-contract-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const command = (text: string) => ({ handler: { type: 'command', config: { command: text } }, env: { FOLDER: folder } });
  return {
    answers: command('echo \'{"decision": "deny"}\'; exit 2'),
    // A child of its own that ignores TERM: the whole group must go.
    hangs: command('(trap "" TERM; sh -c \'echo $$ >> "$FOLDER/pids"; trap "" TERM; sleep 300\') & echo $$ >> "$FOLDER/pids"; sleep 300'),
    floods: command('head -c 100000 /dev/zero | tr "\\0" x'),
    broken: [
      { handler: { type: 'command', config: {} } },
      { handler: { type: 'command', config: { script: '/nonexistent/run' } } },
      { handler: { type: 'command', config: { script: folder } } },
      command('kill -9 $$'),
    ],
    left: () => livingOf(path.join(folder, 'pids')),
  };
});

describe('with a server', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/hang') return;
      if (request.url === '/cut-off') response.writeHead(200, { 'content-length': '10' }).write('x', () => response.destroy());
      else response.end(request.url === '/flood' ? 'x'.repeat(100_000) : '{"decision": "deny"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  describeHandler(suite, handlerOf('http'), (): HandlerScenes => {
    const to = (target: string) => ({ handler: { type: 'http', config: { url: target } } });
    return {
      answers: to(`${url}/answer`),
      hangs: to(`${url}/hang`),
      floods: to(`${url}/flood`),
      broken: [
        to('not a url'),
        to('file:///etc/passwd'),
        to('http://127.0.0.1:1/'),
        to(`${url}/cut-off`),
        { handler: { type: 'http', config: {} } },
      ],
    };
  });
});

const floods = 'answers with values, not with text';

describeHandler(
  suite,
  handlerOf('function'),
  () => ({
    answers: { run: () => ({ decision: 'deny' }) },
    hangs: { run: never },
    broken: [
      {},
      {
        run: () => {
          throw new Error('no');
        },
      },
      { run: () => Promise.reject(new Error('no')) },
      { run: () => Promise.reject(undefined) },
    ],
  }),
  { skip: { floods } },
);

describeHandler(
  suite,
  handlerOf('static'),
  () => ({ answers: { handler: { type: 'static', config: { reply: { decision: 'deny' } } } }, broken: [] }),
  { skip: { hangs: 'its answer is in its configuration', floods } },
);

describeHandler(
  suite,
  handlerOf('guard'),
  () => ({
    answers: { handler: { type: 'guard', config: {} } },
    broken: [
      { handler: { type: 'guard', config: { preset: 'careless' } } },
      { handler: { type: 'guard', config: { packs: ['no-such-pack'] } } },
      { handler: { type: 'guard', config: { pack: 'cloud' } } },
    ],
  }),
  { skip: { hangs: 'its work is bounded, and it waits for no other process', floods } },
);

for (const type of ['prompt', 'agent']) {
  const asking = (prompt: string) => ({ handler: { type, config: { prompt, agent: 'verifier' } } });
  const scenes = () => ({ answers: asking('judge'), hangs: asking('hang'), broken: [] });
  describeHandler(suite, handlerOf(type), scenes, { skip: { floods } });
}

test('a tool of an MCP server can not be asked without a client, and that is said', async () => {
  const call = sampleCall('mcp_tool', {}, {});
  expect(await handlerOf('mcp_tool')().handle(call)).toMatchObject({
    kind: 'fault',
    fault: 'unavailable',
    detail: expect.stringContaining('MCP'),
  });
});

test('every built-in handler type is held to the contract', () => {
  expect([...handlers.keys()].sort()).toEqual(['agent', 'command', 'function', 'guard', 'http', 'mcp_tool', 'prompt', 'static']);
});

function livingOf(file: string): string[] {
  const pids = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  return pids.filter((pid) => isAlive(Number(pid)));
}

/** A process that has ended and is not yet collected counts as gone. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return existsSync('/proc/self') ? false : respondsTo(pid);
  }
}

function respondsTo(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
