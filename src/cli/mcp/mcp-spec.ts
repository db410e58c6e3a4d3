/** The specification of `hookline mcp`. It is apart from the command, because every help page loads it. */
import type { CommandSpec } from '../command.ts';
import { HELP_OPTION, JSON_OPTION, LOAD_OPTIONS } from '../options.ts';

export const mcpSpec: CommandSpec = {
  name: 'mcp',
  summary: 'Serve hooks to an agent over MCP, or guard the tools of any MCP server.',
  takes: '[proxy -- COMMAND…|pins …]',
  words: { min: 0, max: Number.POSITIVE_INFINITY, missing: '' },
  options: [
    { name: 'http', help: 'Serve over HTTP on 127.0.0.1 instead of stdin and stdout.' },
    { name: 'port', value: 'N', help: 'Port of `--http`. Default: any free port.' },
    {
      name: 'name',
      value: 'NAME',
      help: 'Name of the guarded server: hooks see its tools as `mcp__NAME__TOOL`. Default: from its command.',
    },
    { name: 'session', value: 'ID', help: 'Session of the guarded calls. Approvals count in it. Default: a new one for each start.' },
    { name: 'no-guard', help: 'Do not judge guarded calls with the built-in guard, only with your hooks.' },
    { name: 'yes', help: 'With `pins accept`: accept without a question for each tool.' },
    ...LOAD_OPTIONS,
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Without words: a server with the tools hook_list, hook_reload, hook_check, hook_plan and hook_why for this project. It runs no hook, trusts none and settles nothing. It needs the package @modelcontextprotocol/server, and tells how to install it.',
    '`proxy -- COMMAND…`: starts an MCP server and stands before it. Every call of a tool fires tool.before, and tool.after or tool.error. The first list of tools is pinned; a new or changed tool is held until a person has accepted it.',
    '`pins [list]`, `pins show [SERVER]`, `pins accept [SERVER] [TOOL…]`, `pins remove [SERVER]`: SERVER is an id, the start of one, or a name. Only a person accepts and removes.',
  ],
  examples: [
    { does: 'As the command of an MCP server in the configuration of an agent', line: 'hookline mcp' },
    {
      does: 'Guard a server, in place of its command there',
      line: 'hookline mcp proxy -- npx -y @modelcontextprotocol/server-filesystem .',
    },
    { does: 'Look at tools that wait, and accept them', line: 'hookline mcp pins show filesystem && hookline mcp pins accept filesystem' },
    { does: 'Over HTTP', line: 'hookline mcp --http --port 4690' },
  ],
};
