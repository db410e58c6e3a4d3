/** Gemini CLI itself, and the hook system of its core, event by event. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { hookline } from '../flows/cli/program.ts';
import { createWorkspace, permitScripts } from '../support/workspace.ts';
import type { Agent } from './agent.ts';
import { installAgent } from './install-agents.ts';
import { describeJourney } from './journey.ts';
import { describeAgent } from './laws.ts';
import type { Turn } from './model/turn.ts';
import { ASK, CONTEXT, GATES, PROJECT, PROMPT_CONTEXT, REWRITE, STOP } from './project.ts';
import { runSession } from './session.ts';

const geminiCli: Agent = {
  id: 'gemini-cli',
  packages: { '@google/gemini-cli': '0.61.0' },
  shell: (command) => ({ call: 'run_shell_command', input: { command, description: 'For a test.' } }),
  // It passes over the hooks of a project whose folder is not trusted, also with `--skip-trust`.
  prepare: ({ root, write }) => write({ '~/.gemini/trustedFolders.json': JSON.stringify({ [root]: 'TRUST_FOLDER' }) }),
  start: (prompt, { url }) => ({
    argv: ['gemini', '-p', prompt, '--yolo', '--model', 'gemini-2.5-pro'],
    // The one way to another address that needs nothing in its settings.
    env: { GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_VERTEX_BASE_URL: url, GOOGLE_API_KEY: 'none' },
  }),
};

/** The part of it that has the hook system, which can be asked for its own reading of an answer. */
const CORE = { '@google/gemini-cli-core': '0.61.0' };

const LIMIT = { timeout: 240_000 };

describeAgent(geminiCli);
describeJourney(geminiCli, '{\n  // Mine.\n  "hooks": {}\n}\n');

/** A skill that refuses requests to models whose names have this word. */
const refusingModel = (word: string): Readonly<Record<string, string>> => ({
  'skills/models/SKILL.md': `---
name: models
description: Knows the models.
hooks:
  PreLlmRequest:
    - matcher: ${word}
      hooks: [{ type: command, command: 'echo "Not this model."; exit 2' }]
---
`,
});

describe('what only Gemini CLI does', () => {
  test('a request to the model that a hook denies is not sent', LIMIT, async () => {
    const session = await runSession(geminiCli, [geminiCli.shell('touch ran-anyway')], { files: refusingModel('gemini') });
    expect(session.heard, session.output).toEqual([]);
    expect(session.output).toContain('Not this model.');
  });

  // It lays a new input over the old one, so the argument would stay.
  test('a new input that leaves out an argument does not run, and the old one does not either', LIMIT, async () => {
    const inPlugins = (word: string): Turn => ({ call: 'run_shell_command', input: { command: `touch ran-${word}`, dir_path: 'plugins' } });
    const session = await runSession(geminiCli, [inPlugins('there'), inPlugins(REWRITE.from)]);
    expect(session.has('plugins/ran-there'), session.output).toBe(true);
    const files = [`ran-${REWRITE.to}`, `plugins/ran-${REWRITE.to}`, `plugins/ran-${REWRITE.from}`];
    expect(
      files.filter((file) => session.has(file)),
      session.output,
    ).toEqual([]);
  });
});

interface Made {
  readonly output: Readonly<Record<string, unknown>> | null;
  readonly blocks: boolean;
  readonly input: unknown;
  readonly context: string | null;
  readonly reason: string | null;
}

const shell = (word: string): [string, string, object] => ['fireBeforeToolEvent', 'run_shell_command', { command: `touch ran-${word}` }];
const request = (model: string): object => ({ model, contents: [{ role: 'user', parts: [{ text: 'Hello.' }] }] });
const chunk = { candidates: [{ content: { role: 'model', parts: [{ text: 'Hi.' }] } }] };
const answer = { llmContent: 'ok', returnDisplay: 'ok' };
const NOTHING = { output: null, blocks: false };

/** What is fired, and what the hook system must make of it. */
const EVENTS: Readonly<Record<string, readonly [call: readonly unknown[], made: Partial<Made>]>> = {
  'a tool that nobody objects to': [shell('freely'), NOTHING],
  ...Object.fromEntries(
    Object.entries(GATES).map(([format, { word, says }]) => [
      `a tool that a ${format} hook denies`,
      [shell(word), { blocks: true, reason: says }],
    ]),
  ),
  'a tool with another input': [shell(REWRITE.from), { blocks: false, input: { command: `touch ran-${REWRITE.to}` } }],
  // No person is there, so it is a ticket.
  'a tool a person should decide on': [shell(ASK.word), { blocks: true, reason: expect.stringContaining('hookline approvals approve') }],
  'a result with context': [['fireAfterToolEvent', ...shell(CONTEXT.word).slice(1), answer], { blocks: false, context: CONTEXT.after }],
  'a prompt': [['fireBeforeAgentEvent', 'Hello.'], { blocks: false, context: PROMPT_CONTEXT }],
  'an agent that may not stop yet': [['fireAfterAgentEvent', 'Hello.', 'I am done.', false], { blocks: true, reason: STOP.says }],
  'an agent that may stop now': [['fireAfterAgentEvent', 'Hello.', 'I am done.', true], NOTHING],
  'a request to a model': [['fireBeforeModelEvent', request('some-model')], { output: { blocked: false }, blocks: false }],
  'a request that is denied': [['fireBeforeModelEvent', request('other-model')], { blocks: true }],
  'a response': [['fireAfterModelEvent', request('some-model'), chunk], { output: { response: chunk }, blocks: false }],
  'a choice of tools': [['fireBeforeToolSelectionEvent', request('some-model')], { output: {}, blocks: false }],
  'the start of a session': [['fireSessionStartEvent', 'startup'], NOTHING],
  'the end of a session': [['fireSessionEndEvent', 'exit'], { blocks: false }],
  'a compression': [['firePreCompressEvent', 'auto'], { blocks: false }],
  'a question to the user': [['fireToolNotificationEvent', { type: 'exec', title: 'Run', command: 'ls', rootCommand: 'ls' }], NOTHING],
};

test('its hook system makes of each of its events what the hooks meant', LIMIT, async () => {
  const names = Object.keys(EVENTS);
  const made = await fired(Object.values(EVENTS).map(([call]) => call));
  expect(Object.fromEntries(made.map((one, at) => [names[at], one]))).toMatchObject(
    Object.fromEntries(Object.entries(EVENTS).map(([name, [, wanted]]) => [name, wanted])),
  );
});

async function fired(calls: readonly (readonly unknown[])[]): Promise<readonly Made[]> {
  const workspace = permitScripts(createWorkspace({ ...PROJECT, ...refusingModel('other'), [STOP.file]: '' }));
  for (const argv of [
    ['trust', 'add', '--yes'],
    ['install', 'gemini-cli'],
  ])
    expect((await hookline(workspace, argv)).exit).toBe(0);
  const { root, home } = workspace;
  const env = { PATH: process.env['PATH'], HOME: home, HOOKLINE_HOME: home };
  const words = [fileURLToPath(new URL('gemini/events.mjs', import.meta.url)), installAgent(CORE), JSON.stringify(calls)];
  const output = execFileSync(process.execPath, words, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '[]') as Made[];
}
