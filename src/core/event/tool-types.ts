/**
 * The inputs of tools, as types. A function hook that compares `event.data.tool` with the name of a tool gets the type of its input. The types
 * describe the calls of an agent that keeps to the schema of its tools; Hookline does not check them.
 */
import type { Json, JsonObject } from '../values/json.ts';

/** Tools of your own: `declare module 'hookline' { interface HooklineTools { Deploy: { target: string } } }`. They win over `KnownTools`. */
// biome-ignore lint/suspicious/noEmptyInterface: programs add their tools to it.
export interface HooklineTools {}

/** Tools by the names that canonical events give them. */
export interface KnownTools {
  Agent: TaskInput;
  Bash: {
    readonly command: string;
    readonly description?: string;
    /** In milliseconds. */
    readonly timeout?: number;
    readonly run_in_background?: boolean;
  };
  Edit: EditInput & { readonly file_path: string };
  Glob: { readonly pattern: string; readonly path?: string };
  Grep: {
    readonly pattern: string;
    readonly path?: string;
    readonly glob?: string;
    readonly type?: string;
    readonly output_mode?: 'content' | 'files_with_matches' | 'count';
    readonly head_limit?: number;
    readonly multiline?: boolean;
    readonly '-A'?: number;
    readonly '-B'?: number;
    readonly '-C'?: number;
    readonly '-i'?: boolean;
    readonly '-n'?: boolean;
  };
  MultiEdit: { readonly file_path: string; readonly edits: readonly EditInput[] };
  NotebookEdit: {
    readonly notebook_path: string;
    readonly new_source: string;
    readonly cell_id?: string;
    readonly cell_type?: 'code' | 'markdown';
    readonly edit_mode?: 'replace' | 'insert' | 'delete';
  };
  Read: { readonly file_path: string; readonly offset?: number; readonly limit?: number; readonly pages?: string };
  Skill: { readonly skill: string; readonly args?: string };
  Task: TaskInput;
  TodoWrite: { readonly todos: readonly { readonly content: string; readonly status: string; readonly activeForm?: string }[] };
  WebFetch: { readonly url: string; readonly prompt: string };
  WebSearch: { readonly query: string; readonly allowed_domains?: readonly string[]; readonly blocked_domains?: readonly string[] };
  Write: { readonly file_path: string; readonly content: string };
}

interface EditInput {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

interface TaskInput {
  readonly description: string;
  readonly prompt: string;
  readonly subagent_type?: string;
  readonly model?: string;
  readonly run_in_background?: boolean;
}

type Tools = Omit<KnownTools, keyof HooklineTools> & HooklineTools;
type ToolName = keyof Tools & string;

/**
 * Stands for the name of a tool that is neither known nor declared. It is text of any form: to the compiler it has a form that no tool has, or a
 * comparison could not tell the input of `Bash` from that of any other tool. Declare a tool in `HooklineTools` to compare with its name.
 */
export type UndeclaredTool = `a tool that is not declared in HooklineTools: ${string}`;

/** The call of a tool, by its name. Every input may have more keys than its type names, because agents add some. */
export type ToolCall =
  | { readonly [T in ToolName]: { readonly tool: T; readonly input: Tools[T] & JsonObject } }[ToolName]
  | { readonly tool: UndeclaredTool; readonly input: Readonly<Record<string, Json | undefined>> };

/** Replaces the tool and its input in a payload by the call, so that one tells the type of the other. */
export type WithToolCall<P> = P extends { readonly tool: string; readonly input: unknown } ? Omit<P, 'tool' | 'input'> & ToolCall : P;
