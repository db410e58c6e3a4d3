/** What only Copilot CLI has: its own words, subagents, servers, and the files of another agent that it reads. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hookline } from '../flows/cli/program.ts';
import type { Workspace } from '../support/workspace.ts';
import { copilot, copilotWith } from './copilot.ts';
import type { MockModel } from './model/server.ts';
import type { Turn } from './model/turn.ts';
import { GATES } from './project.ts';
import { runSession } from './session.ts';

const LIMIT = { timeout: 180_000 };
const { word, says } = GATES['HOOK.md'];
const OURS = '~/.copilot/hooks/hookline.json';

/** A file with hooks of Copilot's own. */
function own(hooks: Readonly<Record<string, readonly object[]>>): Readonly<Record<string, string>> {
  return { '~/.copilot/hooks/own.json': JSON.stringify({ version: 1, hooks }) };
}

/** A hook of Claude Code's in the home, which Hookline asks and Copilot does not read. */
function claude(event: string, command: string): Readonly<Record<string, string>> {
  return { '~/.claude/settings.json': JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: 'command', command }] }] } }) };
}

const say = (answer: object): string => `echo '${JSON.stringify(answer)}'`;
const WATCH = {
  '.agents/hooks/watch/HOOK.md': '---\nname: watch\ndescription: For a test.\ntrigger: before_tool\n---\n',
  '.agents/hooks/watch/scripts/run.sh': '#!/bin/sh\nexit 0\n',
};
const denied = copilot.shell(`touch ran-${word}`);
/** A server with one tool, in one line. */
const SERVER = `
const results = { initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'db', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'drop', description: 'Drops a table.', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'dropped' }] }) };
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method]?.(params) ?? {} }));
});`;

async function logged(workspace: Workspace): Promise<readonly { readonly kind: string; readonly tool?: string }[]> {
  const { stdout } = await hookline(workspace, ['log', '--json', '--limit', '100']);
  return (JSON.parse(stdout) as { entries: { kind: string; tool?: string }[] }).entries;
}

describe('what Hookline answers in the words of Copilot', () => {
  test('a prompt that a hook denies never reaches the model, and the user is told why', LIMIT, async () => {
    const files = claude('UserPromptSubmit', say({ decision: 'block', reason: 'Not this prompt.' }));
    const session = await runSession(copilot, [copilot.shell('touch ran')], { files });
    expect({ heard: session.heard.length, exit: session.exit }, session.output).toEqual({ heard: 0, exit: 1 });
    expect(session.output).toContain('Not this prompt.');
  });

  test('a result that a hook denies is withheld from the model', LIMIT, async () => {
    const files = claude('PostToolUse', say({ decision: 'block', reason: 'That is a secret.' }));
    const session = await runSession(copilot, [copilot.shell('echo the-$((40 + 2))-result')], { files });
    expect(session.heard[1], session.output).toContain('That is a secret.');
    expect(session.heard[1]).not.toContain('the-42-result');
  });

  test('a permission that a hook denies is not given', LIMIT, async () => {
    const answer = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: 'No leave.' } } };
    const session = await runSession(copilot, [copilot.shell('touch ran')], { files: claude('PermissionRequest', say(answer)) });
    expect(session.has('ran'), session.output).toBe(false);
    expect(session.heard[1]).toContain('No leave.');
  });

  test('what a hook says at the start of a session reaches the model', LIMIT, async () => {
    const session = await runSession(copilot, [], { files: claude('SessionStart', 'echo The sources are in src.') });
    expect(session.heard[0], session.output).toContain('The sources are in src.');
  });
});

describe('what Hookline is asked about', () => {
  test('tools of every kind: for files, for shells, of a server, and agents', LIMIT, async () => {
    const turns: Turn[] = [
      { call: 'create', input: { path: 'a.txt', file_text: 'one' } },
      { call: 'edit', input: { path: 'a.txt', old_str: 'one', new_str: 'two' } },
      { call: 'view', input: { path: 'a.txt' } },
      { call: 'grep', input: { pattern: 'two' } },
      { call: 'list_bash', input: {} },
      { call: 'db-drop', input: {} },
      { call: 'task', input: { agent_type: 'task', name: 'helper', description: 'Help.', prompt: 'Help.', mode: 'sync' } },
      copilot.shell('touch ran-below'),
    ];
    const server = { mcpServers: { db: { type: 'local', command: process.execPath, args: ['-e', SERVER], tools: ['*'] } } };
    const agent = copilotWith({}, '--additional-mcp-config', JSON.stringify(server));
    const session = await runSession(agent, turns, { files: WATCH });
    const asked = (await logged(session.workspace)).filter(({ kind }) => kind === 'tool.before').map(({ tool }) => tool);
    expect(asked, session.output).toEqual(['create', 'edit', 'view', 'grep', 'list_bash', 'db-drop', 'task', 'bash']);
    expect(session.has('ran-below')).toBe(true);
  });

  test('a subagent is denied what its agent would be', LIMIT, async () => {
    const task: Turn = { call: 'task', input: { agent_type: 'task', name: 'helper', description: 'Help.', prompt: 'Help.', mode: 'sync' } };
    const session = await runSession(copilot, [task, denied]);
    expect(session.has(`ran-${word}`), session.output).toBe(false);
    expect(session.heard[2]).toContain(says);
  });
});

describe('entries', () => {
  test('one whose program is gone refuses', LIMIT, async () => {
    const before = ({ at }: Workspace): void => {
      const file = at(OURS);
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/"bash": "\S+/g, '"bash": "/gone/hookline'));
    };
    const session = await runSession(copilot, [copilot.shell('touch ran')], { before });
    expect(session.has('ran'), session.output).toBe(false);
    expect(session.heard[1]).toContain('hook exited with code 2');
  });

  test('a word that a start-up file of the shell prints does not undo a refusal', LIMIT, async () => {
    const prepare = ({ write }: Workspace): void => write({ '~/.bash-env': 'echo Welcome.\n' });
    const agent = copilotWith({ BASH_ENV: '../home/.bash-env' });
    const session = await runSession({ ...agent, prepare }, [denied]);
    expect(session.has(`ran-${word}`), session.output).toBe(false);
    expect(session.heard[1]).toContain(says);
  });

  test('those for Claude Code in a project are called too, and answered in the words of Copilot', LIMIT, async () => {
    const before = async (workspace: Workspace): Promise<void> => {
      await hookline(workspace, ['uninstall', 'copilot']);
      await hookline(workspace, ['install', 'claude-code', '--scope', 'project']);
    };
    const session = await runSession(copilot, [denied, copilot.shell('touch ran-context-please')], { before });
    expect([session.has(`ran-${word}`), session.has('ran-context-please')], session.output).toEqual([false, true]);
    expect(session.heard[1]).toContain(`Denied by preToolUse hook: ${says}`);
    expect(session.heard[2]).toContain('The result was looked at.');
  });

  test('where both stand, its own is put to the hooks, and the other keeps out of it', LIMIT, async () => {
    const before = async (workspace: Workspace): Promise<void> =>
      void (await hookline(workspace, ['install', 'claude-code', '--scope', 'project']));
    const session = await runSession(copilot, [denied, copilot.shell('touch ran')], { files: WATCH, before });
    expect([session.has(`ran-${word}`), session.has('ran')], session.output).toEqual([false, true]);
    const asked = (await logged(session.workspace)).filter(({ kind }) => kind === 'tool.before').map(({ tool }) => tool);
    expect(asked).toEqual(['bash', 'bash']);
  });

  test.each([
    ['is passed over without a word', {}, true],
    ['is asked where a variable permits it, and refuses where it fails', { COPILOT_HOOK_ALLOW_LOCALHOST: '1' }, false],
  ])('an address on loopback %s', LIMIT, async (_, env, runs) => {
    const prepare = (workspace: Workspace, { url }: MockModel): void =>
      workspace.write(own({ preToolUse: [{ type: 'http', url: `${url}/nobody-is-here` }] }));
    const session = await runSession({ ...copilotWith(env), prepare }, [copilot.shell('touch ran')]);
    expect(session.has('ran'), session.output).toBe(runs);
    expect(session.output.includes('POST /nobody-is-here')).toBe(!runs);
  });
});
