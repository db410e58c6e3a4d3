/** Answers of a model, whole or as a stream of events: how hooks see them, and how their text is replaced without a trace of the old one. */
import type { Json } from '../../core/values/json.ts';

/** An item of an answer, as far as it is read here. */
export interface Item {
  readonly type?: string;
  readonly content?: unknown;
  readonly name?: string;
  readonly arguments?: string;
}

export interface Response {
  readonly output: readonly Item[];
}

/** An event of a stream, as far as it is read here. */
export interface StreamEvent {
  readonly type: string;
  readonly response?: Response;
}

/** Calls that the SDK or the agent must answer. A call of a hosted tool has its result in it. */
const CALL = /^(?!hosted_tool_call$).*_call$/;

/** The text of an answer, or its parts if it also calls tools. */
export function shownAnswer(output: readonly Item[]): Json {
  const parts = output.flatMap((item): Json[] => {
    if (item.type === 'function_call') return [{ type: 'tool-call', toolName: item.name ?? '', input: argumentsOf(item) }];
    if (item.type === 'message') return [{ type: 'text', text: textOf(item) }];
    return [plain(item)];
  });
  return output.every(({ type }) => type === 'message') ? output.map(textOf).join('') : parts;
}

/** The answer with this text in place of all its other texts. Of one that is withheld, its calls are removed too. */
export function withText<R extends Response>(answer: R, text: string, kind: 'replaced' | 'withheld'): R {
  const { providerData: _, ...rest } = answer as R & { readonly providerData?: unknown };
  const calls = kind === 'replaced' ? answer.output.filter(({ type = '' }) => CALL.test(type)) : [];
  return { ...rest, output: [messageOf(text), ...calls] } as unknown as R;
}

/** A whole answer that says this, for a call that was not made. */
export function refusal(text: string): Response & { readonly usage: object } {
  return { usage: USAGE, output: [messageOf(text)] };
}

/** A whole answer as a stream. */
export function eventsOf(text: string, response: Response): readonly StreamEvent[] {
  const delta = { type: 'output_text_delta', delta: text };
  return [{ type: 'response_started' }, delta, { type: 'response_done', response }] as readonly StreamEvent[];
}

/** The end of a stream for a call that was not made. */
export function refusedEvents(text: string): readonly StreamEvent[] {
  return eventsOf(text, { id: 'hookline', usage: USAGE, output: [messageOf(text)] } as Response);
}

const USAGE = { requests: 0, inputTokens: 0, outputTokens: 0, totalTokens: 0, inputTokensDetails: [], outputTokensDetails: [] };

function messageOf(text: string): Item {
  const content = [{ type: 'output_text', text }];
  return { type: 'message', role: 'assistant', status: 'completed', content } as Item;
}

function textOf({ content }: Item): string {
  if (!Array.isArray(content)) return String(content ?? '');
  return (content as readonly { readonly text?: unknown; readonly refusal?: unknown }[])
    .map(({ text, refusal: refused }) => String(text ?? refused ?? ''))
    .join('');
}

/** The input of a call, or the text of the model if it is no JSON. */
function argumentsOf({ arguments: text = '' }: Item): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

export function plain(value: unknown): Json {
  const text = JSON.stringify(value, (_, one: unknown) => (one instanceof Uint8Array ? `(${one.byteLength} bytes)` : one));
  return text === undefined ? null : (JSON.parse(text) as Json);
}
