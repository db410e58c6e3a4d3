/** Claude Code itself. */
import type { Agent } from './agent.ts';
import { describeAgent } from './laws.ts';

const claudeCode: Agent = {
  id: 'claude-code',
  packages: { '@anthropic-ai/claude-code': '2.1.325' },
  shell: (command) => ({ call: 'Bash', input: { command, description: 'For a test.' } }),
  start: (prompt, { url }) => ({
    argv: ['claude', '-p', prompt, '--allowedTools', 'Bash'],
    env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'none', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
  }),
};

describeAgent(claudeCode);
