import { describe, expect, test } from 'vitest';
import { dialect as qwen } from '../../../../src/agents/qwen/dialect.ts';
import { load as loadFile } from '../../../../src/agents/qwen/load.ts';
import { type EventName, profile } from '../../../../src/agents/qwen/profile.ts';
import { sampleEvent } from '../../../../src/api/testing/samples.ts';
import type { LoadContext, Loaded } from '../../../../src/core/contracts/dialect.ts';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import type { Decision } from '../../../../src/core/decision/decision.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import { facetValues } from '../../../../src/core/event/facet.ts';
import { type Compile, holds } from '../../../../src/core/event/match.ts';
import { interpret } from '../../../../src/core/meaning/interpret.ts';
import type { EventRule } from '../../../../src/core/meaning/profile.ts';
import { render } from '../../../../src/core/meaning/render.ts';
import type { Json } from '../../../../src/core/values/json.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';
import { throwSwitches } from '../../../../src/load/load-hooks.ts';

const CONTEXT: LoadContext = {
  scope: 'user',
  folder: '/home/ann/.qwen',
  folderName: '.qwen',
  idPrefix: 'qwen:~/.qwen/settings.json',
  checkPattern: () => undefined,
  read: () => undefined,
  stat: () => undefined,
};
const compile: Compile = ({ source, anchor, flags }) => {
  const pattern = new RegExp(anchor === 'whole' ? `^(?:${source})$` : source, flags);
  return (value) => pattern.test(value);
};

/** Which of the hooks are on once the file's own switches are thrown. */
function enabled({ hooks, switches = [] }: Loaded): boolean[] {
  return throwSwitches([{ file: 'a', scope: 'user', dialect: 'd', hooks, switches }])
    .hooks.flat()
    .map((hook) => hook.enabled);
}

function load(settings: Json): Loaded {
  return loadFile(parseJson('settings.json', JSON.stringify(settings, null, 1)), CONTEXT);
}

function said(event: EventName, stdout: Json, exit = 0, stderr = ''): ReturnType<typeof interpret> {
  const rule: EventRule = profile.events[event];
  const text = typeof stdout === 'string' ? stdout : JSON.stringify(stdout);
  const hook = { name: 'gate', event } as Hook;
  return interpret({ kind: 'process', exit, stdout: text, stderr }, hook, rule, qwen, sampleEvent(rule.kinds[0] ?? 'notification'));
}

function specific(event: EventName, fields: Record<string, Json>): Json {
  return { hookSpecificOutput: { hookEventName: event, ...fields } };
}

function fires(hook: Hook | undefined, data: HookEvent['data']): boolean {
  const event: HookEvent = { ...sampleEvent('tool.before'), data };
  return hook?.when.every((condition) => holds(condition, facetValues(event, condition.facet), compile)) ?? false;
}

function firesFor(matcher: string, tool: string): boolean {
  return fires(load({ hooks: { PreToolUse: [{ matcher, hooks: [{ type: 'command', command: 'true' }] }] } }).hooks[0], { tool, input: {} });
}

describe('what a hook of Qwen Code says', () => {
  test('a decision before a tool has its own words, and the old ones still count', () => {
    const decided = (permissionDecision: string) =>
      said('PreToolUse', specific('PreToolUse', { permissionDecision, permissionDecisionReason: 'why' }));
    expect(decided('deny')).toMatchObject({ decision: { kind: 'deny', reason: 'why' } });
    expect(decided('ask')).toMatchObject({ decision: { kind: 'ask', reason: 'why' } });
    expect(said('PreToolUse', { decision: 'block', reason: 'old', more: 1 })).toMatchObject({ decision: { kind: 'deny', reason: 'old' } });
    expect(said('PreToolUse', { decision: 'maybe' })).toMatchObject({ kind: 'fault', fault: 'malformed' });
  });

  test('input-stays: another input is granted only with the consent to a permission', () => {
    expect(profile.events.PreToolUse.grants).not.toContain('rewrite');
    const allowed = specific('PermissionRequest', { decision: { behavior: 'allow', updatedInput: { command: 'ls' } } });
    expect(said('PermissionRequest', allowed)).toEqual({
      decision: { kind: 'allow' },
      effects: [{ kind: 'rewrite', value: { command: 'ls' } }],
    });
    // To say a rewrite alone would be to consent.
    const withRewrite = (decision: Decision) => render({ decision, effects: [{ kind: 'rewrite', value: {} }] }, 'PermissionRequest', qwen);
    expect([withRewrite({ kind: 'pass' }), withRewrite({ kind: 'deny', reason: 'no' })]).toEqual([undefined, undefined]);
  });

  test('stop-word-refuses: `continue: false` keeps a tool from running, and an agent from stopping', () => {
    for (const event of ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'PostToolBatch', 'Stop', 'SubagentStop'] as const)
      expect(said(event, { continue: false, stopReason: 'no' })).toEqual({ decision: { kind: 'deny', reason: 'no' }, effects: [] });
    expect(Object.values<EventRule>(profile.events).some(({ grants }) => grants.includes('halt'))).toBe(false);
  });

  test('post-block-is-nothing: after a tool a block is shown to the user, and only `continue: false` hides the result', () => {
    expect(said('PostToolUse', { decision: 'block', reason: 'no' })).toEqual({
      decision: { kind: 'pass' },
      effects: [{ kind: 'notice', text: 'no' }],
    });
    expect(said('PostToolUse', '', 2, 'x')).toMatchObject({ kind: 'fault', fault: 'exit' });
    expect(render({ decision: { kind: 'deny', reason: 'no' }, effects: [] }, 'PostToolUse', qwen)?.stdout).toBe(
      '{"continue":false,"stopReason":"no"}',
    );
  });

  test('last-word-counts: a refusal before a tool is also said in the way that no other hook can take back', () => {
    expect(JSON.parse(render({ decision: { kind: 'deny', reason: 'no' }, effects: [] }, 'PreToolUse', qwen)?.stdout ?? '')).toEqual({
      continue: false,
      stopReason: 'no',
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
    });
  });

  test('allow-is-silence: consent before a tool changes nothing', () => {
    for (const consent of [specific('PreToolUse', { permissionDecision: 'allow' }), { decision: 'approve' }])
      expect(said('PreToolUse', consent)).toEqual({ decision: { kind: 'pass' }, effects: [] });
    expect(profile.events.PreToolUse.grants).not.toContain('allow');
  });

  test('context-is-lost: before a tool there is no place for context', () => {
    expect(profile.events.PreToolUse.grants).not.toContain('context');
    expect(profile.events.PostToolUse.grants).toContain('context');
  });

  test('json-beats-exit: JSON counts with every exit code but 2', () => {
    expect(said('PreToolUse', { decision: 'deny', reason: 'no' }, 1)).toMatchObject({ decision: { kind: 'deny', reason: 'no' } });
    expect(said('PreToolUse', 'Oh no', 1)).toMatchObject({ kind: 'fault', fault: 'exit' });
    expect(said('PostToolUse', { continue: false, stopReason: 'no' }, 1)).toMatchObject({ decision: { kind: 'deny', reason: 'no' } });
  });

  test('batch-loses-its-last: a refusal of a batch is said as a block', () => {
    expect(said('PostToolBatch', '', 2, 'enough')).toMatchObject({ decision: { kind: 'deny', reason: 'enough' } });
    expect(render({ decision: { kind: 'deny', reason: 'enough' }, effects: [] }, 'PostToolBatch', qwen)?.stdout).toBe(
      '{"decision":"block","reason":"enough"}',
    );
  });

  test('models-say-ok: a model refuses with `ok: false`, as an object or as its text', () => {
    const refused = { decision: { kind: 'deny', reason: 'risky' }, effects: [] };
    const event = sampleEvent('tool.before');
    expect(qwen.wire.decodeValue({ ok: false, reason: 'risky' }, 'PreToolUse', event)).toEqual(refused);
    expect(qwen.wire.decodeValue('{"ok": false, "reason": "risky"}', 'PermissionRequest', event)).toEqual(refused);
    expect(qwen.wire.decodeValue({ ok: true, additionalContext: 'Mind the gap.' }, 'PreToolUse', event)).toEqual({
      decision: { kind: 'pass' },
      effects: [{ kind: 'context', text: 'Mind the gap.' }],
    });
    expect(qwen.wire.decodeValue('I think so', 'PreToolUse', event)).toEqual(expect.any(String));
  });

  test('refusal-ignores-stdout: with exit 2 stderr is the reason, whatever stdout says', () => {
    const consent = specific('PreToolUse', { permissionDecision: 'allow' });
    expect(said('PreToolUse', consent, 2, 'no')).toMatchObject({ decision: { kind: 'deny', reason: 'no' } });
    expect(said('PreToolUse', consent, 2)).toMatchObject({ decision: { kind: 'deny', reason: expect.stringContaining('exit code 2') } });
  });

  test('unheard-events: what nobody reads is not read here either', () => {
    const unheard = Object.entries<EventRule>(profile.events).filter(([, { grants }]) => grants.length === 0);
    expect(unheard.map(([name]) => name).sort()).toEqual([
      'InstructionsLoaded',
      'MessageDisplay',
      'Notification',
      'PermissionDenied',
      'PostCompact',
      'SessionDelete',
      'SessionEnd',
      'StopFailure',
    ]);
    for (const [name] of unheard) expect(said(name as EventName, '{broken')).toEqual({ decision: { kind: 'pass' }, effects: [] });
  });

  test('text is context where a session or a prompt begins, and nothing elsewhere', () => {
    for (const event of ['SessionStart', 'UserPromptSubmit', 'UserPromptExpansion'] as const)
      expect(said(event, 'Mind the gap.')).toMatchObject({ effects: [{ kind: 'context', text: 'Mind the gap.' }] });
    expect(said('PreToolUse', 'Mind the gap.')).toEqual({ decision: { kind: 'pass' }, effects: [] });
  });
});

describe('when and how it runs', () => {
  test('thousand-is-milliseconds: a large number keeps its old meaning, and that is said', () => {
    const timed = (timeout: Json, type = 'command') =>
      load({ hooks: { Stop: [{ hooks: [{ type, command: 'x', url: 'http://127.0.0.1/', prompt: 'p', timeout }] }] } });
    const codes = ({ diagnostics }: Loaded) => diagnostics.map(({ code }) => code).filter((code) => code !== 'unknown-field');
    expect(timed(999).hooks[0]?.timeoutMs).toBe(999_000);
    expect(timed(1000).hooks[0]?.timeoutMs).toBe(1000);
    expect(codes(timed(1000))).toEqual(['long-timeout']);
    expect(timed(1000, 'http').hooks[0]?.timeoutMs).toBe(1_000_000);
    expect(codes(timed(1000, 'http'))).toEqual(['long-timeout']);
    expect([timed(null), timed(null, 'http'), timed(null, 'prompt')].map(({ hooks }) => hooks[0]?.timeoutMs)).toEqual([
      60_000, 600_000, 30_000,
    ]);
    for (const bad of ['5s', 0, -1, true]) {
      expect(timed(bad).hooks[0]?.timeoutMs).toBe(60_000);
      expect(codes(timed(bad))).toEqual(['bad-timeout']);
    }
  });

  test('alias-or-pattern: a name of another agent means the tool, and anything is found anywhere', () => {
    expect(firesFor('Bash', 'run_shell_command')).toBe(true);
    expect(firesFor('Read | Bash', 'run_shell_command')).toBe(true);
    expect(firesFor('run_shell_command', 'run_shell_command')).toBe(true);
    expect(firesFor('read_', 'read_file')).toBe(true);
    expect(firesFor('^read$', 'read_file')).toBe(false);
    expect(firesFor('Write', 'read_file')).toBe(false);
    expect(firesFor('|', 'read_file')).toBe(false);
    expect(firesFor('edit|*', 'read_file')).toBe(true);
    // An alias does not widen a pattern.
    expect(firesFor('^Ba', 'run_shell_command')).toBe(false);
  });

  test('nothing-to-match: without what the matcher looks at the hook fires', () => {
    const [hook] = load({ hooks: { SessionStart: [{ matcher: 'resume', hooks: ['true'] }] } }).hooks;
    expect(fires(hook, {})).toBe(true);
    expect(fires(hook, { source: 'resume' })).toBe(true);
    expect(fires(hook, { source: 'startup' })).toBe(false);
  });

  test('one-sequential-all-sequential: the wish is kept with the hooks of its group', () => {
    const hooks = ['true'];
    const loaded = load({ hooks: { PreToolUse: [{ sequential: true, hooks }, { hooks }] } }).hooks;
    expect(loaded.map(({ sequence }) => sequence)).toEqual([true, undefined]);
  });

  test('switched-off-here: a file switches off its own hooks', () => {
    const hooks = {
      PreToolUse: [
        {
          hooks: [
            { type: 'command', command: './a.sh', name: 'a' },
            { type: 'command', command: './b.sh' },
          ],
        },
      ],
    };
    const states = (settings: object) => enabled(load({ hooks, ...settings } as Json));
    expect(states({})).toEqual([true, true]);
    expect(states({ disableAllHooks: true })).toEqual([false, false]);
    expect(states({ hooks: { ...hooks, disabled: ['a'] } })).toEqual([false, true]);
    expect(states({ hooks: { ...hooks, disabled: ['./b.sh'] } })).toEqual([true, false]);
  });

  test('a rule tells which calls of a tool a hook is for', () => {
    const rule = (text: string) => load({ hooks: { PreToolUse: [{ hooks: [{ type: 'http', url: 'http://127.0.0.1:1/', if: text }] }] } });
    const [hook] = rule('Bash(git push*)').hooks;
    expect(fires(hook, { tool: 'run_shell_command', input: { command: 'cd a && git push --force' } })).toBe(true);
    expect(fires(hook, { tool: 'run_shell_command', input: { command: 'git status' } })).toBe(false);
    expect(fires(hook, { tool: 'write_file', input: { command: 'git push' } })).toBe(false);
    expect(rule('Bash(')).toMatchObject({ hooks: [], diagnostics: [{ severity: 'error', code: 'bad-pattern' }] });
  });
});
