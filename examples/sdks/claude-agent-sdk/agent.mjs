// An agent of the Claude Agent SDK whose deployments wait for a person: node examples/sdks/claude-agent-sdk/agent.mjs
// Needs `npm install @anthropic-ai/claude-agent-sdk zod` and ANTHROPIC_API_KEY. The first start holds the call and ends. Approve it with
// `hookline approvals approve`, or with `approve` as an argument, and start it again.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { createHookline } from 'hookline';
import { startSession } from 'hookline/claude-agent-sdk';
import { z } from 'zod';

const folder = process.env.AGENT_STATE ?? path.join(import.meta.dirname, '.state');
mkdirSync(folder, { recursive: true });
const saved = path.join(folder, 'session.txt');

const hookline = await createHookline({ root: import.meta.dirname, home: folder, store: `sqlite:${path.join(folder, 'hookline.db')}` });
hookline.on('tool.before', () => ({ decision: 'hold', reason: 'Deployments are approved by a person.' }), {
  name: 'ask-first',
  match: '__deploy$',
});

const deploy = tool('deploy', 'Deploys.', { to: z.string() }, async ({ to }) => ({
  content: [{ type: 'text', text: `deployed to ${to}` }],
}));

if (process.argv[2] === 'approve') {
  for (const { id } of await hookline.approvals.list({ state: 'open' })) {
    await hookline.approvals.approve(id, { by: 'you' });
    console.log(`approved ${id}`);
  }
} else {
  const resume = existsSync(saved) ? readFileSync(saved, 'utf8') : undefined;
  const { hooks, end } = await startSession(hookline, { session: 'chat-1', source: resume ? 'resume' : 'startup' });
  const mcpServers = { ops: createSdkMcpServer({ name: 'ops', version: '1.0.0', tools: [deploy] }) };
  const options = { hooks, mcpServers, settingSources: [], cwd: folder, ...(resume && { resume }) };
  for await (const message of query({ prompt: resume ? '' : 'Deploy to production.', options })) {
    if (message.type !== 'result') continue;
    if (message.deferred_tool_use) writeFileSync(saved, message.session_id);
    else console.log(message.result);
  }
  await end();
  for (const { id, reason } of await hookline.approvals.list({ state: 'open' })) console.log(`waits for a person: ticket ${id}: ${reason}`);
}
await hookline.close();
