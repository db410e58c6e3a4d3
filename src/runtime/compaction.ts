/** Keeps a conversation within its budget: older messages become a summary. A call is never parted from its result. */
import type { ModelMessage } from 'ai';
import { callModel } from './model-call.ts';
import { type Course, type Scene, shownJson } from './scene.ts';

const CHARACTERS_PER_TOKEN = 4;

/** Returns an estimate that needs no tokeniser. */
export function estimateTokens(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + Math.ceil(JSON.stringify(shownJson(message.content)).length / CHARACTERS_PER_TOKEN), 0);
}

/**
 * Returns how many messages from the start a summary may replace, so that about `keep` tokens stay. The rest begins with a message of the
 * assistant, because the results of its calls follow it: a cut anywhere else could part them. Zero if there is no such place.
 */
export function cutAt(messages: readonly ModelMessage[], keep: number): number {
  const places = messages.flatMap(({ role }, index) => (role === 'assistant' && index > 1 ? [index] : []));
  const fitting = places.find((index) => estimateTokens(messages.slice(index)) <= keep);
  return fitting ?? places.at(-1) ?? 0;
}

const INSTRUCTIONS =
  'You summarise the beginning of a conversation between a user and an agent, so that the agent can go on without it. Keep: the tasks of the user, decisions and their reasons, names of files and other things, results of tools that still matter, open questions. Write plain text.';

export interface CompactionRequest {
  readonly course: Course;
  readonly model: Parameters<typeof callModel>[1]['model'];
}

/**
 * Compacts the conversation if it exceeds its budget and no hook objects. Returns the reason if the run must end, and whether hooks should be
 * asked again in this turn: after a refusal they are not.
 */
export async function compactIfNeeded(scene: Scene, { course, model }: CompactionRequest): Promise<{ halt?: string; refused: boolean }> {
  const { agent, boundary, session, depth } = scene;
  const limits = agent.compaction;
  if (!limits || estimateTokens(course.messages) <= limits.budget) return { refused: false };
  const cut = cutAt(course.messages, limits.keep);
  if (cut === 0) return { refused: false };
  const reason = 'budget';
  const crossing = await boundary.cross('compact.before', { reason });
  if (crossing.kind !== 'pass') {
    const halt = crossing.kind === 'refuse' ? crossing.halt : undefined;
    return { refused: true, ...(halt !== undefined && { halt }) };
  }
  const head = course.messages.slice(0, cut);
  const asked = ['Summarise this conversation.', ...crossing.context, JSON.stringify(shownJson(head))].join('\n\n');
  // The summary goes to the provider like every other request, so its hooks are asked. Its text is not shown to the user.
  const quiet: Scene = { ...scene, stream: false, agent: { ...agent, emit: (event) => event.type !== 'text' && agent.emit(event) } };
  const answer = await callModel(quiet, { model, system: INSTRUCTIONS, messages: [{ role: 'user', content: asked }], tools: {} });
  if (answer.kind !== 'answer' || answer.text === '') {
    const halt = answer.kind === 'hold' ? undefined : answer.halt;
    return { refused: true, ...(halt !== undefined && { halt }) };
  }
  course.messages = [{ role: 'user', content: `Summary of the conversation so far:\n\n${answer.text}` }, ...course.messages.slice(cut)];
  const told = await boundary.tell('compact.after', { reason, summary: answer.text });
  boundary.leftovers.push(...told.context);
  agent.emit({ type: 'compacted', session, depth, removed: cut });
  const halt = answer.halt ?? (told.kind === 'refuse' ? told.halt : undefined);
  return { refused: false, ...(halt !== undefined && { halt }) };
}
