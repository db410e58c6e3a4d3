/** In every agent the guard judges each tool that runs something, and the log says what it did not understand. */
import { describe, expect, test } from 'vitest';
import { HOSTS } from '../../../src/builtins.ts';
import type { Host } from '../../../src/core/contracts/host.ts';
import type { HookEvent } from '../../../src/core/event/event.ts';
import type { JsonObject } from '../../../src/core/values/json.ts';
import { createHostAnswerer } from '../../../src/engine/answer-host.ts';
import { createWorkspace, insideOf } from '../../support/workspace.ts';

/** The tools with which an agent runs something, and the input that runs `command`. */
const RUNNING: Readonly<Record<string, readonly (readonly [tool: string, input: (command: string) => JsonObject])[]>> = {
  'claude-code': [
    ['Bash', (command) => ({ command })],
    ['Monitor', (command) => ({ command, description: 'x' })],
    ['PowerShell', (command) => ({ command })],
    ['Workflow', (command) => ({ script: `require('child_process').execSync(${JSON.stringify(command)})` })],
    ['mcp__ide__executeCode', (command) => ({ code: `!${command}` })],
  ],
  codex: [
    ['Bash', (command) => ({ command })],
    ['exec_command', (command) => ({ cmd: command, workdir: '/tmp' })],
    ['write_stdin', (command) => ({ session_id: 1, chars: `${command}\n` })],
  ],
  copilot: [
    ['bash', (command) => ({ command })],
    ['write_bash', (command) => ({ shellId: 'a', input: `${command}{enter}` })],
    ['powershell', (command) => ({ command })],
  ],
  'gemini-cli': [['run_shell_command', (command) => ({ command })]],
  qwen: [
    ['run_shell_command', (command) => ({ command })],
    ['monitor', (command) => ({ command })],
    ['tool_call', (command) => ({ name: 'run_shell_command', arguments: { command } })],
  ],
  kimi: [['Bash', (command) => ({ command })]],
  opencode: [['bash', (command) => ({ command })]],
  cline: [['run_commands', (command) => ({ commands: ['ls', command] })]],
  droid: [['Execute', (command) => ({ command })]],
  cursor: [['Shell', (command) => ({ command })]],
  windsurf: [['Bash', (command) => ({ command })]],
};

function payloadOf({ dialect: { wire, profile } }: Host, tool: string, input: JsonObject): string {
  const name = Object.keys(profile.events).find((event) => profile.events[event]?.kinds.includes('tool.before')) ?? '';
  const native = Object.hasOwn(profile.events, 'pre_run_command') ? 'pre_run_command' : name;
  const event: HookEvent = {
    id: 'e',
    kind: 'tool.before',
    at: '2026-01-01T00:00:00Z',
    session: { id: 's', cwd: '/tmp' },
    data: { tool, input },
  };
  return JSON.stringify(wire.encodeEvent(event, native));
}

async function guarded(host: Host) {
  const workspace = createWorkspace();
  const hookline = await workspace.open({ store: `sqlite:${workspace.at('~/log.db')}` });
  hookline.on('tool.before', 'hookline guard');
  const answer = createHostAnswerer(insideOf(hookline).engine, { hosts: [host] });
  return { hookline, ask: (tool: string, input: JsonObject) => answer(host.id, payloadOf(host, tool, input)) };
}

describe.each(HOSTS.map((host) => [host.id, host] as const))('%s', (id, host) => {
  test.each(RUNNING[id] ?? [])('%s', async (tool, input) => {
    const { hookline, ask } = await guarded(host);
    await ask(tool, input('rm -rf /'));
    await ask(tool, input('git status'));
    expect((await hookline.log.list()).map(({ decision }) => decision)).toEqual(['deny', 'pass']);
    await hookline.close();
  });

  test('a tool that nobody knows is judged by its content, and the log says that it is not known', async () => {
    // One agent has events for certain tools only.
    if (Object.hasOwn(host.dialect.profile.events, 'pre_run_command')) return;
    const { hookline, ask } = await guarded(host);
    await ask('acme', { command: 'rm -rf /' });
    await ask('acme', { command: 'git status' });
    const [denied, passed] = await hookline.log.list();
    expect([denied?.decision, passed?.decision]).toEqual(['deny', 'pass']);
    expect(passed?.outcome).toMatchObject({
      diagnostics: [{ severity: 'info', code: 'not-understood', message: expect.stringContaining('`acme`') }],
    });
    await hookline.close();
  });
});

test('every agent has a row', () => {
  expect(Object.keys(RUNNING).sort()).toEqual(HOSTS.map(({ id }) => id).sort());
});
