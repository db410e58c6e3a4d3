/** What a hook in code answers. An output never changes: every builder makes a new one. */

import type { OutputFields } from '../../agents/claude-agent/output-fields.ts';
import type { Json } from '../../core/values/json.ts';

/** A hook's answer: `HookOutput.allow()` or `HookOutput.block('why')`, with more to say through the builders. */
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

  /** The action may run, as far as this hook is concerned. */
  static allow(): HookOutput {
    return new HookOutput();
  }

  /** The action must not run. The reason is for the agent and the user. */
  static block(reason: string): HookOutput {
    return new HookOutput({ continueExecution: false, stopReason: reason });
  }

  /** Puts a message into the agent's context. Of several hooks the last one's counts. */
  withSystemMessage(message: string): HookOutput {
    return new HookOutput({ ...this, systemMessage: message });
  }

  /** Adds a line of context, to this output's own and to that of the other hooks. */
  withContext(context: string): HookOutput {
    return new HookOutput({ ...this, additionalContext: addLine(this.additionalContext, context) });
  }

  /** Replaces the tool's input. Of several hooks the last one's counts. */
  withUpdatedInput(input: Json): HookOutput {
    return new HookOutput({ ...this, updatedInput: input });
  }

  withSuppressedLogging(): HookOutput {
    return new HookOutput({ ...this, suppressLogging: true });
  }
}

/** The document's merge table: continue AND, suppress OR, context joined, of all else the latest. */
export function mergeOutputs(first: OutputFields, next: OutputFields): HookOutput {
  const context = next.additionalContext;
  return new HookOutput({
    ...first,
    // An absent field is not in `next` at all, so it does not undo what an earlier hook said.
    ...next,
    continueExecution: first.continueExecution && next.continueExecution,
    suppressLogging: first.suppressLogging || next.suppressLogging,
    ...(context !== undefined && { additionalContext: addLine(first.additionalContext, context) }),
  });
}

function addLine(text: string | undefined, line: string): string {
  return text === undefined ? line : `${text}\n${line}`;
}
