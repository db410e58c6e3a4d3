import { expect, test } from 'vitest';
import { dialect as geminiCli } from '../../../../src/agents/gemini-cli/dialect.ts';
import { load as loadFile } from '../../../../src/agents/gemini-cli/load.ts';
import { type EventName, profile } from '../../../../src/agents/gemini-cli/profile.ts';
import { quirks } from '../../../../src/agents/gemini-cli/quirks.ts';
import { sampleEvent } from '../../../../src/api/testing/index.ts';
import type { Loaded } from '../../../../src/core/contracts/dialect.ts';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import type { Verdict } from '../../../../src/core/decision/decision.ts';
import type { Reply } from '../../../../src/core/decision/reply.ts';
import { interpret, policyFor } from '../../../../src/core/meaning/interpret.ts';
import { render } from '../../../../src/core/meaning/render.ts';
import type { JsonObject } from '../../../../src/core/values/json.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';
import { throwSwitches } from '../../../../src/load/load-hooks.ts';

const { wire } = geminiCli;
const DENY = '{"decision": "deny", "reason": "no"}';
const denied = { decision: { kind: 'deny', reason: 'no' }, effects: [] };
const nothing = { decision: { kind: 'pass' }, effects: [] };

function ended(exit: number, stdout = '', stderr = ''): Reply {
  return { kind: 'process', exit, stdout, stderr };
}

function meaning(reply: Reply, event: EventName = 'BeforeTool'): unknown {
  const rule = profile.events[event];
  const hook = { name: 'gate', event } as Hook;
  return interpret(reply, hook, rule, geminiCli, sampleEvent(rule.kinds[0] ?? 'notification'));
}

/** Which of the hooks are on once the file's own switches are thrown. */
function enabled({ hooks, switches = [] }: Loaded): boolean[] {
  return throwSwitches([{ file: 'a', scope: 'user', dialect: 'd', hooks, switches }])
    .hooks.flat()
    .map((hook) => hook.enabled);
}

function load(settings: unknown): Loaded {
  return loadFile(parseJson('settings.json', JSON.stringify(settings)), {
    scope: 'user',
    folder: '/home/ann/.gemini',
    folderName: '.gemini',
    idPrefix: 'g',
    checkPattern: () => undefined,
    read: () => undefined,
    stat: () => undefined,
  });
}

const hook = (command: string, more: JsonObject = {}) => ({ hooks: [{ type: 'command', command }], ...more });

const proofs: Record<string, () => void> = {
  'json-beats-exit': () => {
    expect([0, 1, 2, 7].map((exit) => meaning(ended(exit, DENY)))).toEqual([denied, denied, denied, denied]);
    expect(meaning(ended(2, '{"decision": "allow"}'))).toEqual(nothing);
  },
  'json-on-stderr': () => {
    expect(meaning(ended(0, '', DENY))).toEqual(denied);
    expect(meaning(ended(0, '{}', DENY))).toEqual(nothing);
    expect(meaning(ended(0, '', 'a log line'))).toEqual({ decision: { kind: 'pass' }, effects: [{ kind: 'notice', text: 'a log line' }] });
  },
  'json-in-json': () => {
    expect(meaning(ended(0, JSON.stringify(DENY)))).toEqual(denied);
    expect(meaning(ended(0, '"just words"'))).toMatchObject({ kind: 'fault', fault: 'malformed' });
    expect(meaning(ended(2, '"just words"'))).toMatchObject({ decision: { kind: 'deny' } });
  },
  'one-lets-go-on': () => {
    expect(meaning(ended(1, '', 'crashed'))).toMatchObject({ kind: 'fault', fault: 'exit', detail: expect.stringContaining('crashed') });
    expect(policyFor('exit', profile.events.BeforeTool, profile.fail, false)).toBe('pass');
    expect(policyFor('exit', profile.events.BeforeTool, profile.fail, true)).toBe('deny');
    for (const exit of [2, 3, 127]) expect(meaning(ended(exit, '', 'no'))).toEqual(denied);
    expect(meaning(ended(2, '', 'no'), 'SessionStart')).toMatchObject({ kind: 'fault', fault: 'exit' });
  },
  'silent-exit-denies': () => {
    expect(meaning(ended(2))).toMatchObject({ decision: { kind: 'deny', reason: expect.stringMatching(/gate.*2/) } });
    expect(meaning(ended(0))).toEqual(nothing);
  },
  'allow-is-silence': () => {
    for (const decision of ['allow', 'approve']) expect(meaning(ended(0, JSON.stringify({ decision, reason: 'fine' })))).toEqual(nothing);
    expect(wire.encodeReply({ decision: { kind: 'allow' }, effects: [] }, 'BeforeTool')).toBeUndefined();
  },
  'input-is-merged': () => {
    const event = { ...sampleEvent('tool.before'), data: { tool: 'run_shell_command', input: { command: 'rm x', cwd: '/tmp' } } };
    const said = (input: object) => ({ hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: { ...input } } });
    const rewritten = (value: JsonObject): Verdict => ({ decision: { kind: 'pass' }, effects: [{ kind: 'rewrite', value }] });
    const whole = { command: 'ls', cwd: '/tmp' };
    expect(wire.decodeReply(said({ command: 'ls' }), 'BeforeTool', event)).toEqual(rewritten({ cwd: '/tmp', command: 'ls' }));
    expect(render(rewritten(whole), 'BeforeTool', geminiCli, event)).toMatchObject({ exit: 0, stdout: JSON.stringify(said(whole)) });
    expect(render(rewritten({ command: 'ls' }), 'BeforeTool', geminiCli, event)).toBeUndefined();
    expect(render(rewritten(whole), 'AfterTool', geminiCli, event)).toBeUndefined();
  },
  'asks-with-the-message': () => {
    const asked = { decision: { kind: 'ask', reason: 'Sure?' }, effects: [] } as const;
    const words = { decision: 'ask', reason: 'Sure?', systemMessage: 'Sure?' };
    expect(render(asked, 'BeforeTool', geminiCli)).toMatchObject({ exit: 0, stdout: JSON.stringify(words) });
    expect(wire.decodeReply(words, 'BeforeTool', sampleEvent('tool.before'))).toEqual(asked);
  },
  'response-needs-refusal': () => {
    expect(profile.events.BeforeModel.grants).not.toContain('replace');
    expect(profile.events.AfterModel.grants).toContain('replace');
  },
  'compression-every-time': () => {
    const { kind, data } = wire.decodeEvent('PreCompress', { trigger: 'auto' });
    expect({ kind, data }).toEqual({ kind: 'compact.before', data: { reason: 'auto' } });
    expect(profile.events.PreCompress.grants).not.toContain('deny');
  },
  'failed-tools-too': () => {
    const response = { llmContent: 'x', returnDisplay: 'x' };
    expect(wire.decodeEvent('AfterTool', { tool_name: 'a', tool_response: response }).kind).toBe('tool.after');
    const failed = wire.decodeEvent('AfterTool', { tool_name: 'a', tool_response: { ...response, error: { message: 'boom' } } });
    expect(failed).toMatchObject({ kind: 'tool.error', data: { tool: 'a', error: { message: 'boom' } } });
  },
  'one-sequential-all-sequential': () => {
    const { hooks } = load({ hooks: { BeforeTool: [hook('a'), hook('b', { sequential: true })] } });
    expect(hooks.map(({ sequence }) => sequence)).toEqual([undefined, true]);
    expect([profile.events.BeforeTool.run, profile.run.inputs]).toEqual(['parallel', 'piped']);
  },
  'broken-pattern-is-a-name': () => {
    const { hooks, diagnostics } = load({ hooks: { BeforeTool: [hook('a', { matcher: 'run(' })] } });
    expect(hooks).toMatchObject([{ when: [{ facet: 'tool', test: { kind: 'oneOf', values: ['run('] } }] }]);
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'bad-pattern' }]);
  },
  'exact-cause': () => {
    const { hooks, diagnostics } = load({ hooks: { SessionStart: [hook('a', { matcher: 'start.*' })] } });
    expect(hooks).toMatchObject([{ when: [{ facet: 'cause', test: { kind: 'oneOf', values: ['start.*'] } }] }]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['matcher-never-fires']);
  },
  'same-hook-once': () => {
    const twice = [hook('a'), hook('a'), hook('a', { matcher: 'x' }), hook('b')];
    expect(load({ hooks: { BeforeTool: twice, AfterTool: twice } }).hooks).toHaveLength(6);
  },
  'switched-off-here': () => {
    const hooks = { BeforeTool: [hook('a'), hook('b')] };
    const states = (settings: unknown) => enabled(load(settings));
    expect(states({ hooks, hooksConfig: { disabled: ['a'] } })).toEqual([false, true]);
    expect(states({ hooks, hooksConfig: { enabled: false } })).toEqual([false, false]);
    expect(states({ hooks: { ...hooks, disabled: ['b'], enabled: true } })).toEqual([true, false]);
  },
  'requests-stay': () => {
    for (const event of ['BeforeModel', 'BeforeToolSelection'] as const) expect(profile.events[event].grants).not.toContain('rewrite');
    const said = { hookSpecificOutput: { llm_request: { model: 'other' } } };
    expect(wire.decodeReply(said, 'BeforeModel', sampleEvent('llm.before'))).toMatchObject({ effects: [{ kind: 'rewrite' }] });
    const tail = { hookSpecificOutput: { tailToolCallRequest: { name: 'x', args: {} }, clearContext: true } };
    expect(wire.decodeReply(tail, 'AfterTool', sampleEvent('tool.after'))).toEqual(nothing);
  },
};

test.each(quirks)('$id: $behaviour', ({ id }) => proofs[id]?.());

test('every quirk has a proof, and every proof a quirk', () => {
  expect(Object.keys(proofs).sort()).toEqual(quirks.map(({ id }) => id).sort());
});
