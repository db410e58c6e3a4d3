/** Laws for the tools of every adapter: a denied call never runs, a changed one runs as changed, and the model learns of both. */
import type { JobCall, JobHook } from './adapter-job.ts';
import type { AdapterBench } from './describe-adapter.ts';
import type { Suite } from './suite.ts';

export const READ: JobCall = { id: 'call-read', tool: 'read', input: { text: 'notes' } };
const DENY: JobHook = { on: 'tool.before', does: { decision: 'deny', reason: 'notes are private' } };

export function toolLaws({ expect }: Suite, { law }: AdapterBench): void {
  law('a call without an objection runs once, with its own input, and the model gets its result', [], async (perform) => {
    for (const stream of [false, true]) {
      const { ran, seen, error, fired, modelCalls, output } = await perform({ calls: [READ], stream });
      expect([error, ran, modelCalls]).toEqual([null, [{ tool: 'read', input: { text: 'notes' } }], 2]);
      expect(seen['call-read']?.includes('read notes')).toBe(true);
      expect(output.includes('done')).toBe(true);
      const events = fired.filter(({ kind }) => kind.startsWith('tool.'));
      expect(events.map(({ kind }) => kind)).toEqual(['tool.before', 'tool.after']);
      expect(events.map(({ data }) => pick(data, ['tool', 'input', 'toolUseId']))).toEqual(
        [0, 1].map(() => ({ tool: 'read', input: { text: 'notes' }, toolUseId: 'call-read' })),
      );
      expect(String(pick(events[1]?.data, ['result'])['result']).includes('read notes')).toBe(true);
    }
  });

  law('a denied call does not run, and the model gets the reason as its result', ['deny'], async (perform) => {
    for (const stream of [false, true]) {
      const { ran, seen, error, modelCalls } = await perform({ hooks: [DENY], calls: [READ], stream });
      expect([error, ran, modelCalls]).toEqual([null, [], 2]);
      expect(seen['call-read']?.includes('notes are private')).toBe(true);
    }
  });

  law('a denied call does not stop the others of its step', ['deny'], async (perform) => {
    const other: JobCall = { id: 'call-deploy', tool: 'deploy', input: { text: 'staging' } };
    const { ran, seen } = await perform({ hooks: [{ ...DENY, match: '^read$' }], calls: [READ, other] });
    expect(ran).toEqual([{ tool: 'deploy', input: { text: 'staging' } }]);
    expect([seen['call-read']?.includes('notes are private'), seen['call-deploy']?.includes('deploy staging')]).toEqual([true, true]);
  });

  law('a rewritten input is what runs', ['rewrite'], async (perform) => {
    const hooks: readonly JobHook[] = [{ on: 'tool.before', does: { rewrite: { text: 'readme' } } }];
    const { ran, seen } = await perform({ hooks, calls: [READ] });
    expect(ran).toEqual([{ tool: 'read', input: { text: 'readme' } }]);
    expect(seen['call-read']?.includes('read readme')).toBe(true);
  });

  law('a hook that throws or does not answer in time denies, and the run continues', ['deny'], async (perform) => {
    for (const does of ['throws', 'hangs'] as const) {
      const { ran, seen, error } = await perform({ hooks: [{ on: 'tool.before', does, timeoutMs: 100 }], calls: [READ] });
      expect([does, error, ran]).toEqual([does, null, []]);
      expect(seen['call-read']?.includes('did not run')).toBe(true);
    }
  });

  law('a closed engine denies every call', ['deny'], async (perform) => {
    const { ran } = await perform({ calls: [READ], closed: true });
    expect(ran).toEqual([]);
  });

  law('a run that is aborted while a hook decides runs nothing', ['abort'], async (perform) => {
    const { ran } = await perform({ hooks: [{ on: 'tool.before', does: 'aborts' }], calls: [READ] });
    expect(ran).toEqual([]);
  });

  law('a halt ends the run: the tool does not run, and the model is not called again', ['halt'], async (perform) => {
    const hooks: readonly JobHook[] = [{ on: 'tool.before', does: { decision: 'deny', reason: 'no', halt: 'stop everything' } }];
    const { ran, modelCalls } = await perform({ hooks, calls: [READ] });
    expect([ran, modelCalls]).toEqual([[], 1]);
  });

  law('a replaced result is what the model and the client see', ['replace'], async (perform) => {
    const secret: JobCall = { id: 'call-read', tool: 'read', input: { text: 'SECRET' } };
    const hooks: readonly JobHook[] = [
      { on: 'tool.before', does: { rewrite: { text: 'hidden-SECRET' } } },
      { on: 'tool.after', does: { replace: 'a redacted text' } },
    ];
    for (const stream of [false, true]) {
      const { ran, seen, modelInput, output } = await perform({ hooks, calls: [secret], stream });
      expect(ran).toEqual([{ tool: 'read', input: { text: 'hidden-SECRET' } }]);
      expect(seen['call-read']?.includes('a redacted text')).toBe(true);
      expect([modelInput, output].filter((text) => text.includes('hidden-SECRET'))).toEqual([]);
    }
  });

  law('a tool that throws fires tool.error, and its error stays its own', ['error'], async (perform) => {
    const { ran, fired, seen } = await perform({ calls: [{ id: 'call-broken', tool: 'broken', input: { text: 'x' } }] });
    expect(ran.length).toBe(1);
    const errors = fired.filter(({ kind }) => kind === 'tool.error' || kind === 'tool.after');
    expect(errors.map(({ kind, data }) => [kind, pick(data, ['tool', 'toolUseId', 'error'])])).toEqual([
      ['tool.error', { tool: 'broken', toolUseId: 'call-broken', error: 'broken broke' }],
    ]);
    expect(seen['call-broken']?.includes('broken broke') ?? true).toBe(true);
  });

  law('context that hooks add before and after a call reaches the model', ['context'], async (perform) => {
    const hooks: readonly JobHook[] = [
      { on: 'tool.before', does: { context: 'the branch is main' } },
      { on: 'tool.after', does: { context: 'the file is old' } },
    ];
    const { ran, modelInput } = await perform({ hooks, calls: [READ] });
    expect(ran.length).toBe(1);
    expect(['read notes', 'the branch is main', 'the file is old'].filter((text) => !modelInput.includes(text))).toEqual([]);
  });
}

/** Returns these fields of a payload. */
export function pick(data: unknown, keys: readonly string[]): Record<string, unknown> {
  const fields = (data ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(keys.filter((key) => key in fields).map((key) => [key, fields[key]]));
}
