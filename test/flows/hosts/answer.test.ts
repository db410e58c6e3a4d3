/** An agent fires an event at us as at its own hooks: all hooks are asked, in whatever format, and the answer is in the agent's own words. */
import { describe, expect, test } from 'vitest';
import { openHookline } from '../../../src/api/create-hookline.ts';
import { HOSTS } from '../../../src/builtins.ts';
import type { Host } from '../../../src/core/contracts/host.ts';
import { createHostAnswerer, type FiringEngine, type HostAnswerOptions } from '../../../src/engine/answer-host.ts';
import type { HooklineOptions } from '../../../src/index.ts';
import { answererFor, createWorkspace, type Workspace } from '../../support/workspace.ts';

const CALL = { session_id: 's1', cwd: '/tmp', turn_id: 't1', tool_use_id: 'u1', tool_name: 'Bash', tool_input: { command: 'ls' } };
const PRE_TOOL = JSON.stringify({ ...CALL, hook_event_name: 'PreToolUse' });

async function answerer(workspace: Workspace, options?: HooklineOptions, more?: Partial<HostAnswerOptions>) {
  return answererFor(await workspace.open(options), more);
}

/** A hook of the agenthooks format that answers with this. */
function gate(reply: unknown, trigger = 'before_tool', name = 'gate'): Readonly<Record<string, string>> {
  return {
    [`.agents/hooks/${name}/HOOK.md`]: `---\nname: ${name}\ndescription: A gate.\ntrigger: ${trigger}\n---\n`,
    [`.agents/hooks/${name}/scripts/run.sh`]: `#!/bin/sh\necho ran >> "${'$'}{0%/*}/ran"\ncat <<'END'\n${JSON.stringify(reply)}\nEND\n`,
  };
}

describe('codex, which takes one key or one word too many for no answer', () => {
  test('no opinion is nothing at all', async () => {
    const answer = await answerer(createWorkspace());
    expect(await answer('codex', PRE_TOOL)).toEqual({ stdout: '', stderr: '', exit: 0 });
  });

  test('a hook of another format denies in its words', async () => {
    const answer = await answerer(createWorkspace(gate({ decision: 'deny', reason: 'Not today.' })));
    expect(await answer('codex', PRE_TOOL)).toEqual({ stdout: '', stderr: 'Not today.', exit: 2 });
  });

  test('what a person should decide is denied there, because nobody can be asked', async () => {
    const answer = await answerer(createWorkspace(gate({ decision: 'ask', reason: 'Sure?' })), { canSettle: false });
    const { exit, stderr } = await answer('codex', PRE_TOOL);
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('Sure?') });
  });

  test('what waits for a person is denied there, and the model reads the reason once', async () => {
    const workspace = createWorkspace(gate({ decision: 'ask', reason: 'Sure?' }));
    const answer = await answerer(workspace, { store: `sqlite:${workspace.at('~/log.db')}` });
    const { exit, stderr } = await answer('codex', PRE_TOOL);
    expect({ exit, times: stderr.split('Sure?').length - 1 }).toEqual({ exit: 2, times: 1 });
    expect(stderr).toMatch(/^Sure\? .*Once approved/);
  });

  test('a hook for the tool of another agent fires, by any of the names of the tool', async () => {
    const workspace = createWorkspace();
    const hookline = await workspace.open();
    hookline.on('tool.before', () => ({ decision: 'deny', reason: 'no shell' }), { match: '^run_shell_command$' });
    expect(await answererFor(hookline)('codex', PRE_TOOL)).toMatchObject({ exit: 2, stderr: 'no shell' });
    expect((await hookline.fire('tool.before', { tool: 'Bash', input: {} })).decision).toBe('pass');
  });

  test('so does a hook of a skill, which looks at the last part of the name', async () => {
    const hook = 'PreToolUse:\n    - matcher: ^run_shell_command$\n      hooks: [{ type: command, command: "echo no shell; exit 2" }]';
    const skill = `---\nname: guard\ndescription: A guard.\nhooks:\n  ${hook}\n---\n`;
    const answer = await answerer(createWorkspace({ 'skills/guard/SKILL.md': skill }));
    expect(await answer('codex', PRE_TOOL)).toMatchObject({ stderr: expect.stringContaining('no shell'), exit: 2 });
  });
});

describe('a host that waits only so long', () => {
  const impatient = HOSTS.map((host): Host => ({ ...host, timeoutMs: () => 1_000 }));
  const slow = (trigger: string) => ({ ...gate({}, trigger), '.agents/hooks/gate/scripts/run.sh': '#!/bin/sh\nsleep 30\n' });

  test('says so; the others wait for ever, or block by what their entry says', () => {
    const patient = ['claude-code', 'windsurf', 'opencode'];
    const others = ['codex', 'qwen', 'gemini-cli', 'copilot', 'cursor', 'kimi', 'droid', 'cline'];
    const waiting = HOSTS.filter(({ timeoutMs }) => timeoutMs === null).map(({ id }) => id);
    expect(waiting.filter((id) => [...patient, ...others].includes(id))).toEqual(patient);
    for (const { timeoutMs, entry } of HOSTS) for (const event of entry.events) expect(timeoutMs?.(event) ?? 1).toBeGreaterThan(0);
  });

  test('is refused before it goes on without an answer', async () => {
    const answer = await answerer(createWorkspace(slow('before_tool')), {}, { hosts: impatient });
    const { stderr, exit } = await answer('codex', PRE_TOOL);
    expect(exit).toBe(2);
    expect(stderr).toContain('does not wait longer');
  });

  test('is let go where a deny would only keep it working', async () => {
    const answer = await answerer(createWorkspace(slow('before_stop')), {}, { hosts: impatient });
    const { stdout, stderr, exit } = await answer('codex', JSON.stringify({ ...CALL, hook_event_name: 'Stop', stop_hook_active: false }));
    expect({ said: stdout, exit }).toEqual({ said: '{}', exit: 0 });
    expect(stderr).toContain('does not wait longer');
  });
});

describe('claude-code, which asks people itself', () => {
  const call = JSON.stringify({ ...CALL, hook_event_name: 'PreToolUse', turn_id: undefined });

  test('an ask is left to it, and nobody else is waited for', async () => {
    const workspace = createWorkspace(gate({ decision: 'ask', reason: 'Sure?' }));
    const hookline = await workspace.open();
    const { stdout } = await answererFor(hookline)('claude-code', call);
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'ask', permissionDecisionReason: 'Sure?' } });
    expect(await hookline.approvals.list()).toEqual([]);
  });

  test('a hold is no ask: it is denied until somebody approves, and then the same call goes through once', async () => {
    const workspace = createWorkspace();
    const hookline = await workspace.open();
    hookline.on('tool.before', () => ({ decision: 'hold', reason: 'Deploys.' }));
    const answer = answererFor(hookline);
    const { stdout } = await answer('claude-code', call);
    const [ticket] = await hookline.approvals.list();
    expect(stdout).toContain('"deny"');
    expect(stdout).toContain(ticket?.id);
    await hookline.approvals.approve(ticket?.id ?? '', { by: 'ann' });
    const again = call.replace('"u1"', '"u2"');
    expect((await answer('claude-code', again)).stdout).not.toContain('"deny"');
    expect((await answer('claude-code', call)).stdout).toContain('"deny"');
  });

  test('an event of a newer version is left alone, with a word', async () => {
    const answer = await answerer(createWorkspace());
    const { exit, stdout, stderr } = await answer('claude-code', JSON.stringify({ hook_event_name: 'OnTheMoon' }));
    expect({ exit, stdout, isSaid: stderr.includes('OnTheMoon') }).toEqual({ exit: 0, stdout: '', isSaid: true });
  });
});

describe('what can not be read', () => {
  test.each(['', 'no json', '[]', '{"tool_name":"Bash"}'])('%j is refused where it might have been denied', async (text) => {
    const answer = await answerer(createWorkspace());
    const { exit, stderr } = await answer('codex', text);
    expect(exit).toBe(2);
    expect(stderr).toContain('Hookline could not judge this');
  });

  test('it holds nothing up where the entry names an event that nobody can deny', async () => {
    const answer = await answerer(createWorkspace());
    expect(await answer('codex', 'no json', 'SessionEnd')).toMatchObject({ exit: 0, stderr: expect.stringContaining('not JSON') });
  });

  test('it does not keep an agent working that wants to stop, or one of its subagents', async () => {
    const answer = await answerer(createWorkspace());
    expect((await answer('codex', 'no json', 'Stop')).exit).toBe(0);
    for (const [host, event] of [
      ['codex', 'SubagentStop'],
      ['copilot', 'subagentStop'],
      ['claude-code', 'SubagentStop'],
    ] as const) {
      expect(await answer(host, 'no json', event)).toMatchObject({ exit: 0, stdout: expect.not.stringContaining('block') });
    }
  });

  test('a host that does not exist blocks what may be denied, and says which one was meant', async () => {
    const answer = await answerer(createWorkspace());
    expect(await answer('codx', PRE_TOOL)).toMatchObject({ exit: 2, stderr: expect.stringContaining('hookline hook codex') });
    expect((await answer('codx', '{"hook_event_name":"Stop"}')).exit).toBe(64);
    expect((await answer('codx', 'no json')).exit).toBe(2);
  });

  test('a failure of ours denies in the words of the host, and lets it stop', async () => {
    const { engine } = await openHookline({ root: createWorkspace().root, home: createWorkspace().home });
    const broken: FiringEngine = { ...engine, judge: () => Promise.reject(new Error('boom')) };
    const answer = createHostAnswerer(broken, { hosts: HOSTS });
    expect(await answer('codex', PRE_TOOL)).toMatchObject({ exit: 2, stderr: expect.stringContaining('boom') });
    expect(await answer('codex', JSON.stringify({ hook_event_name: 'Stop', turn_id: 't' }))).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('boom'),
    });
  });
});

describe('hooks that the host runs itself', () => {
  const own = (command: string) => ({
    '.qwen/settings.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } }),
  });
  const call = JSON.stringify({ ...CALL, hook_event_name: 'PreToolUse', turn_id: undefined });

  test('are not asked again', async () => {
    const answer = await answerer(createWorkspace(own('echo no >&2; exit 2')));
    expect(await answer('qwen', call)).toEqual({ stdout: '', stderr: '', exit: 0 });
  });

  test('are asked on demand', async () => {
    const answer = await answerer(createWorkspace(own('echo no >&2; exit 2')), undefined, { ownHooks: true });
    expect((await answer('qwen', call)).stdout).toContain('"deny"');
  });

  test('are asked for another host', async () => {
    const answer = await answerer(createWorkspace(own('echo no >&2; exit 2')));
    expect(await answer('codex', PRE_TOOL)).toMatchObject({ exit: 2, stderr: 'no' });
  });

  test('an entry of ours in the files of an agent is no hook', async () => {
    const workspace = createWorkspace(own('hookline hook qwen PreToolUse'));
    expect((await (await workspace.open()).list()).hooks).toEqual([]);
  });
});

test('an entry that another host runs is answered in the words of that host', async () => {
  const answer = await answerer(createWorkspace(gate({ decision: 'deny', reason: 'no' })));
  const cursor = JSON.stringify({
    hook_event_name: 'preToolUse',
    cursor_version: '3',
    conversation_id: 'c',
    tool_name: 'Shell',
    tool_input: { command: 'ls' },
  });
  expect(JSON.parse((await answer('claude-code', cursor, 'PreToolUse')).stdout)).toMatchObject({ permission: 'deny' });
  // Cursor does not read the file of Codex, so there the entry's own host is answered.
  expect(await answer('codex', cursor, 'PreToolUse')).toMatchObject({ stdout: '', stderr: 'no', exit: 2 });
});

test('one event of a host that stands for several is put to each, and the most severe answer counts', async () => {
  const workspace = createWorkspace();
  const hookline = await workspace.open();
  const seen: string[] = [];
  hookline.on('tool.before', () => void seen.push('before'));
  hookline.on('permission.request', () => {
    seen.push('permission');
    return { decision: 'deny', reason: 'not permitted' };
  });
  const codex = HOSTS.find(({ id }) => id === 'codex') as Host;
  const both: Host = { ...codex, eventsOf: () => ['PreToolUse', 'PermissionRequest'] };
  const answer = await answererFor(hookline, { hosts: [both] })('codex', PRE_TOOL);
  expect(seen).toEqual(['before', 'permission']);
  expect(answer).toMatchObject({ exit: 2, stderr: 'not permitted' });
});

test('what the host can not be told is said on stderr and in the log', async () => {
  const workspace = createWorkspace(gate({ decision: 'allow', reason: 'fine', additionalContext: 'x' }));
  const hookline = await workspace.open({ store: `sqlite:${workspace.at('~/log.db')}` });
  hookline.on('session.end', () => ({ context: 'Mind the gap.' }));
  const { stderr } = await answererFor(hookline)(
    'codex',
    JSON.stringify({ session_id: 's1', cwd: '/tmp', hook_event_name: 'SessionEnd', reason: 'other' }),
  );
  expect(stderr).toContain('Mind the gap.');
  const [entry] = await hookline.log.list({ session: 's1' });
  expect(JSON.stringify(entry?.outcome)).toContain('degraded');
});
