import { expect, test, vi } from 'vitest';
import { type GuardContext, guardAgent } from '../../../../src/openai-agents.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const toolOf = (needsApproval = false) => ({
  type: 'function',
  name: 'deploy',
  invoke: vi.fn(async (_run: object, input: string): Promise<unknown> => `ran ${input}`),
  needsApproval: vi.fn(async () => needsApproval),
});
type Tool = ReturnType<typeof toolOf>;

const agentOf = (tools: readonly object[], handoffs: readonly unknown[] = []) => ({
  name: 'agent',
  tools,
  handoffs,
  getAllTools: async (): Promise<readonly object[]> => tools,
});

const open = async (answer: object) => {
  const hookline = await createWorkspace().open();
  const hook = vi.fn(() => answer);
  hookline.on('tool.before', hook);
  return { hookline, hook };
};
const HOLD = { decision: 'hold', reason: 'a person decides' };
const RUN = { context: { chat: 's1' } };
const CONTEXT: GuardContext = { session: 's1' };
const call = (tool: Tool, json = '{"to":"a"}', callId = 'c1') =>
  (tool.invoke as (...args: unknown[]) => Promise<unknown>)(RUN, json, { toolCall: { callId } });
const asks = (tool: Tool, input: object = { to: 'a' }, callId = 'c1') =>
  (tool.needsApproval as (...args: unknown[]) => Promise<boolean>)(RUN, input, callId);

test('the hooks are asked once for a call that is not held', async () => {
  const { hookline, hook } = await open({});
  const tool = toolOf();
  const { invoke } = tool;
  guardAgent(agentOf([tool]), hookline, CONTEXT);
  expect(await asks(tool)).toBe(false);
  expect(await call(tool)).toBe('ran {"to":"a"}');
  expect([hook.mock.calls.length, invoke.mock.calls.length]).toEqual([1, 1]);
});

test('an input that differs from the one that was asked about is asked about again', async () => {
  const { hookline, hook } = await open({});
  const tool = toolOf();
  guardAgent(agentOf([tool]), hookline, CONTEXT);
  await asks(tool);
  await call(tool, '{"to":"b"}');
  expect(hook.mock.calls.length).toBe(2);
});

test('a held call that is invoked without an approval returns a text and does not run', async () => {
  const { hookline } = await open(HOLD);
  const tool = toolOf();
  const { invoke } = tool;
  guardAgent(agentOf([tool]), hookline, CONTEXT);
  expect(await asks(tool)).toBe(true);
  expect(await call(tool)).toContain('no person has approved it');
  expect(invoke.mock.calls.length).toBe(0);
});

test('an approval of the run is not asked about in `needsApproval`, so `invoke` uses the ticket', async () => {
  const { hookline, hook } = await open(HOLD);
  const tool = toolOf();
  guardAgent(agentOf([tool]), hookline, CONTEXT);
  const approved = { ...RUN, isToolApproved: () => true };
  expect(await (tool.needsApproval as (...args: unknown[]) => Promise<boolean>)(approved, { to: 'a' }, 'c1')).toBe(true);
  expect(hook.mock.calls.length).toBe(0);
});

test('the approval function of the tool itself stays in force', async () => {
  const { hookline } = await open({});
  const tool = toolOf(true);
  guardAgent(agentOf([tool]), hookline, CONTEXT);
  expect(await asks(tool)).toBe(true);
});

test('an input that is no JSON reaches the hooks and then the tool as it is', async () => {
  const { hookline, hook } = await open({});
  const tool = toolOf();
  guardAgent(agentOf([tool]), hookline, CONTEXT);
  expect(await call(tool, '{"to')).toBe('ran {"to');
  expect(hook.mock.calls.map(([event]: unknown[]) => event)).toMatchObject([{ data: { input: { input: '{"to' } } }]);
});

test('a halt rejects, before and after the tool', async () => {
  const { hookline } = await open({ halt: 'stop here' });
  const tool = toolOf();
  guardAgent(agentOf([tool]), hookline, CONTEXT);
  await expect(asks(tool)).rejects.toThrow('stop here');
  await expect(call(tool)).rejects.toThrow('stop here');
});

test('a tool is guarded once, and by one engine', async () => {
  const { hookline, hook } = await open({});
  const tool = toolOf();
  const agent = agentOf([tool]);
  guardAgent(guardAgent(agent, hookline, CONTEXT), hookline, CONTEXT);
  await call(tool);
  expect(hook.mock.calls.length).toBe(1);
  const other = await open({});
  expect(() => guardAgent(agent, other.hookline, CONTEXT)).toThrow('another engine');
});

test('tools that an agent gets later are guarded too, also those of agents that it hands off to', async () => {
  const { hookline } = await open({ decision: 'deny', reason: 'not today' });
  const [own, handed] = [toolOf(), toolOf()];
  const second = agentOf([handed]);
  const first = agentOf([], [{ agent: second }]);
  second.handoffs = [first];
  guardAgent(first, hookline, CONTEXT);
  (first.tools as object[]).push(own);
  await first.getAllTools();
  expect(await call(own)).toContain('not today');
  expect(await call(handed)).toContain('not today');
});

test('a hosted tool stays as it is, and another tool that runs here is an error', async () => {
  const { hookline } = await open({});
  const hosted = Object.freeze({ type: 'hosted_tool', name: 'web_search' });
  guardAgent(agentOf([hosted]), hookline, CONTEXT);
  expect(() => guardAgent(agentOf([{ type: 'shell', name: 'shell' }]), hookline, CONTEXT)).toThrow('cannot be guarded');
});

test('a call without a session is refused', async () => {
  const { hookline } = await open({});
  const tool = toolOf();
  guardAgent(agentOf([tool]), hookline, () => ({ session: '' }));
  expect(await call(tool)).toContain('no session');
});
