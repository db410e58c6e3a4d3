import { expect, test } from 'vitest';
import { aliasesOf, TOOL_ROWS } from '../../../../src/core/event/tool-names.ts';

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
])('a matcher for %s also fires for %s', (own, other) => {
  expect(aliasesOf(own)).toContain(other);
  expect(aliasesOf(other)).toContain(own);
});

test('a tool that other agents have too is matched by all of their names; a tool of one agent alone has no other name', () => {
  for (const { names } of TOOL_ROWS) {
    for (const name of names) expect(aliasesOf(name)).toEqual(names.filter((other) => other !== name));
  }
  expect(aliasesOf('mcp__server__tool')).toEqual([]);
});

test('the tools that change something are known by the names the agents give them', () => {
  const named = Object.fromEntries(TOOL_ROWS.map(({ does, names }) => [does, names.join(' ')]));
  expect(named).toEqual({
    shell:
      'Bash Shell shell bash run_shell_command exec_command local_shell Execute run_in_terminal run_commands execute_command run_command launch-process execute_bash powershell',
    write: 'Write write write_file create_file Create create write_to_file fs_write TabWrite',
    edit: 'Edit MultiEdit edit edit_file replace apply_patch replace_in_file editFiles str_replace_editor ApplyPatch patch',
    read: 'Read read read_file view fs_read readFile TabRead',
    search: 'Grep grep grep_search search_file_content search_files rg',
    find: 'Glob glob file_search',
    list: 'LS list list_directory list_dir list_files',
    fetch: 'WebFetch web_fetch webfetch FetchUrl',
    'web-search': 'WebSearch web_search google_web_search websearch',
    agent: 'Task Agent spawn_agent task',
    todo: 'TodoWrite todo_write todowrite write_todos update_plan',
    notebook: 'NotebookEdit',
  });
});
