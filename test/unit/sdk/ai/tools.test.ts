/** `guardTools` with the SDK itself, as far as one process shows it; the contract of adapters is in test/laws. */
import { dynamicTool, generateText, jsonSchema, stepCountIs, streamText, type ToolSet, tool, wrapLanguageModel } from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { describe, expect, test, vi } from 'vitest';
import { guardTools, heldCalls, middleware, resumeMessages } from '../../../../src/ai.ts';
import type { Hookline } from '../../../../src/index.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const inputSchema = jsonSchema<{ text: string }>({ type: 'object', properties: { text: { type: 'string' } } });
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never;
const open = (): Promise<Hookline> => createWorkspace().open();

/** Calls the tool once, then answers with what it got. */
function modelThatCalls(toolName: string, text = 'a') {
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const results = prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
      const call = { type: 'tool-call' as const, toolCallId: 'c1', toolName, input: JSON.stringify({ text }) };
      const content = results.length > 0 ? [{ type: 'text' as const, text: JSON.stringify(results) }] : [call];
      return { content, usage, warnings: [], finishReason: { unified: 'stop', raw: undefined } };
    },
  });
}

function run(hookline: Hookline, tools: ToolSet, messages: { role: 'user'; content: string }[] = [{ role: 'user', content: 'go' }]) {
  const [name = ''] = Object.keys(tools);
  return generateText({
    model: modelThatCalls(name),
    tools: guardTools(tools, hookline, { session: 's1' }),
    messages,
    stopWhen: stepCountIs(4),
  });
}

describe('guardTools', () => {
  test('dynamic tools are behind the hooks too', async () => {
    const hookline = await open();
    hookline.on('tool.before', () => ({ decision: 'deny', reason: 'not today' }));
    const execute = vi.fn();
    const { text } = await run(hookline, { mcp_read: dynamicTool({ description: 'x', inputSchema, execute }) });
    expect(text).toContain('not today');
    expect(execute.mock.calls).toEqual([]);
  });

  test('a generator shows no preliminary result', async () => {
    const hookline = await open();
    hookline.on('tool.after', ({ data }) => ({ replace: `seen: ${data.result}` }));
    const read = tool({
      inputSchema,
      async *execute() {
        yield 'SECRET 1';
        yield 'SECRET 2';
      },
    });
    const chunks = [{ type: 'tool-call' as const, toolCallId: 'c1', toolName: 'read', input: '{"text":"a"}' }];
    const finish = { type: 'finish' as const, usage, finishReason: { unified: 'tool-calls' as const, raw: undefined } };
    const model = new MockLanguageModelV3({ doStream: async () => ({ stream: simulateReadableStream({ chunks: [...chunks, finish] }) }) });
    const parts: unknown[] = [];
    const { fullStream } = streamText({ model, tools: guardTools({ read }, hookline, { session: 's1' }), prompt: 'go' });
    for await (const part of fullStream) parts.push(part);
    expect(JSON.stringify(parts)).toContain('seen: SECRET 2');
    expect(JSON.stringify(parts)).not.toContain('SECRET 1');
  });

  test("the tool's own needsApproval stays in force, and the hooks are asked once", async () => {
    const hookline = await open();
    let asked = 0;
    hookline.on('tool.before', () => void asked++);
    const read = tool({ inputSchema, needsApproval: true, execute: async () => 'ok' });
    const first = await run(hookline, { read });
    const messages = [{ role: 'user' as const, content: 'go' }, ...first.response.messages];
    expect([heldCalls(messages).length, asked]).toEqual([1, 1]);
    const second = await run(hookline, { read }, resumeMessages(messages) as never);
    expect(second.text).toContain('ok');
  });

  test('an input that changed after the hooks decided is asked about again', async () => {
    const hookline = await open();
    hookline.on('tool.before', ({ data }) => (data.input['text'] === 'b' ? { decision: 'deny', reason: 'not b' } : undefined));
    const execute = vi.fn(async () => 'ok');
    const { read } = guardTools({ read: { inputSchema, execute } }, hookline, { session: 's1' }) as never as {
      read: { needsApproval(input: object, options: object): Promise<boolean>; execute(input: object, options: object): Promise<unknown> };
    };
    const options = { toolCallId: 'c1', messages: [] };
    expect(await read.needsApproval({ text: 'a' }, options)).toBe(false);
    expect(await read.execute({ text: 'b' }, options)).toContain('not b');
    expect(await read.needsApproval({ text: 'a' }, options)).toBe(false);
    expect(await read.execute({ text: 'a' }, options)).toBe('ok');
    expect(execute.mock.calls.length).toBe(1);
  });

  test('a call that must be held is refused if the SDK executes it without asking for approval', async () => {
    const hookline = await open();
    hookline.on('tool.before', () => ({ decision: 'hold', reason: 'a person decides' }));
    const execute = vi.fn();
    const { read } = guardTools({ read: { execute } }, hookline, { session: 's1' }) as never as {
      read: { execute(input: object, options: object): Promise<unknown> };
    };
    expect(await read.execute({}, { toolCallId: 'c1', messages: [] })).toContain('no person has approved it');
    expect(execute.mock.calls).toEqual([]);
  });

  test("the tool's own toModelOutput gets its own results alone", async () => {
    const hookline = await open();
    const toModelOutput = vi.fn(({ output }: { output: { lines: number } }) => ({ type: 'text' as const, value: `${output.lines} lines` }));
    const read = tool({ inputSchema, execute: async () => ({ lines: 3 }), toModelOutput: toModelOutput as never });
    expect((await run(hookline, { read })).text).toContain('3 lines');
    hookline.on('tool.before', () => ({ decision: 'deny', reason: 'not today' }));
    expect((await run(hookline, { read })).text).toContain('not today');
    expect(toModelOutput.mock.calls.every(([{ output }]) => typeof output === 'object')).toBe(true);
  });

  test('a tool without execute stays as it is', async () => {
    const hosted = { inputSchema };
    expect(guardTools({ hosted }, await open(), { session: 's1' }).hosted).toBe(hosted);
  });
});

describe('middleware', () => {
  const streaming = (chunks: readonly object[]) =>
    new MockLanguageModelV3({ doStream: async () => ({ stream: simulateReadableStream({ chunks: chunks as never[] }) }) });
  const FINISH = { type: 'finish', usage, finishReason: { unified: 'stop', raw: undefined } };
  const said = (text: string, type = 'text') => [
    { type: `${type}-start`, id: '1' },
    { type: `${type}-delta`, id: '1', delta: text },
    { type: `${type}-end`, id: '1' },
  ];

  test('without a hook of llm.after an answer streams while the model still speaks', async () => {
    const hookline = await open();
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const stream = new ReadableStream({
      async start(controller) {
        for (const part of said('early').slice(0, 2)) controller.enqueue(part);
        await gate;
        for (const part of [...said('late').slice(1), FINISH]) controller.enqueue(part);
        controller.close();
      },
    });
    const model = new MockLanguageModelV3({ doStream: async () => ({ stream }) });
    const { textStream } = streamText({
      model: wrapLanguageModel({ model, middleware: middleware(hookline, { session: 's1' }) }),
      prompt: 'go',
    });
    const texts: string[] = [];
    for await (const text of textStream) {
      texts.push(text);
      release();
    }
    expect(texts).toEqual(['early', 'late']);
  });

  test('a replaced stream has no reasoning, no raw bytes and no data of the provider', async () => {
    const hookline = await open();
    hookline.on('llm.after', () => ({ replace: 'redacted' }));
    const chunks = [
      { type: 'stream-start', warnings: [] },
      { type: 'raw', rawValue: 'SECRET' },
      ...said('SECRET', 'reasoning'),
      ...said('SECRET'),
      { ...FINISH, providerMetadata: { x: { logprobs: 'SECRET' } } },
    ];
    const model = wrapLanguageModel({ model: streaming(chunks), middleware: middleware(hookline, { session: 's1' }) });
    const result = streamText({ model, prompt: 'go', includeRawChunks: true });
    const parts: unknown[] = [];
    for await (const part of result.fullStream) parts.push(part);
    expect(await result.text).toBe('redacted');
    expect(JSON.stringify(parts)).not.toContain('SECRET');
  });

  test('an answer that cannot be checked is withheld, with its tool calls', async () => {
    const hookline = await open();
    const execute = vi.fn();
    const model = modelThatCalls('read');
    const { doGenerate } = model;
    model.doGenerate = async (options) => {
      const answer = await doGenerate.call(model, options);
      await hookline.close();
      return answer;
    };
    const wrapped = wrapLanguageModel({ model, middleware: middleware(hookline, { session: 's1' }) });
    const { text, toolCalls } = await generateText({ model: wrapped, prompt: 'go', tools: { read: tool({ inputSchema, execute }) } });
    expect([text.includes('withheld'), toolCalls.length, execute.mock.calls.length]).toEqual([true, 0, 0]);
  });

  test('context of llm.before reaches the model in its system message', async () => {
    const hookline = await open();
    hookline.on('llm.before', () => ({ context: 'the branch is main' }));
    const model = modelThatCalls('none');
    const wrapped = wrapLanguageModel({ model, middleware: middleware(hookline, { session: 's1' }) });
    for (const system of [undefined, 'Be brief.']) await generateText({ model: wrapped, prompt: 'go', ...(system && { system }) });
    const systems = model.doGenerateCalls.map(({ prompt }) => prompt.filter(({ role }) => role === 'system').map(({ content }) => content));
    expect(systems).toEqual([['the branch is main'], ['Be brief.\n\nthe branch is main']]);
  });

  test('a hook that holds a model call or chooses another model denies it', async () => {
    for (const answer of [{ decision: 'hold', reason: 'a person decides' } as const, { rewrite: 'cheap-model' }]) {
      const hookline = await open();
      hookline.on('llm.before', () => answer);
      const model = modelThatCalls('none');
      const { text } = await generateText({
        model: wrapLanguageModel({ model, middleware: middleware(hookline, { session: 's1' }) }),
        prompt: 'go',
      });
      expect([model.doGenerateCalls.length, /a person decides|cheap-model/.test(text)]).toEqual([0, true]);
    }
  });
});
