/** The order of events in one turn, each once. */
import { expect, test } from 'vitest';
import { call, createScene } from '../../support/agents.ts';

const BEGIN = ['gateway.start', 'agent.start', 'message.received', 'session.start', 'conversation.load.before', 'conversation.load.after'];
const END = ['stop.before', 'turn.after', 'conversation.save.before', 'conversation.save.after', 'message.sending', 'message.sent'];

test('a turn with a tool call fires every event once, in the order of the design', async () => {
  const scene = await createScene({ steps: [call('echo', { text: 'hi' }), 'all done'] });
  const turn = await scene.agent.send('please');
  expect(turn).toMatchObject({ status: 'done', text: 'all done', steps: 2, session: 'main', saved: true });
  expect(scene.ran).toEqual(['echo {"text":"hi"}']);
  await scene.agent.stop();
  expect(scene.fired()).toEqual([
    ...BEGIN,
    ...['prompt.submit', 'turn.before', 'model.resolve', 'prompt.build'],
    ...['llm.before', 'llm.after', 'tool.before', 'tool.after', 'llm.before', 'llm.after'],
    ...END,
    ...['session.end', 'agent.end', 'gateway.stop'],
  ]);
});
