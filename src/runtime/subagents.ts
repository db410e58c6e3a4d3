/** The tool with which the model hands a task to another agent: `subagent.before`, the child's own loop, `subagent.after`. */
import type { ToolSet } from 'ai';
import { isObject, type Json, textOf } from '../core/values/json.ts';
import { refusalText, withContext } from '../sdk/kit/texts.ts';
import type { Subagent } from './contract.ts';
import { closed, prepare, type RunEnd, runSteps } from './loop.ts';
import type { ParkedRun } from './parked.ts';
import type { AiSdk, Course, Scene } from './scene.ts';
import { systemPrompt } from './system-prompt.ts';
import type { InnerEnd, InnerTool } from './tool-calls.ts';

export const TASK_TOOL = 'task';

type Subagents = Readonly<Record<string, Subagent>>;

/** The tool as the model sees it. */
export function taskDefinition({ jsonSchema }: Pick<AiSdk, 'jsonSchema'>, subagents: Subagents): ToolSet[string] {
  const text = (description: string) => ({ type: 'string', description }) as const;
  return {
    description: 'Hands a task to another agent and returns its result. It knows nothing of this conversation but the prompt.',
    inputSchema: jsonSchema({
      type: 'object',
      properties: {
        subagent_type: { ...text('The agent.'), enum: Object.keys(subagents) },
        description: text('The task in a few words.'),
        prompt: text('The whole task.'),
      },
      required: ['subagent_type', 'prompt'],
      additionalProperties: false,
    }),
  };
}

/** @param now returns the time in milliseconds */
export function taskTool(subagents: Subagents, now: () => number): InnerTool {
  return {
    async run(scene, { id, input }, pending) {
      const { subagent_type: name, prompt, description } = isObject(input) ? input : {};
      const subagent = typeof name === 'string' && Object.hasOwn(subagents, name) ? subagents[name] : undefined;
      if (!subagent || typeof name !== 'string')
        throw new Error(`There is no agent \`${String(name)}\`. Agents: ${Object.keys(subagents).join(', ')}.`);
      const task = textOf(prompt) ?? textOf(description) ?? '';
      const depth = scene.depth + 1;
      if (depth > scene.agent.maxDepth) return said(refusalText(`Agents may start agents ${scene.agent.maxDepth} deep, and this one is.`));
      const session = `${scene.session}/${id}`;
      const payload = { id: session, name, type: subagent.type ?? name, task, depth };
      const began = now();
      let context: readonly string[] = [];
      if (pending?.stage !== 'child') {
        const crossing = await scene.boundary.cross('subagent.before', payload, pending?.held.ticket);
        if (crossing.kind === 'hold') return { kind: 'held', pending: { stage: 'inner', held: crossing.held } };
        if (crossing.kind === 'refuse') return said([refusalText(crossing.reason), ...crossing.context].join('\n\n'), crossing.halt);
        context = crossing.context;
      }
      const child = scene.child(session, subagent);
      const course: Course = pending?.child
        ? { messages: [...pending.child.messages], steps: pending.child.steps }
        : { messages: [{ role: 'user', content: [task, ...context].join('\n\n') }], steps: 0 };
      return finish(scene, child, course, pending?.child, (end) => ({ ...payload, ...end, durationMs: now() - began }));
    },
  };
}

type Ended = { readonly success: boolean; readonly result?: Json; readonly error?: string };
type Payload = Parameters<Scene['boundary']['tell']>[1];

/** Runs the child until the hooks of `subagent.after` accept its result, or have sent it back too often. */
async function finish(
  scene: Scene,
  child: Scene,
  course: Course,
  from: ParkedRun | undefined,
  payload: (end: Ended) => Payload,
): Promise<InnerEnd> {
  for (let rounds = 0; ; rounds++) {
    const end = await runChild(child, course, rounds === 0 ? from : undefined);
    scene.boundary.leftovers.push(...child.boundary.leftovers.splice(0));
    if (end.kind === 'parked') {
      const [held] = end.held;
      if (held) return { kind: 'held', pending: { stage: 'child', held, child: end.run } };
    }
    const ended = endedBy(end);
    const told = await scene.boundary.tell('subagent.after', payload(ended));
    const halt = (end.kind === 'refuse' ? end.halt : undefined) ?? (told.kind === 'refuse' ? told.halt : undefined);
    const result = ended.result ?? refusalText(ended.error ?? '');
    if (halt !== undefined) return said(textFor(result, told.context), halt);
    if (told.kind === 'pass') return said(textFor(told.replace ?? result, told.context));
    const mayGoBack = ended.success && rounds < scene.agent.stopCap && !scene.signal.aborted;
    if (!mayGoBack) return said(textFor(result, [`A hook objects to this result: ${told.reason}`, ...told.context]));
    course.messages = [...course.messages, { role: 'user', content: [told.reason, ...told.context].join('\n\n') }];
  }
}

async function runChild(child: Scene, course: Course, from: ParkedRun | undefined): Promise<RunEnd> {
  const tickets = new Map(from?.held ? [[from.held.kind as string, from.held.ticket]] : []);
  const prepared = await prepare(child, systemPrompt(child), tickets);
  if (prepared.kind === 'refuse') return prepared;
  if (prepared.kind === 'hold') {
    const run: ParkedRun = { ...course, results: from?.results ?? [], calls: from?.calls ?? [], held: prepared.held };
    return { kind: 'parked', run, held: [prepared.held] };
  }
  try {
    return await runSteps(child, course, prepared, from);
  } catch (error) {
    course.messages = closed(course.messages, 'The run failed.');
    return { kind: 'refuse', reason: error instanceof Error ? error.message : String(error), context: [] };
  }
}

function endedBy(end: RunEnd): Ended {
  if (end.kind === 'done') return { success: true, result: end.text };
  if (end.kind === 'refuse') return { success: false, error: end.reason };
  return { success: false, error: 'It took too many steps.' };
}

function textFor(result: Json, context: readonly string[]): Json {
  return withContext(result, context) as Json;
}

function said(result: Json, halt?: string): InnerEnd {
  return { kind: 'result', result, ...(halt !== undefined && { halt }) };
}
