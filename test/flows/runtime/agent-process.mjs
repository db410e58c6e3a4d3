// A living agent in a process of its own. `park`: sends a message whose tool call is held, says so, and lives on until it is killed. `resume`:
// continues the session; `hang`: the same, with a tool that never returns. The last line of stdout is the turn, as JSON, and the prompts that the model got.
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { jsonSchema } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { createHookline } from 'hookline';
import { createAgent, fileConversations, storeConversations } from 'hookline/agent';

const [, , what, folder, keeps] = process.argv;
const database = `sqlite:${path.join(folder, 'hookline.db')}`;
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const prompts = [];
const model = new MockLanguageModelV3({
  async doGenerate({ prompt }) {
    prompts.push(prompt);
    const isDone = prompt.some(({ role }) => role === 'tool');
    const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'deploy', input: JSON.stringify({ to: 'production' }) };
    return {
      content: isDone ? [{ type: 'text', text: 'deployed' }] : [call],
      ...{ finishReason: { unified: isDone ? 'stop' : 'tool-calls', raw: undefined }, usage, warnings: [] },
    };
  },
});
const hookline = await createHookline({
  ...{ root: path.join(folder, 'project'), home: path.join(folder, 'home') },
  ...{ store: database, agent: 'deployer' },
});
hookline.on('tool.before', () => ({ decision: 'hold', reason: 'A person must look.' }), { name: 'holds' });
const fired = [];
const agent = await createAgent({
  ...{ model, hooks: hookline, name: 'deployer', cwd: path.join(folder, 'project') },
  conversation: keeps === 'sqlite' ? storeConversations(database) : fileConversations(path.join(folder, 'conversations')),
  tools: {
    deploy: {
      description: 'Deploys.',
      inputSchema: jsonSchema({ type: 'object', properties: { to: { type: 'string' } } }),
      execute({ to }) {
        appendFileSync(path.join(folder, 'deployed'), `${to}\n`);
        if (what !== 'hang') return 'ok';
        console.log('hangs');
        setInterval(() => undefined, 1000);
        return new Promise(() => undefined);
      },
    },
  },
  onEvent: (event) => event.type === 'hook' && fired.push(event.kind),
});
if (what === 'approve') {
  for (const { id } of await hookline.approvals.list({ state: 'open' })) await hookline.approvals.approve(id, { by: 'Ada' });
  console.log('{}');
} else {
  const turn = what === 'park' ? await agent.send('Deploy it.', { session: 'ops' }) : await agent.resume('ops');
  console.log(JSON.stringify({ turn, prompts, fired }));
}
if (what === 'park') setInterval(() => undefined, 1000);
else {
  await agent.stop();
  await hookline.close();
}
