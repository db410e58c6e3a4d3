/** Calls that ended their run. Mastra calls the model again after every tool, so the model call that follows such a call is not made. */

const MOST_KEPT = 1000;

interface Message {
  readonly role?: string;
  readonly content?: unknown;
}

/** Why a run was halted, by the id of the call. */
export class Halts {
  readonly #reasons = new Map<string, string>();

  add(call: string, reason: string): void {
    this.#reasons.set(call, reason);
    if (this.#reasons.size > MOST_KEPT) this.#reasons.delete(this.#reasons.keys().next().value as string);
  }

  /** Returns why the run was halted, if a result after the last answer of the model is that of such a call. */
  reasonIn(prompt: readonly unknown[]): string | undefined {
    const messages = prompt as readonly Message[];
    const end = messages.findLastIndex(({ role }) => role === 'assistant');
    const parts = messages.slice(end + 1).flatMap(({ content }) => (Array.isArray(content) ? (content as unknown[]) : []));
    for (const part of parts) {
      const reason = this.#reasons.get(String((part as { readonly toolCallId?: unknown }).toolCallId));
      if (reason !== undefined) return reason;
    }
    return undefined;
  }
}
