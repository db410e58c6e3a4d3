/**
 * The parts of LangChain that the adapter uses, so that it compiles without the packages. A user's project has the packages themselves, and
 * `npm run test:sdks` compiles the adapter's types against them.
 */

declare module 'langchain' {
  export interface ToolCall {
    readonly name: string;
    readonly args: Record<string, unknown>;
    readonly id?: string;
  }
  export class BaseMessage {
    readonly id?: string;
    readonly content: string | readonly object[];
    readonly text: string;
    getType(): string;
  }
  export class AIMessage extends BaseMessage {
    constructor(fields: object);
    readonly tool_calls?: readonly ToolCall[];
    readonly usage_metadata?: object;
    static isInstance(value: unknown): value is AIMessage;
  }
  export class ToolMessage extends BaseMessage {
    constructor(fields: object);
    readonly tool_call_id: string;
    readonly name?: string;
    readonly status?: string;
    readonly additional_kwargs: Readonly<Record<string, unknown>>;
    static isInstance(value: unknown): value is ToolMessage;
  }
  export class SystemMessage extends BaseMessage {
    constructor(fields: object);
  }
  export interface AgentMiddleware {
    readonly name: string;
  }
  export interface ToolCallRequest {
    readonly toolCall: ToolCall;
  }
  export interface ModelRequest {
    readonly model: object;
    readonly messages: readonly BaseMessage[];
    readonly systemMessage?: SystemMessage;
    readonly systemPrompt?: string;
    readonly tools: readonly unknown[];
  }
  export function createMiddleware(config: {
    readonly name: string;
    readonly wrapToolCall: (request: ToolCallRequest, handler: (request: ToolCallRequest) => Promise<unknown>) => Promise<unknown>;
    readonly wrapModelCall: (request: ModelRequest, handler: (request: ModelRequest) => Promise<unknown>) => Promise<unknown>;
  }): AgentMiddleware;
}

declare module '@langchain/langgraph' {
  export interface LangGraphRunnableConfig {
    readonly configurable?: Readonly<Record<string, unknown>>;
    readonly metadata?: Readonly<Record<string, unknown>>;
    readonly context?: unknown;
    readonly signal?: AbortSignal;
    readonly callbacks?: unknown;
  }
  export interface Command {
    readonly update?: unknown;
  }
  /** Suspends the task: throws, or returns the value with which a client resumes it. */
  export function interrupt(value: unknown): unknown;
  export function isGraphBubbleUp(error: unknown): boolean;
  export function getConfig(): LangGraphRunnableConfig | undefined;
}

declare module '@langchain/core/runnables' {
  export class RunnableLambda {
    static from(run: () => unknown): RunnableLambda;
    withConfig(config: { readonly runName: string }): RunnableLambda;
    invoke(input: object): Promise<unknown>;
  }
}
