import { expect, test } from 'vitest';
import { aliasesOf, mcpAliasesOf, PLAIN_MCP, TOOL_ROWS } from '../../../../src/core/event/tool-names.ts';

test('a name belongs to one row, so a tool is never taken for two', () => {
  const names = TOOL_ROWS.flatMap(({ names: row }) => row);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test.each([
  ['TabRead', 'Read'],
  ['TabWrite', 'Write'],
  ['patch', 'Edit'],
  ['list', 'LS'],
  ['todowrite', 'TodoWrite'],
  ['WriteFile', 'Write'],
  ['ReadFile', 'Read'],
  ['read_files', 'Read'],
  ['editor', 'Edit'],
  ['editor', 'Write'],
  ['apply_patch', 'Write'],
  ['fetch_web_content', 'WebFetch'],
  ['FetchURL', 'WebFetch'],
  ['search_codebase', 'Grep'],
  ['agent', 'Task'],
  ['invoke_agent', 'Agent'],
  ['notebook_edit', 'NotebookEdit'],
  ['monitor', 'Monitor'],
  ['write_bash', 'write_stdin'],
])('a matcher for %s also fires for %s', (own, other) => {
  expect(aliasesOf(own)).toContain(other);
  expect(aliasesOf(other)).toContain(own);
});

test('a tool that other agents have too is matched by all of their names; a tool of one agent alone has no other name', () => {
  for (const { names } of TOOL_ROWS) {
    for (const name of names) expect(aliasesOf(name)).toEqual(expect.arrayContaining(names.filter((other) => other !== name)));
  }
  expect(aliasesOf('mcp__server__tool')).toEqual([]);
});

test('no name stands for a tool that does something else, unless a tool does both', () => {
  const both = new Set(TOOL_ROWS.flatMap(({ alsoDo }) => alsoDo?.names ?? []));
  const rowOf = (name: string) => TOOL_ROWS.findIndex(({ names }) => names.includes(name));
  for (const name of TOOL_ROWS.flatMap(({ names }) => names)) {
    const strange = aliasesOf(name).filter((other) => rowOf(other) !== rowOf(name) && !both.has(other) && !both.has(name));
    expect(strange, name).toEqual([]);
    expect(new Set(aliasesOf(name)).size, name).toBe(aliasesOf(name).length);
    for (const other of aliasesOf(name)) expect(aliasesOf(other), other).toContain(name);
  }
  expect(aliasesOf('Write')).not.toContain('Edit');
  expect(aliasesOf('Bash')).not.toContain('Monitor');
});

const SPELLINGS = [
  'mcp__github__create_issue',
  'mcp_github_create_issue',
  'MCP:create_issue',
  'github_create_issue',
  'github-create_issue',
];

test.each([
  ['mcp__github__create_issue', PLAIN_MCP],
  ['mcp_github_create_issue', { prefix: 'mcp_', between: '_', except: [] }],
  ['github_create_issue', { prefix: '', between: '_', except: [] }],
  ['github-create_issue', { prefix: '', between: '-', except: [] }],
  ['github__create_issue', { prefix: '', between: '__', except: [] }],
  // A name in the common spelling is understood in every agent.
  ['mcp__github__create_issue', { prefix: '', between: '-', except: [] }],
])('%s of an MCP server is found by every other spelling', (tool, spelling) => {
  expect([tool, ...mcpAliasesOf(tool, spelling)]).toEqual(expect.arrayContaining(SPELLINGS));
  expect(mcpAliasesOf(tool, spelling)).not.toContain(tool);
});

test('a spelling of one agent means nothing in another', () => {
  for (const tool of ['github_create_issue', 'github-create_issue', 'mcp_github_create_issue', 'Bash', 'MCP:create_issue', 'mcp__github'])
    expect(mcpAliasesOf(tool, PLAIN_MCP), tool).toEqual([]);
  const underscores = { prefix: '', between: '_', except: ['plan_exit'] };
  expect(mcpAliasesOf('plan_exit', underscores)).toEqual([]);
  expect(mcpAliasesOf('bash', underscores)).toEqual([]);
  expect(mcpAliasesOf('MCP:create_issue', underscores)).toEqual([]);
  expect(mcpAliasesOf('github_', underscores)).toEqual([]);
});

test("a server's tool is never taken for an agent's own tool", () => {
  expect(mcpAliasesOf('mcp__todo__write', PLAIN_MCP)).not.toContain('todo_write');
  expect(mcpAliasesOf('mcp__run__command', PLAIN_MCP)).not.toContain('run_command');
  expect(mcpAliasesOf('mcp__launch__process', PLAIN_MCP)).not.toContain('launch-process');
});

test('where the end of the server name is unknown, every way to read the name counts', () => {
  const names = mcpAliasesOf('my_hub_create_issue', { prefix: '', between: '_', except: [] });
  expect(names).toEqual(expect.arrayContaining(['mcp__my__hub_create_issue', 'mcp__my_hub__create_issue', 'mcp__my_hub_create__issue']));
  expect(mcpAliasesOf('a'.repeat(9).replaceAll('a', 'a_').repeat(99), { prefix: '', between: '_', except: [] }).length).toBeLessThan(100);
});
