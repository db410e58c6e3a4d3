/** `hookline agent` in a terminal, as a person uses it: each answer is typed when it is asked for. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ChatStep, chatModel } from '../../support/chat-model.ts';
import { LONG_MS } from '../../support/patience.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { eventually, FOUND_HERE, hookline, WITHOUT_PERSON } from '../cli/program.ts';

const hasScript = spawnSync('sh', ['-c', 'command -v script']).status === 0;
const WRITE: ChatStep = { tool: 'Write', input: { file_path: 'x.txt', content: 'x' } };

function askedWorkspace(): Workspace {
  return createWorkspace({
    '.agents/hooks/ask/HOOK.md': '---\nname: ask\ndescription: Asks.\ntrigger: before_tool\n---\n',
    '.agents/hooks/ask/scripts/run.sh': `#!/bin/sh\necho '{"decision": "ask", "reason": "sure about this?"}'\n`,
  });
}

interface Terminal {
  /** Waits until the terminal shows this, after what was waited for before, and types a line. */
  type(after: string, line: string): Promise<void>;
  /** Presses a key, without a line. */
  press(after: string, key: string): Promise<void>;
  ended(): Promise<{ readonly exit: number | null; readonly screen: string }>;
}

async function terminal(
  workspace: Workspace,
  argv: readonly string[],
  steps: readonly ChatStep[],
  more: Record<string, string> = {},
): Promise<Terminal> {
  const model = await chatModel(steps);
  const words = [process.execPath, path.resolve('bin/hookline.js'), 'agent', '--model', 'ollama:test', '--trust-all', ...argv];
  const line = words.map((word) => `'${word}'`).join(' ');
  const { PATH = '' } = process.env;
  const env = {
    PATH,
    TERM: 'xterm',
    NO_COLOR: '1',
    HOME: workspace.home,
    HOOKLINE_HOME: workspace.home,
    OLLAMA_BASE_URL: model.url,
    ...more,
  };
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], { cwd: workspace.root, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let screen = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
  });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const press = async (after: string, key: string): Promise<void> => {
    const isShown = await eventually(() => screen.indexOf(after, seen) >= 0);
    if (!isShown) throw new Error(`The terminal does not show \`${after}\`. It shows:\n${screen}`);
    seen = screen.indexOf(after, seen) + after.length;
    child.stdin.write(key);
  };
  return { press, type: (after, text) => press(after, `${text}\n`), ended: async () => ({ exit: await closed, screen }) };
}

const person = test.skipIf(WITHOUT_PERSON || !hasScript);

person('a person approves a held action in place, and the turn goes on', { timeout: 2 * LONG_MS }, async () => {
  const workspace = askedWorkspace();
  const { type, ended } = await terminal(workspace, [], [WRITE, 'It is written.']);
  await type('> ', 'Write.');
  await type('[a/d/L] ', 'a');
  await type('It is written.', 'exit');
  const { exit, screen } = await ended();
  expect([exit, existsSync(workspace.at('x.txt'))]).toEqual([0, true]);
  expect(screen).toContain('? tool.before  ask wants a person to be asked: sure about this?');
  expect(screen).toContain('Held: Write');
  const { tickets } = JSON.parse((await hookline(workspace, ['approvals', '--all', '--json'])).stdout);
  expect(tickets).toMatchObject([{ state: 'approved', via: 'cli', actor: { finding: 'person' } }]);
});

person('a person denies a held action in place, and the model learns it', { timeout: 2 * LONG_MS }, async () => {
  const workspace = askedWorkspace();
  const { type, ended } = await terminal(workspace, ['Write.'], [WRITE, 'Then not.']);
  await type('[a/d/L] ', 'd');
  const { exit, screen } = await ended();
  expect([exit, existsSync(workspace.at('x.txt'))]).toEqual([0, false]);
  expect(screen).toContain('Then not.');
});

person('any other answer leaves the ticket open and parks the turn', { timeout: 2 * LONG_MS }, async () => {
  const workspace = askedWorkspace();
  const { type, ended } = await terminal(workspace, ['Write.'], [WRITE]);
  await type('[a/d/L] ', 'why?');
  const { exit, screen } = await ended();
  expect([exit, existsSync(workspace.at('x.txt'))]).toEqual([3, false]);
  expect(screen).toContain('hookline agent --resume agent-');
});

test.skipIf(FOUND_HERE.finding === 'unclear' || !hasScript)(
  'an agent at the terminal approves nothing in place',
  { timeout: 2 * LONG_MS },
  async () => {
    const workspace = askedWorkspace();
    const { type, ended } = await terminal(workspace, ['Write.'], [WRITE], { CLAUDECODE: '1' });
    await type('[a/d/L] ', 'a');
    const { exit, screen } = await ended();
    expect([exit, existsSync(workspace.at('x.txt'))]).toEqual([3, false]);
    expect(screen).toContain('An agent may not approve an action.');
  },
);

test.skipIf(!hasScript)('Ctrl-C ends the turn and its command, and not the conversation', { timeout: 2 * LONG_MS }, async () => {
  const workspace = createWorkspace();
  const command = 'touch began; sleep 600; touch ended';
  const { type, press, ended } = await terminal(workspace, [], [{ tool: 'Bash', input: { command } }]);
  await type('> ', 'Wait.');
  expect(await eventually(() => existsSync(workspace.at('began')))).toBe(true);
  await press('● Bash', '\x03');
  await type('✗ aborted', 'exit');
  expect(await ended()).toMatchObject({ exit: 0 });
  expect(existsSync(workspace.at('ended'))).toBe(false);
});
