import { expect, test } from 'vitest';
import type { Call } from '../../../src/core/contracts/handler.ts';
import type { HookEvent } from '../../../src/core/event/event.ts';
import type { JsonObject } from '../../../src/core/values/json.ts';
import { guardHandler, guardLine } from '../../../src/handlers/guard.ts';

const PLACES = { root: '/srv/project', home: '/home/me' };

function callWith(config: JsonObject, data: JsonObject, kind: HookEvent['kind'] = 'tool.before'): Call {
  const event = { id: 'e', kind, at: '', session: { id: 's', cwd: '/srv/project' }, data };
  // Only what the handler looks at.
  return { hook: { handler: { type: 'guard', config } }, event, payload: {}, timeoutMs: 1000 } as unknown as Call;
}

const bash = (command: unknown): JsonObject => ({ tool: 'Bash', input: { command: command as string } });
const handler = (settings = {}) => guardHandler(async () => ({ settings, ...PLACES }));
const said = async (data: JsonObject, config: JsonObject = {}, settings = {}) => {
  const answer = await handler(settings).handle(callWith(config, data));
  return answer.kind === 'verdict' ? answer.verdict.decision : answer;
};

test('what is dangerous is denied with the rule, why, and what to do instead', async () => {
  expect(await said(bash('rm -rf /'))).toEqual({ kind: 'deny', reason: expect.stringMatching(/Instead: .*\(Guard rule [a-z-]+\.\)/) });
});

test('no objection is no opinion, never an allow', async () => {
  expect(await said(bash('ls'))).toEqual({ kind: 'pass' });
});

test('what is uncertain is for a person, and denied by a stricter preset', async () => {
  expect(await said(bash(7))).toMatchObject({ kind: 'ask', reason: expect.stringContaining('A person should decide') });
  expect(await said(bash(7), { preset: 'strict' })).toMatchObject({ kind: 'deny' });
});

test('a hook may be stricter than the settings and never more lenient', async () => {
  expect(await said(bash(7), { preset: 'standard' }, { preset: 'strict' })).toMatchObject({ kind: 'deny' });
});

test('overrides of the settings count, those in a hook are none', async () => {
  const overrides = [{ rule: 'uncertain', reason: 'ours', expires: '2999-01-01' }];
  expect(await said(bash(7), {}, { overrides })).toEqual({ kind: 'pass' });
  expect(await said(bash(7), { overrides } as unknown as JsonObject)).toMatchObject({ kind: 'fault', fault: 'unavailable' });
});

test('a config it does not understand is a fault: it then can not be asked', async () => {
  for (const config of [{ preset: 'careless' }, { packs: ['nonsense'] }, { packs: 7 }, { presets: 'strict' }])
    expect(await said(bash('ls'), config)).toMatchObject({ kind: 'fault', fault: 'unavailable', detail: expect.not.stringMatching(/\.$/) });
});

test('what it is not set up for is a fault, never a throw', async () => {
  const broken = guardHandler(() => Promise.reject(new Error('no settings')));
  expect(await broken.handle(callWith({}, bash('ls')))).toEqual({ kind: 'fault', fault: 'threw', detail: 'no settings' });
  const hostile = {
    tool: 'Bash',
    get input(): never {
      throw new Error('hostile');
    },
  };
  expect(await handler().handle(callWith({}, hostile))).toMatchObject({ kind: 'fault', fault: 'threw' });
});

test('every fault of it denies, whatever the format says', () => {
  expect(handler().strict).toBe(true);
});

test('what has happened, or is about no tool, is none of its business', async () => {
  for (const kind of ['tool.after', 'session.start', 'prompt.submit'] as const)
    expect(await handler().handle(callWith({}, bash('rm -rf /'), kind))).toMatchObject({ verdict: { decision: { kind: 'pass' } } });
});

test('the line that stands for it takes a preset and packs', () => {
  expect(guardLine).toMatchObject({ words: ['hookline', 'guard'], type: 'guard' });
  expect(guardLine.check({ preset: 'paranoid', packs: ['x'] })).toBeUndefined();
});

test('what it does not understand is noted, and a stricter preset asks about it', async () => {
  const data: JsonObject = { tool: 'acme', input: { command: 'ls' } };
  const answer = await handler().handle(callWith({}, data));
  expect(answer).toMatchObject({ kind: 'verdict', verdict: { decision: { kind: 'pass' } } });
  expect(answer).toMatchObject({ note: expect.stringMatching(/`acme`.*could not be fully understood/) });
  expect(await said(data, { preset: 'strict' })).toMatchObject({ kind: 'ask' });
  expect(await handler().handle(callWith({}, bash('ls')))).not.toHaveProperty('note');
  const overrides = [{ rule: 'not-understood', reason: 'ours', expires: '2999-01-01' }];
  expect(await said(data, { preset: 'strict' }, { overrides })).toEqual({ kind: 'pass' });
});
