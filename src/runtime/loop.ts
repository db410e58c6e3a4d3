/** The loop of an agent: `model.resolve` and `prompt.build` once, then model and tools in turn until the model asks for no more calls. */
import type { ModelMessage, ToolResultPart, ToolSet } from 'ai';
import { refusalText } from '../sdk/kit/texts.ts';
import type { HeldBack, Refusal } from './boundary.ts';
import { compactIfNeeded } from './compaction.ts';
import type { HeldAction, Model } from './contract.ts';
import { callModel } from './model-call.ts';
import { heldIn, type ParkedRun } from './parked.ts';
import { type Course, modelName, type Scene } from './scene.ts';
import { resumeCalls, runCalls, type StepEnd, textResult } from './tool-calls.ts';

/** The model and the system prompt of one turn. */
export interface Prepared {
  readonly kind: 'prepared';
  readonly model: Model | string;
  readonly system: string;
}

/** Resolves the model and builds the system prompt: once in a turn, whatever the number of its steps. */
export async function prepare(scene: Scene, system: string, tickets: ReadonlyMap<string, string>): Promise<Prepared | Refusal | HeldBack> {
  const { boundary } = scene;
  const own = modelName(scene.model);
  const resolved = await boundary.cross('model.resolve', { model: own }, tickets.get('model.resolve'));
  if (resolved.kind !== 'pass') return resolved;
  const chosen = typeof resolved.rewrite === 'string' && resolved.rewrite !== own ? resolved.rewrite : scene.model;
  const built = await boundary.cross('prompt.build', { prompt: system }, tickets.get('prompt.build'));
  if (built.kind !== 'pass') return built;
  const prompt = typeof built.rewrite === 'string' ? built.rewrite : system;
  const texts = [prompt, ...resolved.context, ...built.context].filter((text) => text !== '');
  return { kind: 'prepared', model: chosen, system: texts.join('\n\n') };
}

export type RunEnd =
  /** The model asks for no more calls. */
  | { readonly kind: 'done'; readonly text: string }
  /** The most steps are taken. */
  | { readonly kind: 'limit'; readonly text: string }
  | { readonly kind: 'parked'; readonly run: ParkedRun; readonly held: readonly HeldAction[] }
  | Refusal;

/**
 * Takes steps until the run ends. Rejects if the model cannot be called.
 * @param from the run that was parked
 */
export async function runSteps(scene: Scene, course: Course, prepared: Prepared, from?: ParkedRun): Promise<RunEnd> {
  const { agent, boundary } = scene;
  if (from?.skill !== undefined) boundary.setSkill(from.skill);
  if (from && from.calls.length > 0) {
    const step = await resumeCalls(scene, from.calls, course.messages, 'resume');
    const end = endStep(scene, course, from.results, step);
    if (end) return end;
  }
  let ticket = from?.held?.kind === 'llm.before' ? from.held.ticket : undefined;
  let mayCompact = true;
  let text = '';
  const tools = { ...asked(scene.tools), ...agent.innerDefinitions };
  while (course.steps < agent.maxSteps) {
    if (mayCompact) {
      const compacted = await compactIfNeeded(scene, { course, model: prepared.model });
      if (compacted.halt !== undefined) return { kind: 'refuse', reason: compacted.halt, halt: compacted.halt, context: [] };
      mayCompact = !compacted.refused;
    }
    const answer = await callModel(scene, { ...prepared, messages: course.messages, tools, ticket });
    ticket = undefined;
    if (answer.kind === 'hold') return parked(scene, course, { results: [], pending: [] }, answer.held);
    if (answer.kind === 'refuse') return answer;
    course.steps += 1;
    course.messages = [...course.messages, ...answer.messages];
    text = answer.text;
    if (answer.halt !== undefined) return halted(course, answer.halt);
    // The SDK answers calls that it cannot read itself; the model must then see its answers.
    if (answer.calls.length === 0 && answer.messages.at(-1)?.role !== 'tool') return { kind: 'done', text };
    const end = endStep(scene, course, [], await runCalls(scene, answer.calls, course.messages));
    if (end) return end;
  }
  return { kind: 'limit', text };
}

/**
 * Ends the calls of a parked run because the user went on: approved ones run, and those that still wait are given up.
 */
export async function leaveParked(scene: Scene, course: Course, from: ParkedRun): Promise<Refusal | undefined> {
  if (from.skill !== undefined) scene.boundary.setSkill(from.skill);
  if (from.held) await scene.boundary.withdraw(from.held.ticket, 'The user went on.');
  let { calls } = from;
  let { results } = from;
  while (calls.length > 0) {
    const step = await resumeCalls(scene, calls, course.messages, 'leave');
    results = [...results, ...step.results];
    calls = step.pending;
    if (step.halt !== undefined) {
      add(course, results);
      return halted(course, step.halt);
    }
  }
  add(course, results);
  return undefined;
}

/** Adds the results of a step, or parks the run if calls of it wait. Undefined if the loop continues. */
function endStep(scene: Scene, course: Course, before: readonly ToolResultPart[], step: StepEnd): RunEnd | undefined {
  const results = [...before, ...step.results];
  if (step.pending.length > 0 && step.halt === undefined) return parked(scene, course, { results, pending: step.pending });
  add(course, results);
  return step.halt === undefined ? undefined : halted(course, step.halt);
}

function add(course: Course, content: readonly ToolResultPart[]): void {
  const last = course.messages.at(-1);
  if (content.length === 0) return;
  // The results of one step are one message, also those that the SDK wrote.
  if (last?.role === 'tool') course.messages = [...course.messages.slice(0, -1), { ...last, content: [...last.content, ...content] }];
  else course.messages = [...course.messages, { role: 'tool', content: [...content] }];
}

function parked({ boundary }: Scene, { messages, steps }: Course, { results, pending }: StepEnd, held?: HeldAction): RunEnd {
  const run: ParkedRun = {
    ...{ messages, steps, results, calls: pending },
    ...(held && { held }),
    ...(boundary.skill !== undefined && { skill: boundary.skill }),
  };
  return { kind: 'parked', run, held: heldIn(run) };
}

function halted(course: Course, halt: string): Refusal {
  course.messages = closed(course.messages, `A hook ended the run: ${halt}`);
  return { kind: 'refuse', reason: halt, halt, context: [] };
}

/** Gives every call without a result one that says why it did not run, because a provider accepts no conversation without. */
export function closed(messages: readonly ModelMessage[], why: string): ModelMessage[] {
  const answered = new Set(
    messages.flatMap((message) =>
      message.role === 'tool' ? message.content.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : [])) : [],
    ),
  );
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return [message];
    const open = message.content.flatMap((part) =>
      part.type === 'tool-call' && part.providerExecuted !== true && !answered.has(part.toolCallId)
        ? [textResult({ id: part.toolCallId, tool: part.toolName, input: part.input }, refusalText(why))]
        : [],
    );
    return open.length === 0 ? [message] : [message, { role: 'tool', content: open }];
  });
}

/** The tools as the SDK sees them: it asks for calls and runs none, so that each passes the hooks here. */
function asked(tools: ToolSet): ToolSet {
  return Object.fromEntries(
    Object.entries(tools).map(([name, { execute: _, needsApproval: __, ...tool }]) => [name, tool as ToolSet[string]]),
  );
}
