/** Every wrong answer of a model is a fault under the policy of the hook's format, in every format that has judges. None is read as consent. */
import { describe, expect, test } from 'vitest';
import { judgeWith } from '../../../src/ai.ts';
import { DIALECTS } from '../../../src/builtins.ts';
import { policyFor } from '../../../src/core/meaning/interpret.ts';
import type { HooklineOptions, Model, Outcome } from '../../../src/index.ts';
import { type Step, scriptedJudge } from '../../support/scripted-judge.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';

/** A hook of each kind that the format has, on the event before a tool. */
const FORMATS: Readonly<
  Record<string, { readonly event: string; readonly kinds: readonly string[]; files(hook: object): Record<string, string> }>
> = {
  arawn: {
    ...{ event: 'PreToolUse', kinds: ['prompt', 'agent'] },
    files: (hook) => ({
      '~/.config/arawn/plugins/p/.claude-plugin/plugin.json': '{"name": "p"}',
      '~/.config/arawn/plugins/p/hooks/hooks.json': JSON.stringify({
        hooks: { PreToolUse: [{ hooks: [{ agent: 'verifier', timeout: 20_000, ...hook }] }] },
      }),
    }),
  },
  'claude-code': {
    ...{ event: 'PreToolUse', kinds: ['prompt', 'agent'] },
    files: (hook) => ({ '~/.claude/settings.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }) }),
  },
  qwen: {
    ...{ event: 'PreToolUse', kinds: ['prompt'] },
    files: (hook) => ({ '~/.qwen/settings.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }) }),
  },
  cursor: {
    ...{ event: 'preToolUse', kinds: ['prompt'] },
    files: (hook) => ({ '~/.cursor/hooks.json': JSON.stringify({ version: 1, hooks: { preToolUse: [hook] } }) }),
  },
};

const text = (said: string, finish: unknown = 'stop'): Step => ({ content: [{ type: 'text', text: said }], finishReason: finish });

const WRONG: Readonly<Record<string, { readonly step: Step; readonly fault: 'malformed' }>> = {
  'a text for a boolean': { step: '{"ok": "false", "reason": ""}', fault: 'malformed' },
  'a text for true': { step: '{"ok": "true", "reason": ""}', fault: 'malformed' },
  zero: { step: '0', fault: 'malformed' },
  null: { step: 'null', fault: 'malformed' },
  true: { step: 'true', fault: 'malformed' },
  'an empty object': { step: '{}', fault: 'malformed' },
  'a list': { step: '[{"ok": true, "reason": ""}]', fault: 'malformed' },
  'another word': { step: '{"allow": true}', fault: 'malformed' },
  'the reply of a script': { step: '{"hookSpecificOutput": {"permissionDecision": "allow"}, "permission": "allow"}', fault: 'malformed' },
  prose: { step: 'I see no problem with this.', fault: 'malformed' },
  'prose around JSON': { step: 'Sure: {"ok": true, "reason": ""}', fault: 'malformed' },
  fences: { step: '```json\n{"ok": true, "reason": ""}\n```', fault: 'malformed' },
  'half a JSON': { step: '{"ok": true, "rea', fault: 'malformed' },
  nothing: { step: '', fault: 'malformed' },
  'too long by its tokens': { step: text('{"ok": true, "reason": ""}', { unified: 'length' }), fault: 'malformed' },
  'too long a reason': { step: JSON.stringify({ ok: true, reason: 'x'.repeat(3000) }), fault: 'malformed' },
  'a key twice': { step: '{"ok": true, "reason": "", "ok": true}', fault: 'malformed' },
};

const BASH = { tool: 'Bash', input: { command: 'ls' } };

async function fire(workspace: Workspace, model: Model, more: HooklineOptions = {}): Promise<Outcome> {
  const engine = await workspace.open({ model, ...more });
  return engine.fire('tool.before', BASH, { session: 'one' });
}

test('the table has every format with hooks that a model answers', () => {
  const known = DIALECTS.filter(({ profile }) => profile.ask.judge !== null).map(({ id }) => id);
  expect(Object.keys(FORMATS).sort()).toEqual([...known].sort());
});

describe.each(Object.entries(FORMATS))('%s', (id, { event, kinds, files }) => {
  const { profile } = DIALECTS.find((dialect) => dialect.id === id) ?? (undefined as never);
  const hooks = kinds.map((type) => ({ type, prompt: 'Only read. $ARGUMENTS' }));
  const policy = (fault: 'malformed' | 'timeout', strict = false) => policyFor(fault, profile.events[event] as never, profile.fail, strict);

  test.each(kinds)('a verdict of a %s hook counts', async (type) => {
    const workspace = createWorkspace(files({ type, prompt: 'Only read.' }));
    const denied = await fire(workspace, judgeWith(scriptedJudge('{"ok": false, "reason": "no writing"}')));
    expect(denied).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('no writing'),
      hooks: [{ dialect: id, status: 'answered' }],
    });
    const passed = await fire(
      createWorkspace(files({ type, prompt: 'Only read.' })),
      judgeWith(scriptedJudge('{"ok": true, "reason": ""}')),
    );
    expect(passed).toMatchObject({ decision: 'pass', hooks: [{ status: 'answered' }] });
  });

  test.each(Object.entries(WRONG))('%s is a fault with its policy', async (_, { step, fault }) => {
    for (const hook of hooks) {
      const workspace = createWorkspace(files(hook));
      const outcome = await fire(workspace, judgeWith(scriptedJudge(step)));
      expect(outcome.hooks).toMatchObject([
        { dialect: id, status: 'faulted', fault: { kind: fault }, judge: { model: 'scripted:one', cached: false } },
      ]);
      expect(outcome.decision).toBe(policy(fault));
      expect(await fire(workspace, judgeWith(scriptedJudge(step)), { strict: true })).toMatchObject({ decision: 'deny' });
    }
  });

  test.each(Object.entries(WRONG))('%s of a model of the program is a fault too', async (_, { step }) => {
    for (const hook of hooks) {
      const said = typeof step === 'string' ? step : '';
      const answer = async () => said;
      const outcome = await fire(createWorkspace(files(hook)), { judge: answer, verify: answer });
      expect(outcome.hooks).toMatchObject([{ status: 'faulted', fault: { kind: 'malformed' } }]);
    }
  });

  test.each([undefined, null, 0, false, '', [], { ok: 'false' }, { ok: 1 }, {}])(
    '%j as a value is a fault, never a pass by reading',
    async (value) => {
      for (const hook of hooks) {
        const outcome = await fire(createWorkspace(files(hook)), { judge: async () => value, verify: async () => value });
        expect(outcome.hooks).toMatchObject([{ status: 'faulted', fault: { kind: 'malformed' } }]);
        expect(outcome.decision).toBe(policy('malformed'));
      }
    },
  );

  test('an answer that is too late is a fault, and the model is told', async () => {
    for (const hook of hooks) {
      const workspace = createWorkspace(files({ ...hook, timeout: id === 'arawn' ? 1500 : 1.5 }));
      let aborted: Promise<unknown> | undefined;
      const model = scriptedJudge(({ abortSignal }) => {
        aborted = new Promise((resolve) => abortSignal.addEventListener('abort', resolve));
        return aborted.then(() => '{"ok": true, "reason": ""}');
      });
      const outcome = await fire(workspace, judgeWith(model));
      expect(outcome.hooks).toMatchObject([{ status: 'faulted', fault: { kind: 'timeout' }, judge: { estimated: true } }]);
      expect(outcome.decision).toBe(policy('timeout'));
      await aborted;
    }
  });

  test('an event that is too large is a fault that denies, in every format', async () => {
    for (const hook of hooks) {
      const model = scriptedJudge('{"ok": true, "reason": ""}');
      const outcome = await fire(createWorkspace(files(hook)), judgeWith(model, { maxEventBytes: 10 }));
      expect(outcome).toMatchObject({ decision: 'deny', hooks: [{ fault: { kind: 'oversize' } }] });
      expect(model.asked).toEqual([]);
    }
  });

  test('`onError` of the settings decides on a fault of a judge', async () => {
    const [hook] = hooks;
    const workspace = createWorkspace(files(hook ?? {}));
    const [listed] = (await (await workspace.open({ model: judgeWith(scriptedJudge('')) })).list()).hooks;
    for (const onError of ['deny', 'pass'] as const) {
      workspace.write({ '~/.config/hookline/settings.json': JSON.stringify({ onError: { [listed?.name ?? '']: onError } }) });
      expect(await fire(workspace, judgeWith(scriptedJudge('prose')))).toMatchObject({ decision: onError, hooks: [{ status: 'faulted' }] });
    }
  });

  test('without any model the hook is a fault that says what to set', async () => {
    const outcome = await (await createWorkspace(files(hooks[0] ?? {})).open()).fire('tool.before', BASH);
    expect(outcome.hooks).toMatchObject([{ fault: { kind: 'unavailable', detail: expect.stringContaining('`judge.model`') } }]);
  });
});
