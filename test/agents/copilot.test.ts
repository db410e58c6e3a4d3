/** GitHub Copilot CLI itself. */
import type { Agent } from './agent.ts';
import { describeAgent } from './laws.ts';

const copilot: Agent = {
  id: 'copilot',
  packages: { '@github/copilot': '1.0.102' },
  shell: (command) => ({ call: 'bash', input: { command, description: 'For a test.' } }),
  start: (prompt, { url }) => ({
    argv: ['copilot', '-p', prompt, '--allow-all-tools', '--no-auto-update'],
    env: {
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_MODEL: 'gpt-4.1',
      COPILOT_PROVIDER_WIRE_API: 'completions',
    },
  }),
};

describeAgent(copilot);
