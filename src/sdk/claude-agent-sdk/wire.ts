/** Hook callbacks as the Claude Agent SDK calls them, as far as they are used here. */

/** The events that the adapter answers. The SDK never calls back for the start and the end of a session. */
export const EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'UserPromptSubmit',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
] as const;

export type ClaudeEvent = (typeof EVENTS)[number];

export interface Input {
  readonly session_id: string;
  readonly cwd: string;
  /** Present within a subagent. */
  readonly agent_id?: string | undefined;
  readonly agent_type?: string | undefined;
  readonly tool_name?: string;
  readonly tool_input?: unknown;
  readonly tool_use_id?: string;
  readonly tool_response?: unknown;
  readonly error?: unknown;
  readonly prompt?: string;
  readonly trigger?: string;
  readonly last_assistant_message?: string | undefined;
}

export interface Output {
  continue?: boolean;
  stopReason?: string;
  decision?: 'block';
  reason?: string;
  hookSpecificOutput?: BeforeTool | AfterTool | AddedContext;
}

export interface BeforeTool {
  hookEventName: 'PreToolUse';
  permissionDecision?: 'allow' | 'deny' | 'defer';
  permissionDecisionReason?: string;
  updatedInput?: Record<string, unknown>;
  additionalContext?: string;
}

export interface AfterTool {
  hookEventName: 'PostToolUse';
  updatedToolOutput?: unknown;
  additionalContext?: string;
}

export interface AddedContext {
  hookEventName: 'UserPromptSubmit' | 'SubagentStart';
  additionalContext?: string;
}

export type Callback = (input: Input, toolUseId: string | undefined, options: { signal: AbortSignal }) => Promise<Output>;

export interface Matcher {
  hooks: Callback[];
  /** In seconds. */
  timeout: number;
}

/** The value of the option `hooks` of `query()`. */
export type ClaudeHooks = Record<ClaudeEvent, Matcher[]>;

/** Ends the whole run. */
export function ended(halt: string | undefined): Output {
  return halt === undefined ? {} : { continue: false, stopReason: halt };
}

/** The texts as a field, absent if there are none. */
export function contextOf(texts: readonly string[]): { additionalContext?: string } {
  return texts.length === 0 ? {} : { additionalContext: texts.join('\n\n') };
}

/** The tool does not run, and the model gets the text. */
export function denied(text: string): Output {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: text } };
}
