// An agent of the AI SDK, version 6 or 7, as the contract suite runs it: a job as JSON in the first argument, the report on the last line of stdout.
import * as sdk from 'ai';
import * as mocks from 'ai/test';
import { createHookline } from 'hookline';
import { guardTools, HaltError, heldCalls, middleware, resumeMessages } from 'hookline/ai';
import { performJob } from 'hookline/testing';

const MockModel = mocks.MockLanguageModelV4 ?? mocks.MockLanguageModelV3;
const isStepCount = sdk.isStepCount ?? sdk.stepCountIs;
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const inputSchema = sdk.jsonSchema({ type: 'object', properties: { text: { type: 'string' } } });

async function agent({ hookline, session, calls, answer, tools: own, signal, stream, failures, resume }) {
  const prompts = [];
  let left = failures;
  /** Makes the calls until it has results, then answers. */
  const think = (prompt) => {
    if (left-- > 0) throw tooManyRequests();
    prompts.push(prompt);
    const isDone = calls.length === 0 || prompt.some(({ role }) => role === 'tool');
    const content = isDone
      ? [{ type: 'text', text: answer }]
      : calls.map(({ id, tool, input }) => ({ type: 'tool-call', toolCallId: id, toolName: tool, input: JSON.stringify(input) }));
    return { content, finishReason: { unified: isDone ? 'stop' : 'tool-calls', raw: undefined }, usage, warnings: [] };
  };
  const model = sdk.wrapLanguageModel({
    model: new MockModel({
      doGenerate: async ({ prompt }) => {
        const answered = think(prompt);
        return { ...answered, response: { body: answered.content } };
      },
      doStream: async ({ prompt }) => ({ stream: sdk.simulateReadableStream({ chunks: chunksOf(think(prompt)) }) }),
    }),
    middleware: middleware(hookline, { session }),
  });
  const tools = guardTools(
    Object.fromEntries(
      Object.entries(own).map(([name, run]) => [name, sdk.tool({ description: name, inputSchema, execute: (input) => run(input) })]),
    ),
    hookline,
    { session, signal },
  );
  const messages = resume ? resumeMessages(resume) : [{ role: 'user', content: 'go' }];
  const options = { model, tools, messages, stopWhen: isStepCount(5), abortSignal: signal };
  const saw = (output, added = []) => {
    const all = [...messages, ...added];
    const held = heldCalls(all).map(({ toolCallId }) => toolCallId);
    const last = prompts.at(-1) ?? [];
    return {
      ...{ modelCalls: prompts.length, seen: resultsIn(last), modelInput: JSON.stringify(last) },
      ...{ held, state: held.length > 0 ? all : null, output: JSON.stringify(output) },
    };
  };
  try {
    return stream ? await streamed(sdk.streamText({ ...options, onError() {} }), saw) : await generated(sdk.generateText(options), saw);
  } catch (error) {
    if (!(error instanceof HaltError)) throw error;
    return saw(error.message);
  }
}

async function generated(running, saw) {
  const result = await running;
  return saw(result.steps, addedBy(result.responseMessages, await result.response));
}

async function streamed(result, saw) {
  const parts = [];
  for await (const part of result.fullStream ?? result.stream) {
    if (part.type === 'error') throw part.error;
    parts.push(part);
  }
  return saw(parts, addedBy(await result.responseMessages, await result.response));
}

const addedBy = (added, response) => JSON.parse(JSON.stringify(added ?? response.messages));

function chunksOf({ content, finishReason, usage: used }) {
  const spoken = content.flatMap((part) =>
    part.type === 'text'
      ? [
          { type: 'text-start', id: '1' },
          ...part.text.split(/(?<= )/).map((delta) => ({ type: 'text-delta', id: '1', delta })),
          { type: 'text-end', id: '1' },
        ]
      : [part],
  );
  return [{ type: 'stream-start', warnings: [] }, ...spoken, { type: 'finish', finishReason, usage: used }];
}

/** The text that the model got for each call. */
function resultsIn(prompt) {
  const parts = prompt.filter(({ role }) => role === 'tool').flatMap(({ content }) => content);
  return Object.fromEntries(
    parts
      .filter(({ type }) => type === 'tool-result')
      .map(({ toolCallId, output }) => [toolCallId, String(output.value?.message ?? output.value ?? output.reason)]),
  );
}

function tooManyRequests() {
  const responseHeaders = { 'retry-after-ms': '1' };
  return new sdk.APICallError({
    message: 'too many',
    url: 'http://model',
    requestBodyValues: {},
    statusCode: 429,
    isRetryable: true,
    responseHeaders,
  });
}

console.log(JSON.stringify(await performJob(JSON.parse(process.argv[2]), createHookline, agent)));
