/** The hooks system of claude-agent in code: commands, hooks of files and hooks of code, in a manager and in an engine, merge alike. */
import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  CommandHook,
  fnHook,
  type Hook,
  HookContext,
  type HookFault,
  HookInput,
  HookManager,
  HookOutput,
  type HookRule,
} from '../../../src/claude-agent.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';

const BASH = HookInput.preToolUse('s1', 'Bash', { command: 'sudo ls' });
const context = new HookContext('s1');

/** The settings as the document has them, in each of its shapes. */
function settings(folder: Workspace): void {
  folder.write({
    '.claude/settings.json': JSON.stringify({
      hooks: {
        preToolUse: {
          gate: { command: './gate.sh', timeout_secs: 30, matcher: 'Bash|Write', extra_env: { WHO: 'ann' } },
          note: `echo '{"additional_context": "from a file", "system_message": "file"}'`,
        },
        postToolUse: { log: `cat > payload.json; echo "$EVENT" > event.txt` },
        sessionStart: ['exit 3'],
      },
    }),
    'gate.sh': `#!/bin/sh\nif grep -q sudo; then echo '{"continue_execution": false, "stop_reason": "'"$WHO"' says no sudo"}'; fi\n`,
  });
}

async function managerOf(workspace: Workspace, options: Parameters<typeof HookManager.fromSettings>[1] = {}) {
  const faults: HookFault[] = [];
  const manager = await HookManager.fromSettings(workspace.root, {
    home: workspace.home,
    onFault: (fault) => faults.push(fault),
    ...options,
  });
  onTestFinished(() => manager.close());
  return { manager, faults };
}

describe('a manager with the hooks of files', () => {
  test('blocks, adds and observes as the files say, in the folder that the caller names', async () => {
    const workspace = createWorkspace();
    settings(workspace);
    const { manager, faults } = await managerOf(workspace);
    const inside = new HookContext('s1', { cwd: workspace.root });
    expect(await manager.execute('PreToolUse', BASH, inside)).toMatchObject({ continueExecution: false, stopReason: 'ann says no sudo' });
    const ls = HookInput.preToolUse('s1', 'Bash', { command: 'ls' });
    expect(await manager.execute('PreToolUse', ls, inside)).toMatchObject({
      continueExecution: true,
      systemMessage: 'file',
      additionalContext: 'from a file',
    });
    await manager.execute('PostToolUse', HookInput.postToolUse('s1', 'Bash', { output: 'x' }), inside);
    expect(JSON.parse(readFileSync(workspace.at('payload.json'), 'utf8'))).toMatchObject({
      event: 'post_tool_use',
      session_id: 's1',
      tool_name: 'Bash',
      tool_result: { output: 'x' },
    });
    expect(readFileSync(workspace.at('event.txt'), 'utf8').trim()).toBe('post_tool_use');
    const start = await manager.execute('SessionStart', HookInput.sessionStart('s1'), inside);
    expect(start.stopReason).toContain('failed with exit code: 3');
    expect([faults, manager.diagnostics]).toEqual([[], []]);
  });

  test('merges them with hooks of code by priority and the table of the document', async () => {
    const workspace = createWorkspace({
      '.claude/settings.json': JSON.stringify({
        hooks: { preToolUse: { note: `echo '{"additional_context": "file", "system_message": "file"}'` } },
      }),
    });
    const { manager } = await managerOf(workspace);
    const said = (name: string, priority: number): Hook<'PreToolUse'> =>
      fnHook(name, ['PreToolUse'], () => HookOutput.allow().context(name).systemMessage(name), { priority });
    manager.register(said('late', -1));
    manager.register(said('early', 1));
    expect(await manager.execute('PreToolUse', BASH, context)).toMatchObject({
      additionalContext: 'early\nfile\nlate',
      systemMessage: 'late',
    });
  });

  test('asks no hook that a person must trust first, if the caller wants that, and says so', async () => {
    const workspace = createWorkspace();
    settings(workspace);
    const { manager, faults } = await managerOf(workspace, { trust: 'ask' });
    expect((await manager.execute('PreToolUse', BASH, context)).continueExecution).toBe(true);
    expect(faults.map(({ kind }) => kind)).toEqual(['not-asked', 'not-asked']);
    expect(manager.diagnostics.map(({ code }) => code)).toContain('untrusted-hook');
  });

  test('asks no hook that the audit refuses, and reads skills, subagents and plugins as well', async () => {
    const rule = (command: string): string => JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } });
    const frontmatter = (name: string): string =>
      `---\nname: ${name}\ndescription: d\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: echo '{"additional_context":"${name}"}'\n---\n`;
    const workspace = createWorkspace({
      '.claude/settings.json': JSON.stringify({ hooks: { preToolUse: { bad: 'rm -rf /' } } }),
      '.claude/skills/s/SKILL.md': frontmatter('skill'),
      '.claude/agents/a.md': frontmatter('subagent'),
      'plugins/p/.claude-plugin/plugin.json': '{"name": "p"}',
      'plugins/p/hooks/hooks.json': rule(`echo '{"additional_context":"plugin"}'`),
    });
    const { manager, faults } = await managerOf(workspace);
    const output = await manager.execute('PreToolUse', BASH, context);
    expect(output.additionalContext?.split('\n').toSorted()).toEqual(['plugin', 'skill', 'subagent']);
    expect(faults).toMatchObject([{ hook: 'bad', kind: 'not-asked' }]);
  });

  test('blocks if a hook that the user requires is missing', async () => {
    const workspace = createWorkspace({ '~/.config/hookline/settings.json': JSON.stringify({ required: ['my-gate'] }) });
    const { manager } = await managerOf(workspace);
    expect((await manager.execute('PreToolUse', BASH, context)).stopReason).toContain('my-gate');
  });
});

describe('a command hook', () => {
  const run = (command: string, options: { extraEnv?: Record<string, string>; timeoutSecs?: number } = {}) => {
    const manager = new HookManager();
    manager.register(new CommandHook({ name: 'c', command, events: ['PreToolUse', 'PostToolUse'], ...options }));
    return manager;
  };

  test('reads the input on stdin and answers with JSON', async () => {
    const manager = run(`grep -q '"tool_name":"Bash"' && echo '{"updated_input": {"command": "ls"}, "suppress_logging": true}'`);
    expect(await manager.execute('PreToolUse', BASH, context)).toMatchObject({ updatedInput: { command: 'ls' }, suppressLogging: true });
  });

  test('sees its own variables, those of the context and the event', async () => {
    const manager = run('echo "{\\"stop_reason\\": \\"$A $B $EVENT\\", \\"continue_execution\\": false}"', { extraEnv: { A: 'own' } });
    const given = new HookContext('s1', { env: { A: 'context', B: 'b' } });
    expect((await manager.execute('PreToolUse', BASH, given)).stopReason).toBe('own b pre_tool_use');
  });

  test.each([
    ['a non-zero exit', 'echo broken >&2; exit 7', 'exit code: 7'],
    ['a death by signal', 'kill -9 $$', 'died'],
    ['an answer of the wrong type', `echo '{"continue_execution": "no"}'`, 'continue_execution'],
  ])('blocks by %s where the event can be blocked, and nowhere else', async (_, command, says) => {
    const manager = run(command);
    expect((await manager.execute('PreToolUse', BASH, context)).stopReason).toContain(says);
    const after = await manager.execute('PostToolUse', HookInput.postToolUse('s1', 'Bash', null), context);
    expect(after.continueExecution).toBe(true);
  });

  test('that does not end in time blocks', async () => {
    const output = await run('sleep 30', { timeoutSecs: 0.1 }).execute('PreToolUse', BASH, context);
    expect(output.continueExecution).toBe(false);
  });

  test('is made of the rules that frontmatter and plugins write', async () => {
    const rules: Record<string, readonly HookRule[]> = {
      PreToolUse: [
        { matcher: 'Write|Edit', hooks: [{ type: 'command', command: 'exit 1' }] },
        {
          matcher: 'Bash',
          hooks: [
            { type: 'command', command: 'true' },
            { type: 'command', command: 'exit 9', timeout: 10 },
          ],
        },
      ],
    };
    const manager = new HookManager();
    for (const hook of CommandHook.fromRules(rules, 'fmt')) manager.register(hook);
    expect((await manager.execute('PreToolUse', BASH, context)).stopReason).toContain("'fmt:PreToolUse-3' failed with exit code: 9");
    for (const bad of [
      { Nope: rules['PreToolUse'] ?? [] },
      { Stop: [{ hooks: [{ type: 'prompt' }] }] },
      { Stop: [{ hooks: [{ type: 'command' }] }] },
    ]) {
      expect(() => CommandHook.fromRules(bad)).toThrow();
    }
  });
});

describe('a hook of claude-agent given to an engine', () => {
  const tool = { tool: 'Bash', input: { command: 'sudo ls' } };

  test('gets the input, the session and the folder, and is merged with the hooks of files', async () => {
    const workspace = createWorkspace({
      '.claude/settings.json': JSON.stringify({
        hooks: { preToolUse: { note: `echo '{"additional_context": "file", "system_message": "file"}'` } },
      }),
    });
    const hookline = await workspace.open();
    const seen: unknown[] = [];
    const off = hookline.on(
      fnHook(
        'code',
        ['PreToolUse', 'SubagentStop'],
        (input, { sessionId, cwd }) => {
          seen.push([input.eventType(), input.toolName(), input.data.toolInput(), sessionId, cwd]);
          return HookOutput.allow().context('code').systemMessage('code').updatedInput({ command: 'ls' });
        },
        { priority: -1, toolMatcher: /^Bash$/ },
      ),
    );
    const outcome = await hookline.fire('tool.before', tool, { session: 's9' });
    expect(outcome).toMatchObject({ decision: 'pass', rewrite: { command: 'ls' }, context: ['code', 'file\ncode'] });
    expect(seen).toEqual([['PreToolUse', 'Bash', { command: 'sudo ls' }, 's9', workspace.root]]);
    await hookline.fire('tool.before', { ...tool, tool: 'Read' });
    await hookline.fire('subagent.after', { id: 'a', name: 'n', type: 't', task: 'x', depth: 1, success: true });
    expect(seen).toHaveLength(2);
    off();
    await hookline.fire('tool.before', tool);
    expect(seen).toHaveLength(2);
  });

  test.each([
    ['blocks', () => HookOutput.block('no')],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['does not answer', () => new Promise<never>(() => {})],
    ['answers nonsense', () => 'no' as never],
  ])('denies if it %s, where the event can be denied', async (_, execute) => {
    const hookline = await createWorkspace().open();
    hookline.on({ name: 'gate', events: ['PreToolUse', 'PostToolUse'], timeoutSecs: 0.05, execute });
    expect((await hookline.fire('tool.before', tool)).decision).toBe('deny');
    expect((await hookline.fire('tool.after', { ...tool, result: 1 })).decision).toBe('pass');
  });

  test('may be a command, and is refused if it could not be asked', async () => {
    const hookline = await createWorkspace().open();
    hookline.on(new CommandHook({ name: 'c', command: 'exit 4', events: ['PreToolUse'] }));
    expect((await hookline.fire('tool.before', tool)).reason).toContain('exit code: 4');
    expect(() => hookline.on({ name: 'x', events: ['PreTolUse' as 'PreToolUse'], execute: () => undefined })).toThrow(/PreToolUse/);
    expect(() => hookline.on({ name: 'x', events: ['PreToolUse'], toolMatcher: /a(?=b)/, execute: () => undefined })).toThrow(
      /toolMatcher/,
    );
  });
});

describe('a hook that answers in the words of another format', () => {
  const entry = (shape: 'nested' | 'flat', answer: object): Record<string, string> => {
    const command = `echo '${JSON.stringify(answer)}'`;
    const hooks = shape === 'flat' ? { preToolUse: { gate: command } } : { PreToolUse: [{ hooks: [{ type: 'command', command }] }] };
    return { '.claude/settings.json': JSON.stringify({ hooks }) };
  };
  const codes = async (files: Record<string, string>): Promise<readonly string[]> => {
    const hookline = await createWorkspace(files).open();
    return (await hookline.fire('tool.before', { tool: 'Bash', input: {} })).diagnostics.map(({ code }) => code);
  };

  test.each([
    ['nested', { continue_execution: false, stop_reason: 'no' }],
    ['nested', { modified_input: {} }],
    ['flat', { continue: false }],
    ['flat', { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } }],
    ['flat', { decision: 'deny', reason: 'no' }],
  ] as const)('is reported, in a %s entry: %j', async (shape, answer) => {
    expect(await codes(entry(shape, answer))).toEqual(['foreign-answer']);
  });

  test.each([
    ['nested', { continue: true, continue_execution: true }],
    ['nested', { note: 'x' }],
    ['flat', { continue_execution: true }],
    ['flat', { additional_context: 'x', decision: 'allow' }],
  ] as const)('is not, if it also has words of its own or words of no format: %s %j', async (shape, answer) => {
    expect(await codes(entry(shape, answer))).not.toContain('foreign-answer');
  });
});
