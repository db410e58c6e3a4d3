/** The command line of Cline itself, with a provider that its own data name. */
import { describe, expect } from 'vitest';
import { type Agent, testIn } from './agent.ts';
import { describeJourney } from './journey.ts';
import { describeAgent } from './laws.ts';
import { GATES } from './project.ts';
import { runSession } from './session.ts';

const cline: Agent = {
  id: 'cline',
  packages: { cline: '3.0.65' },
  builds: ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'],
  shell: (command) => ({ call: 'run_commands', input: { commands: [command] } }),
  prepare: ({ write }, { url }) =>
    write({
      '~/.cline/data/settings/providers.json': JSON.stringify(providers(`${url}/v1`)),
    }),
  start: (prompt) => ({
    argv: ['cline', prompt],
    // Otherwise it leaves a process behind, which serves other sessions.
    env: { CLINE_SESSION_BACKEND_MODE: 'local' },
  }),
};

function providers(baseUrl: string): object {
  const settings = { provider: 'openai-compatible', apiKey: 'none', model: 'mock', baseUrl };
  return {
    version: 1,
    lastUsedProvider: 'openai-compatible',
    providers: { 'openai-compatible': { settings, updatedAt: '2026-01-01T00:00:00.000Z', tokenSource: 'manual' } },
  };
}

const LIMIT_MS = 240_000;

describeAgent(cline);
describeJourney(cline, { '~/Documents/Cline/Hooks/notes.txt': 'Mine.\n' });

describe('what only Cline does', () => {
  testIn(cline, 'none of the commands in one call runs if a hook denies one of them', LIMIT_MS, async () => {
    const { word } = GATES['HOOK.md'];
    const both = { call: 'run_commands', input: { commands: ['touch ran-first', `touch ran-${word}`] } };
    const session = await runSession(cline, [both]);
    expect([session.has('ran-first'), session.has(`ran-${word}`)], session.output).toEqual([false, false]);
  });
});
