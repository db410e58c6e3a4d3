/** Kimi Code itself, on the Node that it needs. */
import path from 'node:path';
import { describe, expect } from 'vitest';
import { type Agent, testIn } from './agent.ts';
import { installAgent } from './install-agents.ts';
import { describeJourney } from './journey.ts';
import { describeAgent } from './laws.ts';
import { denyingPrompts } from './project.ts';
import { mayRun, runSession } from './session.ts';

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

/** Each hook looks for its own word. Whether a command with the word ran is what Kimi Code made of the hook. */
const OWN_HOOKS: Readonly<Record<string, string>> = {
  'exit-2': hook('exit-2', 'echo "Not this." >&2; exit 2'),
  'exit-1': hook('exit-1', 'exit 1'),
  json: hook('json', `echo '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"No."}}'`),
  block: hook('block', `echo '{"decision":"block","reason":"No."}'`),
  ask: hook('ask', `echo '{"hookSpecificOutput":{"permissionDecision":"ask"}}'`),
  'json-exit-1': hook('json-exit-1', `echo '{"hookSpecificOutput":{"permissionDecision":"deny"}}'; exit 1`),
  late: `${hook('late', 'sleep 3; exit 2')}timeout = 1\n`,
  part: `${hook('part', 'exit 2')}matcher = "as"\n`,
  other: `${hook('other', 'exit 2')}matcher = "Write|Edit"\n`,
  star: `${hook('star', 'exit 2')}matcher = "*"\n`,
};

function hook(word: string, then: string): string {
  return `[[hooks]]\nevent = "PreToolUse"\ncommand = ${JSON.stringify(`if grep -q 'ran-own-${word}"'; then ${then}; fi`)}\n`;
}

describe('the file of Kimi Code', () => {
  testIn(kimi, 'each hook decides in Hookline as it does in Kimi Code', LIMIT_MS, async () => {
    const words = Object.keys(OWN_HOOKS);
    const files = { '~/.kimi-code/config.toml': Object.values(OWN_HOOKS).join('\n') };
    const turns = words.map((word) => kimi.shell(`touch ran-own-${word}`));
    const session = await runSession(kimi, turns, { alone: true, files });
    const there = words.map((word) => [word, session.has(`ran-own-${word}`)]);
    const here = await Promise.all(words.map(async (word) => [word, await mayRun(session.workspace, kimi.shell(`touch ran-own-${word}`))]));
    expect(here, session.output).toEqual(there);
    expect(there.filter(([, ran]) => !ran).map(([word]) => word)).toEqual(['exit-2', 'json', 'part']);
  });

  testIn(kimi, 'one-drops-all: one wrong entry drops every hook there, and only itself here', LIMIT_MS, async () => {
    const files = { '~/.kimi-code/config.toml': `${OWN_HOOKS['exit-2']}\n[[hooks]]\nevent = "PreToolUs"\ncommand = "true"\n` };
    const call = kimi.shell('touch ran-own-exit-2');
    const session = await runSession(kimi, [call], { alone: true, files });
    expect([session.has('ran-own-exit-2'), await mayRun(session.workspace, call)], session.output).toEqual([true, false]);
  });
});
