/** An agent whose guarded methods are not asked by its runs is found out. The agents here stand for versions of Mastra that call other methods. */
import { expect, test } from 'vitest';
import { guardAgent } from '../../../../src/mastra.ts';
import { NEWEST } from '../../../../src/sdk/mastra/canary.ts';
import { VERSIONS } from '../../../sdks/versions.ts';
import { createWorkspace } from '../../../support/workspace.ts';

type Tools = Record<string, { execute(input: unknown, options?: object): unknown }>;
type Model = { doStream(params: object): Promise<{ stream: ReadableStream<{ type: string; error?: unknown }> }> };

/** An agent that runs its one tool, then its model. Each part of it comes from the guarded methods or past them. */
class FakeAgent {
  readonly id = 'worker';
  /** The calls of the tool and of the model, in order. */
  readonly acted: string[] = [];
  readonly #past: readonly string[];

  /** @param past the methods that a run does not ask; `getModel` asks for the model unless it is one of them */
  constructor(...past: string[]) {
    this.#past = past;
  }

  async convertTools(_run: object): Promise<Tools> {
    return this.#tools();
  }

  async resolveModelConfig(): Promise<object> {
    return this.#model();
  }

  listAgents(): Record<string, object> {
    return {};
  }

  async getModel(): Promise<object> {
    return this.#past.includes('getModel') ? this.#model() : this.resolveModelConfig();
  }

  async generate(prompt: string, _options?: object): Promise<string> {
    const model = (this.#past.includes('resolveModelConfig') ? this.#model() : await this.resolveModelConfig()) as Model;
    const run = { runId: 'r1', requestContext: new Map() };
    const tools = this.#past.includes('convertTools') ? this.#tools() : await this.convertTools(run);
    await model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: prompt }] }], tools: Object.keys(tools) });
    await tools['deploy']?.execute({}, { toolCallId: 'c1' });
    return 'done';
  }

  async stream(prompt: string): Promise<string> {
    return this.generate(prompt);
  }

  async resumeGenerate(): Promise<string> {
    return this.generate('again');
  }

  #tools(): Tools {
    return { deploy: { execute: () => this.acted.push('tool') } };
  }

  #model(): Model & Record<string, unknown> {
    const doStream: Model['doStream'] = async () => {
      this.acted.push('model');
      return { stream: new ReadableStream({ start: (controller) => controller.close() }) };
    };
    return { specificationVersion: 'v3', modelId: 'mock', doStream, doGenerate: doStream };
  }
}

const guard = async (...past: string[]): Promise<FakeAgent> => guardAgent(new FakeAgent(...past), await createWorkspace().open());

const failureOf = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => null,
    (error) => error,
  );

test('an agent whose guarded methods are asked runs', async () => {
  const agent = await guard();
  expect([await agent.generate('go'), await agent.stream('go'), await agent.resumeGenerate()]).toEqual(['done', 'done', 'done']);
  expect(agent.acted).toEqual(['model', 'tool', 'model', 'tool', 'model', 'tool']);
});

test.each([
  ['models resolved elsewhere', ['resolveModelConfig', 'getModel'], 'resolveModelConfig'],
  ['both collected elsewhere', ['convertTools', 'resolveModelConfig', 'getModel'], 'resolveModelConfig'],
  ['tools collected elsewhere', ['convertTools'], 'convertTools'],
])('%s are found out before a model or a tool is called', async (_, past, method) => {
  const agent = await guard(...past);
  expect(await failureOf(agent.generate('go'))).toMatchObject({ code: 'unguarded', message: expect.stringContaining(`\`${method}\``) });
  expect(agent.acted).toEqual([]);
});

test('models that a run alone resolves elsewhere are found out before a tool is called', async () => {
  const agent = await guard('resolveModelConfig');
  expect(await failureOf(agent.generate('go'))).toMatchObject({ code: 'unguarded' });
  expect(agent.acted).toEqual(['model']);
});

test('a run that asks nothing is found out at its end at the latest', async () => {
  const agent = await guard('convertTools', 'resolveModelConfig');
  expect(await failureOf(agent.generate('go'))).toMatchObject({ code: 'unguarded' });
});

test('an agent that was found out runs no more, and the error names the version to install', async () => {
  const agent = await guard('convertTools', 'resolveModelConfig');
  const first = await failureOf(agent.stream('go'));
  agent.acted.length = 0;
  expect([await failureOf(agent.generate('go')), await failureOf(agent.stream('go')), await failureOf(agent.resumeGenerate())]).toEqual([
    first,
    first,
    first,
  ]);
  expect(agent.acted).toEqual([]);
  expect(first).toMatchObject({ message: expect.stringContaining('@mastra/core'), hint: expect.stringContaining(NEWEST) });
});

test('a run that fails before it asks anything is not found out', async () => {
  const own = new FakeAgent();
  let isBroken = true;
  const generate = own.generate.bind(own);
  own.generate = async (prompt) => {
    if (isBroken) throw new Error('no network');
    return generate(prompt);
  };
  const agent = guardAgent(own, await createWorkspace().open());
  expect(await failureOf(agent.generate('go'))).toMatchObject({ message: 'no network' });
  isBroken = false;
  expect(await agent.generate('go')).toBe('done');
});

test('the runs of one agent do not vouch for another that runs at the same time', async () => {
  const [good, bad] = [await guard(), await guard('convertTools')];
  const [first, second] = await Promise.all([failureOf(good.generate('go')), failureOf(bad.generate('go'))]);
  expect([first, second]).toMatchObject([null, { code: 'unguarded' }]);
});

test('the newest version that is tested is the one that the error names', () => {
  expect(VERSIONS.mastra[0].version).toBe(NEWEST);
});
