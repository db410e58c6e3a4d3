/**
 * Hooks that a language model answers: `prompt` asks one question, `agent` lets a model look into the project first. The model is an object of the
 * program, a judge that `judgeWith` makes, or the model of the settings. Without any, the hook cannot be served and is fault `unavailable`.
 */
import type { Call, Handler } from '../core/contracts/handler.ts';
import type { Hook } from '../core/contracts/hook.ts';
import { JUDGE, type JudgeNote, type JudgeQuestion, type Judging } from '../core/contracts/judge.ts';
import { type Fault, fault, isFault, type Reply } from '../core/decision/reply.ts';
import { readModelVerdict } from '../core/meaning/model-verdict.ts';
import type { JudgeAnswer } from '../core/meaning/profile.ts';
import { freezeOwn } from '../core/values/frozen.ts';
import { type JsonObject, serialise, textOf } from '../core/values/json.ts';
import { awaited, cancelled, threw } from './kit/deadline.ts';

export interface Question {
  /** The question of the hook's author; empty if the hook has no text of its own. */
  readonly prompt: string;
  /** The event, in the format of the hook's dialect. */
  readonly payload: JsonObject;
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

/**
 * A model, as hooks need it. Its result must be exactly a verdict of the hook's dialect, `{ok, reason}` in most: an object, or its text. Anything
 * else is a fault.
 */
export interface Model {
  /** Judges the event by the prompt alone. */
  judge(question: Question): Promise<unknown>;
  /** Lets the named agent verify the event, with whatever tools it has. */
  verify?(question: Question & { readonly agent: string }): Promise<unknown>;
}

export function modelHandlers(model?: Model, judging?: () => Promise<Judging>): Handler[] {
  return [promptHandler(model, judging), agentHandler(model, judging)];
}

function promptHandler(model: Model | undefined, judging: (() => Promise<Judging>) | undefined): Handler {
  return {
    type: 'prompt',
    inFiles: false,
    judges: true,
    describe: () => ({ does: 'ask', why: "The model's answer is known only when it is asked." }),
    handle(call) {
      if (isJudge(model)) return askJudge(call, 'prompt', judging, model);
      return put(call, (question) => model.judge(question));
    },
  };
}

function agentHandler(model: Model | undefined, judging: (() => Promise<Judging>) | undefined): Handler {
  return {
    type: 'agent',
    inFiles: false,
    judges: true,
    describe: () => ({ does: 'ask', why: "The agent's answer is known only when it is asked." }),
    handle(call) {
      if (isJudge(model)) return askJudge(call, 'agent', judging, model);
      if (model.verify === undefined) return fault('unavailable', NO_AGENTS);
      const agent = textIn(call, 'agent');
      if (agent === '') return fault('unavailable', `hook '${call.hook.name}' does not name an agent`);
      return put(call, (question) => model.verify?.({ ...question, agent }));
    },
  };
}

/** Whether the question goes to a judge: the program gave one, or it gave no model at all. */
function isJudge(model: Model | undefined): model is (Model & { readonly [JUDGE]: unknown }) | undefined {
  return model === undefined || JUDGE in model;
}

const NO_MODEL = 'No model has been configured; give createHookline a `model`.';
const NO_AGENTS = 'The configured model has no agents; give createHookline a `model` with `verify`.';

function textIn({ hook }: Call, key: string): string {
  return textOf(hook.handler.config[key]) ?? '';
}

/** The hook's text, with the payload in place of its mark, if the format has one. */
function promptOf(call: Call): string {
  const prompt = textIn(call, 'prompt');
  const mark = textIn(call, 'arguments');
  return mark === '' ? prompt : prompt.replaceAll(mark, () => serialise(call.payload));
}

function put(call: Call, ask: (question: Question) => unknown): Promise<Reply | Fault> | Reply | Fault {
  if (call.signal?.aborted) return cancelled();
  const controller = new AbortController();
  const question = { prompt: promptOf(call), payload: freezeOwn(call.payload), signal: controller.signal };
  const form = call.ask.judge ?? PLAIN;
  try {
    const answer = awaited(ask(question), call, (why) => controller.abort(new Error(why.detail)));
    return answer instanceof Promise ? answer.then((given) => exactly(given, form)) : exactly(answer, form);
  } catch (error) {
    return threw(error);
  }
}

/** The verdict in a format that says nothing about verdicts: a program may register such hooks for any format. */
const PLAIN: JudgeAnswer = { answers: ['ok'], also: [] };

function exactly(answer: Reply | Fault, form: JudgeAnswer): Reply | Fault {
  if (answer.kind !== 'value') return answer;
  const read = readModelVerdict(answer.value, form);
  if ('verdict' in read) return { kind: 'value', value: read.verdict };
  return fault('malformed', read.problem, read.refuses ? { reply: REFUSAL } : {});
}

/** An answer that refuses and is no verdict. Only the refusal in it counts. */
const REFUSAL: Reply = { kind: 'value', value: { ok: false } };

function askJudge(
  call: Call,
  kind: JudgeQuestion['kind'],
  judging: (() => Promise<Judging>) | undefined,
  model: Model | undefined,
): Promise<Reply | Fault> | Fault {
  if (call.signal?.aborted) return cancelled();
  if (judging === undefined) return fault('unavailable', NO_MODEL);
  const rule = ruleOf(call.hook);
  if (rule === '') return fault('unavailable', noRule(call.hook));
  const controller = new AbortController();
  let known: JudgeNote | undefined;
  const { hook, event, payload } = call;
  const mark = textIn(call, 'arguments');
  const question: JudgeQuestion = {
    ...{ kind, rule, mark: mark === '' ? undefined : mark, dialect: hook.dialect, event: hook.event, payload: freezeOwn(payload) },
    ids: [event?.session.id, textOf(event?.data['toolUseId'])].flatMap((id) => id || []),
    ...{ session: event?.session.id, answer: call.ask.judge ?? PLAIN, signal: controller.signal },
    note: (note) => {
      known = note;
    },
  };
  const asked = judging().then((ready) => ready.ask(question, model));
  return Promise.resolve(awaited(asked, call, (why) => controller.abort(new Error(why.detail)))).then((settled) => {
    // A judge returns a reply or a fault itself. Only the deadline and a bug make another fault of it.
    const answer = settled.kind === 'value' ? (settled.value as Reply | Fault) : settled;
    return isFault(answer) && known !== undefined ? { ...answer, judged: known } : answer;
  });
}

/** Returns the rule that a judge checks by: the instructions of the agent, if the hook names one that has any, and the hook's own text. */
function ruleOf({ handler: { config } }: Pick<Hook, 'handler'>): string {
  return [config['instructions'], config['prompt']].flatMap((text) => textOf(text)?.trim() || []).join('\n\n');
}

function noRule({ handler: { config } }: Pick<Hook, 'handler'>): string {
  const agent = textOf(config['agent']);
  const what = agent === undefined ? 'it has no prompt' : `the agent \`${agent}\` has no instructions`;
  return `${what}, so a judge has no rule to check by. Add a \`prompt\` to the hook`;
}

/** Returns why no judge can answer a hook, whichever model it has; undefined if one can. */
export function flawOfJudged(hook: Pick<Hook, 'handler'>): string | undefined {
  return ruleOf(hook) === '' ? noRule(hook) : undefined;
}
