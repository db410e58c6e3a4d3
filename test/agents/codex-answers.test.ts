/** What Codex makes of our answers, where it differs from other agents. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codex, hookMd } from './codex.ts';
import { GATES } from './project.ts';
import { runSession } from './session.ts';

const LIMIT = { timeout: 180_000 };
const { word, says } = GATES['HOOK.md'];
const agent = codex();

test('a deny holds although a start-up file of the shell prints something', LIMIT, async () => {
  // Bash reads it for every command of a hook; zsh has `.zshenv`.
  const noisy = codex({ env: { BASH_ENV: '$HOME/noise.sh' } });
  const session = await runSession(noisy, [noisy.shell(`touch ran-${word}`)], { files: { '~/noise.sh': 'echo Welcome.\n' } });
  expect(session.has(`ran-${word}`), session.output).toBe(false);
  expect(session.heard[1]).toContain(says);
});

test('what an objection after a tool says takes the place of what the tool brought back', LIMIT, async () => {
  const files = {
    'notes.txt': 'the-password-is-tulip',
    ...hookMd('no-secrets', { trigger: 'after_tool', script: 'grep -q tulip && { echo "It held a secret." >&2; exit 2; }; exit 0' }),
  };
  const session = await runSession(agent, [agent.shell('cat notes.txt')], { files });
  expect(session.heard[1], session.output).toContain('It held a secret.');
  expect(session.heard[1]).not.toContain('the-password-is-tulip');
});

test('a prompt that a hook denies never reaches the model', LIMIT, async () => {
  const files = hookMd('no-prompts', { trigger: 'before_agent', script: 'echo "Not this prompt." >&2; exit 2' });
  const session = await runSession(agent, [agent.shell('touch ran-anyway')], { files });
  expect([session.heard.length, session.has('ran-anyway')], session.output).toEqual([0, false]);
});

test('what a hook says when a session begins is known to the model from the first request on', LIMIT, async () => {
  const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: 'echo The house is on fire.' }] }] };
  const session = await runSession(agent, [{ say: 'I see.' }], { files: { '.claude/settings.json': JSON.stringify({ hooks }) } });
  expect(session.heard[0], session.output).toContain('The house is on fire.');
});

test('the model is told once that something waits for a person, and that it may try again then', LIMIT, async () => {
  const files = hookMd('ask', { script: `grep -q ran-approved && echo '{"decision":"ask","reason":"Sure about that?"}'; exit 0` });
  const session = await runSession(agent, [agent.shell('touch ran-approved')], { files });
  expect(session.has('ran-approved'), session.output).toBe(false);
  expect(session.heard[1]?.split('Sure about that?').length).toBe(2);
  expect(session.heard[1]).toContain('Once approved');
});

// Codex goes on without a hook that it can not start, but the line of the entry then ends with 2.
test('an entry whose program is gone blocks', LIMIT, async () => {
  const session = await runSession(agent, [agent.shell(`touch ran-${word}`)], {
    before({ at, write }) {
      const text = readFileSync(at('~/.codex/hooks.json'), 'utf8');
      write({ '~/.codex/hooks.json': text.replaceAll(/"command": *"[^"]*hookline-hook/g, '"command": "/nowhere/hookline-hook') });
    },
  });
  expect(session.has(`ran-${word}`), session.output).toBe(false);
});
