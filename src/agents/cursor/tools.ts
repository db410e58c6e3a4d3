/** The events that stand for one tool alone: what the tool is called, and how its input is written there and read back. */

import { aliasesOf } from '../../core/event/tool-names.ts';
import { isObject, type Json, type JsonObject, textOf } from '../../core/values/json.ts';
import type { EventName } from './profile.ts';

export interface ToolEvent {
  /** The tool such an event is about. */
  readonly tool: string;
  /** The names under which any agent may use it; a hook of the event fires for these alone. */
  readonly names: readonly string[];
  /** Keys of the payload that are the tool's input. */
  readonly keys: readonly string[];
  write(input: JsonObject): JsonObject;
}

const withAliases = (...tools: string[]): string[] => tools.flatMap((tool) => [tool, ...aliasesOf(tool)]);

const shell: ToolEvent = {
  tool: 'Shell',
  names: withAliases('Shell', 'Monitor'),
  keys: ['command'],
  write: (input) => ({ command: commandIn(input) }),
};
const read: ToolEvent = { tool: 'Read', names: withAliases('Read'), keys: ['file_path'], write: filePath };
const edit: ToolEvent = {
  tool: 'Write',
  names: withAliases('Write', 'Edit'),
  keys: ['file_path', 'edits'],
  write: (input) => ({ ...filePath(input), edits: editsIn(input) }),
};

export const TOOL_EVENTS: { readonly [K in EventName]?: ToolEvent } = {
  beforeShellExecution: shell,
  afterShellExecution: shell,
  beforeReadFile: read,
  afterFileEdit: edit,
  // Completion in the editor; no other agent has the like.
  beforeTabFileRead: { ...read, tool: 'TabRead', names: ['TabRead'] },
  afterTabFileEdit: { ...edit, tool: 'TabWrite', names: ['TabWrite'] },
};

/** Tools of MCP servers, as Cursor and as everybody else calls them. */
export const MCP_TOOLS = '^(?:mcp__|MCP:)';

/** `MCP:tool` in a matcher also means `mcp__server__tool`, which the tool is called elsewhere. */
export function mcpMatcher(source: string): string {
  return source.replaceAll('MCP:', '(?:MCP:|mcp__.*__)');
}

export function writeMcpName(tool: string, known: Json | undefined): JsonObject {
  const server = textOf(known);
  const lead = `mcp__${server}__`;
  if (server !== undefined && tool.startsWith(lead)) return { tool_name: tool.slice(lead.length), mcp_server_name: server };
  const [, named, rest] = /^mcp__(.+?)__(.+)$/s.exec(tool) ?? [];
  return named === undefined ? { tool_name: tool.replace(/^MCP:/, '') } : { tool_name: rest, mcp_server_name: named };
}

/** Returns the name that other agents use, so that hooks for tools of MCP servers match it. */
export function readMcpName(tool: string, server: Json | undefined): string {
  const name = tool.replace(/^MCP:/, '');
  return typeof server === 'string' && server !== '' ? `mcp__${server}__${name}` : `MCP:${name}`;
}

/** Some agents have a list of words, or of commands. */
function commandIn(input: JsonObject): Json {
  const { command = input['commands'] ?? input['cmd'] ?? input['command_line'] ?? '' } = input;
  const list: readonly unknown[] = Array.isArray(command) ? command : [];
  if (list.length === 0 || !list.every((item) => typeof item === 'string')) return command;
  return list.join(input['command'] === undefined ? '\n' : ' ');
}

function filePath(input: JsonObject): JsonObject {
  const path = ['file_path', 'path', 'filePath', 'target_file', 'absolute_path'].map((key) => textOf(input[key])).find(Boolean);
  return path === undefined ? {} : { file_path: path };
}

function editsIn({ edits, old_string: old, new_string: next, content, contents }: JsonObject): Json {
  if (Array.isArray(edits)) return edits;
  const text = textOf(next) ?? textOf(content) ?? textOf(contents);
  return text === undefined ? [] : [{ old_string: textOf(old) ?? '', new_string: text }];
}

/** A tool's input that came as the text of an object; anything else stays what it is. */
export function parsedInput(value: Json): Json {
  if (typeof value !== 'string') return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? parsed : value;
  } catch {
    return value;
  }
}
