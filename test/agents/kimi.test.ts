/** Kimi Code itself, on the Node that it needs. */
import path from 'node:path';
import { describe, expect } from 'vitest';
import { type Agent, testIn } from './agent.ts';
import { installAgent } from './install-agents.ts';
import { describeJourney } from './journey.ts';
import { describeAgent } from './laws.ts';
import { denyingPrompts } from './project.ts';
import { runSession } from './session.ts';

/** Kimi Code needs a newer Node than Hookline. It is installed apart from Kimi Code, so that hooks run on the Node of the tests. */
const NODE = { node: '22.23.2' };

const kimi: Agent = {
  id: 'kimi',
  packages: { '@moonshot-ai/kimi-code': '2.1.0' },
  builds: ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'],
  shell: (command) => ({ call: 'Bash', input: { command, description: 'For a test.' } }),
  start: (prompt, { url }, installed) => ({
    argv: [path.join(installAgent(NODE), '.bin/node'), path.join(installed, '@moonshot-ai/kimi-code/dist/main.mjs'), '-p', prompt],
    env: {
      KIMI_MODEL_NAME: 'mock',
      KIMI_MODEL_API_KEY: 'none',
      KIMI_MODEL_BASE_URL: `${url}/v1`,
      KIMI_MODEL_PROVIDER_TYPE: 'openai',
      KIMI_CODE_NO_AUTO_UPDATE: '1',
      KIMI_DISABLE_TELEMETRY: '1',
    },
  }),
};

const LIMIT_MS = 240_000;

describeAgent(kimi);
describeJourney(kimi, '# Mine.\ntelemetry = false\n');

describe('what only Kimi Code does', () => {
  testIn(kimi, 'a prompt that a hook denies never reaches the model, and the person sees why', LIMIT_MS, async () => {
    const session = await runSession(kimi, [kimi.shell('touch ran-anyway')], { files: denyingPrompts('Not this prompt.') });
    expect(session.heard, session.output).toEqual([]);
    expect(session.output).toContain('Not this prompt.');
  });
});
