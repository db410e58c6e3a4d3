/** The output of a hook in code: what `HookOutput.allow()` and `HookOutput.block()` build, and what a manager merges. Both are immutable. */

import type { OutputFields } from '../../agents/claude-agent/output-fields.ts';
import type { Json } from '../../core/values/json.ts';

/** The fields of an output by the names that commands write. */
export interface WireOutput {
  readonly continue_execution: boolean;
  readonly stop_reason: string | null;
  readonly suppress_logging: boolean;
  readonly system_message: string | null;
  readonly updated_input: Json;
  readonly additional_context: string | null;
}

/**
 * An output that a hook builds. The document names a field and its builder alike, so here the fields have the names that commands write, and the
 * builders have the names of the document.
 */
export class OutputBuilder implements WireOutput {
  readonly continue_execution: boolean;
  readonly stop_reason: string | null;
  readonly suppress_logging: boolean;
  readonly system_message: string | null;
  readonly updated_input: Json;
  readonly additional_context: string | null;

  constructor(fields: Partial<OutputFields> = {}) {
    this.continue_execution = fields.continueExecution ?? true;
    this.stop_reason = fields.stopReason ?? null;
    this.suppress_logging = fields.suppressLogging ?? false;
    this.system_message = fields.systemMessage ?? null;
    this.updated_input = fields.updatedInput ?? null;
    this.additional_context = fields.additionalContext ?? null;
  }

  get continueExecution(): boolean {
    return this.continue_execution;
  }

  get stopReason(): string | undefined {
    return this.stop_reason ?? undefined;
  }

  get additionalContext(): string | undefined {
    return this.additional_context ?? undefined;
  }

  /** Adds a message to the agent's context. If several hooks do, the last one counts. */
  systemMessage(message: string): OutputBuilder {
    return this.#with({ systemMessage: message });
  }

  /** Adds a line of context to this output. The lines of all hooks are kept. */
  context(context: string): OutputBuilder {
    return this.#with({ additionalContext: addLine(this.additionalContext, context) });
  }

  /** Replaces the tool's input. If several hooks do, the last one counts. */
  updatedInput(input: Json): OutputBuilder {
    return this.#with({ updatedInput: input });
  }

  /** Keeps the event out of logs. */
  suppressLogging(): OutputBuilder {
    return this.#with({ suppressLogging: true });
  }

  /** The same as `systemMessage`. */
  withSystemMessage(message: string): OutputBuilder {
    return this.systemMessage(message);
  }

  /** The same as `context`. */
  withContext(context: string): OutputBuilder {
    return this.context(context);
  }

  /** The same as `updatedInput`. */
  withUpdatedInput(input: Json): OutputBuilder {
    return this.updatedInput(input);
  }

  /** The same as `suppressLogging`. */
  withSuppressedLogging(): OutputBuilder {
    return this.suppressLogging();
  }

  #with(more: Partial<OutputFields>): OutputBuilder {
    return new OutputBuilder({ ...fieldsOf(this), ...more });
  }
}

/** A hook's output: `HookOutput.allow()` or `HookOutput.block('why')`, with builders that add to it, or the merged output of a manager. */
export type HookOutput = OutputBuilder | MergedOutput;
export const HookOutput = class HookOutput implements OutputFields {
  readonly continueExecution: boolean;
  readonly suppressLogging: boolean;
  declare readonly stopReason?: string;
  declare readonly systemMessage?: string;
  declare readonly updatedInput?: Json;
  declare readonly additionalContext?: string;

  constructor(fields: Partial<OutputFields> = {}) {
    this.continueExecution = fields.continueExecution ?? true;
    this.suppressLogging = fields.suppressLogging ?? false;
    if (fields.stopReason !== undefined) this.stopReason = fields.stopReason;
    if (fields.systemMessage !== undefined) this.systemMessage = fields.systemMessage;
    if (fields.updatedInput !== undefined) this.updatedInput = fields.updatedInput;
    if (fields.additionalContext !== undefined) this.additionalContext = fields.additionalContext;
  }

  /** This hook does not object to the action. */
  static allow(): OutputBuilder {
    return new OutputBuilder();
  }

  /** The action must not run. The reason is for the agent and the user. */
  static block(reason: string): OutputBuilder {
    return new OutputBuilder({ continueExecution: false, stopReason: reason });
  }
};

/** The output that a manager returns: the fields of all outputs, merged. */
export type MergedOutput = InstanceType<typeof HookOutput>;

/** Merges two outputs by the document's table: continue AND, suppress OR, context joined, otherwise the latest value. */
export function mergeOutputs(earlier: OutputFields | OutputBuilder, later: OutputFields | OutputBuilder): MergedOutput {
  const [first, next] = [plain(earlier), plain(later)];
  const context = next.additionalContext;
  return new HookOutput({
    ...first,
    // `next` does not contain absent fields, so it does not undo the value of an earlier hook.
    ...next,
    continueExecution: first.continueExecution && next.continueExecution,
    suppressLogging: first.suppressLogging || next.suppressLogging,
    ...(context !== undefined && { additionalContext: addLine(first.additionalContext, context) }),
  });
}

function plain(output: OutputFields | OutputBuilder): OutputFields {
  return output instanceof OutputBuilder ? fieldsOf(output) : output;
}

function fieldsOf(output: OutputBuilder): OutputFields {
  const { continue_execution, suppress_logging, stop_reason, system_message, updated_input, additional_context } = output;
  return {
    continueExecution: continue_execution,
    suppressLogging: suppress_logging,
    ...(stop_reason !== null && { stopReason: stop_reason }),
    ...(system_message !== null && { systemMessage: system_message }),
    ...(updated_input !== null && { updatedInput: updated_input }),
    ...(additional_context !== null && { additionalContext: additional_context }),
  };
}

function addLine(text: string | undefined, line: string): string {
  return text === undefined ? line : `${text}\n${line}`;
}
