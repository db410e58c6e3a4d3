/** Codex itself. */
import type { Agent } from './agent.ts';
import { describeAgent } from './laws.ts';

const codex: Agent = {
  id: 'codex',
  packages: { '@openai/codex': '0.166.0' },
  shell: (command) => ({ call: 'exec_command', input: { cmd: command } }),
  prepare({ write }, { url }) {
    write({
      '~/.codex/config.toml': `model = "mock"
model_provider = "mock"

[model_providers.mock]
name = "mock"
base_url = "${url}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`,
    });
  },
  start: (prompt) => ({
    argv: ['codex', 'exec', '--dangerously-bypass-hook-trust', '--skip-git-repo-check', '--sandbox', 'danger-full-access', prompt],
    env: { SHELL: '/bin/bash' },
  }),
};

describeAgent(codex);
