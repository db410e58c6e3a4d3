/** A hook for a tool fires in every agent that has the tool, by whatever name, and for no other tool. */
import { describe, expect, test } from 'vitest';
import { HOSTS } from '../../../src/builtins.ts';
import type { Host } from '../../../src/core/contracts/host.ts';
import type { HookEvent } from '../../../src/core/event/event.ts';
import { answererFor, createWorkspace } from '../../support/workspace.ts';

/** The names of the tools that the agents offer. An agent without an entry has no such tool, or no event for it. */
const TOOLS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  shell: {
    'claude-code': 'Bash',
    codex: 'Bash',
    copilot: 'bash',
    'gemini-cli': 'run_shell_command',
    qwen: 'run_shell_command',
    kimi: 'Bash',
    opencode: 'bash',
    cline: 'run_commands',
    droid: 'Execute',
    cursor: 'Shell',
    windsurf: 'Bash',
  },
  monitor: { 'claude-code': 'Monitor', qwen: 'monitor' },
  type: { codex: 'write_stdin', copilot: 'write_bash' },
  write: {
    'claude-code': 'Write',
    copilot: 'create',
    'gemini-cli': 'write_file',
    qwen: 'write_file',
    kimi: 'WriteFile',
    opencode: 'write',
    droid: 'Create',
    cursor: 'Write',
  },
  edit: {
    'claude-code': 'Edit',
    copilot: 'edit',
    'gemini-cli': 'replace',
    qwen: 'edit',
    kimi: 'Edit',
    opencode: 'edit',
    droid: 'Edit',
    windsurf: 'Edit',
  },
  patch: { codex: 'apply_patch', cline: 'editor' },
  read: {
    'claude-code': 'Read',
    copilot: 'view',
    'gemini-cli': 'read_file',
    qwen: 'read_file',
    kimi: 'ReadFile',
    opencode: 'read',
    cline: 'read_files',
    droid: 'Read',
    cursor: 'Read',
    windsurf: 'Read',
  },
  search: {
    'claude-code': 'Grep',
    copilot: 'grep',
    'gemini-cli': 'grep_search',
    qwen: 'grep_search',
    kimi: 'Grep',
    cline: 'search_codebase',
  },
  fetch: { 'claude-code': 'WebFetch', 'gemini-cli': 'web_fetch', kimi: 'FetchURL', opencode: 'webfetch', cline: 'fetch_web_content' },
  agent: {
    'claude-code': 'Agent',
    codex: 'spawn_agent',
    copilot: 'task',
    'gemini-cli': 'invoke_agent',
    qwen: 'agent',
    kimi: 'Agent',
    opencode: 'task',
  },
  notebook: { 'claude-code': 'NotebookEdit', qwen: 'notebook_edit' },
  mcp: {
    'claude-code': 'mcp__github__create_issue',
    codex: 'mcp__github__create_issue',
    copilot: 'github-create_issue',
    'gemini-cli': 'mcp_github_create_issue',
    qwen: 'mcp__github__create_issue',
    kimi: 'mcp__github__create_issue',
    opencode: 'github_create_issue',
    cline: 'github__create_issue',
    droid: 'mcp__github__create_issue',
    cursor: 'mcp__github__create_issue',
    windsurf: 'mcp__github__create_issue',
  },
};
/** A name that no agent sends for an event with a server, and that hooks use. */
const MORE: Readonly<Record<string, readonly string[]>> = { mcp: ['MCP:create_issue'] };
/** A patch writes and edits, so it is found by the names of both. */
const ALSO: Readonly<Record<string, readonly string[]>> = { patch: ['write', 'edit'], write: ['patch'], edit: ['patch'] };

const namesOf = (family: string): readonly string[] => [...new Set([...Object.values(TOOLS[family] ?? {}), ...(MORE[family] ?? [])])];
const families = Object.keys(TOOLS);

/** Events for one kind of tool alone. */
const EVENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cursor: { mcp: 'beforeMCPExecution', read: 'beforeReadFile' },
  windsurf: { shell: 'pre_run_command', read: 'pre_read_code', edit: 'pre_write_code', mcp: 'pre_mcp_tool_use' },
};

function payloadOf({ id, dialect }: Host, family: string, tool: string): string {
  const { wire, profile } = dialect;
  const before = Object.keys(profile.events).find((name) => profile.events[name]?.kinds.includes('tool.before')) ?? '';
  const input = { command: 'ls', commands: ['ls'], file_path: '/tmp/a' };
  const event: HookEvent = {
    id: 'e',
    kind: 'tool.before',
    at: '2026-01-01T00:00:00Z',
    session: { id: 's', cwd: '/tmp' },
    data: { tool, input },
  };
  const name = EVENTS[id]?.[family] ?? before;
  const payload = wire.encodeEvent(event, name);
  return JSON.stringify(wire.eventKey === null ? payload : { ...payload, [wire.eventKey]: payload[wire.eventKey] ?? name });
}

describe.each(HOSTS.map((host) => [host.id, host] as const))('%s', (id, host) => {
  const own = families.flatMap((family) => (TOOLS[family]?.[id] === undefined ? [] : [[family, TOOLS[family][id]] as const]));

  test.each(own)('its tool to %s, %s', async (family, tool) => {
    const hookline = await createWorkspace().open();
    const fired = new Set<string>();
    for (const name of families.flatMap(namesOf))
      hookline.on('tool.before', () => void fired.add(name), { match: `^${name.replace(/[-:]/g, '[$&]')}$` });
    const { exit } = await answererFor(hookline)(id, payloadOf(host, family, tool), EVENTS[id]?.[family]);
    const expected = [family, ...(ALSO[family] ?? [])].flatMap(namesOf);
    expect({ exit, fired: [...fired].sort() }).toEqual({ exit: 0, fired: [...new Set(expected)].sort() });
    await hookline.close();
  });
});
