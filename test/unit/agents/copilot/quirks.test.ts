import { expect, test } from 'vitest';
import { dialect as copilot } from '../../../../src/agents/copilot/dialect.ts';
import { load as loadFile } from '../../../../src/agents/copilot/load.ts';
import { profile } from '../../../../src/agents/copilot/profile.ts';
import { quirks } from '../../../../src/agents/copilot/quirks.ts';
import { sampleEvent } from '../../../../src/api/testing/index.ts';
import type { LoadContext, Loaded } from '../../../../src/core/contracts/dialect.ts';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import type { Reply } from '../../../../src/core/decision/reply.ts';
import { facetValues } from '../../../../src/core/event/facet.ts';
import { type Compile, holds } from '../../../../src/core/event/match.ts';
import { interpret, policyFor } from '../../../../src/core/meaning/interpret.ts';
import type { EventRule } from '../../../../src/core/meaning/profile.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';
import { throwSwitches } from '../../../../src/load/load-hooks.ts';

const { wire } = copilot;
const nothing = { decision: { kind: 'pass' }, effects: [] };
const compile: Compile = ({ source, anchor }) => {
  const pattern = new RegExp(anchor === 'whole' ? `^(?:${source})$` : source);
  return (value) => pattern.test(value);
};

function ruleOf(event: string): EventRule {
  return profile.events[event] as EventRule;
}

function meaning(event: string, exit: number, stdout: unknown = '', stderr = ''): unknown {
  const reply: Reply = { kind: 'process', exit, stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout), stderr };
  const rule = ruleOf(event);
  return interpret(reply, { name: 'gate', event } as Hook, rule, copilot, sampleEvent(rule.kinds[0] ?? 'notification'));
}

/** Which of the hooks are on once the file's own switches are thrown. */
function enabled({ hooks, switches = [] }: Loaded): boolean[] {
  return throwSwitches([{ file: 'a', scope: 'project', dialect: 'd', hooks, switches }])
    .hooks.flat()
    .map((hook) => hook.enabled);
}

function load(file: unknown, context: Partial<LoadContext> = {}, name = 'a.json'): Loaded {
  return loadFile(parseJson(name, JSON.stringify(file)), {
    scope: 'project',
    folder: '/shop/.github/hooks',
    folderName: 'hooks',
    idPrefix: 'c',
    checkPattern: () => undefined,
    read: () => undefined,
    stat: () => undefined,
    ...context,
  });
}

function fires(event: string, matcher: string, tool: string): boolean {
  const [hook] = load({ hooks: { [event]: [{ bash: 'a', matcher }] } }).hooks;
  const happening = { ...sampleEvent('tool.before'), data: { tool } };
  return hook?.when.every((condition) => holds(condition, facetValues(happening, condition.facet), compile)) ?? false;
}

const proofs: Record<string, () => void> = {
  'spelling-is-the-wire': () => {
    const event = { ...sampleEvent('tool.before'), data: { tool: 'bash', input: { command: 'ls' } } };
    expect(wire.encodeEvent(event, 'preToolUse')).toEqual({
      sessionId: 'session-1',
      timestamp: Date.parse(event.at),
      cwd: '/project',
      toolName: 'bash',
      toolArgs: { command: 'ls' },
    });
    expect(wire.encodeEvent(event, 'PreToolUse')).toEqual({
      hook_event_name: 'PreToolUse',
      session_id: 'session-1',
      timestamp: event.at,
      cwd: '/project',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
    });
    const deny = { decision: { kind: 'deny', reason: 'no' }, effects: [] } as const;
    const words = { permissionDecision: 'deny', permissionDecisionReason: 'no' };
    expect(wire.encodeReply(deny, 'preToolUse')).toEqual(words);
    expect(wire.encodeReply(deny, 'PreToolUse')).toEqual(words);
    expect(meaning('PreToolUse', 0, { hookSpecificOutput: { hookEventName: 'PreToolUse', ...words } })).toEqual(deny);
    expect(meaning('PreToolUse', 0, words)).toEqual(deny);
  },
  'any-exit-denies': () => {
    for (const exit of [1, 2, 127]) {
      expect(meaning('preToolUse', exit, { permissionDecision: 'allow' }, 'why')).toMatchObject({
        decision: { kind: 'deny', reason: expect.stringMatching(new RegExp(`gate.*${exit}: why`)) },
      });
    }
    for (const exit of [1, 2]) expect(meaning('permissionRequest', exit)).toMatchObject({ decision: { kind: 'deny' } });
    const said = { permissionDecision: 'ask', permissionDecisionReason: 'Sure?', additionalContext: 'x' };
    expect(meaning('preToolUse', 2, said)).toEqual({
      decision: { kind: 'deny', reason: 'Sure?' },
      effects: [{ kind: 'context', text: 'x' }],
    });
    expect(meaning('permissionRequest', 2, { behavior: 'allow' })).toMatchObject({ decision: { kind: 'deny' } });
    for (const event of ['agentStop', 'userPromptSubmitted', 'sessionStart']) {
      expect(meaning(event, 1, { decision: 'block', reason: 'no' })).toMatchObject({ kind: 'fault', fault: 'exit' });
      expect(policyFor('exit', ruleOf(event), profile.fail, false)).toBe('pass');
    }
  },
  'warned-and-answered': () => {
    expect(meaning('agentStop', 2, { decision: 'block', reason: 'no' }, 'why')).toEqual({
      decision: { kind: 'deny', reason: 'no' },
      effects: [],
    });
    expect(meaning('agentStop', 2, '', 'why')).toMatchObject({ kind: 'fault', fault: 'exit', detail: expect.stringContaining('why') });
  },
  'slow-is-no-crash': () => {
    const policy = (kind: Parameters<typeof policyFor>[0], strict = false) => policyFor(kind, ruleOf('preToolUse'), profile.fail, strict);
    expect((['timeout', 'malformed'] as const).map((kind) => policy(kind))).toEqual(['pass', 'pass']);
    for (const kind of ['signal', 'spawn', 'unavailable', 'network', 'status'] as const) expect(policy(kind)).toBe('deny');
    expect(policy('timeout', true)).toBe('deny');
    expect(meaning('preToolUse', 0, 'just words')).toEqual(nothing);
  },
  'words-for-a-permission': () => {
    expect(meaning('permissionRequest', 0, 'just words')).toMatchObject({ kind: 'fault', fault: 'malformed' });
    expect(meaning('permissionRequest', 0)).toEqual(nothing);
    const policy = (kind: Parameters<typeof policyFor>[0]) => policyFor(kind, ruleOf('permissionRequest'), profile.fail, false);
    expect((['malformed', 'signal', 'timeout'] as const).map(policy)).toEqual(['deny', 'deny', 'pass']);
  },
  'ignored-answers': () => {
    const nested = { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'no' } };
    expect(meaning('preToolUse', 0, nested)).toMatchObject({
      kind: 'fault',
      fault: 'malformed',
      detail: expect.stringContaining('PreToolUse'),
    });
    expect(meaning('PreToolUse', 0, nested)).toEqual({ decision: { kind: 'deny', reason: 'no' }, effects: [] });
    for (const event of ['preToolUse', 'PreToolUse']) {
      expect(meaning(event, 0, { decision: 'block', reason: 'no' })).toMatchObject({ kind: 'fault', fault: 'malformed' });
    }
    expect(meaning('Stop', 0, { hookSpecificOutput: { decision: 'block' } })).toMatchObject({ kind: 'fault', fault: 'malformed' });
  },
  'half-a-spelling': () => {
    for (const event of ['PermissionRequest', 'SubagentStart', 'Notification']) {
      const kind = ruleOf(event).kinds[0] ?? 'notification';
      expect(Object.keys(wire.encodeEvent(sampleEvent(kind), event))).toEqual(expect.arrayContaining(['sessionId', 'timestamp']));
    }
  },
  'blocked-result': () => {
    const deny = { kind: 'deny', reason: 'Secret.' } as const;
    expect(wire.encodeReply({ decision: deny, effects: [] }, 'postToolUse')).toEqual({ decision: 'block', reason: 'Secret.' });
    expect(wire.encodeReply({ decision: deny, effects: [{ kind: 'context', text: 'x' }] }, 'postToolUse')).toBeUndefined();
  },
  'handled-is-a-deny': () => {
    const deny = { decision: { kind: 'deny', reason: 'Not this.' }, effects: [] } as const;
    const words = { handled: true, responseContent: 'Not this.' };
    expect(wire.encodeReply(deny, 'userPromptSubmitted')).toEqual({ decision: 'block', reason: 'Not this.', ...words });
    expect(meaning('userPromptSubmitted', 0, { handled: true, responseContent: 'Not this.' })).toEqual(deny);
    expect(meaning('userPromptSubmitted', 0, { handled: false, responseContent: 'x' })).toEqual(nothing);
  },
  'progress-lines': () => {
    const lines = ['{"type": "progress", "message": "…"}', '{', '"permissionDecision": "deny"}', ' {"type":"progress","message":"x"} '];
    expect(meaning('preToolUse', 0, lines.join('\n'))).toMatchObject({ decision: { kind: 'deny' } });
    expect(meaning('preToolUse', 0, '{"permissionDecision": "deny", "permissionDecisionReason": "no \\"progress\\""}')).toMatchObject({
      decision: { kind: 'deny', reason: 'no "progress"' },
    });
  },
  'args-as-text': () => {
    const read = (toolArgs: string) => wire.decodeEvent('preToolUse', { toolName: 'bash', toolArgs }).data['input'];
    expect(read('{"command": "ls"}')).toEqual({ command: 'ls' });
    expect(read('ls')).toBe('ls');
  },
  'patch-is-a-text': () => {
    const patch = '*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n';
    const payload = { hook_event_name: 'PreToolUse', session_id: 's', timestamp: '2026-03-04T05:06:07.890Z', cwd: '/', tool_name: 'Edit' };
    const { data } = wire.decodeEvent('PreToolUse', { ...payload, tool_input: patch });
    expect(data).toEqual({ tool: 'apply_patch', input: patch });
    expect(wire.encodeEvent({ ...sampleEvent('tool.before'), data }, 'PreToolUse')).toMatchObject({ tool_name: 'Edit', tool_input: patch });
    expect(wire.decodeEvent('PreToolUse', { ...payload, tool_input: { path: 'a' } }).data['tool']).toBe('Edit');
  },
  'whole-value': () => {
    expect(['bash', 'bash_output'].map((tool) => fires('preToolUse', 'bash', tool))).toEqual([true, false]);
  },
  'claude-names': () => {
    expect(['Bash', 'bash', 'powershell', 'edit'].map((tool) => fires('PreToolUse', 'Bash', tool))).toEqual([true, true, true, false]);
    expect(['edit', 'create', 'bash'].map((tool) => fires('PreToolUse', 'Edit|Write', tool))).toEqual([true, true, false]);
    expect(fires('PreToolUse', 'Task', 'task')).toBe(true);
    expect(fires('preToolUse', 'Bash', 'bash')).toBe(false);
  },
  'star-is-everything': () => {
    for (const matcher of ['*', '**', '', null]) {
      const { hooks, diagnostics } = load({ hooks: { preToolUse: [{ bash: 'a', matcher }], PreToolUse: [{ bash: 'a', matcher }] } });
      expect({ matcher, when: hooks.map(({ when }) => when), diagnostics }).toEqual({ matcher, when: [[], []], diagnostics: [] });
    }
  },
  'matcher-of-a-tool': () => {
    const whenOf = (matcher: unknown) => load({ hooks: { preToolUse: [{ bash: 'a', matcher }] } }).hooks.map(({ when }) => when);
    expect(whenOf({ toolName: 'bash' })).toEqual(whenOf('bash'));
    expect(whenOf({ toolName: 'bash' })).toMatchObject([[{ facet: 'tool' }]]);
  },
  'platform-commands': () => {
    const commandOf = (entry: object) => load({ hooks: { preToolUse: [entry] } }).hooks.map(({ handler }) => handler.config['command']);
    const everywhere = { windows: 'b', linux: 'b', osx: 'b' };
    expect(commandOf({ command: 'a', ...everywhere })).toEqual(['b']);
    expect(commandOf({ bash: 'a', ...everywhere })).toEqual(['a']);
  },
  'failure-text': () => {
    const told = { decision: { kind: 'pass' }, effects: [{ kind: 'context', text: 'Try again.' }] };
    expect(meaning('postToolUseFailure', 2, 'no', 'Try again.')).toEqual(told);
    expect(meaning('postToolUseFailure', 2, 'no')).toEqual(nothing);
    expect(meaning('postToolUseFailure', 0, { additionalContext: 'Try again.' })).toEqual(told);
    expect(meaning('postToolUseFailure', 0, 'Try again.')).toEqual(nothing);
  },
  'interrupt-is-a-deny': () => {
    expect(meaning('permissionRequest', 0, { behavior: 'deny', message: 'no', interrupt: true })).toEqual({
      decision: { kind: 'deny', reason: 'no' },
      effects: [],
    });
  },
  'cwd-from-the-root': () => {
    const cwdOf = (cwd: string, context?: Partial<LoadContext>) => load({ hooks: { agentStop: [{ bash: 'a', cwd }] } }, context);
    expect(cwdOf('scripts').hooks[0]?.cwd).toBe('/shop/scripts');
    const users = { scope: 'user', folder: '/home/ann/.copilot/hooks' } as const;
    expect(cwdOf('/opt/x', users).hooks[0]?.cwd).toBe('/opt/x');
    expect(cwdOf('scripts', users)).toMatchObject({ hooks: [{}], diagnostics: [{ severity: 'warning', code: 'bad-path' }] });
    expect(cwdOf('scripts', users).hooks[0]?.cwd).toBeUndefined();
  },
  'switched-off-here': () => {
    const hooks = { agentStop: [{ bash: 'a' }] };
    expect([true, false].map((disableAllHooks) => enabled(load({ disableAllHooks, hooks })))).toEqual([[false], [true]]);
    expect(enabled(load({ disabledHooks: ['a'], hooks }, {}, 'settings.json'))).toEqual([false]);
    // A hook file speaks for itself, also to the user's other files.
    const other = load({ hooks }, {}, 'b.json').hooks;
    const switches = load({ disableAllHooks: true }).switches ?? [];
    expect(switches.map(({ apply }) => other.map((one) => apply(one).enabled))).toEqual([[true]]);
  },
  'one-event-missing': () => {
    expect(load({ hooks: { preMcpToolCall: [{ bash: 'a' }] } })).toMatchObject({
      hooks: [],
      diagnostics: [{ severity: 'warning', code: 'unknown-event', hint: expect.stringContaining('preToolUse') }],
    });
  },
};

test.each(quirks)('$id: $behaviour', ({ id }) => proofs[id]?.());

test('every quirk has a proof, and every proof a quirk', () => {
  expect(Object.keys(proofs).sort()).toEqual(quirks.map(({ id }) => id).sort());
});
