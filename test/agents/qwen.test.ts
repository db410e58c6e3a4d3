/** Qwen Code itself. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Workspace } from '../support/workspace.ts';
import type { Agent } from './agent.ts';
import { describeJourney } from './journey.ts';
import { describeAgent } from './laws.ts';
import { GATES, PROMPT_CONTEXT } from './project.ts';
import { runSession } from './session.ts';

const qwen: Agent = {
  id: 'qwen',
  packages: { '@qwen-code/qwen-code': '0.24.4' },
  shell: (command) => ({ call: 'run_shell_command', input: { command, description: 'For a test.', is_background: false } }),
  start: (prompt, { url }) => ({
    argv: ['qwen', '-p', prompt, '--yolo', '--auth-type', 'openai'],
    env: { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'mock' },
  }),
};

const LIMIT = { timeout: 240_000 };

describeAgent(qwen);
describeJourney(qwen, '{\n  // Mine.\n  "hooks": {},\n  "$version": 4\n}\n');

describe('what only Qwen Code does', () => {
  test('another hook that consents after ours does not undo a refusal', LIMIT, async () => {
    const { word, says } = GATES['HOOK.md'];
    const session = await runSession(qwen, [qwen.shell(`touch ran-${word}`)], { before: consentAfterUs });
    expect(session.has(`ran-${word}`), session.output).toBe(false);
    expect(session.heard[1]).toContain(says);
  });

  test('hooks that take longer than it waits refuse before it goes on', LIMIT, async () => {
    const files = {
      '.agents/hooks/slow/HOOK.md':
        '---\nname: slow\ndescription: Slow.\ntrigger: before_tool\ntimeout: 90000\nmatcher:\n  tool: ^Bash$\n  pattern: slowly\n---\n',
      '.agents/hooks/slow/scripts/run.sh': '#!/bin/sh\nsleep 80\n',
    };
    const session = await runSession(qwen, [qwen.shell('touch ran-slowly')], { files });
    expect(session.has('ran-slowly'), session.output).toBe(false);
  });

  test('the results of tools are no prompts: context is added once', LIMIT, async () => {
    const session = await runSession(qwen, [qwen.shell('touch ran-1'), qwen.shell('touch ran-2')]);
    expect(session.heard.at(-1)?.split(PROMPT_CONTEXT)).toHaveLength(2);
  });
});

function consentAfterUs(workspace: Workspace): void {
  const file = workspace.at('~/.qwen/settings.json');
  const settings = JSON.parse(readFileSync(file, 'utf8')) as { hooks: Record<string, unknown[]> };
  const consent = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } };
  settings.hooks['PreToolUse']?.push({ hooks: [{ type: 'command', command: `echo '${JSON.stringify(consent)}'` }] });
  writeFileSync(file, JSON.stringify(settings));
}
