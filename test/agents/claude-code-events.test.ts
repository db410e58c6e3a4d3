/** What Claude Code fires at the entries that `hookline install claude-code` writes, and what becomes of the installation. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HOSTS } from '../../src/builtins.ts';
import { hookline } from '../flows/cli/program.ts';
import type { Workspace } from '../support/workspace.ts';
import type { Agent } from './agent.ts';
import { claudeCode } from './claude-code.ts';
import type { Turn } from './model/turn.ts';
import { GATES } from './project.ts';
import { runSession, type Session } from './session.ts';

const LIMIT = { timeout: 180_000 };
const shell = (command: string): Turn => claudeCode().shell(command);
const DENIED = [shell(`touch ran-${GATES['HOOK.md'].word}`), shell('touch ran-afterwards')];

/** All that a session without anybody at the terminal can be brought to fire. */
const SEEN = [
  ...['session.start', 'prompt.submit', 'prompt.expand', 'tool.before', 'tool.after', 'tool.error', 'permission.request'],
  ...['subagent.before', 'subagent.after', 'compact.before', 'compact.after', 'stop.before', 'session.end'],
];

/** Only what a hook was asked about is in the log: these were written for another agent, and have nothing to say. */
const LISTENERS = {
  '.qwen/settings.json': JSON.stringify({
    hooks: Object.fromEntries(
      [
        ...[
          'SessionStart',
          'UserPromptSubmit',
          'UserPromptExpansion',
          'PreToolUse',
          'PostToolUse',
          'PostToolUseFailure',
          'PermissionRequest',
        ],
        ...['SubagentStart', 'SubagentStop', 'PreCompact', 'PostCompact', 'Stop', 'StopFailure', 'SessionEnd'],
      ].map((event) => [event, [{ hooks: [{ type: 'command', command: 'true' }] }]]),
    ),
  }),
};

test('every entry is accepted, and each event that a session can fire arrives and is understood', LIMIT, async () => {
  const said = ['Work.', '/compact Keep it short.', '/greet you'].map((content) => ({ type: 'user', message: { role: 'user', content } }));
  const task = { description: 'For a test.', prompt: 'Do nothing.', subagent_type: 'general-purpose', run_in_background: false };
  const session = await runSession(
    talking(said),
    [shell('true'), shell('exit 7'), { call: 'Write', input: { file_path: 'x.txt', content: 'x' } }, { call: 'Task', input: task }],
    { files: { ...LISTENERS, '.claude/commands/greet.md': '---\ndescription: Greets.\n---\nGreet $ARGUMENTS\n' } },
  );
  const { kinds, text } = await logged(session);
  expect(
    [...SEEN].filter((kind) => !kinds.has(kind)),
    session.output,
  ).toEqual([]);
  expect(`${text}\n${session.output}`).not.toContain('is not an event of');
  const settings = JSON.parse(readFileSync(session.workspace.at('~/.claude/settings.json'), 'utf8')) as { hooks: object };
  expect(Object.keys(settings.hooks).sort()).toEqual([...(HOSTS.find(({ id }) => id === 'claude-code')?.entry?.events ?? [])].sort());
});

test('a turn that ends with an error is an event too, if whoever is asked is quick: it is not waited for', LIMIT, async () => {
  const agent = claudeCode(['--model', 'none']);
  const start: Agent['start'] = (prompt, model, installed) => {
    const { argv, env } = agent.start(prompt, model, installed);
    return { argv, env: { ...env, ANTHROPIC_BASE_URL: 'http://127.0.0.1:1', CLAUDE_CODE_MAX_RETRIES: '0' } };
  };
  const session = await runSession({ ...agent, start }, [], { files: LISTENERS, before: warm });
  const { kinds } = await logged(session);
  await hookline(session.workspace, ['serve', 'stop']);
  expect(kinds, session.output).toContain('stop.error');
});

test('an entry in the settings of the project denies, and taking it out leaves the file as it was', LIMIT, async () => {
  const before = '{\n    "permissions": { "allow": ["Bash(true)"] }\n}\n';
  const session = await runSession(claudeCode(), DENIED, {
    files: { '.claude/settings.json': before },
    install: ['--scope', 'project'],
  });
  expect([session.has(`ran-${GATES['HOOK.md'].word}`), session.has('ran-afterwards')], session.output).toEqual([false, true]);
  const { exit, stdout } = await hookline(session.workspace, ['uninstall', 'claude-code', '--scope', 'project']);
  expect([exit, readFileSync(session.workspace.at('.claude/settings.json'), 'utf8')], stdout).toEqual([0, before]);
});

test('taken out of the settings of the user, nothing is left of it', LIMIT, async () => {
  const session = await runSession(claudeCode(), DENIED);
  const canary = await hookline(session.workspace, ['doctor', '--canary']);
  expect(canary.exit, canary.stdout + canary.stderr).toBe(0);
  await hookline(session.workspace, ['uninstall', 'claude-code']);
  expect(existsSync(session.workspace.at('~/.claude/settings.json'))).toBe(false);
});

test('a server that runs answers what Claude Code asks, and denies the same', LIMIT, async () => {
  const session = await runSession(claudeCode(), DENIED, {
    before: warm,
  });
  const { stdout } = await hookline(session.workspace, ['serve', 'status', '--json']);
  await hookline(session.workspace, ['serve', 'stop']);
  expect([session.has(`ran-${GATES['HOOK.md'].word}`), session.has('ran-afterwards')], session.output).toEqual([false, true]);
  expect(JSON.parse(stdout).events, stdout).toBeGreaterThan(0);
});

async function warm(workspace: Workspace): Promise<void> {
  await hookline(workspace, ['serve', '--background', '--idle', '300']);
}

/** One that is told several things, one after the other. */
function talking(messages: readonly object[]): Agent {
  const agent = claudeCode();
  return {
    ...agent,
    start(prompt, model, installed) {
      const { env } = agent.start(prompt, model, installed);
      const options = '--input-format stream-json --output-format stream-json --verbose --allowedTools Bash,Task';
      const lines = messages.map((message) => JSON.stringify(message)).join('\n');
      return { argv: ['sh', '-c', `printf '%s\\n' "$0" | claude -p ${options}`, lines], env };
    },
  };
}

async function logged({ workspace }: Session): Promise<{ kinds: ReadonlySet<string>; text: string }> {
  const { stdout } = await hookline(workspace, ['log', '--json', '--limit', '500']);
  const kinds = new Set([...stdout.matchAll(/"kind":\s*"([a-z.]+)"/g)].map(([, kind]) => kind as string));
  return { kinds, text: stdout };
}
