/**
 * Claude Code on the wire: base fields on every event, then its own. Fields without a place in the canonical event are kept as metadata and written
 * back, so that a native payload survives the way there and back.
 */

import type { DecodedEvent, Wire } from '../../core/contracts/dialect.ts';
import type { HookEvent } from '../../core/event/event.ts';
import { isObject, type Json, type JsonObject } from '../../core/values/json.ts';
import { decodeReply, decodeValue, encodeReply } from './decode-reply.ts';
import { type EventName, isEventName, kindOf } from './profile.ts';

export type FieldType = 'text' | 'boolean' | 'any';
export interface Field {
  readonly native: string;
  readonly data: string;
  readonly type: FieldType;
}

const field = (native: string, data: string = native, type: FieldType = 'text'): Field => ({ native, data, type });

const TOOL = [field('tool_name', 'tool'), field('tool_input', 'input', 'any'), field('tool_use_id', 'toolUseId')];
const LAST_MESSAGE = field('last_assistant_message', 'message');
const SUBAGENT = [field('agent_id', 'id'), field('agent_type', 'type')];
const SWITCH = [field('from_model', 'from'), field('to_model', 'to')];
const TASK = [field('task_id', 'id'), field('task_subject', 'subject'), field('task_description', 'description')];
const SERVER = field('mcp_server_name', 'server');

/** The fields of each event on stdin in addition to the base fields. */
export const FIELDS: Readonly<Record<EventName, readonly Field[]>> = {
  PreToolUse: TOOL,
  PostToolUse: [...TOOL, field('tool_response', 'result', 'any')],
  PostToolUseFailure: [...TOOL, field('error')],
  PostToolBatch: [field('tool_calls', 'calls', 'any')],
  PermissionRequest: TOOL,
  PermissionDenied: [...TOOL, field('reason')],
  Notification: [field('message'), field('notification_type', 'type')],
  UserPromptSubmit: [field('prompt')],
  UserPromptExpansion: [field('command_name', 'command'), field('command_args', 'arguments', 'any'), field('prompt')],
  SessionStart: [field('source'), field('model')],
  SessionEnd: [field('reason')],
  Setup: [field('trigger', 'reason')],
  Stop: [LAST_MESSAGE],
  StopFailure: [field('error', 'reason'), field('error_details', 'error', 'any'), LAST_MESSAGE],
  SubagentStart: SUBAGENT,
  SubagentStop: [...SUBAGENT, field('last_assistant_message', 'result')],
  PreCompact: [field('trigger', 'reason')],
  PostCompact: [field('trigger', 'reason'), field('compact_summary', 'summary')],
  PreModelSwitch: SWITCH,
  PostModelSwitch: SWITCH,
  TeammateIdle: [field('teammate_name', 'name')],
  TaskCreated: TASK,
  TaskCompleted: TASK,
  Elicitation: [SERVER, field('message')],
  ElicitationResult: [SERVER, field('message'), field('action'), field('content', 'content', 'any')],
  ConfigChange: [field('source'), field('file_path', 'path')],
  InstructionsLoaded: [field('file_path', 'path'), field('load_reason', 'reason')],
  WorktreeCreate: [field('name')],
  WorktreeRemove: [field('worktree_path', 'path')],
  CwdChanged: [field('old_cwd', 'from'), field('new_cwd', 'to')],
  FileChanged: [field('file_path', 'path'), field('event', 'change')],
  DirectoryAdded: [field('directory', 'path'), field('source')],
  MessageDisplay: [field('delta', 'text'), field('final', 'final', 'boolean')],
};

const REPLY_KEYS = ['continue', 'stopReason', 'suppressOutput', 'systemMessage', 'decision', 'reason', 'hookSpecificOutput'];

export const wire: Wire = {
  eventKey: 'hook_event_name',
  encodeEvent,
  decodeEvent,
  decodeReply,
  decodeValue,
  encodeReply,
  replyKeys: REPLY_KEYS,
};

const BASE = ['session_id', 'transcript_path', 'cwd', 'hook_event_name'];
/** Events that say whether a hook has already sent the agent back. */
const STOPS: readonly string[] = ['Stop', 'SubagentStop'] satisfies EventName[];

function fieldsOf(nativeEvent: string): readonly Field[] {
  return isEventName(nativeEvent) ? FIELDS[nativeEvent] : [];
}

function encodeEvent({ data, session }: HookEvent, nativeEvent: string): JsonObject {
  const metadata = isObject(data['metadata']) ? data['metadata'] : {};
  const fields = fieldsOf(nativeEvent);
  const own = fields.flatMap((field): [string, Json][] => {
    const value = valueFor(field, data);
    return value === undefined || value === null ? [] : [[field.native, value]];
  });
  const known = new Set([...BASE, ...fields.map(({ native }) => native), 'stop_hook_active', 'metadata']);
  // A field of the wrong type was kept as it came, and is written as it came.
  const taken = new Set(own.map(([key]) => key));
  const rest = Object.entries(metadata).filter(
    ([key]) => !known.has(key) || (fields.some(({ native }) => native === key) && !taken.has(key)),
  );
  const { transcript_path: transcript } = metadata;
  return {
    session_id: session.id,
    transcript_path: typeof transcript === 'string' ? transcript : '',
    cwd: session.cwd,
    hook_event_name: nativeEvent,
    ...Object.fromEntries(own),
    ...(STOPS.includes(nativeEvent) && { stop_hook_active: isAgain(data, metadata) }),
    ...(nativeEvent === 'PreCompact' && { custom_instructions: null }),
    ...Object.fromEntries(rest),
  };
}

function isAgain({ continuations }: JsonObject, metadata: JsonObject): boolean {
  return typeof continuations === 'number' ? continuations > 0 : metadata['stop_hook_active'] === true;
}

function valueFor({ native, data: key, type }: Field, data: JsonObject): Json | undefined {
  // quirk subagent-type: elsewhere a subagent has a name and no type.
  const value = native === 'agent_type' ? (data['type'] ?? data['name']) : data[key];
  return type === 'text' && typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

function decodeEvent(nativeEvent: string, payload: JsonObject): DecodedEvent {
  const fields = fieldsOf(nativeEvent);
  const { session_id: session, cwd, hook_event_name: _, stop_hook_active: again, ...given } = payload;
  const data: [string, Json][] = [];
  const extra: [string, Json][] = [];
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    const field = fields.find(({ native }) => native === key);
    if (field && fits(value, field)) data.push([field.data, value]);
    else if (key !== 'transcript_path' || value !== '') extra.push([key, value]);
  }
  if (typeof again === 'boolean') {
    if (nativeEvent === 'Stop') data.push(['continuations', again ? 1 : 0]);
    else extra.push(['stop_hook_active', again]);
  }
  if (extra.length > 0) data.push(['metadata', Object.fromEntries(extra)]);
  return {
    kind: isEventName(nativeEvent) ? kindOf(nativeEvent) : 'notification',
    data: named(nativeEvent, Object.fromEntries(data)),
    ...(typeof session === 'string' && { session }),
    ...(typeof cwd === 'string' && cwd !== '' && { cwd }),
  };
}

function fits(value: Json, { type }: Field): boolean {
  return type === 'any' || typeof value === (type === 'text' ? 'string' : 'boolean');
}

/** quirk subagent-type: matchers by name, here and in other dialects, find a subagent by its type. */
function named(nativeEvent: string, data: JsonObject): JsonObject {
  return nativeEvent.startsWith('Subagent') && typeof data['type'] === 'string' ? { ...data, name: data['type'] } : data;
}
