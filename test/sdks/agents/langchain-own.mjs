// Behaviour of LangChain alone, outside the common contract. Prints the observations of each scene as JSON.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { Command, interrupt, MemorySaver } from '@langchain/langgraph';
import { createHookline } from 'hookline';
import { hooklineMiddleware } from 'hookline/langchain';
import { createAgent, tool } from 'langchain';

/** Calls the tool, then says its result, word by word if it is streamed. */
class Mock extends BaseChatModel {
  constructor(name) {
    super({});
    this.name = name;
  }

  _llmType() {
    return 'mock';
  }

  bindTools() {
    return this;
  }

  async _generate(messages) {
    const result = messages.find((message) => message.getType() === 'tool');
    const call = { type: 'tool_call', id: `call-${this.name}`, name: this.name, args: { text: 'x' } };
    const message = result ? new AIMessage(String(result.content)) : new AIMessage({ content: '', tool_calls: [call] });
    return { generations: [{ text: '', message }] };
  }

  async *_streamResponseChunks(messages, options, runManager) {
    const { message } = (await this._generate(messages, options)).generations[0];
    const words = message.content.split(/(?<= )/).map((content) => ({ content }));
    const tool_call_chunks = message.tool_calls.map(({ id, name, args }, index) => ({ id, name, args: JSON.stringify(args), index }));
    for (const part of tool_call_chunks.length > 0 ? [{ content: '', tool_call_chunks }] : words) {
      const chunk = new ChatGenerationChunk({ text: part.content, message: new AIMessageChunk(part) });
      yield chunk;
      await runManager?.handleLLMNewToken(part.content, undefined, undefined, undefined, undefined, { chunk });
    }
  }
}

const schema = { type: 'object', properties: { text: { type: 'string' } } };
const toolOf = (name, run) => tool(run, { name, description: name, schema });
const input = { messages: [{ role: 'user', content: 'go' }] };
const thread = { configurable: { thread_id: 't1' } };

async function scene(run) {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-own-'));
  const hookline = await createHookline({ root: folder, home: folder, store: `sqlite:${folder}/hookline.db` });
  const ran = [];
  const errors = [];
  hookline.on('tool.before', () => ({ decision: 'hold', reason: 'a person decides' }), { match: '^deploy$', name: 'hold' });
  hookline.on('tool.error', ({ data }) => void errors.push(data.error), { name: 'errors' });
  const deploy = toolOf('deploy', async ({ text }) => {
    ran.push(text);
    return `deployed the ${text}`;
  });
  const agentOf = (name, tools, more) => createAgent({ model: new Mock(name), tools, middleware: [hooklineMiddleware(hookline)], ...more });
  const approve = async () => {
    for (const { id } of await hookline.approvals.list({ state: 'open' })) await hookline.approvals.approve(id, { by: 'ann' });
  };
  const seen = await run({ hookline, deploy, agentOf, approve });
  const tickets = (await hookline.approvals.list()).map(({ state, metadata }) => ({ state, metadata }));
  await hookline.close(0);
  return { ...seen, ran, errors, tickets };
}

const report = {
  bare: await scene(async ({ deploy, agentOf }) => {
    // The oldest versions reject a thread without a checkpointer themselves.
    const failed = (error) => ({ messages: [{ content: error.message }] });
    const { messages } = await agentOf('deploy', [deploy]).invoke(input, thread).catch(failed);
    return { answer: messages.at(-1).content };
  }),
  threadless: await scene(async ({ deploy, agentOf }) => {
    const { messages } = await agentOf('deploy', [deploy]).invoke(input);
    return { answer: messages.at(-1).content };
  }),
  resumedEarly: await scene(async ({ deploy, agentOf, approve }) => {
    const agent = agentOf('deploy', [deploy], { checkpointer: new MemorySaver() });
    await agent.invoke(input, thread);
    const early = await agent.invoke(new Command({ resume: { approved: true } }), thread);
    await approve();
    const { messages } = await agent.invoke(null, thread);
    return { stillHeld: early.__interrupt__?.length ?? 0, answer: messages.at(-1).content };
  }),
  nested: await scene(async ({ deploy, agentOf, approve }) => {
    const inner = agentOf('deploy', [deploy]);
    const task = toolOf('task', async () => (await inner.invoke(input)).messages.at(-1).content);
    const outer = agentOf('task', [task], { checkpointer: new MemorySaver() });
    const first = await outer.invoke(input, thread);
    await approve();
    const { messages } = await outer.invoke(null, thread);
    return { held: first.__interrupt__?.map(({ value }) => value.hookline.toolCallId), answer: messages.at(-1).content };
  }),
  asking: await scene(async ({ agentOf }) => {
    const ask = toolOf('ask', async () => `the answer is ${interrupt('which?')}`);
    const agent = agentOf('ask', [ask], { checkpointer: new MemorySaver() });
    const first = await agent.invoke(input, thread);
    const { messages } = await agent.invoke(new Command({ resume: 'both' }), thread);
    return { asked: first.__interrupt__?.map(({ value }) => value), answer: messages.at(-1).content };
  }),
  live: await scene(async ({ agentOf }) => {
    const agent = agentOf('read', [toolOf('read', async () => 'two words')]);
    const texts = [];
    for await (const [message] of await agent.stream(input, { streamMode: 'messages' })) texts.push(message.content);
    return { texts: texts.filter((text) => text !== '') };
  }),
};
console.log(JSON.stringify(report));
