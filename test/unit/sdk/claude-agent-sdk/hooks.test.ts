/** The callbacks, called as the Claude Agent SDK calls them. The contract of adapters runs over the SDK itself: `npm run test:sdks`. */
import { describe, expect, test, vi } from 'vitest';
import { guardHooks, HaltError, startSession } from '../../../../src/claude-agent-sdk.ts';
import type { Hookline } from '../../../../src/index.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const open = (): Promise<Hookline> => createWorkspace().open();
const never = new AbortController().signal;
const PLACE = { session_id: 'c-1', cwd: process.cwd() };
const DEPLOY = { ...PLACE, tool_name: 'deploy', tool_input: { to: 'production' }, tool_use_id: 'call-1' };

function callbacks(hookline: Hookline, options: Partial<Parameters<typeof guardHooks>[1]> = {}) {
  const hooks = guardHooks(hookline, { session: 's1', ...options });
  return {
    hooks,
    call: (event: keyof typeof hooks, input: object) =>
      hooks[event][0]?.hooks[0]?.({ ...PLACE, ...input }, undefined, { signal: never }) as Promise<Record<string, unknown>>,
  };
}

const answered = async (running: Promise<Record<string, unknown>>) =>
  (await running)['hookSpecificOutput'] as Record<string, unknown> | undefined;

describe('a tool call', () => {
  test('without an objection leaves the permissions of the SDK in force', async () => {
    const { call } = callbacks(await open());
    expect(await call('PreToolUse', DEPLOY)).toEqual({ hookSpecificOutput: { hookEventName: 'PreToolUse' } });
  });

  test('that a hook allows is allowed, and one that it denies is denied', async () => {
    const hookline = await open();
    hookline.on('tool.before', ({ data }) =>
      String(data.tool) === 'deploy' ? { decision: 'deny', reason: 'no' } : { decision: 'allow', reason: 'ok' },
    );
    const { call } = callbacks(hookline);
    expect((await answered(call('PreToolUse', DEPLOY)))?.['permissionDecision']).toBe('deny');
    expect((await answered(call('PreToolUse', { ...DEPLOY, tool_name: 'read' })))?.['permissionDecision']).toBe('allow');
  });

  test('is denied by a closed engine, an input that is no JSON and a hook that takes too long', async () => {
    const closed = await open();
    await closed.close();
    const slow = await open();
    slow.on('tool.before', () => new Promise<undefined>(() => {}));
    const decisions = await Promise.all([
      answered(callbacks(closed).call('PreToolUse', DEPLOY)),
      answered(callbacks(await open()).call('PreToolUse', { ...DEPLOY, tool_input: 1n })),
      answered(callbacks(slow, { timeoutSeconds: 0.05 }).call('PreToolUse', DEPLOY)),
    ]);
    expect(decisions.map((decision) => decision?.['permissionDecision'])).toEqual(['deny', 'deny', 'deny']);
  });

  test('no callback rejects or is late, and a call, a prompt and a result that were not checked go nowhere', async () => {
    const slow = await open();
    for (const kind of ['tool.after', 'stop.before', 'prompt.submit'] as const) slow.on(kind, () => new Promise<undefined>(() => {}));
    const { call } = callbacks(slow, { timeoutSeconds: 0.05 });
    expect(await call('PostToolUse', { ...DEPLOY, tool_response: 'SECRET' })).toMatchObject({ continue: false });
    expect(await call('UserPromptSubmit', { prompt: 'go' })).toMatchObject({ decision: 'block' });
    expect(await call('Stop', {})).toEqual({});
    const { hooks } = callbacks(await open());
    const broken = await hooks.PreToolUse[0]?.hooks[0]?.({ ...DEPLOY }, undefined, undefined as never);
    expect(broken).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
  });

  test('hooks run in the folder of the agent', async () => {
    const hookline = await open();
    const seen: unknown[] = [];
    for (const kind of ['tool.before', 'tool.after', 'tool.error'] as const) hookline.on(kind, ({ session }) => void seen.push(session));
    const { call } = callbacks(hookline);
    const there = { ...DEPLOY, cwd: import.meta.dirname };
    await call('PreToolUse', there);
    await call('PostToolUse', { ...there, tool_response: 'ok' });
    await call('PostToolUseFailure', { ...there, error: 'broke' });
    expect(seen).toEqual([1, 2, 3].map(() => ({ id: 's1', cwd: import.meta.dirname })));
  });

  test('Hookline answers before the timeout of the SDK, which is in seconds', async () => {
    const { hooks } = callbacks(await open(), { timeoutSeconds: 5 });
    expect(Object.values(hooks).map(([matcher]) => (matcher?.timeout ?? 0) > 5)).toEqual(Object.keys(hooks).map(() => true));
  });

  test('of two held calls of a step one is deferred, and the ticket of the other is withdrawn', async () => {
    const hookline = await open();
    hookline.on('tool.before', () => ({ decision: 'hold', reason: 'ask' }));
    const { call } = callbacks(hookline);
    const first = await answered(call('PreToolUse', DEPLOY));
    const second = await answered(call('PreToolUse', { ...DEPLOY, tool_use_id: 'call-2' }));
    expect([first?.['permissionDecision'], second?.['permissionDecision']]).toEqual(['defer', 'deny']);
    const tickets = await hookline.approvals.list();
    expect(tickets.map(({ state, metadata }) => [state, metadata]).sort()).toEqual([
      ['open', { claudeSession: 'c-1' }],
      ['withdrawn', { claudeSession: 'c-1' }],
    ]);
    expect((await answered(call('PreToolUse', DEPLOY)))?.['permissionDecision']).toBe('defer');
  });

  test('of a subagent that is held is denied, and the same call runs once it is approved', async () => {
    const hookline = await open();
    hookline.on('tool.before', () => ({ decision: 'hold', reason: 'ask' }));
    const { call } = callbacks(hookline);
    const within = { ...DEPLOY, agent_id: 'a1', agent_type: 'helper' };
    expect((await answered(call('PreToolUse', within)))?.['permissionDecision']).toBe('deny');
    const [ticket] = await hookline.approvals.list();
    await hookline.approvals.approve(ticket?.id ?? '', { by: 'ann' });
    const again = { ...within, tool_use_id: 'call-9' };
    expect((await answered(call('PreToolUse', again)))?.['permissionDecision']).toBe('allow');
    expect((await answered(call('PreToolUse', again)))?.['permissionDecision']).toBe('deny');
  });

  test('of a subagent that was denied is denied', async () => {
    const hookline = await open();
    hookline.on('subagent.before', () => ({ decision: 'deny', reason: 'no helpers' }));
    const { call } = callbacks(hookline);
    await call('SubagentStart', { agent_id: 'a1', agent_type: 'helper' });
    const decision = await answered(call('PreToolUse', { ...DEPLOY, agent_id: 'a1' }));
    expect([decision?.['permissionDecision'], String(decision?.['permissionDecisionReason']).includes('no helpers')]).toEqual([
      'deny',
      true,
    ]);
    expect((await answered(call('PreToolUse', DEPLOY)))?.['permissionDecision']).toBe(undefined);
  });
});

describe('a result', () => {
  const replacing = async (tool_name: string, tool_response: unknown, replace: never) => {
    const hookline = await open();
    hookline.on('tool.after', () => ({ replace }));
    return callbacks(hookline).call('PostToolUse', { ...DEPLOY, tool_name, tool_response });
  };

  test('is replaced in the shape of the tool', async () => {
    const shaped = async (tool: string, response: unknown) =>
      ((await replacing(tool, response, 'hidden' as never))['hookSpecificOutput'] as Record<string, unknown>)['updatedToolOutput'];
    expect(await shaped('mcp__ops__read', [{ type: 'text', text: 'SECRET' }])).toEqual([{ type: 'text', text: 'hidden' }]);
    expect(await shaped('Bash', { stdout: 'SECRET', stderr: 'SECRET', interrupted: false, isImage: false })).toMatchObject({
      stdout: 'hidden',
      stderr: '',
    });
    expect(await shaped('Read', { type: 'text', file: { filePath: '/a', content: 'SECRET' } })).toMatchObject({
      file: { filePath: '/a', content: 'hidden' },
    });
  });

  test('of an unknown shape ends the run, unless the replacement has the same keys', async () => {
    const response = { mode: 'content', content: 'SECRET', numFiles: 1 };
    expect(await replacing('Grep', response, 'hidden' as never)).toMatchObject({ continue: false });
    const same = { mode: 'content', content: 'hidden', numFiles: 1 };
    expect(await replacing('Grep', response, same as never)).toMatchObject({ hookSpecificOutput: { updatedToolOutput: same } });
  });

  test('that a closed engine cannot show to the hooks is withheld', async () => {
    const hookline = await open();
    await hookline.close();
    const { call } = callbacks(hookline);
    const output = await call('PostToolUse', { ...DEPLOY, tool_response: [{ type: 'text', text: 'SECRET' }] });
    expect(JSON.stringify(output)).not.toContain('SECRET');
    expect(output).toMatchObject({ hookSpecificOutput: { updatedToolOutput: [{ type: 'text' }] } });
  });
});

describe('other boundaries', () => {
  test('a prompt that a hook denies, rewrites or holds, or that cannot be checked, is blocked', async () => {
    const closed = await open();
    await closed.close();
    expect(await callbacks(closed).call('UserPromptSubmit', { prompt: 'go' })).toMatchObject({ decision: 'block' });
    for (const answer of [{ decision: 'deny' as const, reason: 'no' }, { rewrite: 'stop' }, { decision: 'hold' as const, reason: 'ask' }]) {
      const hookline = await open();
      hookline.on('prompt.submit', () => answer);
      expect(await callbacks(hookline).call('UserPromptSubmit', { prompt: 'go' })).toMatchObject({ decision: 'block' });
    }
    expect(await callbacks(await open()).call('UserPromptSubmit', { prompt: 'go' })).not.toHaveProperty('decision');
  });

  test('a stop that a hook denies sends the agent back, and a stop that cannot be checked ends', async () => {
    const hookline = await open();
    const seen: unknown[] = [];
    hookline.on('stop.before', ({ data }) => {
      seen.push(data.continuations);
      return { decision: 'deny', reason: 'run the tests' };
    });
    const { call } = callbacks(hookline);
    expect(await call('Stop', {})).toEqual({ decision: 'block', reason: 'run the tests' });
    await call('Stop', {});
    expect(seen).toEqual([0, 1]);
    await hookline.close();
    expect(await call('Stop', {})).toEqual({});
  });

  test('a session fires its start and its end once, and its context reaches the first prompt', async () => {
    const hookline = await open();
    hookline.on('session.start', () => ({ context: 'the branch is main' }));
    const ended = vi.fn();
    hookline.on('session.end', ended);
    const { hooks, end } = await startSession(hookline, { session: 's1' });
    const submit = () => hooks.UserPromptSubmit[0]?.hooks[0]?.({ ...PLACE, prompt: 'go' }, undefined, { signal: never });
    expect(JSON.stringify([await submit(), await submit()]).split('the branch is main')).toHaveLength(2);
    await Promise.all([end(), end()]);
    expect(ended.mock.calls).toHaveLength(1);
  });

  test('a session that a hook denies is not started', async () => {
    const hookline = await open();
    hookline.on('session.start', () => ({ decision: 'deny', reason: 'not here' }));
    await expect(startSession(hookline, { session: 's1' })).rejects.toThrow(HaltError);
  });

  test('a session is required', async () => {
    const hookline = await open();
    expect(() => guardHooks(hookline, { session: '' })).toThrow('session');
  });
});
