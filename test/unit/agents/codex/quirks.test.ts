import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { dialect as codex } from '../../../../src/agents/codex/dialect.ts';
import { load as loadFile } from '../../../../src/agents/codex/load.ts';
import { type EventName, profile } from '../../../../src/agents/codex/profile.ts';
import { sampleCall } from '../../../../src/api/testing/describe-handler.ts';
import { sampleEvent } from '../../../../src/api/testing/samples.ts';
import type { LoadContext, Loaded } from '../../../../src/core/contracts/dialect.ts';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import { facetValues } from '../../../../src/core/event/facet.ts';
import { type Compile, holds } from '../../../../src/core/event/match.ts';
import { interpret } from '../../../../src/core/meaning/interpret.ts';
import type { EventRule } from '../../../../src/core/meaning/profile.ts';
import { render } from '../../../../src/core/meaning/render.ts';
import type { Json } from '../../../../src/core/values/json.ts';
import { createCommandHandler } from '../../../../src/handlers/command/index.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';

const CONTEXT: LoadContext = {
  scope: 'user',
  folder: '/home/ann/.codex',
  folderName: '.codex',
  idPrefix: 'codex:~/.codex/hooks.json',
  checkPattern: (source) => {
    try {
      new RegExp(source);
      return undefined;
    } catch (error) {
      return String(error);
    }
  },
  read: () => undefined,
  stat: () => undefined,
};
const compile: Compile = ({ source }) => {
  const pattern = new RegExp(source);
  return (value) => pattern.test(value);
};

function load(hooks: Json): Loaded {
  return loadFile(parseJson('hooks.json', JSON.stringify({ hooks }, null, 1)), CONTEXT);
}

function said(event: EventName, stdout: Json | string, exit = 0, stderr = ''): ReturnType<typeof interpret> {
  const rule: EventRule = profile.events[event];
  const text = typeof stdout === 'string' ? stdout : JSON.stringify(stdout);
  const hook = { name: 'gate', event } as Hook;
  return interpret({ kind: 'process', exit, stdout: text, stderr }, hook, rule, codex, sampleEvent(rule.kinds[0] ?? 'notification'));
}

function specific(event: EventName, fields: Record<string, Json>): Json {
  return { hookSpecificOutput: { hookEventName: event, ...fields } };
}

function firesFor(matcher: string, tool: string): boolean {
  const [hook] = load({ PreToolUse: [{ matcher, hooks: [{ type: 'command', command: 'true' }] }] }).hooks;
  const event: HookEvent = { ...sampleEvent('tool.before'), data: { tool, input: {} } };
  return hook?.when.every((condition) => holds(condition, facetValues(event, condition.facet), compile)) ?? false;
}

const deny = { permissionDecision: 'deny', permissionDecisionReason: 'no' };
const FAULT = { kind: 'fault', fault: 'malformed' };

describe('what a hook of Codex says', () => {
  test('stray-key-fails: one key too many makes an answer a fault, and the fault lets the tool run', () => {
    expect(said('PreToolUse', specific('PreToolUse', deny))).toEqual({ decision: { kind: 'deny', reason: 'no' }, effects: [] });
    expect(said('PreToolUse', { ...(specific('PreToolUse', deny) as object), note: 'x' })).toMatchObject(FAULT);
    expect(said('PreToolUse', specific('PreToolUse', { ...deny, note: 'x' }))).toMatchObject(FAULT);
    expect(said('PreToolUse', { hookSpecificOutput: deny })).toMatchObject(FAULT);
    expect(profile.fail).toEqual({ otherwise: 'pass' });
  });

  test('allow-needs-input: consent counts only with another input, and is then no consent', () => {
    expect(said('PreToolUse', specific('PreToolUse', { permissionDecision: 'allow' }))).toMatchObject(FAULT);
    const rewritten = said('PreToolUse', specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { command: 'ls' } }));
    expect(rewritten).toEqual({ decision: { kind: 'pass' }, effects: [{ kind: 'rewrite', value: { command: 'ls' } }] });
  });

  test('ask-fails: nobody can be asked', () => {
    expect(said('PreToolUse', specific('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'sure?' }))).toMatchObject(
      FAULT,
    );
  });

  test('silent-refusal: exit 2 refuses without a word', () => {
    expect(said('Stop', '', 2)).toMatchObject({ decision: { kind: 'deny', reason: expect.stringContaining('exit code 2') } });
    expect(said('PreToolUse', '', 2, ' not here \n')).toMatchObject({ decision: { kind: 'deny', reason: 'not here' } });
    expect(said('PreToolUse', '', 1, 'x')).toMatchObject({ kind: 'fault', fault: 'exit' });
  });

  test('text-is-context: text is context where a session, a subagent or a turn begins, and nothing elsewhere', () => {
    const context = { decision: { kind: 'pass' }, effects: [{ kind: 'context', text: 'Mind the gap.' }] };
    for (const event of ['SessionStart', 'SubagentStart', 'UserPromptSubmit'] as const)
      expect(said(event, 'Mind the gap.\n')).toEqual(context);
    expect(said('PreToolUse', 'Mind the gap.')).toEqual({ decision: { kind: 'pass' }, effects: [] });
    expect(said('SessionStart', '{"hookSpecific')).toMatchObject(FAULT);
    expect(said('SessionStart', '42')).toMatchObject({ effects: [{ kind: 'context', text: '42' }] });
  });

  test('block-replaces-output: a block after a tool is a refusal with its reason', () => {
    expect(said('PostToolUse', { decision: 'block', reason: 'secret' })).toEqual({
      decision: { kind: 'deny', reason: 'secret' },
      effects: [],
    });
    expect(said('PostToolUse', { decision: 'block' })).toMatchObject(FAULT);
    expect(said('PostToolUse', { continue: false, stopReason: 'enough' })).toMatchObject({ effects: [{ kind: 'halt', reason: 'enough' }] });
  });

  test('compaction-is-stopped: only `continue: false` refuses a compaction', () => {
    expect(said('PreCompact', { continue: false, stopReason: 'later' })).toEqual({
      decision: { kind: 'deny', reason: 'later' },
      effects: [],
    });
    expect(said('PreCompact', '', 2, 'later')).toMatchObject({ kind: 'fault', fault: 'exit' });
  });

  test('a permission is granted or refused in its own words', () => {
    expect(said('PermissionRequest', specific('PermissionRequest', { decision: { behavior: 'allow' } }))).toMatchObject({
      decision: { kind: 'allow' },
    });
    expect(said('PermissionRequest', specific('PermissionRequest', { decision: { behavior: 'deny', message: 'no' } }))).toMatchObject({
      decision: { kind: 'deny', reason: 'no' },
    });
    expect(said('PermissionRequest', specific('PermissionRequest', { decision: { behavior: 'allow', updatedInput: {} } }))).toMatchObject(
      FAULT,
    );
  });

  test('an answer to Codex holds what is needed and nothing else', () => {
    const words = (event: EventName) => render({ decision: { kind: 'deny', reason: 'no' }, effects: [] }, event, codex)?.stdout;
    expect(words('PreToolUse')).toBe(
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}',
    );
    expect(words('Stop')).toBe('{"decision":"block","reason":"no"}');
    expect(words('PreCompact')).toBe('{"continue":false,"stopReason":"no"}');
    expect(render({ decision: { kind: 'pass' }, effects: [] }, 'PreToolUse', codex)).toMatchObject({ exit: 0, stdout: '', stderr: '' });
    expect(render({ decision: { kind: 'deny', reason: '  ' }, effects: [] }, 'PreToolUse', codex)?.stdout).toContain('gave no reason');
  });
});

describe('when and how it runs', () => {
  test('exact-or-pattern: plain names are whole names, anything else is found anywhere', () => {
    expect(firesFor('Bash', 'Bash')).toBe(true);
    expect(firesFor('Bash', 'BashOutput')).toBe(false);
    expect(firesFor('^Bash', 'BashOutput')).toBe(true);
    expect(firesFor('*', 'anything')).toBe(true);
  });

  test('patch-aliases: the names of other agents mean the patch and the subagent', () => {
    expect(firesFor('Edit', 'apply_patch')).toBe(true);
    expect(firesFor('Bash|Write', 'apply_patch')).toBe(true);
    expect(firesFor('Agent', 'spawn_agent')).toBe(true);
    expect(firesFor('Read', 'apply_patch')).toBe(false);
    expect(firesFor('^(Write|Edit)$', 'apply_patch')).toBe(true);
    expect(firesFor('^(Write|Edit)$', 'apply_patches')).toBe(false);
    expect(firesFor('^Agent$', 'spawn_agent')).toBe(true);
    expect(firesFor('^Agent$', 'apply_patch')).toBe(false);
  });

  test('short-goodbye: the end of a session waits a second, at most three, and for nobody in the background', () => {
    const goodbye = (extra: object) => load({ SessionEnd: [{ hooks: [{ type: 'command', command: 'x', ...extra }] }] }).hooks[0];
    expect(goodbye({})?.timeoutMs).toBe(1000);
    expect(goodbye({ timeout: 60 })?.timeoutMs).toBe(3000);
    expect(goodbye({ async: true })?.detach).toBe(false);
    expect(load({ Stop: [{ hooks: [{ type: 'command', command: 'x', async: true }] }] }).hooks[0]).toMatchObject({
      detach: true,
      timeoutMs: 600_000,
    });
  });

  test('declared-order-wins: all run at once on the original input', () => {
    expect(Object.values<EventRule>(profile.events).every(({ run }) => run === 'parallel')).toBe(true);
    expect(profile.run).toEqual({ order: 'declared', stopOn: ['deny'], inputs: 'original' });
  });

  test("own-shell: a command is run by the user's own shell, which reads nothing of a login", async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'hookline-own-shell-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    writeFileSync(path.join(home, '.profile'), 'echo welcome\n');
    vi.stubEnv('SHELL', '/bin/bash');
    onTestFinished(() => void vi.unstubAllEnvs());
    const part = { handler: { type: 'command', config: { command: 'echo "$0"' } }, env: { HOME: home } };
    const answer = await createCommandHandler().handle(sampleCall('command', part, { ask: profile.ask }));
    expect(answer).toMatchObject({ kind: 'process', exit: 0, stdout: '/bin/bash\n' });
  });

  test('one-word-one-hook: what makes Codex drop the file costs one hook', () => {
    const { hooks, diagnostics } = load({
      PreToolUse: [
        {
          hooks: [
            { type: 'http', url: 'http://127.0.0.1/' },
            { type: 'command', command: './gate.sh', retries: 2 },
          ],
        },
      ],
    });
    expect(hooks).toMatchObject([{ name: 'gate.sh', event: 'PreToolUse', skippedByAgent: true }]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['unknown-type', 'unknown-field', 'dropped-file']);
    expect(diagnostics.at(-1)).toMatchObject({ line: expect.any(Number), message: expect.stringContaining('drops this whole file') });
  });
});
