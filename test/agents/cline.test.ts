/** The command line of Cline itself, with a provider that its own data name. */
import { describe, expect } from 'vitest';
import { type Agent, testIn } from './agent.ts';
import { describeJourney } from './journey.ts';
import { describeAgent } from './laws.ts';
import { GATES } from './project.ts';
import { mayRun, runSession } from './session.ts';

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

/** A script in the words of each kind of reply. The last one cancels, which ends the run. It has no first line and need not be executable. */
const REPLIES: Readonly<Record<string, string>> = {
  'exit-2': 'echo no >&2; exit 2',
  text: 'echo "cancel: true"',
  'no-boolean': `echo '{"cancel": "yes", "errorMessage": "no"}'`,
  'cut-off': `echo '{"cancel": true'`,
  overruled: `printf 'HOOK_CONTROL\\t{"cancel": true}\\nHOOK_CONTROL\\t{"cancel": false}\\n'`,
  cancel: `echo 'Looking.'; printf 'HOOK_CONTROL\\t{"cancel": true, "errorMessage": "No."}\\n'; exit 1`,
};

describe('the scripts of Cline', () => {
  const words = Object.keys(REPLIES);
  const lines = words.map((word) => `*'ran-own-${word}"'*) ${REPLIES[word]} ;;`);
  const script = `case $(cat) in\n${lines.join('\n')}\nesac\n`;

  testIn(cline, 'each reply decides in Hookline as it does in Cline', LIMIT_MS, async () => {
    const turns = words.map((word) => cline.shell(`touch ran-own-${word}`));
    const session = await runSession(cline, turns, { alone: true, files: { '~/Documents/Cline/Hooks/PreToolUse': script } });
    const there = words.map((word) => [word, session.has(`ran-own-${word}`)]);
    const here = await Promise.all(
      words.map(async (word, index) => [word, await mayRun(session.workspace, turns[index] as (typeof turns)[0])]),
    );
    expect(here, session.output).toEqual(there);
    expect(there.filter(([, ran]) => !ran).map(([word]) => word)).toEqual(['cancel']);
  });

  testIn(cline, 'a new input of a script runs in place of the old one', LIMIT_MS, async () => {
    const swap = `#!/usr/bin/env bash\necho '{"overrideInput": {"commands": ["touch ran-instead"]}}'\n`;
    const files = { '.clinerules/hooks/pretooluse.sh': swap };
    const session = await runSession(cline, [cline.shell('touch ran-own')], { alone: true, files });
    expect([session.has('ran-own'), session.has('ran-instead')], session.output).toEqual([false, true]);
  });
});
