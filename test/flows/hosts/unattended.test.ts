/**
 * An `ask` where nobody is at the agent becomes a ticket: the answer denies and says how to approve it, and the retry passes. An agent is played
 * by a process with its name, which starts the hook as the agent does.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { HOSTS } from '../../../src/builtins.ts';
import type { Host } from '../../../src/core/contracts/host.ts';
import type { EventRule } from '../../../src/core/meaning/profile.ts';
import type { JsonObject } from '../../../src/core/values/json.ts';
import { LONG_MS } from '../../support/patience.ts';
import { createWorkspace, permitScripts, type Workspace } from '../../support/workspace.ts';
import { hookline } from '../cli/program.ts';

const WHY = 'A person deploys.';
const LIMIT = { timeout: LONG_MS };
const BIN = fileURLToPath(new URL('../../../bin/hookline.js', import.meta.url));

/** Every event of a tool on which a host asks people. */
const ASKING = HOSTS.flatMap((host) => {
  const { attendance, dialect, asksPeople, id } = host;
  const event = asksPeople.find((name) => (dialect.profile.events[name] as EventRule | undefined)?.grants.includes('ask'));
  return attendance === null || event === undefined ? [] : [{ host, attendance, event, id }];
});

/** The user's own hook that asks for a person before every tool. */
const ASKS = {
  '~/.config/agents/hooks/gate/HOOK.md': '---\nname: gate\ndescription: A gate.\ntrigger: before_tool\n---\n',
  '~/.config/agents/hooks/gate/scripts/run.sh': `#!/bin/sh\nprintf '{"decision":"ask","reason":"${WHY}"}'\n`,
};

/** Starts the hook with the payload in its own environment, and prints what came of it as one line. */
const AGENT = `
const { spawnSync } = require('node:child_process');
const { node, bin, host, event, stdin, env } = JSON.parse(process.env.PLAYED);
const { status, stdout, stderr } = spawnSync(node, [bin, 'hook', host, event], { input: stdin, env, encoding: 'utf8' });
process.stdout.write('ANSWER' + JSON.stringify({ exit: status, stdout, stderr }) + '\\n');
`;

interface Answer {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Played {
  readonly words?: readonly string[];
  readonly terminal?: boolean;
  readonly input?: JsonObject;
}

function play(workspace: Workspace, host: Host, event: string, played: Played): Promise<Answer> {
  const [program = ''] = host.signs.programs;
  workspace.write({ [`~/bin/${program}`]: AGENT });
  const data = { tool: 'Bash', input: played.input ?? { command: 'deploy' } };
  const at = new Date().toISOString();
  const payload = host.dialect.wire.encodeEvent(
    { id: 'e', kind: 'tool.before', at, session: { id: 's1', cwd: workspace.root }, data },
    event,
  );
  const env = { PATH: process.env['PATH'], HOME: workspace.home, HOOKLINE_HOME: workspace.home };
  const PLAYED = JSON.stringify({ node: process.execPath, bin: BIN, host: host.id, event, stdin: JSON.stringify(payload), env });
  const line = [process.execPath, workspace.at(`~/bin/${program}`), ...(played.words ?? [])];
  const quoted = line.map((word) => `'${word}'`).join(' ');
  const [file = '', ...words] = played.terminal ? ['script', '--quiet', '--return', '--command', quoted, '/dev/null'] : line;
  const child = spawn(file, words, { cwd: workspace.root, env: { ...env, PLAYED }, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      const [, answer] = /ANSWER(\{.*\})/.exec(output) ?? [];
      if (answer === undefined) reject(new Error(output));
      else resolve(JSON.parse(answer));
    });
  });
}

/** What the host's own hook would have said with this answer. */
function decisionOf({ dialect }: Host, event: string, { stdout, exit }: Answer): string {
  if (stdout.trim() === '') return exit === 0 ? 'pass' : `exit ${exit}`;
  const verdict = dialect.wire.decodeReply(JSON.parse(stdout), event, {
    ...{ id: 'e', kind: 'tool.before', at: '', session: { id: 's1', cwd: '/' }, data: { tool: 'Bash', input: { command: 'deploy' } } },
  });
  return typeof verdict === 'string' ? verdict : verdict.decision.kind;
}

test('there are hosts to try', () => {
  expect(ASKING.length).toBeGreaterThan(4);
});

test.each(['CLAUDECODE', 'AI_AGENT', 'HOOKLINE_DEPTH'])(
  'an agent that shows itself by %s cannot approve what it was denied',
  LIMIT,
  async (marker) => {
    const workspace = createWorkspace(ASKS);
    const [
      { host, event } = (() => {
        throw new Error('no host asks');
      })(),
    ] = ASKING;
    const { stdout } = await play(workspace, host, event, { words: ['-p'] });
    const [, ticket = ''] = /hookline approvals approve ([\w-]+)/.exec(stdout) ?? [];
    const tried = await hookline(workspace, ['approvals', 'approve', ticket], { env: { [marker]: '1' } });
    expect([tried.exit, tried.stderr]).toEqual([1, expect.stringContaining('may not approve')]);
    expect((await hookline(workspace, ['approvals', 'show', ticket])).stdout).toContain('open');
  },
);

describe.each(ASKING)('$id', ({ host, attendance, event }) => {
  test('where one task runs, the ask is a ticket, and once approved the same action passes, however it is described', LIMIT, async () => {
    const workspace = permitScripts(createWorkspace(ASKS));
    const words = [attendance.nobody.words[0] ?? '', 'task'];
    const first = await play(workspace, host, event, { words });
    expect(decisionOf(host, event, first), JSON.stringify(first)).toBe('deny');
    expect(first.stdout).toContain(WHY);
    const [, ticket = ''] = /hookline approvals approve ([\w-]+)/.exec(first.stdout) ?? [];
    expect(ticket).not.toBe('');
    expect((await hookline(workspace, ['approvals', 'approve', ticket, '--by', 'ana'])).exit).toBe(0);
    const again = await play(workspace, host, event, { words, input: { command: 'deploy', description: 'Deploys at last.' } });
    expect(['pass', 'allow'], JSON.stringify(again)).toContain(decisionOf(host, event, again));
    expect(decisionOf(host, event, await play(workspace, host, event, { words }))).toBe('deny');
  });

  test('at its terminal a person is asked by the host itself', LIMIT, async () => {
    const workspace = createWorkspace(ASKS);
    expect(decisionOf(host, event, await play(workspace, host, event, { terminal: true }))).toBe('ask');
  });

  test('the setting says that a person is always there, or never', LIMIT, async () => {
    const settings = (interactive: string) => ({ '~/.config/hookline/settings.json': JSON.stringify({ interactive }) });
    const always = createWorkspace({ ...ASKS, ...settings('always') });
    const words = [attendance.nobody.words[0] ?? ''];
    expect(decisionOf(host, event, await play(always, host, event, { words }))).toBe('ask');
    const never = createWorkspace({ ...ASKS, ...settings('never') });
    expect(decisionOf(host, event, await play(never, host, event, { terminal: true }))).toBe('deny');
  });
});
