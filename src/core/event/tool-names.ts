/** The names that each agent uses for the tools they have in common. A name belongs to one row. */

export interface ToolRow {
  /** One word for what the tool does. */
  readonly does: 'shell' | 'write' | 'edit' | 'read' | 'search' | 'find' | 'list' | 'fetch' | 'web-search' | 'agent' | 'todo' | 'notebook';
  readonly names: readonly string[];
}

export const TOOL_ROWS: readonly ToolRow[] = [
  {
    does: 'shell',
    names: [
      'Bash',
      'Shell',
      'shell',
      'bash',
      'run_shell_command',
      'exec_command',
      'local_shell',
      'Execute',
      'run_in_terminal',
      'run_commands',
      'execute_command',
      'run_command',
      'launch-process',
      'execute_bash',
      'powershell',
    ],
  },
  {
    does: 'write',
    names: ['Write', 'write', 'write_file', 'create_file', 'Create', 'create', 'write_to_file', 'fs_write', 'TabWrite'],
  },
  {
    does: 'edit',
    names: [
      'Edit',
      'MultiEdit',
      'edit',
      'edit_file',
      'replace',
      'apply_patch',
      'replace_in_file',
      'editFiles',
      'str_replace_editor',
      'ApplyPatch',
      'patch',
    ],
  },
  { does: 'read', names: ['Read', 'read', 'read_file', 'view', 'fs_read', 'readFile', 'TabRead'] },
  { does: 'search', names: ['Grep', 'grep', 'grep_search', 'search_file_content', 'search_files', 'rg'] },
  { does: 'find', names: ['Glob', 'glob', 'file_search'] },
  { does: 'list', names: ['LS', 'list', 'list_directory', 'list_dir', 'list_files'] },
  { does: 'fetch', names: ['WebFetch', 'web_fetch', 'webfetch', 'FetchUrl'] },
  { does: 'web-search', names: ['WebSearch', 'web_search', 'google_web_search', 'websearch'] },
  { does: 'agent', names: ['Task', 'Agent', 'spawn_agent', 'task'] },
  { does: 'todo', names: ['TodoWrite', 'todo_write', 'todowrite', 'write_todos', 'update_plan'] },
  { does: 'notebook', names: ['NotebookEdit'] },
];

const ROW_OF: ReadonlyMap<string, ToolRow> = new Map(TOOL_ROWS.flatMap((row) => row.names.map((name) => [name, row] as const)));

/** Returns the other names of a tool, or an empty list if no other agent has it. */
export function aliasesOf(tool: string): readonly string[] {
  return ROW_OF.get(tool)?.names.filter((name) => name !== tool) ?? [];
}
