// An agent of the AI SDK whose deployments wait for a person: node examples/sdks/ai/agent.mjs
// The first start holds the call and ends. Approve it with `hookline approvals approve`, or with `approve` as an argument, and start it again.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generateText, jsonSchema, stepCountIs, tool, wrapLanguageModel } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { createHookline } from 'hookline';
import { guardTools, heldCalls, middleware, resumeMessages } from 'hookline/ai';

const folder = process.env.AGENT_STATE ?? path.join(import.meta.dirname, '.state');
mkdirSync(folder, { recursive: true });
const saved = path.join(folder, 'messages.json');

const hookline = await createHookline({ root: import.meta.dirname, home: folder, store: `sqlite:${path.join(folder, 'hookline.db')}` });
hookline.on('tool.before', () => ({ decision: 'hold', reason: 'Deployments are approved by a person.' }), {
  name: 'ask-first',
  match: '^deploy$',
});

// A model that deploys, then says what happened. Use a model of a provider instead.
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const mock = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    const result = prompt.findLast(({ role }) => role === 'tool')?.content.find(({ type }) => type === 'tool-result');
    const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'deploy', input: '{"to":"production"}' };
    return {
      content: [result ? { type: 'text', text: result.output.value } : call],
      usage,
      warnings: [],
      finishReason: { unified: 'stop' },
    };
  },
});
const inputSchema = jsonSchema({ type: 'object', properties: { to: { type: 'string' } } });
const deploy = tool({ description: 'Deploys.', inputSchema, execute: async ({ to }) => `deployed to ${to}` });

if (process.argv[2] === 'approve') {
  for (const { id } of await hookline.approvals.list({ state: 'open' })) {
    await hookline.approvals.approve(id, { by: 'you' });
    console.log(`approved ${id}`);
  }
} else {
  const session = 'chat-1';
  const messages = existsSync(saved)
    ? resumeMessages(JSON.parse(readFileSync(saved, 'utf8')))
    : [{ role: 'user', content: 'Deploy to production.' }];
  const model = wrapLanguageModel({ model: mock, middleware: middleware(hookline, { session }) });
  const tools = guardTools({ deploy }, hookline, { session });
  const { text, response } = await generateText({ model, tools, messages, stopWhen: stepCountIs(10) });
  const all = [...messages, ...response.messages];
  if (heldCalls(all).length > 0) writeFileSync(saved, JSON.stringify(all));
  for (const { id, reason } of await hookline.approvals.list({ state: 'open' })) console.log(`waits for a person: ticket ${id}: ${reason}`);
  if (text) console.log(text);
}
await hookline.close();
