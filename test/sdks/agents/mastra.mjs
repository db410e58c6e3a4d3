// An agent of Mastra, as the contract suite runs it: a job as JSON in the first argument, the report on the last line of stdout.
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { createHookline } from 'hookline';
import { guardAgent } from 'hookline/mastra';
import { performJob } from 'hookline/testing';
import { z } from 'zod';

/** The workflow that runs an agent. */
const LOOP = 'agentic-loop';
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const inputSchema = z.object({ text: z.string() });

/** Makes the calls until it has results, then answers. */
function mockModel({ calls, answer, failures }, prompts) {
  let left = failures;
  const think = (prompt) => {
    if (left-- > 0) throw Object.assign(new Error('too many'), { statusCode: 429, isRetryable: true });
    prompts.push(prompt);
    const isDone = calls.length === 0 || prompt.some(({ role }) => role === 'tool');
    const content = isDone
      ? [{ type: 'text', text: answer }]
      : calls.map(({ id, tool, input }) => ({ type: 'tool-call', toolCallId: id, toolName: tool, input: JSON.stringify(input) }));
    return { content, finishReason: { unified: isDone ? 'stop' : 'tool-calls', raw: undefined }, usage, warnings: [] };
  };
  return {
    ...{ specificationVersion: 'v3', provider: 'mock', modelId: 'mock', supportedUrls: {} },
    async doGenerate({ prompt }) {
      const answered = think(prompt);
      return { ...answered, response: { body: answered.content } };
    },
    doStream: async ({ prompt }) => ({ stream: ReadableStream.from(chunksOf(think(prompt))) }),
  };
}

async function agent(scene) {
  const { hookline, session, tools: own, signal, stream, resume } = scene;
  const prompts = [];
  const tools = Object.fromEntries(
    Object.entries(own).map(([id, run]) => [id, createTool({ id, description: id, inputSchema, execute: (input) => run(input) })]),
  );
  const config = { id: 'worker', name: 'worker', instructions: 'Work.', model: mockModel(scene, prompts), tools, maxRetries: 1 };
  const storage = new InMemoryStore();
  const mastra = new Mastra({ agents: { worker: guardAgent(new Agent(config), hookline, { session }) }, storage, logger: false });
  const running = mastra.getAgent('worker');
  const runs = await storage.getStore('workflows');
  for (const run of resume?.runs ?? []) await runs.persistWorkflowSnapshot(run);
  const options = { abortSignal: signal, ...(resume && { runId: resume.runId }) };
  const output = [];
  const waiting = new Set(resume?.held);
  let { runId } = options;
  // The client resumes one call after the other, and says that each was approved.
  for (const toolCallId of resume?.held ?? [undefined]) {
    // `resumeGenerate` rejects as long as another call waits.
    const isStreamed = stream || waiting.size > 1;
    const result = resume
      ? await (isStreamed ? running.resumeStream : running.resumeGenerate).call(running, { approved: true }, { ...options, toolCallId })
      : await (isStreamed ? running.stream : running.generate).call(running, 'go', options);
    runId = result.runId;
    const seen = [];
    if (isStreamed) for await (const part of result.fullStream) seen.push(part);
    output.push(isStreamed ? seen : result);
    waiting.delete(toolCallId);
    for (const id of heldIn((await runs.loadWorkflowSnapshot({ workflowName: LOOP, runId })) ?? {})) waiting.add(id);
  }
  const held = [...waiting];
  const { runs: saved } = await runs.listWorkflowRuns();
  const last = prompts.at(-1) ?? [];
  return {
    ...{ modelCalls: prompts.length, seen: resultsIn(last), modelInput: JSON.stringify(last), held },
    state: held.length > 0 ? JSON.parse(JSON.stringify({ runId, held, runs: saved })) : null,
    output: JSON.stringify(output),
  };
}

/** The calls that wait, of a run that is suspended. Mastra keeps a label for each of them, by which it is resumed. */
function heldIn({ status, resumeLabels }) {
  return status === 'suspended' ? Object.keys(resumeLabels ?? {}) : [];
}

/** The text that the model got for each call. */
function resultsIn(prompt) {
  const parts = prompt.filter(({ role }) => role === 'tool').flatMap(({ content }) => content);
  return Object.fromEntries(parts.map(({ toolCallId, output }) => [toolCallId, String(output.value?.message ?? output.value)]));
}

function chunksOf({ content, finishReason, usage: used }) {
  const spoken = content.flatMap((part) =>
    part.type === 'text'
      ? [
          { type: 'text-start', id: '1' },
          ...part.text.split(/(?<= )/).map((delta) => ({ type: 'text-delta', id: '1', delta })),
          { type: 'text-end', id: '1' },
        ]
      : [part],
  );
  return [{ type: 'stream-start', warnings: [] }, ...spoken, { type: 'finish', finishReason, usage: used }];
}

console.log(JSON.stringify(await performJob(JSON.parse(process.argv[2]), createHookline, agent)));
