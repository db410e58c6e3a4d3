/** GitHub Copilot CLI, as the tests start it. */
import type { Agent } from './agent.ts';

export const copilot: Agent = {
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
      // Without a terminal it passes over the hooks of a project, unless its folder is trusted.
      GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS: 'true',
    },
  }),
};

/** The same with other surroundings, and other words on its command line. */
export function copilotWith(env: Readonly<Record<string, string>>, ...words: readonly string[]): Agent {
  return {
    ...copilot,
    start(prompt, model, installed) {
      const usual = copilot.start(prompt, model, installed);
      return { argv: [...usual.argv, ...words], env: { ...usual.env, ...env } };
    },
  };
}
