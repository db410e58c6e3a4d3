// An agent of the OpenAI Agents SDK whose deployments wait for a person: node examples/sdks/openai-agents/agent.mjs
// The first start holds the call and ends. Approve it with `hookline approvals approve`, or with `approve` as an argument, and start it again.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Agent, Runner, RunState, setTracingDisabled, tool, Usage } from '@openai/agents';
import { createHookline } from 'hookline';
import { guardAgent, guardModelProvider } from 'hookline/openai-agents';

const folder = process.env.AGENT_STATE ?? path.join(import.meta.dirname, '.state');
mkdirSync(folder, { recursive: true });
const saved = path.join(folder, 'run.json');

const hookline = await createHookline({ root: import.meta.dirname, home: folder, store: `sqlite:${path.join(folder, 'hookline.db')}` });
hookline.on('tool.before', () => ({ decision: 'hold', reason: 'Deployments are approved by a person.' }), {
  name: 'ask-first',
  match: '^deploy$',
});

// A model that deploys, then says what happened. Use `new OpenAIProvider()` instead.
setTracingDisabled(true); // traces need a key too
const message = (text) => ({ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] });
const call = { type: 'function_call', id: 'f1', callId: 'c1', name: 'deploy', status: 'completed', arguments: '{"to":"production"}' };
const getResponse = async ({ input }) => {
  const result = input.find?.(({ type }) => type === 'function_call_result');
  return { usage: new Usage(), output: [result ? message(result.output.text ?? result.output) : call] };
};

if (process.argv[2] === 'approve') {
  for (const { id } of await hookline.approvals.list({ state: 'open' })) {
    await hookline.approvals.approve(id, { by: 'you' });
    console.log(`approved ${id}`);
  }
} else {
  const parameters = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'], additionalProperties: false };
  const execute = async ({ to }) => `deployed to ${to}`;
  const deploy = tool({ name: 'deploy', description: 'Deploys.', parameters, strict: true, execute });
  const context = { session: 'chat-1' };
  const agent = guardAgent(new Agent({ name: 'Operator', tools: [deploy] }), hookline, context);
  const modelProvider = guardModelProvider({ getModel: () => ({ getResponse }) }, hookline, context);
  const state = existsSync(saved) ? await RunState.fromString(agent, readFileSync(saved, 'utf8')) : undefined;
  for (const interruption of state?.getInterruptions() ?? []) state.approve(interruption);
  const result = await new Runner({ modelProvider }).run(agent, state ?? 'Deploy to production.');
  if (result.interruptions.length > 0) writeFileSync(saved, result.state.toString());
  for (const { id, reason } of await hookline.approvals.list({ state: 'open' })) console.log(`waits for a person: ticket ${id}: ${reason}`);
  if (result.interruptions.length === 0) console.log(result.finalOutput);
}
await hookline.close();
