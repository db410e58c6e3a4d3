/** The exact shape of every event on stdin, and its way back to the canonical payload. Key order is the document's. */
import type { HookEvent } from '../../core/event.ts';
import { isObject, type Json, textOf } from '../../core/json.ts';
import type { EventName } from './profile.ts';

export interface Field {
  readonly native: string;
  /** The canonical key; `session` stands for the session itself. */
  readonly canonical: string;
  readonly type: 'text' | 'number' | 'boolean' | 'any';
  /** The value to write where the canonical one is not written as it stands. */
  readonly write?: (event: HookEvent) => Json | undefined;
}

const PREVIEW_CHARACTERS = 200;

const session = (native: string): Field => ({ native, canonical: 'session', type: 'text', write: ({ session: { id } }) => id });
const tool: readonly Field[] = [
  { native: 'tool', canonical: 'tool', type: 'text' },
  // A script reads `.params.command`: an event without input has empty params, not none.
  { native: 'params', canonical: 'input', type: 'any', write: ({ data }) => data['input'] ?? {} },
];
const finished: readonly Field[] = [
  session('parent_session_id'),
  { native: 'subagent_name', canonical: 'name', type: 'text' },
  { native: 'result_preview', canonical: 'result', type: 'text', write: ({ data }) => preview(data['result'] ?? data['error']) },
  { native: 'duration_ms', canonical: 'durationMs', type: 'number' },
  { native: 'success', canonical: 'success', type: 'boolean', write: ({ data }) => data['success'] ?? (data['error'] ?? null) === null },
];

export const SHAPES: Readonly<Record<EventName, readonly Field[]>> = {
  PreToolUse: tool,
  PostToolUse: [...tool, { native: 'result', canonical: 'result', type: 'any' }],
  PostToolUseFailure: [...tool, { native: 'error', canonical: 'error', type: 'any' }],
  PermissionRequest: tool,
  UserPromptSubmit: [{ native: 'prompt', canonical: 'prompt', type: 'text' }],
  Notification: [{ native: 'message', canonical: 'message', type: 'text' }],
  SubagentStop: finished,
  PreCompact: [{ native: 'reason', canonical: 'reason', type: 'text' }],
  SessionStart: [session('session_id')],
  SessionEnd: [session('session_id'), { native: 'turn_count', canonical: 'turnCount', type: 'number' }],
  Stop: [{ native: 'response', canonical: 'message', type: 'text', write: ({ data }) => responseOf(data['message']) }],
  SubagentStarted: [
    session('parent_session_id'),
    { native: 'subagent_name', canonical: 'name', type: 'text' },
    { native: 'task_preview', canonical: 'task', type: 'text', write: ({ data }) => preview(data['task']) },
  ],
  SubagentCompleted: finished,
};

export function fits({ type }: Field, value: Json): boolean {
  if (type === 'any') return value !== null;
  return typeof value === { text: 'string', number: 'number', boolean: 'boolean' }[type];
}

/** At most 200 characters, the dots of a cut included. Counted in code points: no character is cut in two. */
export function preview(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // No text has more code points than units, so most are not taken apart.
  if (text.length <= PREVIEW_CHARACTERS) return text;
  // Two units make at most one code point: this much is enough to tell whether there are more than may stand.
  const points = [...text.slice(0, 2 * (PREVIEW_CHARACTERS + 1))];
  if (points.length <= PREVIEW_CHARACTERS) return text;
  return `${points.slice(0, PREVIEW_CHARACTERS - 3).join('')}...`;
}

/** The final answer as text: it may come as a message with content, or with a list of text parts. */
function responseOf(message: Json | undefined): string {
  if (typeof message === 'string') return message;
  const content = isObject(message) ? message['content'] : undefined;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.flatMap((part: Json) => textOf(isObject(part) ? part['text'] : part) ?? []).join('');
}
