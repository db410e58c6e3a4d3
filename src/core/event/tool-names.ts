/** The names that each agent uses for the tools they have in common. A name belongs to one row. */

export interface ToolRow {
  /** One word for what the tool does. */
  readonly does: ToolUse;
  readonly names: readonly string[];
  /** Names in this row that also do what another row does: a patch creates files as well as it edits them. */
  readonly alsoDo?: { readonly names: readonly string[]; readonly does: ToolUse };
}

type ToolUse =
  | 'shell'
  | 'monitor'
  | 'type'
  | 'write'
  | 'edit'
  | 'read'
  | 'search'
  | 'find'
  | 'list'
  | 'fetch'
  | 'web-search'
  | 'agent'
  | 'todo'
  | 'notebook'
  | 'skill'
  | 'question';

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
      'PowerShell',
    ],
  },
  // A monitor runs a command in the background, and its agent tells it from the shell.
  { does: 'monitor', names: ['Monitor', 'monitor'] },
  { does: 'type', names: ['write_stdin', 'write_bash', 'write_powershell'] },
  {
    does: 'write',
    names: ['Write', 'write', 'write_file', 'WriteFile', 'create_file', 'Create', 'create', 'write_to_file', 'fs_write', 'TabWrite'],
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
      'editor',
      'StrReplaceFile',
    ],
    alsoDo: { names: ['apply_patch', 'ApplyPatch', 'patch', 'editor', 'str_replace_editor'], does: 'write' },
  },
  { does: 'read', names: ['Read', 'read', 'read_file', 'ReadFile', 'read_files', 'view', 'fs_read', 'readFile', 'TabRead'] },
  { does: 'search', names: ['Grep', 'grep', 'grep_search', 'search_file_content', 'search_files', 'search_codebase', 'rg'] },
  { does: 'find', names: ['Glob', 'glob', 'file_search'] },
  { does: 'list', names: ['LS', 'list', 'list_directory', 'list_dir', 'list_files'] },
  { does: 'fetch', names: ['WebFetch', 'web_fetch', 'webfetch', 'FetchUrl', 'FetchURL', 'fetch_web_content'] },
  { does: 'web-search', names: ['WebSearch', 'web_search', 'google_web_search', 'websearch', 'SearchWeb'] },
  { does: 'agent', names: ['Task', 'Agent', 'agent', 'spawn_agent', 'invoke_agent', 'task'] },
  {
    does: 'todo',
    names: ['TodoWrite', 'todo_write', 'todowrite', 'write_todos', 'update_plan', 'TodoList', 'SetTodoList', 'update_todo'],
  },
  { does: 'notebook', names: ['NotebookEdit', 'notebook_edit', 'EditNotebook', 'edit_notebook_file'] },
  { does: 'skill', names: ['Skill', 'skill', 'activate_skill'] },
  { does: 'question', names: ['AskUserQuestion', 'ask_user', 'request_user_input', 'ask_followup_question'] },
];

const ALIASES: ReadonlyMap<string, readonly string[]> = new Map(
  TOOL_ROWS.flatMap((row) => row.names.map((name) => [name, namesLike(name, row)] as const)),
);

function namesLike(name: string, { does, names, alsoDo }: ToolRow): readonly string[] {
  const others =
    alsoDo?.names.includes(name) === true
      ? TOOL_ROWS.flatMap((row) => (row.does === alsoDo.does ? row.names : []))
      : TOOL_ROWS.flatMap((row) => (row.alsoDo?.does === does ? row.alsoDo.names : []));
  return [...names.filter((other) => other !== name), ...others];
}

/** Returns the other names of a tool, or an empty list if no other agent has it. */
export function aliasesOf(tool: string): readonly string[] {
  return ALIASES.get(tool) ?? NONE;
}

const NONE: readonly string[] = [];

/** How an agent spells the tools of MCP servers: `prefix`, the server, `between`, the tool. */
export interface McpSpelling {
  readonly prefix: string;
  readonly between: string;
  /** Tools of its own that are spelt in the same way. */
  readonly except: readonly string[];
}

/** The spelling of most agents, and the spelling in canonical events. */
export const PLAIN_MCP: McpSpelling = { prefix: 'mcp__', between: '__', except: [] };

/** A spelling that has no server. */
const WITHOUT_SERVER = 'MCP:';

/**
 * Returns the names that other agents use for a tool of an MCP server, or an empty list for any other tool. If the agent's spelling does not
 * show where the server's name ends, every way to read it counts, because a gate must not be missed. A name that is a tool of some agent
 * never counts as a name of a server's tool.
 */
export function mcpAliasesOf(tool: string, spelling: McpSpelling): readonly string[] {
  const known = remembered.get(spelling)?.get(tool);
  if (known) return known;
  const found = readMcp(tool, spelling);
  const names = remembered.get(spelling);
  if (names && names.size < MOST_REMEMBERED) names.set(tool, found);
  else remembered.set(spelling, new Map([[tool, found]]));
  return found;
}

/** A process meets few tools, many times each. */
const remembered = new WeakMap<McpSpelling, Map<string, readonly string[]>>();
const MOST_REMEMBERED = 500;
const MOST_READINGS = 16;

function readMcp(tool: string, spelling: McpSpelling): readonly string[] {
  const how = tool.startsWith(PLAIN_MCP.prefix) ? PLAIN_MCP : spelling;
  if (!tool.startsWith(how.prefix) || tool.startsWith(WITHOUT_SERVER) || how.except.includes(tool)) return NONE;
  const names = new Set<string>();
  const rest = tool.slice(how.prefix.length);
  let at = rest.indexOf(how.between, 1);
  for (let count = 0; at !== -1 && count < MOST_READINGS; count++, at = rest.indexOf(how.between, at + 1)) {
    const [server, name] = [rest.slice(0, at), rest.slice(at + how.between.length)];
    if (name === '') break;
    for (const other of [
      `mcp__${server}__${name}`,
      `mcp_${server}_${name}`,
      `${WITHOUT_SERVER}${name}`,
      `${server}__${name}`,
      `${server}_${name}`,
      `${server}-${name}`,
    ])
      if (other !== tool && !ALIASES.has(other)) names.add(other);
  }
  return names.size === 0 ? NONE : [...names];
}
