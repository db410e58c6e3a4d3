/** Held actions: a turn is parked, and continues once a person has decided. The action runs once, or never. */
import { describe, expect, test } from 'vitest';
import { memoryConversations } from '../../../src/agent.ts';
import { DIALECTS } from '../../../src/builtins.ts';
import type { EventKind } from '../../../src/core/event/event.ts';
import type { Hookline } from '../../../src/index.ts';
import { type AgentScene, call, createScene, type SceneOptions } from '../../support/agents.ts';

const SKILL = { 'own/greet/SKILL.md': '---\nname: greet\ndescription: Greets.\n---\nGreet $ARGUMENTS.\n' };
const hold = (kind: EventKind) => (hookline: Hookline) =>
  void hookline.on(kind, () => ({ decision: 'hold', reason: 'A person must look.' }) as never, { name: 'holds' });
const TOOL: SceneOptions = { steps: [call('echo', { text: 'hi' }, 'c1'), 'bye'], hooks: hold('tool.before') };

async function approve({ hookline }: AgentScene): Promise<void> {
  const open = await hookline.approvals.list({ state: 'open' });
  expect(open).toHaveLength(1);
  for (const { id } of open) await hookline.approvals.approve(id, { by: 'Ada' });
}

describe('a hold of a document', () => {
  const resumes =
    (ran: readonly string[] = []) =>
    async (scene: AgentScene): Promise<void> => {
      const turn = await scene.agent.send('hello');
      expect(turn).toMatchObject({ status: 'parked', held: [{ reason: 'A person must look.' }], saved: true });
      expect(scene.ran).toEqual([]);
      expect(await scene.agent.resume('main')).toMatchObject({ status: 'parked' });
      await approve(scene);
      expect(await scene.agent.resume('main')).toMatchObject({ status: 'done', text: 'bye', held: [] });
      expect(scene.ran).toEqual(ran);
      await expect(scene.agent.resume('main')).rejects.toMatchObject({ code: 'nothing-parked' });
    };
  const rows: Partial<Record<EventKind, readonly [SceneOptions, (scene: AgentScene) => Promise<void>]>> = {
    'agent.start': [
      {},
      async (scene) => {
        await expect(scene.agent.start()).rejects.toMatchObject({ code: 'agent-denied', hint: expect.stringContaining('ticket') });
        await approve(scene);
        await scene.agent.start();
        expect(scene.fired().filter((kind) => kind === 'gateway.start')).toHaveLength(1);
      },
    ],
    'conversation.load.before': [
      { steps: ['bye'] },
      async (scene) => {
        expect(await scene.agent.send('hello')).toMatchObject({ status: 'denied', held: [{ kind: 'conversation.load.before' }] });
        expect(scene.script.prompts).toEqual([]);
        await approve(scene);
        expect(await scene.agent.send('hello')).toMatchObject({ status: 'done', text: 'bye' });
      },
    ],
    'conversation.save.before': [
      {},
      async (scene) => {
        const turn = await scene.agent.send('hello');
        expect(turn).toMatchObject({ status: 'done', saved: false, held: [{ kind: 'conversation.save.before' }] });
      },
    ],
    'turn.before': [{ steps: ['bye'] }, resumes()],
    'llm.before': [{ steps: ['bye'] }, resumes()],
    'tool.before': [{ steps: [call('echo', { text: 'hi' }), 'bye'] }, resumes(['echo {"text":"hi"}'])],
    'skill.before': [{ steps: [call('skill', { skill: 'greet' }), 'bye'], files: SKILL, skillFolder: 'own' }, resumes()],
    'subagent.before': [
      {
        steps: [call('task', { subagent_type: 'helper', prompt: 'Look.' }), 'found', 'bye'],
        subagents: { helper: { description: 'Helps.' } },
      },
      resumes(),
    ],
  };
  test('is tried at every boundary where a document grants it', () => {
    const rules = DIALECTS.filter(({ id }) => ['skillkit', 'claude-agent', 'agenthooks', 'hooktoml', 'arawn'].includes(id));
    const kinds = rules.flatMap(({ profile }) => Object.values(profile.events)).filter(({ grants }) => grants.includes('hold'));
    expect(Object.keys(rows).sort()).toEqual([...new Set(kinds.flatMap((rule) => rule.kinds))].sort());
  });
  test.each(Object.entries(rows))('at %s', async (kind, [options, check]) => {
    await check(await createScene({ ...options, hooks: hold(kind as EventKind) }));
  });
});

test('a parked turn tells people and hooks, ends with turn.after, and its resumption skips the way in', async () => {
  const scene = await createScene(TOOL);
  await scene.agent.send('hello');
  const before = scene.fired();
  expect(before.slice(before.indexOf('tool.before'))).toEqual([
    ...['tool.before', 'permission.request', 'notification', 'turn.after'],
    ...['conversation.save.before', 'conversation.save.after', 'message.sending', 'message.sent'],
  ]);
  await approve(scene);
  await scene.agent.resume('main');
  expect(scene.fired().slice(before.length)).toEqual([
    ...['model.resolve', 'prompt.build', 'tool.before', 'tool.after', 'llm.before', 'llm.after'],
    ...['stop.before', 'turn.after', 'conversation.save.before', 'conversation.save.after', 'message.sending', 'message.sent'],
  ]);
});

test('a call that a person denies does not run, and the model learns why', async () => {
  const scene = await createScene(TOOL);
  const { held } = await scene.agent.send('hello');
  await scene.hookline.approvals.deny(held[0]?.ticket ?? '', { by: 'Ada', note: 'not today' });
  expect(await scene.agent.resume('main')).toMatchObject({ status: 'done', text: 'bye' });
  expect(scene.ran).toEqual([]);
  expect(scene.script.prompts[1]).toContain('not today');
});

test('the other calls of a step run while one waits, and the model sees all results together', async () => {
  const scene = await createScene({
    steps: [
      {
        calls: [
          { tool: 'echo', input: { text: 'held' } },
          { tool: 'echo', input: { text: 'free' } },
        ],
      },
      'bye',
    ],
    hooks: (hookline) =>
      void hookline.on('tool.before', ({ data }) => (data.input['text'] === 'held' ? { decision: 'hold', reason: 'Wait.' } : undefined)),
  });
  expect(await scene.agent.send('hello')).toMatchObject({ status: 'parked', held: [{ tool: 'echo', input: { text: 'held' } }] });
  expect(scene.ran).toEqual(['echo {"text":"free"}']);
  await approve(scene);
  expect(await scene.agent.resume('main')).toMatchObject({ status: 'done' });
  expect(scene.ran).toEqual(['echo {"text":"free"}', 'echo {"text":"held"}']);
  expect(scene.script.prompts[1]).toContain('echo: free');
  expect(scene.script.prompts[1]).toContain('echo: held');
});

test('a tool of a subagent that is held parks the whole turn, and both continue', async () => {
  const scene = await createScene({
    steps: [call('task', { subagent_type: 'helper', prompt: 'Look.' }), call('echo', { text: 'deep' }), 'found', 'bye'],
    subagents: { helper: { description: 'Helps.' } },
    hooks: (hookline) => void hookline.on('tool.before', () => ({ decision: 'hold', reason: 'Wait.' }), { match: 'echo' }),
  });
  expect(await scene.agent.send('hello')).toMatchObject({
    status: 'parked',
    held: [{ tool: 'echo', session: expect.stringContaining('main/') }],
  });
  expect(scene.ran).toEqual([]);
  expect(scene.fired()).not.toContain('subagent.after');
  await approve(scene);
  expect(await scene.agent.resume('main')).toMatchObject({ status: 'done', text: 'bye' });
  expect(scene.ran).toEqual(['echo {"text":"deep"}']);
  expect(scene.fired().filter((kind) => kind === 'subagent.before')).toHaveLength(1);
  expect(scene.fired().filter((kind) => kind === 'subagent.after')).toHaveLength(1);
});

test('an agent that waits goes on in the same turn', async () => {
  const scene: AgentScene = await createScene({
    ...TOOL,
    onHold: async ({ ticket }) => {
      await scene.hookline.approvals.approve(ticket, { by: 'Ada' });
      return 'wait' as const;
    },
  });
  expect(await scene.agent.send('hello')).toMatchObject({ status: 'done', text: 'bye' });
  expect(scene.ran).toEqual(['echo {"text":"hi"}']);
  expect(scene.fired().filter((kind) => kind === 'turn.after')).toHaveLength(1);
});

test('a user who goes on gives the waiting call up: its ticket is withdrawn, and a later approval is impossible', async () => {
  const scene = await createScene({ ...TOOL, steps: [call('echo', { text: 'hi' }), 'never mind then'] });
  const { held } = await scene.agent.send('hello');
  expect(await scene.agent.send('never mind')).toMatchObject({ status: 'done', text: 'never mind then' });
  expect(scene.ran).toEqual([]);
  expect(await scene.hookline.approvals.get(held[0]?.ticket ?? '')).toMatchObject({ state: 'withdrawn' });
  expect(scene.script.prompts[1]).toContain('The user went on');
  await expect(scene.agent.resume('main')).rejects.toMatchObject({ code: 'nothing-parked' });
});

test('a call that was approved before the user went on runs once, before their message', async () => {
  const scene = await createScene(TOOL);
  await scene.agent.send('hello');
  await approve(scene);
  expect(await scene.agent.send('and now?')).toMatchObject({ status: 'done', text: 'bye' });
  expect(scene.ran).toEqual(['echo {"text":"hi"}']);
});

test('a hook that denies the request for permission denies the call', async () => {
  const scene = await createScene({
    ...TOOL,
    hooks: (hookline) => {
      hold('tool.before')(hookline);
      hookline.on('permission.request', () => ({ decision: 'deny', reason: 'no one is here' }));
    },
  });
  expect(await scene.agent.send('hello')).toMatchObject({ status: 'done' });
  expect(scene.ran).toEqual([]);
  expect(scene.script.prompts[1]).toContain('no one is here');
});

test('a parked turn that may not be stored says that it does not survive', async () => {
  const conversation = memoryConversations();
  const scene = await createScene({
    ...TOOL,
    conversation,
    hooks: (hookline) => {
      hold('tool.before')(hookline);
      hookline.on('conversation.save.before', () => ({ decision: 'deny', reason: 'keep nothing' }));
    },
  });
  expect(await scene.agent.send('hello')).toMatchObject({
    status: 'parked',
    saved: false,
    reason: expect.stringContaining('keep nothing'),
  });
  expect(await conversation.load('main')).toBeUndefined();
});

test('an abort before an approved call has run leaves it approved, and it can be resumed', async () => {
  const scene = await createScene(TOOL);
  await scene.agent.send('hello');
  await approve(scene);
  expect(await scene.agent.resume('main', { signal: AbortSignal.abort() })).toMatchObject({ status: 'aborted' });
  expect(scene.ran).toEqual([]);
  expect(await scene.agent.resume('main')).toMatchObject({ status: 'done', text: 'bye' });
  expect(scene.ran).toEqual(['echo {"text":"hi"}']);
});

test('of two held calls the one that is approved runs, and the turn waits for the other', async () => {
  const scene = await createScene({
    steps: [
      {
        calls: [
          { tool: 'echo', input: { text: 'one' } },
          { tool: 'echo', input: { text: 'two' } },
        ],
      },
      'bye',
    ],
    hooks: hold('tool.before'),
  });
  const { held } = await scene.agent.send('hello');
  expect(held).toHaveLength(2);
  await scene.hookline.approvals.approve(held[1]?.ticket ?? '', { by: 'Ada' });
  expect(await scene.agent.resume('main')).toMatchObject({ status: 'parked', held: [{ ticket: held[0]?.ticket }], steps: 0 });
  expect(scene.ran).toEqual(['echo {"text":"two"}']);
  await scene.hookline.approvals.approve(held[0]?.ticket ?? '', { by: 'Ada' });
  expect(await scene.agent.resume('main')).toMatchObject({ status: 'done' });
  expect(scene.ran).toEqual(['echo {"text":"two"}', 'echo {"text":"one"}']);
  expect(scene.script.prompts[1]).toMatch(/echo: (one|two).*echo: (one|two)/);
});

test('an approval with another input runs the call with it', async () => {
  const scene = await createScene({
    ...TOOL,
    hooks: (hookline) =>
      void hookline.on('tool.before', ({ data }) => (data.input['text'] === 'hi' ? { decision: 'hold', reason: 'Wait.' } : undefined)),
  });
  const { held } = await scene.agent.send('hello');
  await scene.hookline.approvals.approve(held[0]?.ticket ?? '', { by: 'Ada', input: { text: 'softly' } });
  expect(await scene.agent.resume('main')).toMatchObject({ status: 'done' });
  expect(scene.ran).toEqual(['echo {"text":"softly"}']);
});

test.each(['prompt.submit', 'model.resolve', 'prompt.build', 'stop.before'] as const)(
  'a function that holds %s parks the turn',
  async (kind) => {
    const scene = await createScene({ steps: ['bye'], hooks: hold(kind) });
    expect(await scene.agent.send('hello')).toMatchObject({ status: 'parked', held: [{ kind }] });
    await approve(scene);
    expect(await scene.agent.resume('main')).toMatchObject({ status: 'done', text: 'bye' });
    expect(scene.script.prompts).toHaveLength(1);
  },
);

test('a message that waits before its turn is given up when another one comes', async () => {
  const scene = await createScene({
    steps: ['bye'],
    hooks: (hookline) =>
      void hookline.on('prompt.submit', ({ data }) => (data.prompt === 'first' ? { decision: 'hold', reason: 'Wait.' } : undefined)),
  });
  const { held } = await scene.agent.send('first');
  expect(await scene.agent.send('second')).toMatchObject({ status: 'done', notices: [expect.stringContaining('given up')] });
  expect(await scene.hookline.approvals.get(held[0]?.ticket ?? '')).toMatchObject({ state: 'withdrawn' });
  expect(scene.script.prompts[0]).not.toContain('first');
});

test('a model call that a person denied is denied, and they are not asked again', async () => {
  const scene = await createScene({ hooks: hold('llm.before'), engine: { approvals: { denials: 'forget' } } });
  const { held } = await scene.agent.send('hello');
  await scene.hookline.approvals.deny(held[0]?.ticket ?? '', { by: 'Ada', note: 'too costly' });
  expect(await scene.agent.resume('main')).toMatchObject({ status: 'denied', reason: expect.stringContaining('too costly') });
  expect(scene.script.prompts).toEqual([]);
  expect(await scene.hookline.approvals.list({ state: 'open' })).toEqual([]);
});
