// An agent of LangChain, as the contract suite runs it: a job as JSON in the first argument, the report on the last line of stdout.
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessageChunk } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { Command, MemorySaver } from '@langchain/langgraph';
import { createHookline } from 'hookline';
import { hooklineMiddleware } from 'hookline/langchain';
import { performJob } from 'hookline/testing';
import { AIMessage, createAgent, tool } from 'langchain';

const schema = { type: 'object', properties: { text: { type: 'string' } } };

/** Makes the calls until it has results, then answers. Fails at first as often as it is told; the retries are LangChain's own. */
class MockModel extends BaseChatModel {
  constructor(scene) {
    super({});
    this.scene = scene;
    this.left = scene.failures;
    this.prompts = [];
  }

  _llmType() {
    return 'mock';
  }

  bindTools() {
    return this;
  }

  think(prompt) {
    return this.caller.call(async () => {
      if (this.left-- > 0) throw new Error('too many');
      this.prompts.push(prompt);
      const { calls, answer } = this.scene;
      const isDone = calls.length === 0 || prompt.some((message) => message.getType() === 'tool');
      return isDone ? { text: answer, calls: [] } : { text: '', calls };
    });
  }

  async _generate(prompt) {
    const { text, calls } = await this.think(prompt);
    const tool_calls = calls.map(({ id, tool: name, input: args }) => ({ id, name, args, type: 'tool_call' }));
    return { generations: [{ text, message: new AIMessage({ content: text, tool_calls }) }] };
  }

  async *_streamResponseChunks(prompt, _options, runManager) {
    const { text, calls } = await this.think(prompt);
    const tool_call_chunks = calls.map(({ id, tool: name, input }, index) => ({ id, name, args: JSON.stringify(input), index }));
    const parts = [
      ...text.split(/(?<= )/).map((content) => ({ content })),
      ...(calls.length > 0 ? [{ content: '', tool_call_chunks }] : []),
    ];
    for (const part of parts) {
      const chunk = new ChatGenerationChunk({ text: part.content, message: new AIMessageChunk(part) });
      yield chunk;
      await runManager?.handleLLMNewToken(part.content, undefined, undefined, undefined, undefined, { chunk });
    }
  }
}

async function agent(scene) {
  const { hookline, session, tools: own, signal, stream, resume } = scene;
  const model = new MockModel(scene);
  const checkpointer = new MemorySaver();
  if (resume) restore(checkpointer, resume.checkpoints, session);
  const tools = Object.entries(own).map(([name, run]) => tool(run, { name, description: name, schema }));
  const running = createAgent({ model, tools, middleware: [hooklineMiddleware(hookline)], checkpointer });
  const config = { configurable: { thread_id: session }, signal };
  const input = resume ? new Command({ resume: resume.answers }) : { messages: [{ role: 'user', content: 'go' }] };
  const output = [];
  if (stream) for await (const part of await running.stream(input, { ...config, streamMode: ['messages', 'updates'] })) output.push(part);
  else output.push(await running.invoke(input, config));
  const { tasks } = await running.graph.getState({ configurable: { thread_id: session } });
  const interrupts = tasks.flatMap((task) => task.interrupts);
  const last = model.prompts.at(-1) ?? [];
  const answers = Object.fromEntries(interrupts.map(({ id }) => [id, 'approved']));
  return {
    modelCalls: model.prompts.length,
    seen: Object.fromEntries(last.filter((one) => one.getType() === 'tool').map((one) => [one.tool_call_id, String(one.content)])),
    modelInput: JSON.stringify(last),
    held: interrupts.map(({ value }) => value.hookline.toolCallId),
    state: interrupts.length > 0 ? { answers, checkpoints: saved(checkpointer) } : null,
    output: JSON.stringify(output),
  };
}

/** The checkpoints as JSON. They are bytes of JSON, and are kept as text. */
function saved({ storage, writes }) {
  return JSON.parse(
    JSON.stringify({ storage, writes }, (_, value) => (value instanceof Uint8Array ? { utf8: Buffer.from(value).toString() } : value)),
  );
}

/** Whoever resumes a run has its checkpoints in the own thread. */
function restore(checkpointer, checkpoints, session) {
  const [old] = Object.keys(checkpoints.storage);
  const text = JSON.stringify(checkpoints).replaceAll(JSON.stringify(old).slice(1, -1), JSON.stringify(session).slice(1, -1));
  const revive = (_, value) => (typeof value?.utf8 === 'string' ? new TextEncoder().encode(value.utf8) : value);
  Object.assign(checkpointer, JSON.parse(text, revive));
}

console.log(JSON.stringify(await performJob(JSON.parse(process.argv[2]), createHookline, agent)));
