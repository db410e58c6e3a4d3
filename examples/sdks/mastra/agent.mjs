// An agent of Mastra whose deployments wait for a person: node examples/sdks/mastra/agent.mjs
// The first start holds the call and ends. Approve it with `hookline approvals approve`, or with `approve` as an argument, and start it again.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { createTool } from '@mastra/core/tools';
import { LibSQLStore } from '@mastra/libsql';
import { createHookline } from 'hookline';
import { guardAgent } from 'hookline/mastra';
import { z } from 'zod';

const folder = process.env.AGENT_STATE ?? path.join(import.meta.dirname, '.state');
mkdirSync(folder, { recursive: true });
const saved = path.join(folder, 'run');

const hookline = await createHookline({ root: import.meta.dirname, home: folder, store: `sqlite:${path.join(folder, 'hookline.db')}` });
hookline.on('tool.before', () => ({ decision: 'hold', reason: 'Deployments are approved by a person.' }), {
  name: 'ask-first',
  match: '^deploy$',
});

// A model that deploys, then says what happened. Use the name of a model instead, such as 'openai/gpt-5'.
const model = {
  ...{ specificationVersion: 'v2', provider: 'mock', modelId: 'mock', supportedUrls: {} },
  async doGenerate({ prompt }) {
    const result = prompt.at(-1).role === 'tool' ? prompt.at(-1).content[0].output.value : undefined;
    const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'deploy', input: '{"to":"production"}' };
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    return result
      ? { content: [{ type: 'text', text: result }], finishReason: 'stop', usage, warnings: [] }
      : { content: [call], finishReason: 'tool-calls', usage, warnings: [] };
  },
};

const deploy = createTool({
  id: 'deploy',
  description: 'Deploys.',
  inputSchema: z.object({ to: z.string() }),
  execute: async ({ to }) => `deployed to ${to}`,
});
const deployer = guardAgent(new Agent({ id: 'deployer', name: 'Deployer', instructions: 'Deploy.', model, tools: { deploy } }), hookline);
const storage = new LibSQLStore({ id: 'runs', url: `file:${path.join(folder, 'mastra.db')}` });
const agent = new Mastra({ agents: { deployer }, storage, logger: false }).getAgent('deployer');

if (process.argv[2] === 'approve') {
  for (const { id } of await hookline.approvals.list({ state: 'open' })) {
    await hookline.approvals.approve(id, { by: 'you' });
    console.log(`approved ${id}`);
  }
} else {
  const isResumed = existsSync(saved);
  const result = isResumed
    ? await agent.resumeGenerate({}, { runId: readFileSync(saved, 'utf8') })
    : await agent.generate('Deploy to production.');
  if (result.finishReason === 'suspended') {
    const { ticket, reason } = result.suspendPayload.suspendPayload.hookline;
    console.log(`waits for a person: ticket ${ticket}: ${reason}`);
    writeFileSync(saved, result.runId);
  } else console.log(result.text);
}
await hookline.close();
