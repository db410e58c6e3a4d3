// An agent of LangChain whose deployments wait for a person: node examples/sdks/langchain/agent.mjs
// The first start holds the call and ends. Approve it with `hookline approvals approve`, or with `approve` as an argument, and start it again.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { MemorySaver } from '@langchain/langgraph';
import { createHookline } from 'hookline';
import { hooklineMiddleware } from 'hookline/langchain';
import { AIMessage, createAgent, tool } from 'langchain';

const folder = process.env.AGENT_STATE ?? path.join(import.meta.dirname, '.state');
mkdirSync(folder, { recursive: true });
const saved = path.join(folder, 'checkpoints.json');

const hookline = await createHookline({ root: import.meta.dirname, home: folder, store: `sqlite:${path.join(folder, 'hookline.db')}` });
hookline.on('tool.before', () => ({ decision: 'hold', reason: 'Deployments are approved by a person.' }), {
  name: 'ask-first',
  match: '^deploy$',
});

// A model that deploys, then says what happened. Use a model of a provider instead.
class Mock extends BaseChatModel {
  _llmType() {
    return 'mock';
  }
  bindTools() {
    return this;
  }
  async _generate(messages) {
    const result = messages.find((message) => message.getType() === 'tool');
    const tool_calls = [{ type: 'tool_call', id: 'c1', name: 'deploy', args: { to: 'production' } }];
    return { generations: [{ text: '', message: result ? new AIMessage(result.content) : new AIMessage({ content: '', tool_calls }) }] };
  }
}

// Keeps the checkpoints in a file between the starts. Use a checkpointer of a database instead.
const checkpointer = new MemorySaver();
const isResumed = existsSync(saved);
const revive = (_, value) => (typeof value?.bytes === 'string' ? Buffer.from(value.bytes, 'base64') : value);
if (isResumed) Object.assign(checkpointer, JSON.parse(readFileSync(saved, 'utf8'), revive));
const save = ({ storage, writes }) =>
  JSON.stringify({ storage, writes }, (_, value) =>
    value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value,
  );

if (process.argv[2] === 'approve') {
  for (const { id } of await hookline.approvals.list({ state: 'open' })) {
    await hookline.approvals.approve(id, { by: 'you' });
    console.log(`approved ${id}`);
  }
} else {
  const schema = { type: 'object', properties: { to: { type: 'string' } } };
  const deploy = tool(async ({ to }) => `deployed to ${to}`, { name: 'deploy', description: 'Deploys.', schema });
  const agent = createAgent({ model: new Mock({}), tools: [deploy], middleware: [hooklineMiddleware(hookline)], checkpointer });
  const input = isResumed ? null : { messages: [{ role: 'user', content: 'Deploy to production.' }] };
  const { messages, __interrupt__: held = [] } = await agent.invoke(input, { configurable: { thread_id: 'chat-1' } });
  for (const { value } of held) console.log(`waits for a person: ticket ${value.hookline.ticket}: ${value.hookline.reason}`);
  if (held.length > 0) writeFileSync(saved, save(checkpointer));
  else console.log(messages.at(-1).content);
}
await hookline.close();
