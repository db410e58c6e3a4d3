/** Which field of a native payload is which key of the canonical one, event by event, in the order the document writes them. */
import { isObject, type Json } from '../../core/json.ts';
import type { Trigger } from './profile.ts';

export interface Field {
  readonly native: string;
  readonly canonical: string;
  readonly type: 'text' | 'number' | 'any';
}

const tool: readonly Field[] = [text('tool_name', 'tool'), any('tool_input', 'input'), text('tool_use_id', 'toolUseId')];
const subagent: readonly Field[] = [text('subagent_name', 'name'), text('subagent_type', 'type'), text('task_description', 'task')];

export const FIELDS: Readonly<Record<Trigger, readonly Field[]>> = {
  session_start: [text('model', 'model'), any('args', 'args')],
  session_end: [number('duration_seconds', 'durationSeconds'), number('total_steps', 'totalSteps'), text('exit_reason', 'reason')],
  before_agent: [text('prompt', 'prompt')],
  after_agent: [number('message_count', 'messageCount')],
  before_stop: [text('stop_reason', 'reason'), number('step_count', 'stepCount'), any('final_message', 'message')],
  before_tool: tool,
  after_tool: [...tool, any('tool_result', 'result')],
  after_tool_failure: [...tool, any('error', 'error')],
  subagent_start: subagent,
  subagent_stop: subagent,
  pre_compact: [text('reason', 'reason')],
};

export function fits(field: Field, value: Json | undefined): boolean {
  if (value === undefined) return false;
  switch (field.type) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'any':
      return value !== null;
  }
}

/** The document's `final_message` is an object or null; a plain text is the assistant's. */
export function messageObject(message: Json | undefined): Json {
  if (typeof message === 'string') return { role: 'assistant', content: message };
  return isObject(message) ? message : null;
}

function text(native: string, canonical: string): Field {
  return { native, canonical, type: 'text' };
}

function number(native: string, canonical: string): Field {
  return { native, canonical, type: 'number' };
}

function any(native: string, canonical: string): Field {
  return { native, canonical, type: 'any' };
}
