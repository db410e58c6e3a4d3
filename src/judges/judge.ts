/**
 * Asks one judge one question: the cache first, then the model within the budget. Only an answer that is exactly a verdict counts. Everything else
 * is a fault, and the format of the hook says what follows from it.
 */
import type { JudgeNote, JudgeQuestion } from '../core/contracts/judge.ts';
import type { KnownVerdict, Look, Spending, Verdicts } from '../core/contracts/judge-memory.ts';
import type { JudgeLimits } from '../core/contracts/judge-settings.ts';
import { type Fault, fault, type Reply } from '../core/decision/reply.ts';
import { readModelVerdict } from '../core/meaning/model-verdict.ts';
import type { JsonObject } from '../core/values/json.ts';
import { costOf, MICROS, reserve } from './budget.ts';
import { askModel, inputOf, type JudgeModel, type ModelStep, modelFault } from './language-model.ts';
import { shownEvent, type WrittenQuestion, writeQuestion } from './question.ts';
import type { ProjectFolder } from './tools/inside.ts';
import { LOOKING_TOOLS, lookWith } from './tools/look.ts';
import { digestOf, verdictDigest } from './verdict-digest.ts';

export interface Judge {
  /** `provider:model`. */
  readonly id: string;
  readonly limits: JudgeLimits;
  open(): Promise<JudgeModel> | JudgeModel;
}

/** Everything that a judge needs from outside. */
export interface JudgeContext {
  readonly verdicts: Verdicts;
  readonly spending: Spending;
  /** The project that an `agent` hook may look into; undefined if the folder does not exist. */
  readonly project: ProjectFolder | undefined;
}

/** The instructions of a judge ask for these keys, whatever else the format of the hook knows. */
const EXACT = { answers: ['ok'], also: [] } as const;

export async function askJudge(judge: Judge, question: JudgeQuestion, context: JudgeContext): Promise<Reply | Fault> {
  const { limits, id } = judge;
  const shown = shownEvent(question);
  const bytes = Buffer.byteLength(shown);
  if (bytes > limits.maxEventBytes)
    return fault(
      'oversize',
      `the event has ${bytes} bytes, and a judge reads at most ${limits.maxEventBytes}: a part of it could hide the rest`,
    );
  const digest = verdictDigest(question, shown, id);
  const note: JudgeNote = { model: id, digest, cached: false, inputTokens: 0, outputTokens: 0, ...(limits.prices && { money: 0 }) };
  const known = context.verdicts.get(digest);
  if (known && sees(known, context, question.signal)) return { kind: 'value', value: known.verdict, judged: { ...note, cached: true } };
  question.note(note);
  let model: JudgeModel;
  try {
    model = await judge.open();
  } catch (error) {
    return modelFault(error);
  }
  return new Hearing(judge, model, question, context, note).run(writeQuestion(question, shown));
}

/** Whether the files that a verdict was based on are still the same. */
function sees({ looks }: KnownVerdict, { project }: JudgeContext, signal: AbortSignal): boolean {
  return looks.every(({ tool, input, digest }) => digestOf(lookWith(project, tool, input, signal)) === digest);
}

/** How many calls of tools one step may have. */
const MOST_CALLS = 8;

/** The steps of one question. */
class Hearing {
  readonly #judge: Judge;
  readonly #model: JudgeModel;
  readonly #question: JudgeQuestion;
  readonly #context: JudgeContext;
  readonly #looks: Look[] = [];
  #note: JudgeNote;

  constructor(judge: Judge, model: JudgeModel, question: JudgeQuestion, context: JudgeContext, note: JudgeNote) {
    this.#judge = judge;
    this.#model = model;
    this.#question = question;
    this.#context = context;
    this.#note = note;
  }

  async run({ system, user, fence }: WrittenQuestion): Promise<Reply | Fault> {
    const messages: JsonObject[] = [
      { role: 'system', content: system },
      { role: 'user', content: [{ type: 'text', text: user }] },
    ];
    const mayLook = this.#question.kind === 'agent';
    const most = mayLook ? this.#judge.limits.maxSteps : 1;
    for (let step = 0; step < most; step++) {
      const answer = await this.#step(messages, mayLook ? LOOKING_TOOLS : []);
      if ('kind' in answer) return answer;
      if (answer.calls.length === 0) return this.#verdict(answer.text);
      messages.push(answer.message, { role: 'tool', content: answer.calls.map((call, i) => this.#look(call, i, fence)) });
    }
    return fault('malformed', `the model came to no verdict in ${most} steps`);
  }

  /** Asks the model once, within the budget, and notes what it cost. */
  async #step(messages: readonly JsonObject[], tools: readonly JsonObject[]): Promise<ModelStep | Fault> {
    const { limits } = this.#judge;
    const { session, signal } = this.#question;
    const likelyInput = Math.ceil(Buffer.byteLength(JSON.stringify([messages, tools])) / BYTES_OF_A_TOKEN);
    const reserved = reserve(this.#context.spending, session, limits, costOf(limits, likelyInput, limits.maxTokens));
    if ('kind' in reserved) return reserved;
    const before = this.#note;
    this.#spend(before, likelyInput, limits.maxTokens, true);
    const answer = await askModel(this.#model, { messages, tools, maxTokens: limits.maxTokens, signal });
    if ('kind' in answer) return answer;
    // A provider that does not count is taken at its likely cost: an unknown cost is not free.
    const { inputTokens = likelyInput, outputTokens = limits.maxTokens } = answer;
    reserved.settle(inputTokens, outputTokens);
    this.#spend(before, inputTokens, outputTokens, answer.inputTokens === undefined || answer.outputTokens === undefined);
    return answer;
  }

  #spend(before: JudgeNote, inputTokens: number, outputTokens: number, estimated: boolean): void {
    const { limits } = this.#judge;
    const [input, output] = [before.inputTokens + inputTokens, before.outputTokens + outputTokens];
    this.#note = {
      ...before,
      ...{ inputTokens: input, outputTokens: output },
      ...(limits.prices && { money: costOf(limits, input, output).micros / MICROS }),
      ...((estimated || before.estimated) && { estimated: true }),
      ...(this.#question.kind === 'agent' && { steps: (before.steps ?? 0) + 1 }),
    };
    this.#question.note(this.#note);
  }

  #look(call: ModelStep['calls'][number], index: number, fence: (text: string) => string): JsonObject {
    const { signal } = this.#question;
    const input = inputOf(call.input);
    const isOne = index < MOST_CALLS;
    const text = isOne ? lookWith(this.#context.project, call.tool, input, signal) : `Use at most ${MOST_CALLS} tools at once.`;
    if (isOne) this.#looks.push({ tool: call.tool, input: input ?? {}, digest: digestOf(text) });
    return { type: 'tool-result', toolCallId: call.id, toolName: call.tool, output: { type: 'text', value: fence(text) } };
  }

  #verdict(text: string): Reply | Fault {
    const read = readModelVerdict(text, EXACT);
    if ('problem' in read) return fault('malformed', read.problem, read.refuses ? { reply: { kind: 'value', value: { ok: false } } } : {});
    const { digest } = this.#note;
    // An answer that comes too late counts for nothing, now and later.
    if (!this.#question.signal.aborted) this.#context.verdicts.set(digest, { verdict: read.verdict, looks: this.#looks });
    return { kind: 'value', value: read.verdict, judged: this.#note };
  }
}

/** Fewer than the four of plain English, because code and other languages have more tokens. */
const BYTES_OF_A_TOKEN = 3;
