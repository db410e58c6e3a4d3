/** The messages of a run that waits for approvals: which calls wait, and how the run is resumed. */

/** A message of the SDK, as far as it is read here. */
export interface Message {
  readonly role: string;
  readonly content: unknown;
}

interface Part {
  readonly type?: unknown;
  readonly toolCallId?: unknown;
  readonly approvalId?: unknown;
}

/** A call that waits for a person. The ticket with this `toolUseId` in the session is the one to settle. */
export interface HeldCall {
  readonly toolCallId: string;
  readonly approvalId: string;
}

/** Returns the calls that wait: requests without a response. */
export function heldCalls(messages: readonly Message[]): readonly HeldCall[] {
  const parts = messages.flatMap(partsOf);
  const answered = new Set(parts.filter(({ type }) => type === 'tool-approval-response').map(({ approvalId }) => approvalId));
  return parts
    .filter(({ type, approvalId }) => type === 'tool-approval-request' && !answered.has(approvalId))
    .map(({ toolCallId, approvalId }) => ({ toolCallId: String(toolCallId), approvalId: String(approvalId) }));
}

/**
 * Returns the messages with which a run that was held is resumed: every waiting call is answered with yes. That is no approval: a call runs only if
 * its ticket is approved, and otherwise the model learns why not.
 */
export function resumeMessages<M extends Message>(messages: readonly M[]): M[] {
  const content = heldCalls(messages).map(({ approvalId }) => ({ type: 'tool-approval-response', approvalId, approved: true }));
  if (content.length === 0) return [...messages];
  const last = messages.at(-1);
  // The SDK reads the responses from the last message alone, which may have the results of other calls of the step.
  if (last?.role === 'tool') return [...messages.slice(0, -1), { ...last, content: [...partsOf(last), ...content] }];
  return [...messages, { role: 'tool', content } as unknown as M];
}

/** Whether the last message answers a request for this call: the SDK then resumes it. */
export function isAnswered(messages: readonly Message[], toolCallId: string): boolean {
  const last = messages.at(-1);
  if (last?.role !== 'tool') return false;
  const responses = new Set(
    partsOf(last)
      .filter(({ type }) => type === 'tool-approval-response')
      .map(({ approvalId }) => approvalId),
  );
  return messages
    .flatMap(partsOf)
    .some((part) => part.type === 'tool-approval-request' && part.toolCallId === toolCallId && responses.has(part.approvalId));
}

function partsOf({ content }: Message): readonly Part[] {
  return Array.isArray(content) ? content : [];
}
