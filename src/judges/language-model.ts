/**
 * Asks a language model of the AI SDK by its own interface (specification 2, 3 or 4). The answer is read as it is: no repair and no second guess
 * stand between the model and the verdict.
 */
import { type Fault, fault } from '../core/decision/reply.ts';
import { HooklineError } from '../core/values/errors.ts';
import { isObject, type Json, type JsonObject, objectIn, textOf } from '../core/values/json.ts';
import { redactText } from '../core/values/redact.ts';

/** A language model of the AI SDK. */
export interface JudgeModel {
  readonly provider: string;
  readonly modelId: string;
  // The types of the versions of the SDK differ, so a model of each of them fits here.
  doGenerate(options: never): PromiseLike<unknown>;
}

export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  /** The input as the model wrote it. */
  readonly input: string;
}

export interface ModelStep {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** The message of the model, for the next step. */
  readonly message: JsonObject;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

export interface ModelRequest {
  readonly messages: readonly JsonObject[];
  readonly tools: readonly JsonObject[];
  readonly maxTokens: number;
  readonly signal: AbortSignal;
}

const SCHEMA = {
  type: 'object',
  properties: { ok: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['ok', 'reason'],
  additionalProperties: false,
} as const;

/** Asks the model once, and once more if its provider says that this may help. */
export async function askModel(model: JudgeModel, request: ModelRequest): Promise<ModelStep | Fault> {
  for (let attempt = 0; ; attempt++) {
    try {
      return readStep(await model.doGenerate(optionsFor(request) as never), request);
    } catch (error) {
      if (request.signal.aborted) return fault('cancelled', 'it was given up before it answered');
      if (attempt > 0 || !mayRetry(error)) return modelFault(error);
      await pause(request.signal);
    }
  }
}

function optionsFor({ messages, tools, maxTokens, signal }: ModelRequest): object {
  return {
    prompt: messages,
    maxOutputTokens: maxTokens,
    temperature: 0,
    responseFormat: { type: 'json', name: 'verdict', description: 'Whether the event keeps to the rule.', schema: SCHEMA },
    ...(tools.length > 0 && { tools, toolChoice: { type: 'auto' } }),
    abortSignal: signal,
  };
}

const RETRY_MS = 300;

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, RETRY_MS);
    signal.addEventListener('abort', done, { once: true });
  });
}

function mayRetry(error: unknown): boolean {
  return isObject(error) && error['isRetryable'] === true;
}

function readStep(result: unknown, { tools, maxTokens }: ModelRequest): ModelStep | Fault {
  if (!isObject(result) || !Array.isArray(result['content'])) return fault('malformed', 'the provider returned no answer');
  const finish = finishOf(result['finishReason']);
  if (finish === 'length') return fault('malformed', `the answer is longer than ${maxTokens} tokens, so it was cut`);
  if (finish === 'content-filter') return fault('malformed', 'the provider filtered the answer');
  if (finish === 'error' || finish === 'interrupted') return fault('malformed', 'the provider broke the answer off');
  const parts = (result['content'] as readonly Json[]).filter(isObject);
  const calls = parts.flatMap((part): ToolCall[] => {
    const [id, tool] = [textOf(part['toolCallId']), textOf(part['toolName'])];
    return part['type'] === 'tool-call' && id !== undefined && tool !== undefined ? [{ id, tool, input: textOf(part['input']) ?? '' }] : [];
  });
  if (calls.length > 0 && tools.length === 0) return fault('malformed', `the model called the tool \`${calls[0]?.tool}\`, but it has none`);
  const text = parts.flatMap((part) => (part['type'] === 'text' ? [textOf(part['text']) ?? ''] : [])).join('');
  const usage = isObject(result['usage']) ? result['usage'] : {};
  return {
    ...{ text, calls, message: { role: 'assistant', content: parts.flatMap(asSaid) } },
    ...{ inputTokens: tokensIn(usage['inputTokens']), outputTokens: tokensIn(usage['outputTokens']) },
  };
}

/** Returns a part of the answer as a part of a message. */
function asSaid(part: JsonObject): readonly JsonObject[] {
  const options = isObject(part['providerMetadata']) ? { providerOptions: part['providerMetadata'] } : {};
  if (part['type'] === 'text' || part['type'] === 'reasoning') return [{ type: part['type'], text: part['text'] ?? '', ...options }];
  if (part['type'] !== 'tool-call') return [];
  const { toolCallId, toolName } = part;
  return [{ type: 'tool-call', toolCallId, toolName, input: inputOf(textOf(part['input']) ?? '') ?? {}, ...options }];
}

/** Returns the input of a call; undefined if it is no JSON object. */
export function inputOf(text: string): JsonObject | undefined {
  return objectIn(text === '' ? '{}' : text);
}

/** A word in specification 2, and a word with the provider's own in later ones. */
function finishOf(reason: Json | undefined): string | undefined {
  return textOf(reason) ?? (isObject(reason) ? textOf(reason['unified']) : undefined);
}

function tokensIn(usage: Json | undefined): number | undefined {
  const count = isObject(usage) ? usage['total'] : usage;
  return typeof count === 'number' && Number.isFinite(count) && count >= 0 ? Math.ceil(count) : undefined;
}

/** Returns why a model could not be asked. Its provider's message may quote a key, so it is masked. */
export function modelFault(error: unknown): Fault {
  const said = brief(redactText(error instanceof Error ? error.message || error.name : String(error)));
  if (error instanceof HooklineError) return fault('unavailable', error.hint === undefined ? said : `${said} ${error.hint}`);
  const status = isObject(error) ? error['statusCode'] : undefined;
  if (typeof status === 'number') return fault('status', `the provider of the model answered with status ${status}: ${said}`);
  if (error instanceof Error && /APIKey|LoadSetting/.test(error.name)) return fault('unavailable', said);
  if (mayRetry(error) || (error instanceof TypeError && /fetch/i.test(error.message)))
    return fault('network', `the provider of the model cannot be reached: ${said}`);
  return fault('threw', said);
}

const MOST_SAID = 300;

function brief(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MOST_SAID ? `${line.slice(0, MOST_SAID)}…` : line;
}
