/**
 * Answers of a model, whole or as a stream of parts, in the format of the AI SDK, which other SDKs use too: how hooks see them, and how their text is
 * replaced without a trace of the old one.
 */
import type { Json } from '../../core/values/json.ts';

/** A part of an answer or of a stream, as far as it is read here. */
export interface Part {
  readonly type: string;
  readonly id?: string;
  readonly text?: string;
  readonly delta?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly result?: unknown;
  readonly finishReason?: unknown;
}

/** The form of answers in place of the model's own. */
export interface AnswerForm {
  /** The version of the model's specification. The first one has another form of a reason and of a usage. */
  readonly specification: 'v2' | 'v3' | 'v4';
  /** The reason for which the SDK ends a run. */
  readonly finish: 'content-filter' | 'stop';
}

/** Parts that carry the text of the model, its reasoning, or the bytes as the provider sent them. */
const SPOKEN = /^(?:text|reasoning)(?:-start|-delta|-end)?$|^(?:file|source|raw)$/;
/** Parts without which an answer is still an answer. */
const FRAME = new Set(['stream-start', 'response-metadata', 'finish', 'error']);
const ID = 'hookline';

/** Joins the deltas of a stream to the parts of an answer. */
export function partsOfAnswer(stream: readonly Part[]): readonly Part[] {
  const texts = new Map<string, { type: string; text: string }>();
  const parts: Part[] = [];
  for (const part of stream) {
    const [, type, step] = /^(text|reasoning)-(start|delta|end)$/.exec(part.type) ?? [];
    if (type === undefined) parts.push(part);
    else if (step === 'start' || !texts.has(`${type} ${part.id}`)) {
      const text = { type, text: part.delta ?? '' };
      texts.set(`${type} ${part.id}`, text);
      parts.push(text);
    } else (texts.get(`${type} ${part.id}`) as { text: string }).text += part.delta ?? '';
  }
  return parts;
}

/** Returns the text of an answer, or its parts if it has others that hooks should know of: tool calls, and the results of hosted tools. */
export function shownAnswer(parts: readonly Part[]): Json {
  const seen = parts.filter(({ type }) => type === 'text' || type === 'reasoning' || type === 'tool-call' || type === 'tool-result');
  if (seen.every(({ type }) => type === 'text')) return seen.map(({ text }) => text).join('');
  return seen.map(({ type, text, toolName, input, result }) => JSON.parse(JSON.stringify({ type, text, toolName, input, result })) as Json);
}

/** Returns the parts with this text in place of everything that the model wrote. Of an answer that is withheld, its tool calls are removed too. */
export function withText(parts: readonly Part[], text: string, kind: 'replaced' | 'withheld', form: AnswerForm): readonly Part[] {
  const isStream = parts.some(({ type }) => FRAME.has(type));
  const kept = parts
    .filter(({ type }) => !SPOKEN.test(type) && (kind === 'replaced' || FRAME.has(type)))
    .map((part) => withoutMetadata(kind === 'withheld' && part.type === 'finish' ? { ...part, finishReason: finishReason(form) } : part));
  const said = isStream ? textStream(text) : [{ type: 'text', text }];
  const end = kept.findIndex(({ type }) => type !== 'stream-start' && type !== 'response-metadata');
  return end === -1 ? [...kept, ...said] : [...kept.slice(0, end), ...said, ...kept.slice(end)];
}

/** Removes the places in which a result has the answer: its content, the body of the response, and the provider's own data. */
export function withoutAnswer(answer: object): object {
  const { response, content: _content, ...rest } = withoutMetadata(answer) as { readonly response?: object; readonly content?: unknown };
  if (!response) return rest;
  const { body: _, ...known } = response as { readonly body?: unknown };
  return { ...rest, response: known };
}

/** Returns a whole answer that says this, for a call that was not made. */
export function refusalParts(
  text: string,
  form: AnswerForm,
): {
  readonly content: readonly Part[];
  readonly finishReason: unknown;
  readonly usage: object;
  readonly warnings: readonly never[];
} {
  const none = undefined;
  const usage =
    form.specification === 'v2'
      ? { inputTokens: none, outputTokens: none, totalTokens: none }
      : {
          inputTokens: { total: none, noCache: none, cacheRead: none, cacheWrite: none },
          outputTokens: { total: none, text: none, reasoning: none },
        };
  return { content: [{ type: 'text', text }], finishReason: finishReason(form), usage, warnings: [] };
}

/** An answer without tool calls is the last one of a run, so it must not say that calls follow. */
function finishReason({ specification, finish }: AnswerForm): unknown {
  return specification === 'v2' ? finish : { unified: finish, raw: ID };
}

/** Returns a whole answer as a stream. */
export function streamOf({ content, finishReason, usage, warnings }: ReturnType<typeof refusalParts>): ReadableStream<unknown> {
  const text = content.map((part) => part.text ?? '').join('');
  return new ReadableStream({
    start(controller) {
      for (const part of [{ type: 'stream-start', warnings }, ...textStream(text), { type: 'finish', finishReason, usage }])
        controller.enqueue(part);
      controller.close();
    },
  });
}

function textStream(text: string): readonly Part[] {
  return [
    { type: 'text-start', id: ID },
    { type: 'text-delta', id: ID, delta: text },
    { type: 'text-end', id: ID },
  ];
}

function withoutMetadata<T extends object>(part: T): T {
  const { providerMetadata: _, ...rest } = part as T & { readonly providerMetadata?: unknown };
  return rest as T;
}
