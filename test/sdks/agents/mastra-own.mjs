// Behaviour of Mastra alone, outside the common contract. Prints the observations of each scene as JSON.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { RequestContext } from '@mastra/core/request-context';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { createHookline } from 'hookline';
import { guardAgent } from 'hookline/mastra';
import { z } from 'zod';

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** Calls the tool, then says its result, word by word if it is streamed. */
function mockModel(toolName, input = { text: 'x' }) {
  const think = (prompt) => {
    const result = prompt.findLast(({ role }) => role === 'tool')?.content[0].output.value;
    const said = typeof result === 'string' ? result : JSON.stringify(result);
    const call = { type: 'tool-call', toolCallId: `call-${toolName}`, toolName, input: JSON.stringify(input) };
    return { content: result ? [{ type: 'text', text: said }] : [call], finishReason: result ? 'stop' : 'tool-calls', usage, warnings: [] };
  };
  const chunks = ({ content: [part], finishReason }) => [
    { type: 'stream-start', warnings: [] },
    ...(part.type === 'text'
      ? [
          { type: 'text-start', id: '1' },
          ...part.text.split(/(?<= )/).map((delta) => ({ type: 'text-delta', id: '1', delta })),
          { type: 'text-end', id: '1' },
        ]
      : [part]),
    { type: 'finish', finishReason, usage },
  ];
  return {
    ...{ specificationVersion: 'v2', provider: 'mock', modelId: 'mock', supportedUrls: {} },
    doGenerate: async ({ prompt }) => think(prompt),
    doStream: async ({ prompt }) => ({ stream: ReadableStream.from(chunks(think(prompt))) }),
  };
}

const toolOf = (id, execute, more) => createTool({ id, description: id, inputSchema: z.object({ text: z.string() }), execute, ...more });

async function scene(run) {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-own-'));
  const hookline = await createHookline({ root: folder, home: folder, store: `sqlite:${folder}/hookline.db` });
  const ran = [];
  const fired = [];
  hookline.on('tool.before', () => ({ decision: 'hold', reason: 'a person decides' }), { match: '^deploy$', name: 'hold' });
  for (const kind of ['tool.after', 'tool.error']) hookline.on(kind, ({ data }) => void fired.push([kind, data.tool]), { name: kind });
  const deploy = toolOf('deploy', async ({ text }) => {
    ran.push(text);
    return `deployed the ${text}`;
  });
  const configOf = (id, more) => ({ id, name: id, description: id, instructions: 'Work.', model: mockModel('deploy'), ...more });
  /** The agent as a part of Mastra, with its storage. */
  const agentOf = (more, caller) => {
    const worker = guardAgent(new Agent(configOf('worker', more)), hookline, caller);
    return new Mastra({ agents: { worker }, storage: new InMemoryStore(), logger: false }).getAgent('worker');
  };
  const approve = async () => {
    for (const { id } of await hookline.approvals.list({ state: 'open' })) await hookline.approvals.approve(id, { by: 'ann' });
  };
  const seen = await run({ hookline, deploy, configOf, agentOf, approve });
  const tickets = (await hookline.approvals.list()).map(({ state, session, metadata }) => ({ state, session, metadata }));
  await hookline.close(0);
  return { ...seen, ran, fired, tickets };
}

const failureOf = (promise) =>
  promise.then(
    () => null,
    (error) => error.message,
  );

const report = {
  resumedEarly: await scene(async ({ deploy, agentOf, approve }) => {
    const agent = agentOf({ tools: { deploy } });
    const { runId, finishReason, suspendPayload } = await agent.generate('go');
    const early = await agent.resumeGenerate({ approved: true }, { runId });
    await approve();
    const { text } = await agent.resumeGenerate({}, { runId });
    return { finishReason, suspendPayload, early: early.finishReason, text };
  }),
  nested: await scene(async ({ deploy, agentOf, configOf, approve }) => {
    const inner = new Agent(configOf('inner', { tools: { deploy } }));
    const agent = agentOf({ agents: { inner }, model: mockModel('agent-inner', { prompt: 'go' }) });
    const { runId, finishReason, suspendPayload } = await agent.generate('go');
    await approve();
    const { text } = await agent.resumeGenerate({}, { runId });
    return { finishReason, held: JSON.stringify(suspendPayload), text };
  }),
  toolsOfTheRun: await scene(async ({ deploy, agentOf }) => {
    const hooks = { beforeToolCall: () => undefined };
    const { finishReason } = await agentOf({}).generate('go', { toolsets: { more: { deploy } }, hooks });
    return { finishReason };
  }),
  sessions: await scene(async ({ deploy, agentOf, approve }) => {
    const byRequest = ({ requestContext }) => ({ session: requestContext.get('chat'), user: 'ann' });
    await agentOf({ tools: { deploy } }, byRequest).generate('go', { requestContext: new RequestContext([['chat', 'chat-1']]) });
    const threaded = agentOf({ tools: { deploy } });
    const first = await threaded.generate('go', { memory: { thread: 'chat-2', resource: 'ann' } });
    const { runId } = await agentOf({ tools: { deploy } }).generate('go');
    await approve();
    const { text } = await threaded.resumeGenerate({}, { runId: first.runId });
    return { runId, text };
  }),
  asking: await scene(async ({ agentOf }) => {
    const execute = async (_, { agent }) =>
      agent.resumeData ? `the answer is ${agent.resumeData.answer}` : agent.suspend({ question: 'which?' });
    const ask = toolOf('ask', execute, {
      suspendSchema: z.object({ question: z.string() }),
      resumeSchema: z.object({ answer: z.string() }),
    });
    const agent = agentOf({ tools: { ask }, model: mockModel('ask') });
    const { runId, suspendPayload } = await agent.generate('go');
    const { text } = await agent.resumeGenerate({ answer: 'both' }, { runId });
    return { suspendPayload, text };
  }),
  live: await scene(async ({ agentOf }) => {
    const agent = agentOf({ tools: { read: toolOf('read', async () => 'two words') }, model: mockModel('read') });
    const deltas = [];
    for await (const text of (await agent.stream('go')).textStream) deltas.push(text);
    return { deltas };
  }),
  modelOutput: await scene(async ({ hookline, agentOf }) => {
    hookline.on('tool.after', () => ({ replace: 'redacted' }), { match: '^read$', name: 'redact' });
    const toModelOutput = ({ value }) => ({ type: 'text', value: value.toUpperCase() });
    const read = toolOf('read', async () => ({ value: 'two words' }), { toModelOutput });
    const { text } = await agentOf({ tools: { read }, model: mockModel('read') }).generate('go');
    return { text };
  }),
  durable: await scene(async ({ hookline, deploy, configOf }) => {
    const { createDurableAgent } = await import('@mastra/core/agent/durable').catch(() => ({}));
    if (!createDurableAgent) return { skipped: 'this version has no durable agents' };
    hookline.on('tool.before', () => ({ decision: 'deny', reason: 'never' }), { name: 'deny' });
    const worker = guardAgent(createDurableAgent({ agent: new Agent(configOf('worker', { tools: { deploy } })) }), hookline);
    const agent = new Mastra({ agents: { worker }, storage: new InMemoryStore(), logger: false }).getAgent('worker');
    const { output } = await agent.stream('go');
    return { text: await output.text };
  }),
  past: await scene(async ({ hookline, deploy, configOf }) => {
    const past = async (method) => {
      const agent = guardAgent(new Agent(configOf('worker', { tools: { deploy } })), hookline);
      // As in a version of Mastra that calls another method.
      agent[method] = Agent.prototype[method];
      const failures = [];
      for (const run of ['generate', 'stream', 'generate']) failures.push(await failureOf(agent[run]('go')));
      return failures;
    };
    return { tools: await past('convertTools'), models: await past('resolveModelConfig') };
  }),
  unguarded: await scene(async ({ hookline, agentOf }) => ({
    network: await failureOf(agentOf({}).network('go')),
    noAgent: await failureOf((async () => guardAgent({ id: 'x' }, hookline))()),
    oldModel: await failureOf(agentOf({ model: { ...mockModel('x'), specificationVersion: 'v1' } }).generate('go')),
  })),
};
console.log(JSON.stringify(report));
// A durable agent keeps a timer.
process.exit(0);
