/**
 * The entry names the caller. A key in a payload or an inherited variable, whoever it belongs to, never turns a denial into silence: the host that
 * the entry names reads the same denial with it as without it.
 */
import { describe, expect, test } from 'vitest';
import { OTHER_PRODUCTS } from '../../../src/agents/kit/other-products.ts';
import { sampleEvent, sampleHook } from '../../../src/api/testing/samples.ts';
import { HOSTS } from '../../../src/builtins.ts';
import type { Host, Signs } from '../../../src/core/contracts/host.ts';
import type { Decision } from '../../../src/core/decision/decision.ts';
import { EVENT_KINDS, type EventKind } from '../../../src/core/event/event.ts';
import { interpret } from '../../../src/core/meaning/interpret.ts';
import type { EventRule } from '../../../src/core/meaning/profile.ts';
import type { JsonObject } from '../../../src/core/values/json.ts';
import type { HostAnswer, HostAnswerer } from '../../../src/engine/answer-host.ts';
import { answererFor, createWorkspace } from '../../support/workspace.ts';
import { hookline as program, skill } from '../cli/program.ts';

const hostOf = (id: string): Host => HOSTS.find((host) => host.id === id) as Host;

interface Sign {
  readonly name: string;
  readonly payload: JsonObject;
  readonly env: Readonly<Record<string, string>>;
}

/** Every key and variable by which a product other than this host is recognised, alone and all together. */
function foreignSigns(host: Host): readonly Sign[] {
  const others = [...HOSTS, ...OTHER_PRODUCTS].filter(({ id }) => id !== host.id);
  const keys = [...new Set(others.flatMap(({ signs, eventKey }) => [...signs.payload, ...(eventKey === null ? [] : [eventKey])]))];
  const variables = [
    ...new Set(others.flatMap(({ signs: { env, markers, project } }: { signs: Signs }) => [...env, ...markers, project ?? []].flat())),
  ];
  const inPayload = keys.map((key): Sign => ({ name: key, payload: { [key]: 'x' }, env: {} }));
  const inEnvironment = variables.map((name): Sign => ({ name, payload: {}, env: { [name]: '1' } }));
  const each = [...inPayload, ...inEnvironment];
  const all = { payload: Object.assign({}, ...each.map(({ payload }) => payload)), env: Object.assign({}, ...each.map(({ env }) => env)) };
  return [
    ...each,
    { name: 'all keys', payload: all.payload, env: {} },
    { name: 'all variables', payload: {}, env: all.env },
    { name: 'all signs', ...all },
  ];
}

interface Gate {
  readonly event: string;
  readonly kind: EventKind;
  readonly rule: EventRule;
}

/** The events of a host that can be denied. */
function gatesOf({ dialect }: Host): readonly Gate[] {
  return Object.entries<EventRule>(dialect.profile.events).flatMap(([event, rule]) =>
    rule.grants.includes('deny') ? rule.kinds.map((kind) => ({ event, kind, rule })) : [],
  );
}

function payloadOf({ dialect }: Host, { event, kind }: Gate, session: string): JsonObject {
  const sample = sampleEvent(kind);
  return dialect.wire.encodeEvent({ ...sample, session: { ...sample.session, id: session } }, event);
}

/** What the host makes of the answer. */
function readBy({ dialect }: Host, { event, kind, rule }: Gate, { stdout, stderr, exit }: HostAnswer): Decision | string {
  const reply = { kind: 'process', stdout, stderr, exit, output: `${stdout}${stderr}` } as const;
  const read = interpret(reply, sampleHook(dialect, event), rule, dialect, sampleEvent(kind));
  return 'decision' in read ? read.decision : read.fault;
}

const REASON = 'Not today, because of the law.';

/** Asks an engine in which a hook of Hookline's own denies everything. */
async function denying(): Promise<HostAnswerer> {
  const hookline = await createWorkspace().open();
  for (const kind of EVENT_KINDS) hookline.on(kind, () => ({ decision: 'deny', reason: REASON }));
  return answererFor(hookline);
}

let calls = 0;
const freshSession = (): string => `law-${++calls}`;

describe.each(HOSTS.map((host) => [host.id, host] as const))('%s', (_, host) => {
  const signs = foreignSigns(host);

  test('a denial holds with every sign of every other product, on every event that can be denied', async () => {
    const answer = await denying();
    const lost: unknown[] = [];
    let held = 0;
    for (const gate of gatesOf(host)) {
      for (const asked of [gate.event, undefined]) {
        const without = readBy(host, gate, await answer(host.id, payloadOf(host, gate, freshSession()), asked));
        // Where a denial is not heard at all, there is nothing to lose.
        if (typeof without === 'string' || without.kind !== 'deny') continue;
        for (const sign of signs) {
          const payload = { ...sign.payload, ...payloadOf(host, gate, freshSession()) };
          const found = readBy(host, gate, await answer(host.id, payload, asked, sign.env));
          const isHeld = typeof found !== 'string' && found.kind === 'deny' && found.reason.includes(REASON);
          if (isHeld) held++;
          else lost.push({ event: gate.event, asked, sign: sign.name, found });
        }
      }
    }
    expect(lost).toEqual([]);
    expect(held).toBeGreaterThanOrEqual(signs.length);
  });

  test('so does a denial of what cannot be read, and of what Hookline failed to judge', async () => {
    const answer = await denying();
    const lost: unknown[] = [];
    for (const gate of gatesOf(host)) {
      for (const text of ['', '{"half":', '[]']) {
        const without = readBy(host, gate, await answer(host.id, text, gate.event));
        if (typeof without === 'string' || without.kind !== 'deny') continue;
        for (const sign of signs) {
          const found = readBy(host, gate, await answer(host.id, text, gate.event, sign.env));
          if (typeof found === 'string' || found.kind !== 'deny') lost.push({ event: gate.event, text, sign: sign.name, found });
        }
      }
    }
    expect(lost).toEqual([]);
  });
});

/** Hosts that also read the file of another one, with that one. */
const SHARING = HOSTS.flatMap((reader) => reader.alsoReads.map(({ host }) => [reader.id, host] as const));

test.each(SHARING)('%s, which also runs the entries of %s, reads every denial that it can carry out', async (id, entry) => {
  const reader = hostOf(id);
  const answer = await denying();
  const lost: unknown[] = [];
  for (const gate of gatesOf(reader)) {
    const env = Object.fromEntries(reader.signs.env.map((name) => [name, '1']));
    const own = readBy(reader, gate, await answer(id, payloadOf(reader, gate, freshSession()), gate.event));
    const called = gate.event.replace(/^[a-z]/, (letter) => letter.toUpperCase());
    for (const more of [{}, Object.fromEntries(hostOf(entry).signs.env.map((name) => [name, '1']))]) {
      const found = readBy(reader, gate, await answer(entry, payloadOf(reader, gate, freshSession()), called, { ...env, ...more }));
      if (typeof own !== 'string' && own.kind === 'deny' && (typeof found === 'string' || found.kind !== 'deny'))
        lost.push({ event: gate.event, inherited: more, found });
    }
  }
  expect(lost).toEqual([]);
});

test('in doubt a question is a question in each host that may be calling, and a rewrite is applied or denied', async () => {
  const claude = hostOf('claude-code');
  const copilot = hostOf('copilot');
  const gate = gatesOf(claude).find(({ event }) => event === 'PreToolUse') as Gate;
  const inCopilot = gatesOf(copilot).find(({ event }) => event === 'PreToolUse') as Gate;
  const asking = await createWorkspace().open();
  asking.on('tool.before', () => ({ decision: 'ask', reason: 'Sure?' }));
  const asked = await answererFor(asking)('claude-code', payloadOf(claude, gate, freshSession()), 'PreToolUse', { COPILOT_CLI: '1' });
  expect([readBy(claude, gate, asked), readBy(copilot, inCopilot, asked)]).toEqual([
    { kind: 'ask', reason: 'Sure?' },
    { kind: 'ask', reason: 'Sure?' },
  ]);
  const rewriting = await createWorkspace().open();
  rewriting.on('tool.before', () => ({ rewrite: { command: 'true' } }));
  const rewritten = await answererFor(rewriting)('claude-code', payloadOf(claude, gate, freshSession()), 'PreToolUse', {
    COPILOT_CLI: '1',
  });
  const said = JSON.parse(rewritten.stdout);
  expect([said.hookSpecificOutput.updatedInput, said.modifiedArgs]).toEqual([{ command: 'true' }, { command: 'true' }]);
});

test('in doubt the hooks in the format of the other host are asked, because the entry’s host does not run them', async () => {
  const workspace = createWorkspace({
    '.github/hooks/own.json': JSON.stringify({ version: 1, hooks: { preToolUse: [{ type: 'command', bash: 'echo no; exit 2' }] } }),
  });
  const claude = hostOf('claude-code');
  const gate = gatesOf(claude).find(({ event }) => event === 'PreToolUse') as Gate;
  const answer = answererFor(await workspace.open());
  for (const env of [{}, { COPILOT_CLI: '1' }])
    expect(readBy(claude, gate, await answer('claude-code', payloadOf(claude, gate, freshSession()), 'PreToolUse', env))).toMatchObject({
      kind: 'deny',
    });
});

describe('through the command', () => {
  const CALL = { session_id: 's1', cwd: '/tmp', tool_use_id: 'u1', tool_name: 'Bash', tool_input: { command: 'rm -rf /' } };
  const rows: readonly (readonly [host: string, event: string, payload: JsonObject, env: Readonly<Record<string, string>>])[] = [
    ['claude-code', 'PreToolUse', { cursor_version: 'x' }, {}],
    ['claude-code', 'PreToolUse', { opencode: 'x' }, {}],
    ['claude-code', 'PreToolUse', { agent_action_name: 'x' }, {}],
    ['claude-code', 'PreToolUse', { clineVersion: 'x' }, {}],
    ['claude-code', 'PreToolUse', { client_type: 'x' }, {}],
    ['claude-code', 'PreToolUse', { turn_id: 'x', sessionId: 'x' }, {}],
    ['claude-code', 'PreToolUse', {}, { CURSOR_VERSION: '1' }],
    ['claude-code', 'PreToolUse', {}, { COPILOT_CLI: '1' }],
    ['gemini-cli', 'BeforeTool', {}, { CLAUDECODE: '1' }],
    ['qwen', 'PreToolUse', {}, { CLAUDECODE: '1' }],
    ['kimi', 'PreToolUse', {}, { CURSOR_VERSION: '1', CLAUDECODE: '1' }],
    ['codex', 'PreToolUse', {}, { CURSOR_VERSION: '1' }],
    ['copilot', 'PreToolUse', {}, { CLAUDECODE: '1', CURSOR_VERSION: '1' }],
  ];

  test.each(rows)('%s denies %s with %j and %j', async (id, event, payload, env) => {
    const workspace = createWorkspace(skill('echo Not here. && exit 2'));
    const stdin = JSON.stringify({ ...CALL, hook_event_name: event, ...payload });
    const { exit, ...said } = await program(workspace, ['hook', id, event, '--trust-all'], { stdin, env });
    const gate = gatesOf(hostOf(id)).find((one) => one.event === event) as Gate;
    expect(readBy(hostOf(id), gate, { ...said, exit: exit ?? -1 })).toMatchObject({
      kind: 'deny',
      reason: expect.stringContaining('Not here.'),
    });
  });

  test.each([
    ['{}', 0],
    ['', 2],
  ])('an event called `constructor` is unknown: with %j it ends with %s', async (stdin, exit) => {
    const ended = await program(createWorkspace(), ['hook', 'claude-code', 'constructor'], { stdin });
    expect(ended).toMatchObject({ exit, stdout: '' });
    expect(ended.stderr).toMatch(stdin === '' ? /stdin is empty/ : /constructor is not an event of Claude Code/);
  });

  test('a display of a message is no event of another host because it has a turn', async () => {
    const payload = {
      hook_event_name: 'MessageDisplay',
      session_id: 's',
      cwd: '/tmp',
      turn_id: 't',
      message_id: 'm',
      index: 0,
      final: true,
      delta: 'x',
    };
    expect(await program(createWorkspace(), ['hook', 'claude-code', 'MessageDisplay'], { stdin: JSON.stringify(payload) })).toEqual({
      exit: 0,
      stdout: '',
      stderr: '',
    });
  });
});
