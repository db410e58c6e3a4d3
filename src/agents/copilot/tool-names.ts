/** The names of the agent's tools in PascalCase: they are those of Claude Code. */

const CLAUDE: Readonly<Record<string, string>> = {
  bash: 'Bash',
  powershell: 'Bash',
  view: 'Read',
  create: 'Write',
  edit: 'Edit',
  str_replace_editor: 'Edit',
  apply_patch: 'Edit',
  grep: 'Grep',
  rg: 'Grep',
  glob: 'Glob',
  web_fetch: 'WebFetch',
  web_search: 'WebSearch',
  ask_user: 'AskUserQuestion',
  update_todo: 'TodoWrite',
  task: 'Agent',
};

export function claudeName(tool: string): string {
  return Object.hasOwn(CLAUDE, tool) ? (CLAUDE[tool] ?? tool) : tool;
}

/** Every name of the tool that one of its names stands for in a matcher. */
export function namesOf(name: string): readonly string[] {
  const claude = name === 'Task' ? 'Agent' : name;
  return [...new Set([name, claude, ...Object.keys(CLAUDE).filter((tool) => CLAUDE[tool] === claude)])];
}
