// The tour: a scripted agent runs one session and fires real events. The project has a real hook in each of five formats.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createHookline } from 'hookline';
import { say, showEvent, showOutcome, showTitle } from './timeline.mjs';

// The project is copied, because the agent works in it.
const root = mkdtempSync(path.join(tmpdir(), 'hookline-tour-'));
cpSync(new URL('./project', import.meta.url), root, { recursive: true });

const hookline = await createHookline({
  root,
  home: path.join(root, 'home'),
  trust: 'all', // hooks of a project run only once they are trusted; these belong to the tour
  handlers: {
    // A custom handler type for skills/deploy/SKILL.md: a deployment to production waits for a person.
    approval: ({ environments }, { input }) =>
      environments.includes(input.environment) ? { pending: { environment: input.environment } } : 'ok',
  },
});

const session = 'tour';
const fire = async (kind, payload, action) => {
  showEvent(kind, action);
  const outcome = await hookline.fire(kind, payload, { session });
  showOutcome(outcome);
  return outcome;
};

showTitle((await hookline.list()).hooks);

await fire('session.start', { source: 'startup' }, 'the session starts');
await fire('prompt.build', { prompt: 'Tidy up and ship it.' }, 'the prompt is built');
await fire(
  'tool.before',
  { tool: 'Bash', input: { command: 'rm -rf / --no-preserve-root' } },
  'the agent wants to run  rm -rf / --no-preserve-root',
);
await fire('tool.before', { tool: 'Bash', input: { command: 'npm install left-pad' } }, 'the agent wants to run  npm install left-pad');

say('The agent hides the command, and a pattern does not find it. One more line does:  on("tool.before", "hookline guard")');
const unguard = hookline.on('tool.before', 'hookline guard', { name: 'guard' });
const hidden = `echo ${Buffer.from('rm -rf / --no-preserve-root').toString('base64')} | base64 -d | sh`;
await fire('tool.before', { tool: 'Bash', input: { command: hidden } }, `the agent wants to run  ${hidden}`);
unguard();

const held = await fire('tool.before', { tool: 'Deploy', input: { environment: 'production' } }, 'the agent wants to deploy to production');
say(`Ann approves ticket ${held.ticket.id}`);
showOutcome(await hookline.resume(held.ticket.id, { approve: true, by: 'ann', note: 'go ahead' }));

await fire('stop.before', { reason: 'no_tool_calls' }, 'the agent wants to stop');
say('The agent runs the tests; they pass');
writeFileSync(path.join(root, '.tests-passed'), '');
await fire('stop.before', { reason: 'no_tool_calls' }, 'the agent wants to stop again');

await hookline.close();
rmSync(root, { recursive: true, force: true });

console.log(`
Try next
  node bin/hookline.js list --root examples/tour/project               the hooks, with file and line
  node bin/hookline.js fire tool.before --tool Bash --input '{"command":"rm -rf /"}' --root examples/tour/project --trust-all
  node bin/hookline.js guard explain "sudo bash -c 'rm -rf /'"         the commands inside a command, and the rule that denies them
  node bin/hookline.js check examples/tour/project                     validate hook files; make a mistake in one first
  docs/library.md                                                      Hookline in your own agent, in twenty lines
`);
