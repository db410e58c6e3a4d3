// An agent of the Claude Agent SDK, as the contract suite runs it: a job as JSON in the first argument, the report on the last line of stdout.
// Claude Code keeps its state in a transcript. A state is a copy of it, so that it can be resumed twice; its lines about calls can be edited.
import { readFileSync, writeFileSync } from 'node:fs';
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
import { createHookline } from 'hookline';
import { guardHooks, startSession } from 'hookline/claude-agent-sdk';
import { performJob } from 'hookline/testing';
import { z } from 'zod';
import { startModel } from './messages-api.mjs';

async function agent({ hookline, session, folder, calls, answer, tools: own, signal, stream, failures, resume }) {
  const requests = [];
  let left = failures;
  const model = await startModel(({ messages }) => {
    if (left-- > 0) throw new Error('too many');
    requests.push(messages);
    const isDone = calls.length === 0 || Object.keys(resultsIn(messages)).length > 0;
    return isDone ? [{ type: 'text', text: answer }] : calls.map(({ id, tool: name, input }) => ({ type: 'tool_use', id, name, input }));
  });
  const tools = Object.entries(own).map(([name, run]) =>
    tool(name, name, { text: z.string() }, async (input) => ({ content: [{ type: 'text', text: await run(input) }] })),
  );
  if (resume) restore(resume);
  // A closed engine rejects the session. The run is made nevertheless, because its callbacks must deny by themselves.
  const started = startSession(hookline, { session, signal, source: resume ? 'resume' : 'startup' });
  const guarded = await started.catch(() => ({ hooks: guardHooks(hookline, { session, signal }), end: async () => undefined }));
  const abortController = new AbortController();
  signal.addEventListener('abort', () => abortController.abort());
  const seen = [];
  let last;
  let file;
  const noteFile = async ({ transcript_path }) => {
    file = transcript_path;
    return {};
  };
  const hooks = { ...guarded.hooks, PreToolUse: [...guarded.hooks.PreToolUse, { hooks: [noteFile] }] };
  try {
    const running = query({
      prompt: resume ? '' : 'go',
      options: {
        ...{ hooks, abortController, includePartialMessages: stream, settingSources: [], model: 'claude-sonnet-4-5' },
        ...{ cwd: `${folder}/project`, env: envOf(folder, model.url), ...(resume && { resume: resume.sessionId }) },
        mcpServers: { bench: createSdkMcpServer({ name: 'bench', version: '1.0.0', tools }) },
        allowedTools: Object.keys(own).flatMap((name) => [name, `mcp__bench__${name}`]),
      },
    });
    for await (const message of running) {
      seen.push(message);
      if (message.type === 'result') last = message;
    }
  } finally {
    model.close();
    await guarded.end();
  }
  const held = last.deferred_tool_use ? [last.deferred_tool_use.id] : [];
  const state = held.length > 0 ? save(file, last.session_id) : null;
  const messages = requests.at(-1) ?? [];
  return {
    ...{ modelCalls: requests.length, seen: resultsIn(messages), modelInput: JSON.stringify(messages) },
    ...{ held, state, output: JSON.stringify(seen) },
  };
}

/** The transcript is too long for a job, so the lines without calls stay in a file. */
function save(file, sessionId) {
  const rest = `${file}.saved`;
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(rest, lines.map((line) => (hasCall(line) ? '' : line)).join('\n'));
  return { sessionId, file, rest, calls: lines.map((line) => (hasCall(line) ? line : '')) };
}

/** The ids of all calls begin so. */
const hasCall = (line) => line.includes('"call-');

function restore({ file, rest, calls }) {
  const lines = readFileSync(rest, 'utf8').split('\n');
  writeFileSync(file, lines.map((line, index) => calls[index] || line).join('\n'));
}

function envOf(folder, url) {
  const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' };
  // Without it the tools are `mcp__bench__read` for the model and for hooks.
  const names = { CLAUDE_AGENT_SDK_MCP_NO_PREFIX: '1' };
  return { PATH: process.env.PATH, HOME: `${folder}/home`, ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'none', ...quiet, ...names };
}

/** The text that the model got for each call. */
function resultsIn(messages) {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const results = parts.filter(({ type }) => type === 'tool_result');
  return Object.fromEntries(
    results.map(({ tool_use_id: id, content }) => [
      id,
      Array.isArray(content) ? content.map(({ text }) => text).join('\n') : String(content),
    ]),
  );
}

console.log(JSON.stringify(await performJob(JSON.parse(process.argv[2]), createHookline, agent)));
