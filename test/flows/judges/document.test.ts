/** The three kinds of action of the document about Arawn, in the layout of its own plugin: a command, a question to a model, and an agent that verifies. */
import { expect, test } from 'vitest';
import { scriptedProvider } from '../../support/scripted-provider.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { hookline } from '../cli/program.ts';

const ROOT = `\${CLAUDE_PLUGIN_ROOT}`;

/** The script of the document, without the programs that it calls. */
const VALIDATE = `#!/bin/bash
input=$(cat)
if echo "$input" | grep -q 'dd if='; then
  echo "Destructive command blocked by policy"
  exit 1
fi
exit 0
`;

const FILES = {
  'plugins/my-plugin/.claude-plugin/plugin.json': '{"name": "my-plugin", "hooks": "./hooks/hooks.json"}',
  'plugins/my-plugin/hooks/hooks.json': JSON.stringify({
    hooks: {
      PreToolUse: [
        {
          matcher: 'shell',
          hooks: [
            { type: 'prompt', prompt: 'Block every command that sends data away.', timeout: 20_000 },
            { type: 'agent', agent: 'reviewer', timeout: 20_000 },
            { type: 'command', command: `${ROOT}/hooks/validate-shell.sh`, timeout: 20_000 },
          ],
        },
      ],
    },
  }),
  'plugins/my-plugin/hooks/validate-shell.sh': VALIDATE,
  'plugins/my-plugin/agents/reviewer.md': '---\nname: reviewer\n---\n\nCommands must agree with RULES.md of the project.\n',
  'RULES.md': 'Never call curl.\n',
};

const OK = '{"ok": true, "reason": ""}';
const READS = [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read_file', input: '{"path": "RULES.md"}' }];

async function run(command: string, steps: readonly (string | readonly object[])[]) {
  const workspace = createWorkspace(FILES);
  const provider = scriptedProvider(workspace);
  provider.answer(...steps);
  const input = JSON.stringify({ command });
  const argv = ['fire', 'tool.before', '--tool', 'shell', '--input', input, '--trust-all', '--dialect', 'arawn', '--json'];
  const { stdout } = await hookline(workspace, argv, { env: provider.env });
  return { outcome: JSON.parse(stdout), asked: provider.asked() };
}

test('the script, the model and the agent are all asked, the script first', async () => {
  const { outcome, asked } = await run('ls', [OK, READS, OK]);
  expect(outcome).toMatchObject({
    decision: 'pass',
    hooks: [{ handler: 'command' }, { handler: 'prompt' }, { handler: 'agent', judge: { steps: 2 } }],
  });
  expect(outcome.hooks.every(({ status }: { status: string }) => status === 'answered')).toBe(true);
  const [prompt, agent, looked] = asked.map((one) => JSON.stringify(one.prompt));
  expect(prompt).toContain('Block every command that sends data away.');
  expect(agent).toContain('Commands must agree with RULES.md of the project.');
  expect(agent).not.toContain('name: reviewer');
  expect(looked).toContain('Never call curl.');
  expect(asked.map(({ temperature, tools }) => [temperature, tools?.length ?? 0])).toEqual([
    [0, 0],
    [0, 3],
    [0, 3],
  ]);
});

test('each of them blocks', async () => {
  expect((await run('dd if=x', [OK])).outcome).toMatchObject({ decision: 'deny', reason: 'Destructive command blocked by policy' });
  expect((await run('ls', ['{"ok": false, "reason": "it sends data"}', OK])).outcome).toMatchObject({
    decision: 'deny',
    reason: 'it sends data',
  });
  expect((await run('ls', [OK, READS, '{"ok": false, "reason": "RULES.md forbids it"}'])).outcome).toMatchObject({
    ...{ decision: 'deny', reason: 'RULES.md forbids it' },
  });
});

test('what the script blocks costs no question', async () => {
  const { outcome, asked } = await run('dd if=x', [OK]);
  expect(asked).toEqual([]);
  expect(outcome.hooks.map(({ status }: { status: string }) => status)).toEqual(['answered', 'skipped', 'skipped']);
});
