/** The `tool_info` of each event and its canonical form. Windsurf has no names for tools, because each event is one. */
import type { Condition } from '../../core/contracts/hook.ts';
import { aliasesOf } from '../../core/event/tool-names.ts';
import { isObject, type Json, type JsonObject, setOwn, textOf } from '../../core/values/json.ts';
import type { EventName } from './profile.ts';

export interface Shape {
  /** When a hook of this event applies to what any agent fires. */
  readonly about: readonly Condition[];
  write(data: JsonObject): JsonObject;
  /** Keys that are not read here are kept. */
  read(info: JsonObject): { readonly data: JsonObject; readonly known: readonly string[] };
}

const MCP = '^(?:mcp__|MCP:)';

function tool(
  name: string,
  others: readonly string[],
  keys: Readonly<Record<string, string>>,
  write: (input: JsonObject) => JsonObject,
): Shape {
  const names = [name, ...others].flatMap((one) => [one, ...aliasesOf(one)]);
  return {
    about: [{ facet: 'tool', test: { kind: 'oneOf', values: names }, missing: 'fails' }],
    write: ({ input }) => write(isObject(input) ? input : {}),
    read(info) {
      const input: Record<string, Json> = {};
      for (const [native, own] of Object.entries(keys)) if (info[native] !== undefined) setOwn(input, own, info[native]);
      return { data: { tool: name, input }, known: Object.keys(keys) };
    },
  };
}

const run = tool('Bash', ['Monitor'], { command_line: 'command', cwd: 'cwd' }, (input) => ({
  command_line: commandIn(input),
  ...(input['cwd'] !== undefined && { cwd: input['cwd'] }),
}));
const read = tool('Read', [], { file_path: 'file_path' }, fileIn);
const write = tool('Edit', ['Write'], { file_path: 'file_path', edits: 'edits' }, (input) => ({ ...fileIn(input), edits: editsIn(input) }));

const mcp: Shape = {
  about: [{ facet: 'tool', test: { kind: 'pattern', source: MCP, anchor: 'search' }, missing: 'fails' }],
  write({ tool: name, input, result, metadata }) {
    const kept = isObject(metadata) && isObject(metadata['tool_info']) ? metadata['tool_info'] : {};
    return {
      ...mcpNames(textOf(name) ?? '', textOf(kept['mcp_server_name'])),
      mcp_tool_arguments: input ?? {},
      ...(result !== undefined && { mcp_result: result }),
    };
  },
  read({ mcp_server_name: server, mcp_tool_name: name, mcp_tool_arguments: input = {}, mcp_result: result }) {
    const called = (textOf(name) ?? '').replace(/^MCP:/, '');
    const data = { tool: typeof server === 'string' && server !== '' ? `mcp__${server}__${called}` : `MCP:${called}`, input };
    return {
      data: { ...data, ...(result !== undefined && { result }) },
      known: ['mcp_tool_name', 'mcp_tool_arguments', 'mcp_result'],
    };
  },
};

function field(native: string, own: string): Shape {
  return {
    about: [],
    write: ({ [own]: value }) => (value === undefined ? {} : { [native]: inText(value) }),
    read: ({ [native]: value }) => (typeof value === 'string' ? { data: { [own]: value }, known: [native] } : { data: {}, known: [] }),
  };
}

export const SHAPES: Readonly<Record<EventName, Shape>> = {
  pre_run_command: run,
  post_run_command: run,
  pre_read_code: read,
  post_read_code: read,
  pre_write_code: write,
  post_write_code: write,
  pre_mcp_tool_use: mcp,
  post_mcp_tool_use: mcp,
  pre_user_prompt: field('user_prompt', 'prompt'),
  post_cascade_response: field('response', 'message'),
  post_cascade_response_with_transcript: { about: [], write: () => ({}), read: () => ({ data: {}, known: [] }) },
  post_setup_worktree: { about: [], write: () => ({}), read: () => ({ data: { reason: 'worktree' }, known: [] }) },
};

function mcpNames(tool: string, known: string | undefined): JsonObject {
  const lead = `mcp__${known}__`;
  if (known !== undefined && tool.startsWith(lead)) return { mcp_server_name: known, mcp_tool_name: tool.slice(lead.length) };
  const [, server, rest] = /^mcp__(.+?)__(.+)$/s.exec(tool) ?? [];
  return server === undefined ? { mcp_tool_name: tool.replace(/^MCP:/, '') } : { mcp_server_name: server, mcp_tool_name: rest };
}

/** Some agents have a list of words, or of commands. */
function commandIn({ command, commands, cmd, command_line: line }: JsonObject): Json {
  const value = command ?? commands ?? cmd ?? line ?? '';
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  if (list.length === 0 || !list.every((item) => typeof item === 'string')) return value;
  return list.join(command === undefined ? '\n' : ' ');
}

function fileIn(input: JsonObject): JsonObject {
  const path = ['file_path', 'path', 'filePath', 'target_file', 'absolute_path'].map((key) => textOf(input[key])).find(Boolean);
  return path === undefined ? {} : { file_path: path };
}

function editsIn({ edits, old_string: old, new_string: next, content, contents }: JsonObject): Json {
  if (Array.isArray(edits)) return edits;
  const text = textOf(next) ?? textOf(content) ?? textOf(contents);
  return text === undefined ? [] : [{ old_string: textOf(old) ?? '', new_string: text }];
}

function inText(value: Json): string {
  if (isObject(value)) return textOf(value['content']) ?? JSON.stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
