/** Deny, rewrite, hold and context work at every boundary where a document grants them. */
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../../src/agent.ts';
import { DIALECTS } from '../../../src/builtins.ts';
import type { Grant } from '../../../src/core/decision/decision.ts';
import type { EventKind } from '../../../src/core/event/event.ts';
import type { Hookline } from '../../../src/index.ts';
import { type AgentScene, call, createScene, type SceneOptions } from '../../support/agents.ts';
import { NATIVE } from '../../support/native-hooks.ts';
import { scriptedModel } from '../../support/scripted-model.ts';

const DOCUMENTS = ['skillkit', 'claude-agent', 'agenthooks', 'hooktoml', 'arawn'];
const SKILL = { 'own/greet/SKILL.md': '---\nname: greet\ndescription: Greets.\n---\nGreet $ARGUMENTS.\n' };
const USES_SKILL: SceneOptions = {
  ...{ steps: [call('skill', { skill: 'greet', args: 'Ada' }), 'bye'], files: SKILL, skillFolder: 'own' },
};
const USES_TASK: SceneOptions = {
  steps: [call('task', { subagent_type: 'helper', prompt: 'Look it up.' }), 'found', 'bye'],
  subagents: { helper: { description: 'Helps.' } },
};
const USES_TOOL: SceneOptions = { steps: [call('echo', { text: 'hi' }, 'c1'), 'bye'] };
const FAILS: SceneOptions = { steps: [call('broken', { text: 'hi' }), 'bye'] };
const TOO_LONG: SceneOptions = { steps: ['one', 'two', 'three'], compaction: { budget: 100, keep: 1 } };

/** The kinds at which a document grants an effect. */
function granted(effect: Grant): readonly string[] {
  const rules = DOCUMENTS.flatMap((id) => Object.values(DIALECTS.find((dialect) => dialect.id === id)?.profile.events ?? {}));
  return [...new Set(rules.filter(({ grants }) => grants.includes(effect)).flatMap(({ kinds }) => kinds))].sort();
}

type Check = (scene: AgentScene) => Promise<void>;
type Row = readonly [scene: SceneOptions, check: Check];

function scene(options: SceneOptions, hooks: (hookline: Hookline) => void): Promise<AgentScene> {
  return createScene({ ...options, hooks });
}

describe('deny', () => {
  const denied = async ({ agent, script, ran }: AgentScene): Promise<void> => {
    expect(await agent.send('hello')).toMatchObject({ status: 'denied', text: 'This was denied: not here', reason: 'not here' });
    expect(script.prompts).toEqual([]);
    expect(ran).toEqual([]);
  };
  const rows: Partial<Record<EventKind, Row>> = {
    'agent.start': [
      {},
      async ({ agent, script }) => {
        await expect(agent.start()).rejects.toMatchObject({ code: 'agent-denied', message: expect.stringContaining('not here') });
        await expect(agent.send('hello')).rejects.toMatchObject({ code: 'agent-denied' });
        expect(script.prompts).toEqual([]);
      },
    ],
    'session.start': [{}, denied],
    'conversation.load.before': [{}, denied],
    'prompt.submit': [{}, denied],
    'turn.before': [{}, denied],
    'model.resolve': [{}, denied],
    'prompt.build': [{}, denied],
    'llm.before': [{}, denied],
    'message.received': [
      {},
      async ({ agent, script, fired }) => {
        expect(await agent.send('hello')).toMatchObject({ status: 'cancelled', text: '', reason: 'not here' });
        expect(script.prompts).toEqual([]);
        expect(fired().at(-1)).toBe('message.received');
      },
    ],
    'message.sending': [
      { steps: ['secret'] },
      async ({ agent, fired }) => {
        expect(await agent.send('hello')).toMatchObject({
          status: 'done',
          text: '',
          sent: false,
          reason: 'The answer was not sent: not here',
        });
        expect(fired()).not.toContain('message.sent');
      },
    ],
    'cron.delivery': [
      {},
      async ({ agent, script }) => {
        expect(await agent.deliver({ type: 'cron', name: 'daily', text: 'go' })).toMatchObject({ status: 'cancelled' });
        expect(script.prompts).toEqual([]);
      },
    ],
    'docs.sync': [
      {},
      async ({ agent, script }) => {
        await agent.deliver({ type: 'document', path: 'a.md', text: 'NEWS' });
        await agent.send('hello');
        expect(script.prompts[0]).not.toContain('NEWS');
      },
    ],
    'tool.before': [
      USES_TOOL,
      async ({ agent, script, ran, fired }) => {
        expect(await agent.send('hello')).toMatchObject({ status: 'done', text: 'bye' });
        expect(ran).toEqual([]);
        expect(script.prompts[1]).toContain('This call was denied and did not run. Reason: not here.');
        expect(fired()).not.toContain('tool.after');
      },
    ],
    'skill.before': [
      USES_SKILL,
      async ({ agent, script, fired }) => {
        await agent.send('hello');
        expect(script.prompts[1]).toContain('Reason: not here.');
        expect(script.prompts[1]).not.toContain('Greet Ada');
        expect(fired()).not.toContain('skill.after');
      },
    ],
    'subagent.before': [
      USES_TASK,
      async ({ agent, script, fired }) => {
        await agent.send('hello');
        expect(script.prompts[1]).toContain('Reason: not here.');
        expect(fired().filter((kind) => kind.endsWith('@1') || kind === 'subagent.after')).toEqual([]);
      },
    ],
    'conversation.save.before': [
      {},
      async ({ agent, fired }) => {
        expect(await agent.send('hello')).toMatchObject({
          status: 'done',
          saved: false,
          reason: 'The conversation was not saved: not here',
        });
        expect(fired()).not.toContain('conversation.save.after');
      },
    ],
    'compact.before': [
      TOO_LONG,
      async ({ agent, script, fired }) => {
        for (const text of ['a'.repeat(300), 'b'.repeat(300), 'c']) await agent.send(text);
        expect(fired()).toContain('compact.before');
        expect(fired()).not.toContain('compact.after');
        expect(script.prompts.at(-1)).toContain('aaa');
      },
    ],
    'stop.before': [
      { steps: ['finished?', 'really finished'], stopCap: 1 },
      async ({ agent, script }) => {
        expect(await agent.send('hello')).toMatchObject({
          status: 'done',
          text: 'really finished',
          reason: expect.stringContaining('not here'),
        });
        expect(script.prompts).toHaveLength(2);
        expect(script.prompts[1]).toContain('not here');
      },
    ],
    'tool.after': [
      USES_TOOL,
      async ({ agent, script, ran }) => {
        await agent.send('hello');
        expect(ran).toHaveLength(1);
        expect(script.prompts[1]).toContain('its result is withheld. Reason: not here.');
        expect(script.prompts[1]).not.toContain('echo: hi');
      },
    ],
    'tool.error': [
      FAILS,
      async ({ agent, script }) => {
        await agent.send('hello');
        expect(script.prompts[1]).toContain('the tool broke');
        expect(script.prompts[1]).toContain('not here');
      },
    ],
    'subagent.after': [
      { ...USES_TASK, steps: [call('task', { subagent_type: 'helper', prompt: 'Look.' }), 'first', 'second', 'bye'], stopCap: 1 },
      async ({ agent, script, fired }) => {
        await agent.send('hello');
        expect(script.prompts[2]).toContain('not here');
        expect(fired().filter((kind) => kind === 'subagent.after')).toHaveLength(2);
        expect(script.prompts[3]).toContain('second');
      },
    ],
    'turn.after': [
      {},
      async ({ agent, script }) => {
        expect(await agent.send('hello')).toMatchObject({ status: 'done' });
        await agent.send('again');
        expect(script.prompts[1]).toContain('not here');
      },
    ],
    'session.end': [
      {},
      async ({ agent, fired }) => {
        await agent.send('hello');
        await agent.stop();
        expect(fired().slice(-3)).toEqual(['session.end', 'agent.end', 'gateway.stop']);
      },
    ],
  };
  test('is tried at every boundary where a document grants it', () => {
    expect(Object.keys(rows).sort()).toEqual(granted('deny'));
  });
  /** Functions cannot deny what has happened, but scripts of one document can. */
  const byScript: Partial<Record<string, string>> = {
    'turn.after': 'after_agent',
    'session.end': 'session_end',
    'tool.error': 'after_tool_failure',
    'subagent.after': 'subagent_stop',
  };
  test.each(Object.entries(rows))('at %s', async (kind, [options, check]) => {
    const event = byScript[kind];
    const files = event === undefined ? {} : NATIVE['agenthooks']?.({ event, command: 'echo not here >&2; exit 2' });
    await check(
      await scene({ ...options, files: { ...options.files, ...files } }, (hookline) => {
        if (event === undefined) hookline.on(kind as EventKind, () => ({ decision: 'deny', reason: 'not here' }) as never);
      }),
    );
  });
});

describe('rewrite', () => {
  const rows: Partial<Record<EventKind, readonly [SceneOptions, value: unknown, check: Check]>> = {
    'message.received': [{}, 'other words', sees('other words', 'hello')],
    'prompt.submit': [{}, 'other words', sees('other words', 'hello')],
    'prompt.build': [{ system: 'You are kind.' }, 'You are brief.', sees('You are brief.', 'You are kind.')],
    'model.resolve': [
      {},
      'another',
      async ({ agent, fired, script, payloads }) => {
        expect(await agent.send('hello')).toMatchObject({ status: 'done', text: 'another model' });
        expect(script.prompts).toEqual([]);
        expect(payloads('llm.before')).toMatchObject([{ model: 'another' }]);
        expect(fired().filter((kind) => kind === 'model.resolve')).toHaveLength(1);
      },
    ],
    'llm.before': [
      {},
      'another',
      async ({ agent, script }) => {
        expect(await agent.send('hello')).toMatchObject({ status: 'done', text: 'another model' });
        expect(script.prompts).toEqual([]);
      },
    ],
    'tool.before': [
      USES_TOOL,
      { text: 'changed' },
      async ({ agent, ran, script, payloads }) => {
        await agent.send('hello');
        expect(ran).toEqual(['echo {"text":"changed"}']);
        expect(script.prompts[1]).toContain('echo: changed');
        expect(payloads('tool.after')).toMatchObject([{ input: { text: 'changed' } }]);
      },
    ],
    'message.sending': [
      { steps: ['secret 42'] },
      'secret **',
      async ({ agent, payloads }) => {
        expect(await agent.send('hello')).toMatchObject({ status: 'done', text: 'secret **' });
        expect(payloads('message.sent')).toMatchObject([{ content: 'secret **' }]);
      },
    ],
    'cron.delivery': [
      {},
      'other words',
      async ({ agent, script }) => {
        await agent.deliver({ type: 'cron', name: 'daily', text: 'hello' });
        expect(script.prompts[0]).toContain('other words');
        expect(script.prompts[0]).not.toContain('hello');
      },
    ],
    'docs.sync': [
      {},
      'OTHER',
      async ({ agent, script }) => {
        await agent.deliver({ type: 'document', path: 'a.md', text: 'NEWS' });
        await agent.send('hello');
        expect(script.prompts[0]).toContain('OTHER');
        expect(script.prompts[0]).not.toContain('NEWS');
      },
    ],
  };
  test('is tried at every boundary where a document grants it', () => {
    expect(Object.keys(rows).sort()).toEqual(granted('rewrite'));
  });
  test.each(Object.entries(rows))('at %s', async (kind, [options, value, check]) => {
    const other = scriptedModel(['another model'], 'another');
    const models = (name: string) => {
      if (name !== 'another') throw new Error(`There is no model ${name}.`);
      return other.model;
    };
    await check(
      await scene({ ...options, models }, (hookline) => void hookline.on(kind as EventKind, () => ({ rewrite: value }) as never)),
    );
  });

  test('to a model that no one knows ends the turn, and no model is called', async () => {
    const made = await scene({}, (hookline) => void hookline.on('model.resolve', () => ({ rewrite: 'nobody' })));
    expect(await made.agent.send('hello')).toMatchObject({ status: 'failed', reason: expect.stringContaining('nobody') });
    expect(made.script.prompts).toEqual([]);
  });
});

/** The model gets the one text and not the other. */
function sees(text: string, not: string): Check {
  return async ({ agent, script }) => {
    expect(await agent.send('hello')).toMatchObject({ status: 'done' });
    expect(script.prompts[0]).toContain(text);
    expect(script.prompts[0]).not.toContain(not);
  };
}

describe('context', () => {
  const first: Check = async ({ agent, script }) => {
    await agent.send('hello');
    expect(script.prompts[0]).toContain('MARK');
  };
  const second: Check = async ({ agent, script }) => {
    await agent.send('hello');
    expect(script.prompts[1]).toContain('MARK');
  };
  const next: Check = async ({ agent, script }) => {
    await agent.send('hello');
    expect(script.prompts.join()).not.toContain('MARK');
    await agent.send('again');
    expect(script.prompts.at(-1)).toContain('MARK');
  };
  const rows: Partial<Record<EventKind, Row>> = {
    'session.start': [{}, first],
    'prompt.submit': [{}, first],
    'tool.before': [USES_TOOL, second],
    'tool.after': [USES_TOOL, second],
    'tool.error': [FAILS, second],
    'subagent.before': [USES_TASK, second],
    'subagent.after': [
      USES_TASK,
      async ({ agent, script }) => {
        await agent.send('hello');
        expect(script.prompts[2]).toContain('MARK');
      },
    ],
    'compact.before': [
      TOO_LONG,
      async ({ agent, script }) => {
        for (const text of ['a'.repeat(300), 'b'.repeat(300), 'c']) await agent.send(text);
        expect(script.prompts.find((prompt) => prompt.includes('You summarise'))).toContain('MARK');
      },
    ],
    'stop.before': [{}, next],
    'turn.after': [{}, next],
    'session.end': [
      {},
      async ({ agent, fired }) => {
        await agent.send('hello');
        await agent.stop();
        expect(fired()).toContain('session.end');
      },
    ],
  };
  test('is tried at every boundary where a document grants it', () => {
    expect(Object.keys(rows).sort()).toEqual(granted('context'));
  });
  test.each(Object.entries(rows))('at %s', async (kind, [options, check]) => {
    await check(await scene(options, (hookline) => void hookline.on(kind as EventKind, () => ({ context: 'MARK' }) as never)));
  });
});

describe('replaced results', () => {
  test('an answer that a hook replaces is the answer, for the user, the conversation and the next turn', async () => {
    const made = await scene(
      { steps: ['the password is 1234', 'ok'] },
      (hookline) =>
        void hookline.on('llm.after', ({ data }) =>
          String(data.output).includes('1234') ? { replace: 'the password is ****' } : undefined,
        ),
    );
    expect(await made.agent.send('hello')).toMatchObject({ status: 'done', text: 'the password is ****' });
    await made.agent.send('again');
    expect(made.script.prompts[1]).toContain('****');
    expect(JSON.stringify([made.script.prompts, made.events.filter(({ type }) => type === 'text')])).not.toContain('1234');
  });

  test('a stream shows nothing of an answer that a hook replaces', async () => {
    const made = await scene(
      { steps: ['the password is 1234'] },
      (hookline) => void hookline.on('llm.after', () => ({ replace: 'the password is ****' })),
    );
    const { turn, ...stream } = made.agent.stream('hello');
    const texts: string[] = [];
    for await (const event of { ...stream } as AsyncIterable<AgentEvent>) if (event.type === 'text') texts.push(event.text);
    expect(texts).toEqual(['the password is ****']);
    expect(await turn).toMatchObject({ status: 'done', text: 'the password is ****' });
  });

  test('a result that a hook replaces is all that the model sees of it', async () => {
    const made = await scene(USES_TOOL, (hookline) => void hookline.on('tool.after', () => ({ replace: 'nothing to see' })));
    await made.agent.send('hello');
    expect(made.script.prompts[1]).toContain('nothing to see');
    expect(made.script.prompts[1]).not.toContain('echo: hi');
  });

  test('a result of a subagent that a hook replaces is all that the model sees of it', async () => {
    const made = await scene(USES_TASK, (hookline) => void hookline.on('subagent.after', () => ({ replace: 'nothing to see' })));
    await made.agent.send('hello');
    expect(made.script.prompts[2]).toContain('nothing to see');
    expect(made.script.prompts[2]).not.toContain('found');
  });
});
