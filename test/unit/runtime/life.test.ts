/** The life of an agent: sessions, channels, schedules, documents, and its end. */
import { expect, test } from 'vitest';
import {
  type Channel,
  type ChannelMessage,
  createAgent,
  type Delivery,
  type LivingAgent,
  type OutgoingMessage,
  type Turn,
} from '../../../src/agent.ts';
import { call, createScene } from '../../support/agents.ts';
import { scriptedModel } from '../../support/scripted-model.ts';

test('two sessions at once run side by side and never see each other', async () => {
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const scene = await createScene({
    steps: Array.from({ length: 4 }, () => (prompt) => `I heard ${JSON.stringify(prompt.at(-1)?.content)}`),
    hooks: (hookline) =>
      void hookline.on('llm.before', async (event) => {
        if (event.session.id === 'slow') await gate;
      }),
  });
  const slow = scene.agent.send('from slow', { session: 'slow' });
  const fast = await scene.agent.send('from fast', { session: 'fast' });
  expect(fast).toMatchObject({ status: 'done', session: 'fast' });
  release();
  expect((await slow).text).toContain('from slow');
  expect((await slow).text).not.toContain('from fast');
  await scene.agent.send('again', { session: 'fast' });
  expect(scene.script.prompts.at(-1)).toContain('from fast');
  expect(scene.script.prompts.at(-1)).not.toContain('from slow');
});

test('the turns of one session run one after the other, in the order in which they came', async () => {
  const scene = await createScene({ steps: ['one', 'two', 'three'] });
  const turns = await Promise.all(['a', 'b', 'c'].map((text) => scene.agent.send(text)));
  expect(turns.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
  const turnEvents = scene.fired().filter((kind) => kind.startsWith('turn.'));
  expect(turnEvents).toEqual(['turn.before', 'turn.after', 'turn.before', 'turn.after', 'turn.before', 'turn.after']);
});

test('every turn begins its session once, and a stopped agent ends it once', async () => {
  const scene = await createScene();
  await scene.agent.send('a');
  await scene.agent.send('b');
  await Promise.all([scene.agent.stop(), scene.agent.stop()]);
  const count = (kind: string): number => scene.fired().filter((one) => one === kind).length;
  const once = ['gateway.start', 'agent.start', 'session.start', 'conversation.load.after', 'session.end', 'agent.end', 'gateway.stop'];
  expect(once.map(count)).toEqual(once.map(() => 1));
  expect(scene.payloads('session.end')).toMatchObject([{ turnCount: 2, totalSteps: 2, reason: 'shutdown' }]);
  await expect(scene.agent.send('c')).rejects.toMatchObject({ code: 'closed' });
});

test('a channel hands messages in, and the answer leaves by the same channel after the hooks', async () => {
  let onMessage: (message: ChannelMessage) => Promise<Turn> = () => Promise.reject(new Error('not started'));
  const sent: OutgoingMessage[] = [];
  const stopped: string[] = [];
  const chat: Channel = {
    name: 'chat',
    start: (receive) => {
      onMessage = receive;
    },
    send: (message) => void sent.push(message),
    stop: () => void stopped.push('chat'),
  };
  const scene = await createScene({
    channels: [chat],
    steps: ['the answer'],
    hooks: (hookline) => void hookline.on('message.sending', ({ data }) => ({ rewrite: `${data.content}!` })),
  });
  await scene.agent.start();
  expect(await onMessage({ text: 'hi', session: 's1', user: 'ada' })).toMatchObject({ sent: true, text: 'the answer!' });
  expect(sent).toEqual([{ text: 'the answer!', session: 's1', user: 'ada' }]);
  expect(scene.payloads('message.received')).toMatchObject([{ channel: 'chat', user: 'ada', content: 'hi' }]);
  await scene.agent.stop();
  expect(stopped).toEqual(['chat']);
});

test('a channel that does not start keeps the agent from starting, and the others are not started twice', async () => {
  const started: string[] = [];
  let isBroken = true;
  const channel = (name: string, begin: () => void): Channel => ({
    ...{ name, stop: () => void started.push(`-${name}`), send() {} },
    start() {
      begin();
      started.push(`+${name}`);
    },
  });
  const broken = channel('b', () => {
    if (isBroken) throw new Error('port in use');
  });
  const scene = await createScene({ channels: [channel('a', () => {}), broken] });
  await expect(scene.agent.send('hi')).rejects.toThrow('port in use');
  isBroken = false;
  expect(await scene.agent.send('hi')).toMatchObject({ status: 'done' });
  await scene.agent.stop();
  expect(started).toEqual(['+a', '+b', '-a', '-b']);
  expect(scene.fired().filter((kind) => kind === 'agent.start')).toHaveLength(1);
});

test('an answer that the channel cannot send is not called sent', async () => {
  const chat: Channel = { name: 'chat', start() {}, stop() {}, send: () => Promise.reject(new Error('no line')) };
  const scene = await createScene({ channels: [chat] });
  expect(await scene.agent.send('hi', { channel: 'chat' })).toMatchObject({
    status: 'done',
    sent: false,
    reason: 'The answer was not sent: no line',
  });
  expect(scene.fired()).not.toContain('message.sent');
});

test('a schedule delivers through the agent, and is stopped with it', async () => {
  let deliver: (delivery: Delivery) => Promise<Turn | null> = () => Promise.resolve(null);
  let stops = 0;
  const scene = await createScene({
    steps: ['HEARTBEAT_OK', 'report'],
    schedule: [
      {
        start(door) {
          deliver = door;
        },
        stop: () => void stops++,
      },
    ],
  });
  await scene.agent.start();
  expect(await deliver({ type: 'heartbeat' })).toBeNull();
  expect(scene.fired().at(-1)).toBe('heartbeat');
  expect(await deliver({ type: 'heartbeat', text: 'Anything due?' })).toMatchObject({ session: 'main', status: 'done' });
  const cron = await deliver({ type: 'cron', name: 'daily', text: 'Write it.' });
  expect(cron).toMatchObject({ status: 'done', text: 'report', sent: false });
  expect(cron?.session).not.toBe('main');
  expect(scene.fired()).not.toContain('message.sending');
  expect(scene.script.prompts[1]).not.toContain('Anything due?');
  expect(scene.fired().at(-1)).toBe('session.end');
  await scene.agent.stop();
  expect(stops).toBe(1);
});

test('a heartbeat with nothing to say is not delivered, and one with news is', async () => {
  const sent: string[] = [];
  const chat: Channel = { name: 'chat', start() {}, stop() {}, send: ({ text }) => void sent.push(text) };
  const scene = await createScene({ steps: [' HEARTBEAT_OK\n', 'The build is red.'], channels: [chat] });
  for (let beat = 0; beat < 2; beat++) await scene.agent.deliver({ type: 'heartbeat', text: 'Look.', channel: 'chat' });
  expect(sent).toEqual(['The build is red.']);
});

test('a changed document joins the next turn of each session once, with its last text', async () => {
  const scene = await createScene();
  await scene.agent.send('before', { session: 'a' });
  await scene.agent.deliver({ type: 'document', path: 'notes.md', text: 'OLD' });
  await scene.agent.deliver({ type: 'document', path: 'notes.md', text: 'NEW' });
  await scene.agent.send('after', { session: 'a' });
  await scene.agent.send('after', { session: 'b' });
  expect(scene.script.prompts.map((prompt) => prompt.includes('NEW'))).toEqual([false, true, true]);
  expect(scene.script.prompts.join()).not.toContain('OLD');
  await scene.agent.send('later', { session: 'a' });
  expect(scene.script.prompts[3]?.split('NEW')).toHaveLength(2);
  expect(scene.payloads('docs.sync')).toMatchObject([{ content: 'OLD', metadata: { path: 'notes.md' } }, { content: 'NEW' }]);
});

test('a stream shows the text as it comes, the tools and the turn', async () => {
  const scene = await createScene({ steps: [call('echo', { text: 'hi' }), 'all is well'] });
  const stream = scene.agent.stream('hello');
  const seen: string[] = [];
  for await (const event of stream)
    if (event.type === 'text') seen.push(event.text);
    else if (event.type !== 'hook') seen.push(event.type);
  // A hook watches answers here, so they are complete before anyone sees them.
  expect(seen).toEqual(['tool-call', 'tool-result', 'all is well', 'turn']);
  expect(await stream.turn).toMatchObject({ status: 'done', text: 'all is well' });
});

test('a stream without hooks on answers shows every piece', async () => {
  const { workspace } = await createScene();
  const agent: LivingAgent = await createAgent({
    model: scriptedModel(['all is well']).model,
    hooks: await workspace.open(),
    cwd: workspace.root,
  });
  const texts: string[] = [];
  for await (const event of agent.stream('hello')) if (event.type === 'text') texts.push(event.text);
  expect(texts).toEqual(['all ', 'is ', 'well']);
  await agent.stop();
});

test('an agent that opens its own engine closes it, and leaves that of others open', async () => {
  const { workspace, hookline, agent } = await createScene();
  await agent.stop();
  expect((await hookline.fire('notification', { message: 'still here' })).decision).toBe('pass');
  const own = await createAgent({ model: scriptedModel([]).model, cwd: workspace.root, hooks: { home: workspace.home } });
  await own.send('hi');
  await own.stop();
  await expect(own.hookline.fire('notification', { message: 'gone' })).rejects.toMatchObject({ code: 'closed' });
});

test('options that cannot work are refused with the name of the option', async () => {
  const { model } = scriptedModel([]);
  const refuses = (options: object, text: string): Promise<void> =>
    expect(createAgent({ model, ...options } as never)).rejects.toMatchObject({
      code: 'bad-option',
      message: expect.stringContaining(text),
    });
  await refuses({ model: undefined }, '`model`');
  await refuses({ tools: { skill: {} } }, '`tools.skill`');
  await refuses({ subagents: { a: { description: 'x', tools: ['nope'] } } }, '`nope`');
  await refuses({ tools: { a: { needsApproval: true } } }, '`tools.a.needsApproval`');
  await refuses({ subagents: { a: {} } }, '`subagents.a.description`');
  await refuses({ maxSteps: -1 }, '`maxSteps`');
  await refuses({ skills: ['/does/not/exist'] }, '/does/not/exist');
  await refuses({ channels: [{ name: 'a' }, { name: 'a' }] }, 'Two channels');
});
