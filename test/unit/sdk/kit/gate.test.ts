import { describe, expect, test, vi } from 'vitest';
import type { Hookline } from '../../../../src/index.ts';
import { type CallContext, createGate, type Engine, type ToolCall } from '../../../../src/sdk/kit/gate.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const CALL: ToolCall = { tool: 'Bash', input: { command: 'ls' }, id: 'c1' };
const WHO: CallContext = { session: 's1' };
const HOLD = { decision: 'hold', reason: 'a person decides' } as const;

const open = (): Promise<Hookline> => createWorkspace().open();

describe('before a call', () => {
  test('the tool gets the original object itself unless a hook rewrites the input', async () => {
    const hookline = await open();
    const at = new Date(0);
    const input = { at, none: undefined };
    const seen: unknown[] = [];
    const off = hookline.on('tool.before', ({ data }) => void seen.push(data.input));
    const verdict = await createGate(hookline).before({ ...CALL, input }, WHO);
    expect(verdict.kind === 'run' && verdict.input).toBe(input);
    expect(seen).toEqual([{ at: '1970-01-01T00:00:00.000Z' }]);
    off();
    hookline.on('tool.before', () => ({ rewrite: { command: 'pwd' } }));
    expect(await createGate(hookline).before(CALL, WHO)).toMatchObject({ kind: 'run', input: { command: 'pwd' } });
  });

  test('an input that is no object is shown as one, and a rewrite of it is given back as it was', async () => {
    const hookline = await open();
    hookline.on('tool.before', ({ data }) => ({ rewrite: { input: `${data.input['input']} -a` } }));
    expect(await createGate(hookline).before({ ...CALL, input: 'ls' }, WHO)).toMatchObject({ kind: 'run', input: 'ls -a' });
  });

  test('who calls reaches the hooks', async () => {
    const hookline = await open();
    const seen: unknown[] = [];
    hookline.on('tool.before', ({ data, session }) => void seen.push({ ...data, session: session.id }));
    await createGate(hookline).before(CALL, { session: 's1', agent: 'main', user: 'ann', channel: 'mail', depth: 2 });
    const input = { command: 'ls' };
    expect(seen).toEqual([{ tool: 'Bash', input, toolUseId: 'c1', agent: 'main', user: 'ann', channel: 'mail', depth: 2, session: 's1' }]);
  });

  test('a question without a ticket is a refusal, because no person can answer it', async () => {
    const hookline = await createWorkspace().open({ canSettle: false });
    hookline.on('tool.before', () => ({ decision: 'ask', reason: 'sure?' }));
    expect(await createGate(hookline).before(CALL, WHO)).toMatchObject({ kind: 'refuse', reason: expect.stringContaining('sure?') });
    const fire = async () => ({ decision: 'ask', reason: 'sure?', context: [] }) as never;
    const asking = createGate({ fire, settle: fire, waitFor: fire } as unknown as Engine);
    expect(await asking.before(CALL, WHO)).toMatchObject({ kind: 'refuse', reason: expect.stringContaining('sure?') });
  });

  test('a halt refuses, also if no hook denied', async () => {
    const hookline = await open();
    hookline.on('tool.before', () => ({ halt: 'stop here' }));
    expect(await createGate(hookline).before(CALL, WHO)).toMatchObject({ kind: 'refuse', halt: 'stop here' });
  });
});

describe('every failure is a refusal, and the tool does not run', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  const gone = new AbortController();
  gone.abort();
  const failures: Readonly<Record<string, { call?: Partial<ToolCall>; context?: Partial<CallContext>; hook?: () => never }>> = {
    'an input that is no JSON': { call: { input: cyclic } },
    'an input with a number that JSON lacks': { call: { input: { n: 1n } } },
    'no session': { context: { session: undefined as never } },
    'an empty session': { context: { session: '' } },
    'a run that was aborted before': { context: { signal: gone.signal } },
    'metadata that is no JSON': { context: { metadata: cyclic as never } },
    'a hook that throws': {
      hook: () => {
        throw new Error('broken');
      },
    },
  };

  test.each(Object.entries(failures))('%s', async (_, { call, context, hook }) => {
    const hookline = await open();
    if (hook) hookline.on('tool.before', hook);
    const execute = vi.fn();
    const ran = await createGate(hookline).run({ ...CALL, ...call }, { ...WHO, ...context }, execute);
    expect([ran.kind, execute.mock.calls.length]).toEqual(['refuse', 0]);
  });

  test('a closed engine', async () => {
    const hookline = await open();
    await hookline.close();
    const gate = createGate(hookline);
    const execute = vi.fn();
    for (const how of [{ resumed: false }, { resumed: true }, { resumed: 't1' }, { waitFor: 't1' }])
      expect(await gate.run(CALL, WHO, execute, how)).toMatchObject({ kind: 'refuse', reason: expect.stringContaining('closed') });
    expect(execute.mock.calls).toEqual([]);
  });

  test('a ticket that does not exist', async () => {
    const gate = createGate(await open());
    expect(await gate.resumed(CALL, WHO, 'nobody')).toMatchObject({ kind: 'refuse', reason: expect.stringContaining('nobody') });
    expect(await gate.waited(CALL, WHO, 'nobody')).toMatchObject({ kind: 'refuse' });
  });
});

describe('a held call', () => {
  const held = async (metadata?: CallContext['metadata']) => {
    const hookline = await open();
    hookline.on('tool.before', () => HOLD);
    const gate = createGate(hookline);
    const verdict = await gate.before(CALL, { ...WHO, metadata });
    if (verdict.kind !== 'hold') throw new Error(verdict.kind);
    return { hookline, gate, ticket: verdict.ticket.id };
  };

  test('keeps the key of its run on the ticket', async () => {
    const { hookline, ticket } = await held({ run: 'r1' });
    expect((await hookline.approvals.get(ticket))?.metadata).toEqual({ run: 'r1' });
  });

  test.each([true, false])('that resumes is refused until a person approves it, then runs once (ticket known: %s)', async (isKnown) => {
    const { hookline, gate, ticket } = await held();
    const known = isKnown ? ticket : undefined;
    expect(await gate.resumed(CALL, WHO, known)).toMatchObject({ kind: 'refuse', text: expect.stringContaining(ticket) });
    await hookline.approvals.approve(ticket, { by: 'ann' });
    expect(await gate.resumed(CALL, WHO, known)).toMatchObject({ kind: 'run' });
    expect(await gate.resumed(CALL, WHO, known)).toMatchObject({ kind: 'refuse' });
  });

  test('its approval does not count for another call, session or input, even with its ticket', async () => {
    const { hookline, gate, ticket } = await held();
    await hookline.approvals.approve(ticket, { by: 'ann' });
    const others = [
      [{ ...CALL, id: 'c2' }, WHO],
      [CALL, { session: 's2' }],
      [{ ...CALL, input: { command: 'rm' } }, WHO],
    ] as const;
    for (const [call, who] of others) expect((await gate.resumed(call, who, ticket)).kind).toBe('refuse');
    expect((await gate.resumed(CALL, WHO, ticket)).kind).toBe('run');
  });

  test('that is waited for goes on when a person approves it, and stops waiting when the run is aborted', async () => {
    const { hookline, gate, ticket } = await held();
    const waiting = gate.waited(CALL, WHO, ticket);
    await hookline.approvals.approve(ticket, { by: 'ann' });
    expect(await waiting).toMatchObject({ kind: 'run' });
    const again = await held();
    const run = new AbortController();
    const stopped = again.gate.waited(CALL, { ...WHO, signal: run.signal }, again.ticket);
    run.abort();
    expect(await stopped).toMatchObject({ kind: 'refuse', reason: 'The run was aborted.' });
  });

  test('that was denied or expired says so', async () => {
    const { hookline, gate, ticket } = await held();
    await hookline.approvals.deny(ticket, { by: 'ann', note: 'too late' });
    expect(await gate.resumed(CALL, WHO, ticket)).toMatchObject({ kind: 'refuse', reason: 'Denied by ann: too late' });
  });
});

describe('after a call', () => {
  test('the model gets the original result itself, or the one of a hook', async () => {
    const hookline = await open();
    const gate = createGate(hookline);
    const result = { lines: 3 };
    expect((await gate.after(CALL, result, WHO)).result).toBe(result);
    hookline.on('tool.after', ({ data }) => ({ replace: `${JSON.stringify(data.result)} seen`, context: 'more' }));
    expect(await gate.after(CALL, result, WHO)).toEqual({ result: '{"lines":3} seen', isReplaced: true, context: ['more'] });
  });

  test('a result that a hook denies, that the hooks cannot see, or that comes when the engine is closed is withheld', async () => {
    const hookline = await open();
    const cyclic: unknown[] = [];
    cyclic.push(cyclic);
    expect(String((await createGate(hookline).after(CALL, cyclic, WHO)).result)).toContain('withheld');
    const fire = async () => ({ decision: 'deny', reason: 'has a key', context: [] }) as never;
    const denying = createGate({ fire, settle: fire, waitFor: fire } as unknown as Engine);
    expect(await denying.after(CALL, 'SECRET', WHO)).toMatchObject({
      result: expect.stringMatching(/withheld.*has a key/),
      isReplaced: true,
    });
    await hookline.close();
    expect(JSON.stringify(await createGate(hookline).after(CALL, 'SECRET', WHO))).not.toContain('SECRET');
  });

  test('the hooks see a result although the run was aborted meanwhile', async () => {
    const hookline = await open();
    const run = new AbortController();
    hookline.on('tool.after', () => ({ replace: 'redacted' }));
    const execute = async (): Promise<string> => {
      run.abort();
      return 'SECRET';
    };
    expect(await createGate(hookline).run(CALL, { ...WHO, signal: run.signal }, execute)).toMatchObject({
      kind: 'ran',
      result: 'redacted',
    });
  });

  test("a tool's own error is told to the hooks and stays the same error", async () => {
    const hookline = await open();
    const errors: unknown[] = [];
    hookline.on('tool.error', ({ data }) => void errors.push(data.error));
    const error = new Error('disk full');
    const failing = createGate(hookline).run(CALL, WHO, () => {
      throw error;
    });
    await expect(failing).rejects.toBe(error);
    expect(errors).toEqual(['disk full']);
  });

  test('the hooks after a call see the input that ran', async () => {
    const hookline = await open();
    const inputs: unknown[] = [];
    hookline.on('tool.before', () => ({ rewrite: { command: 'pwd' } }));
    hookline.on('tool.after', ({ data }) => void inputs.push(data.input));
    await createGate(hookline).run(CALL, WHO, () => 'ok');
    expect(inputs).toEqual([{ command: 'pwd' }]);
  });
});
