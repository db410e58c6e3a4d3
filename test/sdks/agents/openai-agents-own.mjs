// Behaviour of the OpenAI Agents SDK alone, outside the common contract. Prints the observations of each scene as JSON.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Agent, applyPatchTool, Runner, RunState, setTracingDisabled, tool, Usage } from '@openai/agents';
import { createHookline } from 'hookline';
import { guardAgent, guardModel } from 'hookline/openai-agents';

setTracingDisabled(true);
const parameters = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'], additionalProperties: false };

/** Calls the tool, then says its result, word by word if it is streamed. */
const mockOf = (name) => {
  const think = ({ input }) => {
    const result = Array.isArray(input) && input.find(({ type, callId }) => type === 'function_call_result' && callId === `call-${name}`);
    const text = result && JSON.stringify(result.output);
    return name === undefined || result
      ? { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: text ?? 'two words' }] }
      : { type: 'function_call', id: 'f1', callId: `call-${name}`, name, status: 'completed', arguments: '{"input":"x"}' };
  };
  return {
    getResponse: async (request) => ({ usage: new Usage(), output: [think(request)] }),
    async *getStreamedResponse(request) {
      const item = think(request);
      yield { type: 'response_started' };
      for (const { text } of item.content ?? []) for (const delta of text.split(/(?<= )/)) yield { type: 'output_text_delta', delta };
      yield { type: 'response_done', response: { id: 'r1', usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 }, output: [item] } };
    },
  };
};

/** A server without a transport. */
const serverOf = (ran) => ({
  ...{ name: 'server', cacheToolsList: false, connect: async () => {}, close: async () => {}, invalidateToolsCache: async () => {} },
  listTools: async () => [{ name: 'deploy', description: 'Deploys.', inputSchema: parameters }],
  callTool: async (_, { input }) => {
    ran.push(input);
    return [{ type: 'text', text: `deployed the ${input}` }];
  },
});

async function scene(run) {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-own-'));
  const hookline = await createHookline({ root: folder, home: folder, store: `sqlite:${folder}/hookline.db` });
  const ran = [];
  hookline.on('tool.before', () => ({ decision: 'hold', reason: 'a person decides' }), { match: '^deploy$', name: 'hold' });
  const execute = async ({ input }) => {
    ran.push(input);
    return `deployed the ${input}`;
  };
  const deploy = tool({ name: 'deploy', description: 'Deploys.', parameters, strict: false, execute });
  const context = ({ context: { chat } }) => ({ session: chat });
  const agentOf = (name, more) => guardAgent(new Agent({ name: `${name} agent`, model: mockOf(name), ...more }), hookline, context);
  const runner = new Runner({ tracingDisabled: true });
  /** Runs it until it is held, approves, and resumes it from its saved state. */
  const heldAndResumed = async (agent) => {
    const first = await runner.run(agent, 'go', { context: { chat: 'chat-1' } });
    for (const { id } of await hookline.approvals.list({ state: 'open' })) await hookline.approvals.approve(id, { by: 'ann' });
    const state = await RunState.fromString(agent, first.state.toString());
    for (const interruption of state.getInterruptions()) state.approve(interruption);
    const { finalOutput } = await runner.run(agent, state);
    return { held: first.interruptions.map(({ rawItem }) => rawItem.callId), answer: finalOutput };
  };
  const seen = await run({ hookline, ran, deploy, agentOf, runner, heldAndResumed });
  await hookline.close(0);
  return { ...seen, ran };
}

const report = {
  mcp: await scene(({ ran, agentOf, heldAndResumed }) => heldAndResumed(agentOf('deploy', { mcpServers: [serverOf(ran)] }))),
  nested: await scene(({ deploy, agentOf, heldAndResumed }) => {
    const inner = agentOf('deploy', { tools: [deploy] });
    return heldAndResumed(agentOf('task', { tools: [inner.asTool({ toolName: 'task', toolDescription: 'A task.' })] }));
  }),
  handoff: await scene(async ({ deploy, agentOf, runner }) => {
    const second = new Agent({ name: 'second', model: mockOf('deploy'), tools: [deploy] });
    const first = await runner.run(agentOf('transfer_to_second', { handoffs: [second] }), 'go', { context: { chat: 'chat-1' } });
    return { held: first.interruptions.map(({ rawItem }) => rawItem.callId) };
  }),
  sessions: await scene(async ({ hookline, deploy, agentOf, runner }) => {
    const agent = agentOf('deploy', { tools: [deploy] });
    for (const chat of ['chat-1', 'chat-2']) await runner.run(agent, 'go', { context: { chat } });
    return { sessions: (await hookline.approvals.list()).map(({ session }) => session).sort() };
  }),
  live: await scene(async ({ hookline, runner }) => {
    const agent = new Agent({ name: 'live', model: guardModel(mockOf(), hookline, { session: 's' }) });
    const deltas = [];
    for await (const { data } of await runner.run(agent, 'go', { stream: true }))
      if (data?.type === 'output_text_delta') deltas.push(data.delta);
    return { deltas };
  }),
  unguarded: await scene(async ({ agentOf }) => {
    const editor = { createFile: async () => {}, updateFile: async () => {}, deleteFile: async () => {} };
    try {
      agentOf('patch', { tools: [applyPatchTool({ editor })] });
      return { error: null };
    } catch (error) {
      return { error: error.message };
    }
  }),
};
console.log(JSON.stringify(report));
