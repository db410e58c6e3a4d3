import { expect, test } from 'vitest';
import type { Hookline } from '../../../../src/index.ts';
import { guardModel, guardModelProvider } from '../../../../src/openai-agents.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const message = (text: string) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });
const CALL = { type: 'function_call', name: 'deploy', callId: 'c1', arguments: '{"to":"a"}' };
const SECRETS = [{ type: 'reasoning', content: 'SECRET' }, { type: 'hosted_tool_call', output: 'SECRET' }, message('the SECRET')];

class Model {
  readonly #output: readonly object[];
  readonly requests: object[] = [];

  constructor(output: readonly object[]) {
    this.#output = output;
  }

  async getResponse(request: object): Promise<object> {
    this.requests.push(request);
    return { usage: {}, output: this.#output, providerData: this.#output };
  }

  async *getStreamedResponse(request: object): AsyncIterable<object> {
    this.requests.push(request);
    yield { type: 'response_started' };
    yield { type: 'output_text_delta', delta: 'the SECRET' };
    yield { type: 'model', event: this.#output };
    yield { type: 'response_done', response: { id: 'r1', usage: {}, output: this.#output } };
  }

  advice(): number {
    return this.#output.length;
  }
}

const open = (): Promise<Hookline> => createWorkspace().open();
const REQUEST = { input: 'go', tools: [], systemInstructions: 'be short' };
const all = async (events: AsyncIterable<object>): Promise<object[]> => {
  const seen: object[] = [];
  for await (const event of events) seen.push(event);
  return seen;
};

test('of a replaced answer only the calls remain', async () => {
  const hookline = await open();
  hookline.on('llm.after', () => ({ replace: 'a redacted text' }));
  const model = guardModel(new Model([...SECRETS, CALL]), hookline, { session: 's1' });
  const answer = await model.getResponse(REQUEST);
  expect(answer).toMatchObject({ output: [{ content: [{ text: 'a redacted text' }] }, CALL] });
  const events = await all(model.getStreamedResponse(REQUEST));
  expect(events.map((event) => (event as { type: string }).type)).toEqual(['response_started', 'output_text_delta', 'response_done']);
  expect(JSON.stringify([answer, events])).not.toContain('SECRET');
});

test('an answer that cannot be checked is withheld with its calls', async () => {
  const hookline = await open();
  const own = new Model([...SECRETS, CALL]);
  const model = guardModel(own, hookline, () => {
    // The engine is closed while the model answers.
    own.getResponse = async () => {
      await hookline.close(0);
      return { output: [...SECRETS, CALL] };
    };
    return { session: 's1' };
  });
  const answer = JSON.stringify(await model.getResponse(REQUEST));
  expect(answer).toContain('withheld');
  expect([answer.includes('SECRET'), answer.includes('function_call')]).toEqual([false, false]);
});

test('a stream without an end shows nothing', async () => {
  const hookline = await open();
  hookline.on('llm.after', () => undefined);
  const endless = new Model([]);
  endless.getStreamedResponse = async function* () {
    yield { type: 'output_text_delta', delta: 'SECRET' };
  };
  const seen = all(guardModel(endless, hookline, { session: 's1' }).getStreamedResponse(REQUEST));
  await expect(seen).rejects.toThrow('response_done');
});

test('without a hook for answers a stream is live, and hooks see the parts of an answer', async () => {
  const hookline = await open();
  const model = guardModel(new Model([message('two words')]), hookline, { session: 's1' });
  expect((await all(model.getStreamedResponse(REQUEST))).length).toBe(4);
  const shown: unknown[] = [];
  hookline.on('llm.after', ({ data }) => void shown.push(data.output));
  await model.getResponse(REQUEST);
  await guardModel(new Model([message('I deploy'), CALL]), hookline, { session: 's1' }).getResponse(REQUEST);
  expect(shown).toEqual([
    'two words',
    [
      { type: 'text', text: 'I deploy' },
      { type: 'tool-call', toolName: 'deploy', input: { to: 'a' } },
    ],
  ]);
});

test('context is added to the instructions, and a halt rejects', async () => {
  const hookline = await open();
  const answers: object[] = [{ context: 'the branch is main' }, { halt: 'stop here' }];
  hookline.on('llm.before', () => answers.shift());
  const own = new Model([message('done')]);
  const model = guardModel(own, hookline, () => ({ session: 's1' }));
  await model.getResponse(REQUEST);
  expect(own.requests).toMatchObject([{ systemInstructions: 'be short\n\nthe branch is main' }]);
  await expect(model.getResponse(REQUEST)).rejects.toThrow('stop here');
});

test('the models of a provider are guarded and keep their other methods', async () => {
  const hookline = await open();
  hookline.on('llm.before', ({ data }) => ({ decision: 'deny', reason: `not ${data.model}` }));
  const own = new Model([message('done')]);
  const model = await guardModelProvider({ getModel: async (_name?: string) => own }, hookline, { session: 's1' }).getModel('small');
  expect(JSON.stringify(await model.getResponse(REQUEST))).toContain('not small');
  expect([own.requests.length, model.advice()]).toEqual([0, 1]);
});
