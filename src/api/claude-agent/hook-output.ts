/** The output of a hook in code. It is immutable: every builder returns a new one. */

import type { OutputFields } from '../../agents/claude-agent/output-fields.ts';
import type { Json } from '../../core/values/json.ts';

/** A hook's output: `HookOutput.allow()` or `HookOutput.block('why')`. The builders add more to it. */
export class HookOutput implements OutputFields {
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
  static allow(): HookOutput {
    return new HookOutput();
  }

  /** The action must not run. The reason is for the agent and the user. */
  static block(reason: string): HookOutput {
    return new HookOutput({ continueExecution: false, stopReason: reason });
  }

  /** Adds a message to the agent's context. If several hooks do, the last one counts. */
  withSystemMessage(message: string): HookOutput {
    return new HookOutput({ ...this, systemMessage: message });
  }

  /** Adds a line of context to this output. The lines of all hooks are kept. */
  withContext(context: string): HookOutput {
    return new HookOutput({ ...this, additionalContext: addLine(this.additionalContext, context) });
  }

  /** Replaces the tool's input. If several hooks do, the last one counts. */
  withUpdatedInput(input: Json): HookOutput {
    return new HookOutput({ ...this, updatedInput: input });
  }

  withSuppressedLogging(): HookOutput {
    return new HookOutput({ ...this, suppressLogging: true });
  }
}

/** Merges two outputs by the document's table: continue AND, suppress OR, context joined, otherwise the latest value. */
export function mergeOutputs(first: OutputFields, next: OutputFields): HookOutput {
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

function addLine(text: string | undefined, line: string): string {
  return text === undefined ? line : `${text}\n${line}`;
}
