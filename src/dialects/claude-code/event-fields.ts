/** What each event has on stdin beside the base fields: native key, canonical key, what it must be. The rest is kept as metadata. */
import type { EventName } from './profile.ts';

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
