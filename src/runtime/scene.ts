/** The parts that one run of the loop needs: those of the agent, which never change, and those of the session it runs in. */
import type { ModelMessage, ToolSet } from 'ai';
import type { Json } from '../core/values/json.ts';
import type { Boundary } from './boundary.ts';
import type { AgentEvent, Model, ModelResolver, Subagent } from './contract.ts';
import type { SkillText } from './skills/skills.ts';
import type { InnerTools } from './tool-calls.ts';

/** The functions of the AI SDK that an agent uses. They are handed in, because a program may load the package from a place of its own. */
export type AiSdk = Pick<typeof import('ai'), 'generateText' | 'streamText' | 'jsonSchema'>;

/** An agent as its options describe it, completed. */
export interface AgentParts {
  readonly sdk: AiSdk;
  readonly name: string;
  readonly cwd: string;
  readonly model: Model | string;
  readonly models: ModelResolver;
  readonly system: string | undefined;
  readonly tools: ToolSet;
  readonly skills: readonly SkillText[];
  /** The tools that the agent itself has, and their descriptions for the model. */
  readonly inner: InnerTools;
  readonly innerDefinitions: ToolSet;
  readonly subagents: Readonly<Record<string, Subagent>>;
  readonly maxDepth: number;
  readonly maxSteps: number;
  readonly maxRetries: number;
  readonly stopCap: number;
  /** Null: never. */
  readonly compaction: { readonly budget: number; readonly keep: number } | null;
  emit(event: AgentEvent): void;
}

/** One run of the loop: the agent itself, or a child of it. */
export interface Scene {
  readonly agent: AgentParts;
  readonly boundary: Boundary;
  readonly session: string;
  readonly depth: number;
  readonly signal: AbortSignal;
  readonly stream: boolean;
  readonly model: Model | string;
  readonly system: string | undefined;
  readonly tools: ToolSet;
  /** Returns the scene of a child agent in a session of its own. */
  child(session: string, subagent: Subagent): Scene;
}

/** The conversation of a run, which grows with every step. */
export interface Course {
  messages: ModelMessage[];
  steps: number;
}

/** The name of a model, as hooks see it. */
export function modelName(model: Model | string): string {
  return typeof model === 'string' ? model : model.modelId;
}

/** Returns a value of the SDK as JSON. Of bytes only their number is shown. */
export function shownJson(value: unknown): Json {
  const text = JSON.stringify(value, (_, part) => (part instanceof Uint8Array ? `(${part.byteLength} bytes)` : part));
  return text === undefined ? null : (JSON.parse(text) as Json);
}
