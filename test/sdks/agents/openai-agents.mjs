// An agent of the OpenAI Agents SDK, as the contract suite runs it: a job as JSON in the first argument, the report on the last line of stdout.
import { Agent, Runner, RunState, setTracingDisabled, tool, Usage } from '@openai/agents';
import { createHookline } from 'hookline';
import { guardAgent, guardModelProvider, HaltError } from 'hookline/openai-agents';
import { performJob } from 'hookline/testing';

setTracingDisabled(true);
const parameters = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: true };

/** Makes the calls until it has results, then answers. Fails at first as often as it is told, and tries again itself, as the client of a provider does. */
class MockModel {
  #left;

  constructor({ calls, answer, failures }) {
    this.calls = calls;
    this.answer = answer;
    this.#left = failures;
    this.prompts = [];
  }

  async think(request) {
    for (;;) {
      try {
        return this.answerTo(request);
      } catch (error) {
        if (error.message !== 'too many') throw error;
      }
    }
  }

  answerTo({ input, systemInstructions }) {
    if (this.#left-- > 0) throw new Error('too many');
    this.prompts.push({ input, systemInstructions });
    const isDone = this.calls.length === 0 || resultsIn(input).length > 0;
    return isDone
      ? [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: this.answer }] }]
      : this.calls.map(({ id, tool: name, input: args }) => ({
          ...{ type: 'function_call', id: `fc_${id}`, callId: id, name, status: 'completed', arguments: JSON.stringify(args) },
        }));
  }

  async getResponse(request) {
    const output = await this.think(request);
    return { usage: new Usage({ requests: 1 }), output, responseId: 'r1', providerData: { output } };
  }

  async *getStreamedResponse(request) {
    const output = await this.think(request);
    yield { type: 'response_started' };
    for (const text of output.flatMap(({ content }) => content ?? []).flatMap((part) => part.text.split(/(?<= )/)))
      yield { type: 'output_text_delta', delta: text };
    yield { type: 'model', event: { output } };
    const usage = { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    yield { type: 'response_done', response: { id: 'r1', usage, output } };
  }
}

async function agent(scene) {
  const { hookline, session, tools: own, signal, stream, resume } = scene;
  const model = new MockModel(scene);
  const context = { session, signal };
  const tools = Object.entries(own).map(([name, execute]) =>
    tool({ name, description: name, parameters, strict: false, execute, errorFunction: null }),
  );
  const running = guardAgent(new Agent({ name: 'Contract', tools, model: 'mock' }), hookline, context);
  const runner = new Runner({ modelProvider: guardModelProvider({ getModel: () => model }, hookline, context), tracingDisabled: true });
  let input = 'go';
  if (resume) {
    input = await RunState.fromString(running, JSON.stringify(resume));
    for (const interruption of input.getInterruptions()) input.approve(interruption);
  }
  const output = [];
  let held = [];
  let state = null;
  try {
    const result = await runner.run(running, input, { stream, signal });
    if (stream) {
      for await (const event of result) output.push(event);
      await result.completed;
    }
    held = result.interruptions ?? [];
    if (held.length === 0) output.push(result.finalOutput, result.history);
    else state = JSON.parse(result.state.toString());
  } catch (error) {
    if (!(error.error instanceof HaltError)) throw error;
    output.push(error.message);
  }
  const last = model.prompts.at(-1) ?? { input: [] };
  return {
    modelCalls: model.prompts.length,
    seen: Object.fromEntries(resultsIn(last.input).map(({ callId, output: text }) => [callId, textOf(text)])),
    modelInput: JSON.stringify(last),
    held: held.map(({ rawItem }) => rawItem.callId),
    state,
    output: JSON.stringify(output, (key, value) => (key === 'agent' || key === 'tool' ? undefined : value)),
  };
}

const resultsIn = (input) => (Array.isArray(input) ? input.filter(({ type }) => type === 'function_call_result') : []);
const textOf = (output) => (typeof output === 'string' ? output : String(output?.text ?? JSON.stringify(output)));

console.log(JSON.stringify(await performJob(JSON.parse(process.argv[2]), createHookline, agent)));
