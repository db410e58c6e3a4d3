/** Agents that call the address themselves take a failed request for consent: whatever is refused reaches them as JSON in their own words. */
import { describe, expect, test } from 'vitest';
import { createClock, createIds } from '../../../src/api/clock.ts';
import { DIALECTS, HOSTS } from '../../../src/builtins.ts';
import type { LoadContext } from '../../../src/core/contracts/dialect.ts';
import { lineFor } from '../../../src/core/contracts/entry-line.ts';
import type { Hook } from '../../../src/core/contracts/hook.ts';
import type { Host } from '../../../src/core/contracts/host.ts';
import type { Outcome } from '../../../src/core/decision/outcome.ts';
import type { HookEvent } from '../../../src/core/event/event.ts';
import { interpret } from '../../../src/core/meaning/interpret.ts';
import { type EventRule, isBlockingEvent, isGating } from '../../../src/core/meaning/profile.ts';
import { createHostAnswerer, denyHost, type FiringEngine } from '../../../src/engine/answer-host.ts';
import { createEventFactory } from '../../../src/engine/receive/events.ts';
import { asHttp, gatesOverHttp, reachFor } from '../../../src/install/host-files.ts';
import { parseJson } from '../../../src/load/formats/json.ts';
import { readOrCreateToken, type ServeFiles } from '../../../src/server/endpoint.ts';
import { createBench } from './client-run.ts';

const callers = HOSTS.filter(({ entry }) => entry.http !== false);
const gates = callers.flatMap((host) =>
  gatesOverHttp(host, true).map((event) => ({ host, event, rule: host.dialect.profile.events[event] as EventRule })),
);

test('there are agents that call an address, and each can be denied there before a tool runs', () => {
  expect(callers.map(({ id }) => id)).toEqual(['claude-code', 'qwen']);
  for (const host of callers) expect(gatesOverHttp(host, true)).toContain('PreToolUse');
});

test('every event that an agent puts to the address, and that can be denied, has words in JSON for it', () => {
  for (const host of callers) {
    const all = host.entry.events.filter((event) => isGating(host.dialect.profile.events[event] as EventRule));
    expect(gatesOverHttp(host, true)).toEqual(all);
  }
});

describe.each(gates)('$host.id $event', ({ host, event, rule }) => {
  test('a deny is a deny to the agent', async () => {
    await refusedBy(
      host,
      event,
      rule,
      answerer(async () => denied),
      '{}',
    );
  });

  test('a deny is one to the agent with the keys of every other host in the payload', async () => {
    const keys = HOSTS.filter((other) => other !== host).flatMap(({ signs, eventKey }) => [...signs.payload, eventKey ?? []].flat());
    const foreign = Object.fromEntries(keys.map((key) => [key, 'x']));
    const own = host.eventKey === null ? {} : { [host.eventKey]: event };
    await refusedBy(
      host,
      event,
      rule,
      answerer(async () => denied),
      JSON.stringify({ ...foreign, ...own }),
    );
  });

  // What can only send the agent back to work is not held up by a failure: it would never end.
  test.runIf(isBlockingEvent(rule))('a payload that cannot be read, or a failure of Hookline, is a deny to the agent', async () => {
    const broken = () => Promise.reject(new Error('broken'));
    await refusedBy(
      host,
      event,
      rule,
      answerer(async () => denied),
      '{"hook_ev',
    );
    await refusedBy(host, event, rule, answerer(broken), '{}');
    await refusedBy(host, event, rule, broken, '{}');
    await refusedBy(host, event, rule, () => broken(), '');
  });
});

test.each(callers)('$title reads the entries back without a complaint, with the token in them', async (host) => {
  const load = await host.dialect.loader();
  const headers = { 'x-hookline-token': 'secret' };
  for (const event of host.entry.events) {
    const reach = reachFor(host, event, { via: 'http', base: 'http://127.0.0.1:4680', headers, program: ['hookline'], failOpen: true });
    if (reach.via !== 'http') continue;
    const line = lineFor(reach, host.id, event, process.platform);
    const value = asHttp(host.entry.entry(event, line).value, line, headers);
    const { hooks, diagnostics } = load(parseJson('settings.json', JSON.stringify({ hooks: { [event]: [value] } })), CONTEXT);
    expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(hooks).toMatchObject([{ event, handler: { type: 'http', config: { url: line, headers } } }]);
  }
});

type Answer = ReturnType<typeof createHostAnswerer>;

/** Answers by an engine that judges like this and records nothing. */
function answerer(judge: FiringEngine['judge']): Answer {
  const { ofHost } = createEventFactory(DIALECTS, '/project', createClock(), createIds());
  return createHostAnswerer({ receive: ofHost, judge, record: (_, outcome) => outcome, diagnostics: [] }, { hosts: HOSTS });
}

/** Over a real connection, with the `fetch` that agents use; read as the agent's own format reads an answer over HTTP. */
async function refusedBy(host: Host, event: string, rule: EventRule, answer: Answer, payload: string): Promise<void> {
  const bench = createBench();
  const { endpoint } = await bench.serve((asked) => answer(asked.host, asked.payload, asked.event), {
    deny: (asked, why) => denyHost(asked.host, asked.payload, asked.event, {}, why, HOSTS),
  });
  const response = await post(bench.files, `http://127.0.0.1:${endpoint.port}/v1/hook/${host.id}/${event}`, payload);
  const body = await response.text();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  const fired: HookEvent = { id: 'e', kind: rule.kinds[0] as HookEvent['kind'], at: '', session: { id: 's', cwd: '/' }, data: {} };
  const meaning = interpret({ kind: 'http', status: response.status, body }, hookOf(host, event), rule, host.dialect, fired);
  expect(meaning).toMatchObject({ decision: { kind: 'deny' } });
}

function post(files: ServeFiles, url: string, body: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-hookline-token': readOrCreateToken(files) };
  return fetch(url, { method: 'POST', headers, body });
}

function hookOf({ dialect }: Host, event: string): Hook {
  const handler = { type: 'http', config: {} };
  const rest = { timeoutMs: 1, priority: 0, detach: false, enabled: true, source: { file: 'h', scope: 'user' } } as const;
  return { id: 'h', name: 'h', dialect: dialect.id, event, when: [], handler, ...rest };
}

const denied: Outcome = {
  id: 'e',
  kind: 'tool.before',
  decision: 'deny',
  reason: 'not today',
  context: [],
  contextSources: [],
  notices: [],
  quiet: false,
  unmatched: 0,
  hooks: [],
  diagnostics: [],
};

const CONTEXT: LoadContext = {
  scope: 'user',
  folder: '/h',
  folderName: 'h',
  idPrefix: 'h',
  checkPattern: () => undefined,
  read: () => undefined,
  stat: () => undefined,
};
