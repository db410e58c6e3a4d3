import { expect, test } from 'vitest';
import { dialect as hooktoml } from '../../../../src/agents/hooktoml/dialect.ts';
import { load } from '../../../../src/agents/hooktoml/load.ts';
import { profile } from '../../../../src/agents/hooktoml/profile.ts';
import { quirks } from '../../../../src/agents/hooktoml/quirks.ts';
import type { Loaded } from '../../../../src/core/contracts/dialect.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import { facetValues } from '../../../../src/core/event/facet.ts';
import { holds } from '../../../../src/core/event/match.ts';
import { policyFor } from '../../../../src/core/meaning/interpret.ts';
import type { EventRule } from '../../../../src/core/meaning/profile.ts';
import { parseToml } from '../../../../src/load/formats/toml.ts';

const { wire } = hooktoml;
const EVENT: HookEvent = { id: 'e', kind: 'prompt.build', at: '2026-01-01T00:00:00Z', session: { id: 's', cwd: '/' }, data: {} };

function loadText(action: string, event = 'before_tool_call', top = ''): Loaded {
  return load(parseToml('HOOK.toml', `${top}[hook]\nname = "a"\nevent = "${event}"\n${action}`), {
    scope: 'user',
    folder: '/h/a',
    folderName: 'a',
    idPrefix: 'p',
    checkPattern: () => undefined,
    read: () => undefined,
    stat: () => undefined,
  });
}

const SHELL = '[hook.action.shell]\ncommand = "true"\n';
const INJECT = '[hook.action.prompt_inject]\ncontent = "c"\n';

const proofs: Record<string, () => void> = {
  'tool-calls-fail-closed': () => {
    for (const fault of ['timeout', 'spawn', 'signal', 'network', 'status', 'malformed', 'unavailable'] as const) {
      expect(policyFor(fault, profile.events.before_tool_call, profile.fail, false)).toBe('deny');
      expect(policyFor(fault, profile.events.before_llm_call, profile.fail, false)).toBe('pass');
    }
  },
  'answers-of-actions': () => {
    const means = [profile.read.exit[0], profile.read.status[0], profile.events.before_tool_call.read.exit[0]].map((row) => row?.means);
    expect(means).toEqual(means.map(() => ({ say: 'parse', notJson: 'pass' })));
    expect(wire.decodeReply({ cancel: true, reason: 'r' }, 'before_llm_call', EVENT)).toMatchObject({
      decision: { kind: 'deny', reason: 'r' },
    });
    expect(wire.decodeReply({ ok: true }, 'before_llm_call', EVENT)).toEqual({ decision: { kind: 'pass' }, effects: [] });
  },
  'exit-two-cancels': () => {
    expect(profile.read.exit.find(({ exit }) => exit !== 'other' && exit.includes(2))?.means).toMatchObject({
      say: 'deny',
      reason: ['stderr'],
    });
  },
  'llm-call-changes-its-model': () => {
    const event = { ...EVENT, kind: 'llm.before' } as const;
    expect(wire.decodeReply({ model: 'm-2' }, 'before_llm_call', event)).toMatchObject({ effects: [{ kind: 'rewrite', value: 'm-2' }] });
  },
  'void-output': () => {
    for (const { run, read } of Object.values(profile.events) as readonly EventRule[])
      if (run === 'detach') expect(read?.exit?.map(({ means }) => means.say)).toEqual(['pass', 'fault']);
  },
  'pattern-on-tools': () => {
    for (const event of ['before_tool_call', 'on_after_tool_call'])
      expect(loadText(`${SHELL}[hook.conditions]\npattern = "x"\n`, event).hooks[0]?.when).toMatchObject([{ facet: 'input' }]);
  },
  'conditions-without-effect': () => {
    for (const key of ['users = ["a"]', 'channels = ["a"]', 'pattern = "a"']) {
      const { hooks, diagnostics } = loadText(`${SHELL}[hook.conditions]\n${key}\n`, 'on_heartbeat_tick');
      expect(hooks).toHaveLength(1);
      expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'condition-without-effect', line: 7 }]);
      expect(loadText(`${SHELL}[hook.conditions]\n${key}\n`, 'on_message_received').diagnostics).toEqual([]);
    }
  },
  'two-tool-outcomes': () => {
    expect(wire.decodeEvent('on_after_tool_call', { tool: 't', result: 'r' }).kind).toBe('tool.after');
    const failed = wire.decodeEvent('on_after_tool_call', { tool: 't', error: 'boom' });
    expect(failed.kind).toBe('tool.error');
    expect(wire.encodeEvent({ ...EVENT, kind: 'tool.error', data: failed.data }, 'on_after_tool_call')).toMatchObject({
      tool: 't',
      error: 'boom',
    });
  },
  'two-llm-events': () => {
    expect(profile.events.before_llm_call).toMatchObject({ kinds: ['llm.before'], grants: expect.arrayContaining(['deny']) });
    expect(profile.events.on_llm_input).toMatchObject({ kinds: ['llm.before'], grants: [] });
  },
  'inject-needs-a-text': () => {
    const { hooks, diagnostics } = loadText(INJECT, 'before_tool_call');
    expect(hooks).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: 'error', code: 'no-effect', line: 4 }]);
  },
  'inject-default-position': () => {
    expect(loadText(INJECT, 'before_prompt_build').hooks[0]?.handler.config).toEqual({ reply: { inject: 'c', position: 'prepend' } });
  },
  'inject-sees-the-latest': () => {
    const once = wire.decodeValue({ inject: 'A', position: 'append' }, 'before_prompt_build', { ...EVENT, data: { prompt: 'X' } });
    const [effect] = typeof once === 'string' ? [] : once.effects;
    const prompt = effect?.kind === 'rewrite' ? effect.value : '';
    expect(wire.decodeValue({ inject: 'B', position: 'append' }, 'before_prompt_build', { ...EVENT, data: { prompt } })).toMatchObject({
      effects: [{ kind: 'rewrite', value: 'X\nA\nB' }],
    });
  },
  'empty-list': () => {
    const { hooks, diagnostics } = loadText(`${SHELL}[hook.conditions]\nchannels = []\n`);
    expect(hooks[0]?.when).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'empty-condition', line: 7, column: 12 }]);
  },
  'nothing-to-test': () => {
    const [condition] = loadText(`${SHELL}[hook.conditions]\nusers = ["admin"]\n`).hooks[0]?.when ?? [];
    expect(condition && holds(condition, facetValues(EVENT, condition.facet), () => () => false)).toBe(true);
    expect(condition && holds(condition, ['bob'], () => () => false)).toBe(false);
  },
  'sender-is-user': () => {
    expect(wire.decodeEvent('on_message_sent', { sender: 'bob' }).data).toEqual({ user: 'bob' });
    expect(wire.decodeEvent('on_message_sent', { sender: 'bob', user: 'bob' }).data).toEqual({ user: 'bob' });
    expect(wire.decodeEvent('on_message_sent', { sender: 'eve', user: 'bob' }).data).toEqual({ user: 'bob', metadata: { sender: 'eve' } });
  },
  'skip-audit-in-two-places': () => {
    expect(loadText(SHELL, undefined, 'skip_security_audit = true\n').hooks[0]?.skipAudit).toBe(true);
    expect(loadText(`skip_security_audit = true\n${SHELL}`).hooks[0]?.skipAudit).toBe(true);
    expect(loadText(`skip_security_audit = false\n${SHELL}`).hooks[0]?.skipAudit).toBeUndefined();
  },
  'tilde-in-workdir': () => {
    const { hooks, diagnostics } = loadText(`${SHELL}workdir = "~/x"\n`);
    expect(hooks).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: 'error', code: 'bad-path', line: 6, column: 11 }]);
  },
};

test.each(quirks)('$id: $behaviour', ({ id }) => proofs[id]?.());

test('every quirk has a proof, and every proof a quirk', () => {
  expect(Object.keys(proofs).sort()).toEqual(quirks.map(({ id }) => id).sort());
});
