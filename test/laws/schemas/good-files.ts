/** One good file of each format that has a schema, with most of its fields. The law changes them in every place. */
import type { Json } from '../../../src/core/values/json.ts';

const command = { type: 'command', command: './check.sh', timeout: 20 };
const grouped = (event: string, ...hooks: readonly Json[]): Json => ({ hooks: { [event]: [{ matcher: 'Bash', hooks: [...hooks] }] } });

export const GOOD_FILES: Readonly<Record<string, { readonly file: string; readonly value: Json }>> = {
  agenthooks: {
    file: 'HOOK.md',
    value: {
      ...{ name: 'gate', description: 'Checks.', trigger: 'pre-tool-call', matcher: { tool: 'Shell', pattern: 'rm' } },
      ...{ timeout: 5000, async: false, priority: 50, metadata: { owner: 'ops' } },
    },
  },
  arawn: {
    file: 'hooks.json',
    value: grouped(
      'PreToolUse',
      { ...command, timeout: 5000 },
      { type: 'prompt', prompt: 'Is it safe?' },
      { type: 'agent', agent: 'verifier', required: true },
    ),
  },
  'claude-agent': {
    file: 'settings.json',
    value: {
      hooks: {
        PreToolUse: { gate: { command: './gate.sh', timeout_secs: 5, matcher: 'Bash', priority: 3, required: true, env: { A: 'b' } } },
        PostToolUse: ['./log.sh', { command: './more.sh' }],
      },
    },
  },
  'claude-code': {
    file: 'settings.json',
    value: grouped(
      'PreToolUse',
      { ...command, statusMessage: 'Checking', args: ['--all'] },
      { type: 'http', url: 'https://example.com/hook', headers: { A: 'b' }, allowedEnvVars: ['A'] },
      { type: 'prompt', prompt: 'Is it safe?' },
      { type: 'mcp_tool', server: 'files', tool: 'check', input: { path: 'a' } },
    ),
  },
  codex: { file: 'hooks.json', value: grouped('PreToolUse', command) },
  copilot: {
    file: 'hooks.json',
    value: { version: 1, hooks: { preToolUse: [{ type: 'command', bash: './check.sh', timeoutSec: 5, env: { A: 'b' } }] } },
  },
  cursor: {
    file: 'hooks.json',
    value: {
      version: 1,
      hooks: {
        preToolUse: [
          { command: './check.sh', timeout: 5, failClosed: true, matcher: 'Shell' },
          { type: 'prompt', prompt: 'Safe?' },
        ],
      },
    },
  },
  droid: { file: 'settings.json', value: grouped('PreToolUse', command) },
  'gemini-cli': { file: 'settings.json', value: grouped('BeforeTool', { ...command, timeout: 5000, name: 'gate' }) },
  hookline: {
    file: 'gate.py',
    value: {
      ...{ on: 'tool.before', match: { tool: ['Bash', 'Write'], input: { pattern: 'rm', flags: 'i' } }, name: 'gate' },
      ...{ timeoutMs: 5000, priority: 3, once: true, required: true, shadow: false, onError: 'ask', enabled: true },
    },
  },
  hooktoml: {
    file: 'HOOK.toml',
    value: {
      hook: {
        ...{ name: 'gate', description: 'Checks.', event: 'before_tool_call', priority: 3, enabled: true },
        action: { shell: { command: './check.sh', timeout_secs: 5, workdir: 'scripts' } },
        conditions: { pattern: 'rm' },
      },
    },
  },
  kimi: { file: 'config.toml', value: { hooks: [{ event: 'PreToolUse', matcher: 'Bash', command: './check.sh', timeout: 5 }] } },
  qwen: {
    file: 'settings.json',
    value: grouped('PreToolUse', command, { type: 'http', url: 'https://example.com/hook' }, { type: 'prompt', prompt: 'Is it safe?' }),
  },
  skillkit: {
    file: 'SKILL.md',
    value: {
      name: 'ops:gate',
      description: 'A gate.',
      ...(grouped('PreToolUse', command, { type: 'http', url: 'https://example.com/hook', headers: { A: 'b' } }) as object),
    },
  },
  windsurf: { file: 'hooks.json', value: { hooks: { pre_run_command: [{ command: './check.sh', show_output: true }] } } },
};
