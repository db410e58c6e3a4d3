/** The scripted model with the AI SDK itself. */
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { expect, test } from 'vitest';
import { type ScriptedStep, scriptedModel } from '../../../../src/runtime/models/scripted-model.ts';

const tools = {
  add: tool({
    inputSchema: jsonSchema<{ a: number; b: number }>({ type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } }),
    execute: ({ a, b }) => a + b,
  }),
};
const script: readonly ScriptedStep[] = [
  { text: 'I add.', calls: [{ tool: 'add', input: { a: 1, b: 2 } }] },
  (prompt) => `It is ${JSON.stringify(prompt.at(-1)?.content).match(/"value":(\d+)/)?.[1]}, so I am done.`,
];
const options = (steps: readonly ScriptedStep[]) => {
  const model = scriptedModel(steps);
  return { model, call: { model, tools, stopWhen: stepCountIs(5), maxRetries: 0 } };
};

test('a script of calls and texts is followed step by step, and a function sees the results', async () => {
  const { model, call } = options(script);
  const result = await generateText({ ...call, prompt: 'Add 1 and 2.' });
  expect(result.steps.map(({ text }) => text)).toEqual(['I add.', 'It is 3, so I am done.']);
  expect(result.steps[0]?.toolCalls).toMatchObject([{ toolCallId: 'call-1-1', toolName: 'add', input: { a: 1, b: 2 } }]);
  expect(model.calls).toHaveLength(2);
  expect(model.calls[0]?.tools).toEqual(['add']);
});

test('a streamed script has the same text in pieces, and the same calls', async () => {
  const { call } = options(script);
  const result = streamText({ ...call, prompt: 'Add 1 and 2.' });
  const pieces: string[] = [];
  const called: string[] = [];
  for await (const part of result.fullStream) {
    if (part.type === 'text-delta') pieces.push(part.text);
    if (part.type === 'tool-call') called.push(part.toolName);
    if (part.type === 'error') throw part.error;
  }
  expect(pieces.join('')).toBe('I add.It is 3, so I am done.');
  expect(pieces.length).toBeGreaterThan(4);
  expect(called).toEqual(['add']);
});

test('white space of a text survives the stream', async () => {
  for (const text of ['  a  b\n\nc ', ' ', '']) {
    const { call } = options([text]);
    const pieces: string[] = [];
    for await (const piece of streamText({ ...call, prompt: 'x' }).textStream) pieces.push(piece);
    expect(pieces.join('')).toBe(text);
  }
});

test('a call after the last step fails, and names the length of the script', async () => {
  const { call } = options([]);
  await expect(generateText({ ...call, prompt: 'x' })).rejects.toThrow('The script of the model has 0 steps, and this is call 1.');
});

test('an aborted call is not made', async () => {
  const { model, call } = options(['never']);
  await expect(generateText({ ...call, prompt: 'x', abortSignal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  expect(model.calls).toHaveLength(0);
});
