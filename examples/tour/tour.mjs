// The tour: an agent with a scripted model works in a scratch folder. The project has a real hook in each of five formats, and every boundary is live.
import path from 'node:path';
import { createHookline } from 'hookline';
import { createAgent, scriptedModel } from 'hookline/agent';
import { say, showEvents, showTitle } from './timeline.mjs';
import { tourTools } from './tools.mjs';

/** @param yourTurn called once only the last action is left, which waits for the person at the dashboard; undefined if there is no such person */
export async function runTour({ root, home, hasDashboard, yourTurn }) {
  const hookline = await createHookline({
    ...{ root, home },
    trust: 'all', // hooks of a project run only once they are trusted; these belong to the tour
    // The dashboard reads the same file, and shows every boundary. Without it nothing needs to outlive the tour.
    ...(hasDashboard && { store: `sqlite:${path.join(home, '.local/state/hookline/hookline.db')}`, log: { record: 'all' } }),
    handlers: {
      // A custom handler type for skills/deploy/SKILL.md: a deployment to production waits for a person.
      approval: ({ environments }, { input }) =>
        environments.includes(input.environment) ? { pending: { environment: input.environment } } : 'ok',
    },
  });

  const hidden = `echo ${Buffer.from('rm -rf / --no-preserve-root').toString('base64')} | base64 -d | sh`;
  let unguard = () => {};
  let isYourTurn = false;
  const bash = (command) => ({ calls: [{ tool: 'Bash', input: { command } }] });
  // A real model would choose these steps itself. The rest is as it is with any model.
  const script = [
    bash('rm -rf / --no-preserve-root'),
    bash('npm install left-pad'),
    () => {
      say('The agent hides the command, and a pattern does not find it. One more line does:  on("tool.before", "hookline guard")');
      unguard = hookline.on('tool.before', 'hookline guard', { name: 'guard' });
      return bash(hidden);
    },
    () => {
      unguard();
      say('The agent reads the skill ops:deploy, and follows it');
      return { calls: [{ tool: 'skill', input: { skill: 'ops:deploy', args: 'the service' } }] };
    },
    { calls: [{ tool: 'Deploy', input: { environment: 'production' } }] },
    'It is shipped.',
    bash('npm test'),
    'The tests pass, and it is shipped.',
    { calls: [{ tool: 'Deploy', input: { environment: 'production' } }] },
    'That was for you to decide.',
  ];

  const agent = await createAgent({
    name: 'tour',
    model: scriptedModel(script),
    hooks: hookline,
    cwd: root,
    system: 'You tidy up and ship.',
    skills: [path.join(root, 'skills')],
    tools: tourTools(root),
    async onHold({ ticket }) {
      if (isYourTurn) {
        say(
          `Ticket ${ticket} waits for you. Approve or deny it in the dashboard, under Approvals. ↵ prints another link, and Ctrl-C leaves.`,
        );
      } else {
        say(`Ann approves ticket ${ticket}`);
        await hookline.approvals.approve(ticket, { by: 'ann', note: 'go ahead' });
      }
      return 'wait';
    },
  });
  const crossed = showEvents(agent);

  showTitle((await hookline.list()).hooks);
  await agent.send('Tidy up and ship it.', { session: 'tour' });
  if (yourTurn) {
    isYourTurn = true;
    yourTurn();
    await agent.send('Ship it once more.', { session: 'tour' });
  }
  await agent.stop();
  await hookline.close();

  say(`The agent crossed ${crossed.length} boundaries of ${new Set(crossed).size} kinds, and each asked the hooks:`);
  console.log(`  ${[...new Set(crossed)].join(', ')}`);
  console.log(`
Try next
  node bin/hookline.js agent --scripted                                an agent of your own in the terminal; --model for a real model
  node bin/hookline.js list --root examples/tour/project               the hooks, with file and line
  node bin/hookline.js fire tool.before --tool Bash --input '{"command":"rm -rf /"}' --root examples/tour/project --trust-all
  node bin/hookline.js guard explain "sudo bash -c 'rm -rf /'"         the commands inside a command, and the rule that denies them
  node bin/hookline.js check examples/tour/project                     validate hook files; make a mistake in one first
  docs/agent.md, docs/library.md                                       an agent of your own, and Hookline in the agent you have
`);
}
