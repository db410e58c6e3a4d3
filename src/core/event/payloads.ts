/** The canonical payload of every kind of event, as types. `fire` takes these, and a function hook receives them. */
import type { Json, JsonObject } from '../values/json.ts';

/** Fields that every payload may have. */
export interface Common {
  /** The agent's name. */
  readonly agent?: string;
  /** Where the agent is spoken to, and by whom: hooks may be limited to both. */
  readonly channel?: string;
  readonly user?: string;
  readonly scope?: Json;
  readonly metadata?: JsonObject;
}

export interface ToolPayload extends Common {
  readonly tool: string;
  readonly input: JsonObject;
  readonly toolUseId?: string;
  /** The skill that the tool runs for. */
  readonly skill?: Json;
  /** How many agents are above the one that calls. */
  readonly depth?: number;
}
export interface PromptPayload extends Common {
  readonly prompt: string;
}
export interface CountPayload extends Common {
  readonly messageCount?: number;
}
export interface LlmPayload extends CountPayload {
  readonly model?: string;
  readonly toolCount?: number;
  readonly input?: Json;
}
export interface SkillPayload extends Common {
  readonly skill: string;
  readonly arguments?: Json;
  readonly definition?: Json;
}
export interface SubagentPayload extends Common {
  readonly id?: string;
  readonly name?: string;
  readonly type?: string;
  readonly task?: string;
  readonly depth?: number;
}
export interface MessagePayload extends Common {
  readonly content?: string;
}
export interface DefinitionPayload extends Common {
  readonly definition?: Json;
}
export interface SwitchPayload extends Common {
  readonly from?: string;
  readonly to?: string;
}
export interface TaskPayload extends Common {
  readonly id?: string;
  readonly subject?: string;
  readonly description?: string;
}
export interface ElicitationPayload extends Common {
  readonly server?: string;
  readonly message?: string;
}

export interface EventPayloads {
  'gateway.start': Common;
  'gateway.stop': Common;
  heartbeat: Common;
  'session.start': Common & { readonly model?: string; readonly args?: Json; readonly source?: string };
  'session.end': Common & {
    readonly reason?: string;
    readonly turnCount?: number;
    readonly durationSeconds?: number;
    readonly totalSteps?: number;
  };
  /** `id` is the session that ended. */
  'session.delete': Common & { readonly id?: string };
  'agent.start': DefinitionPayload;
  'agent.end': DefinitionPayload;
  'prompt.submit': PromptPayload;
  'prompt.expand': PromptPayload & { readonly command?: string; readonly arguments?: Json };
  'turn.before': CountPayload;
  /** `message` is the final message of the turn. */
  'turn.after': CountPayload & { readonly message?: Json };
  'model.switch.before': SwitchPayload;
  'model.switch.after': SwitchPayload;
  'model.resolve': Common & { readonly model: string };
  'prompt.build': PromptPayload;
  'llm.before': LlmPayload;
  'llm.tools': LlmPayload;
  'llm.after': LlmPayload & { readonly output?: Json };
  'tool.before': ToolPayload;
  'tool.after': ToolPayload & { readonly result?: Json };
  'tool.error': ToolPayload & { readonly error?: Json };
  /** Several tool calls that started together have all returned. */
  'tool.batch': Common & { readonly calls?: Json };
  'permission.request': ToolPayload;
  'permission.denied': ToolPayload & { readonly reason?: string };
  'skill.before': SkillPayload;
  'skill.after': SkillPayload & { readonly result?: Json };
  'subagent.before': SubagentPayload;
  'subagent.after': SubagentPayload & {
    readonly success?: boolean;
    readonly result?: Json;
    readonly error?: Json;
    readonly durationMs?: number;
  };
  'conversation.load.before': CountPayload;
  'conversation.load.after': CountPayload & { readonly messages?: Json };
  'conversation.save.before': CountPayload;
  'conversation.save.after': CountPayload;
  'compact.before': Common & { readonly reason?: string };
  'compact.after': Common & { readonly reason?: string; readonly summary?: string };
  'stop.before': Common & {
    readonly reason?: string;
    readonly stepCount?: number;
    readonly message?: Json;
    /** How many times in a row a hook has sent the agent back. */
    readonly continuations?: number;
  };
  'stop.error': Common & { readonly reason?: string; readonly error?: Json; readonly message?: Json };
  'agent.interrupt': Common;
  'teammate.idle': Common & { readonly name?: string };
  'task.created': TaskPayload;
  'task.completed': TaskPayload;
  'elicitation.before': ElicitationPayload;
  'elicitation.after': ElicitationPayload & { readonly action?: string; readonly content?: Json };
  setup: Common & { readonly reason?: string };
  'config.change': Common & { readonly source?: string; readonly path?: string };
  'instructions.loaded': Common & { readonly path?: string; readonly reason?: string };
  'cwd.changed': Common & { readonly from?: string; readonly to?: string };
  'directory.added': Common & { readonly path?: string; readonly source?: string };
  'file.changed': Common & { readonly path?: string; readonly change?: string };
  'worktree.create': Common & { readonly name?: string };
  'worktree.remove': Common & { readonly path?: string };
  'message.display': Common & { readonly text?: string; readonly final?: boolean };
  'message.received': MessagePayload;
  'message.sending': MessagePayload;
  'message.sent': MessagePayload;
  /** `type` is the type of the notification, such as `idle_prompt`. */
  notification: Common & { readonly message: string; readonly type?: string };
  'cron.delivery': MessagePayload;
  'docs.sync': MessagePayload;
}
