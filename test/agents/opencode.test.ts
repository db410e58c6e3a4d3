/** OpenCode itself, with a provider that its configuration names. */
import { describe, expect } from 'vitest';
import { type Agent, testIn } from './agent.ts';
import { describeJourney } from './journey.ts';
import { describeAgent } from './laws.ts';
import { denyingPrompts } from './project.ts';
import { runSession } from './session.ts';

const opencode: Agent = {
  id: 'opencode',
  packages: { 'opencode-ai': '1.18.33' },
  builds: ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'],
  shell: (command) => ({ call: 'bash', input: { command, description: 'For a test.' } }),
  start: (prompt, { url }) => ({
    argv: ['opencode', 'run', '--model', 'mock/mock', prompt],
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        provider: {
          mock: { npm: '@ai-sdk/openai-compatible', options: { baseURL: `${url}/v1`, apiKey: 'none' }, models: { mock: {} } },
        },
      }),
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      // In the background it installs types for the authors of plugins, which no plugin needs to run.
      npm_config_offline: 'true',
    },
  }),
};

const LIMIT_MS = 240_000;

describeAgent(opencode);
describeJourney(opencode, { '~/.config/opencode/plugin/mine.js': 'export const Mine = async () => ({});\n' });

describe('what only OpenCode does', () => {
  testIn(opencode, 'a prompt that a hook denies never reaches the model, and the person sees why', LIMIT_MS, async () => {
    const session = await runSession(opencode, [opencode.shell('touch ran-anyway')], { files: denyingPrompts('Not this prompt.') });
    expect([session.has('ran-anyway'), session.heard.length], session.output).toEqual([false, 0]);
    expect(session.output).toContain('Not this prompt.');
  });
});
