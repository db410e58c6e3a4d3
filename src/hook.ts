export type { HookAnswer } from './agents/hookline/answer.ts';
export type { AnswerFor } from './agents/hookline/answer-types.ts';
export type { EventKind } from './core/event/event.ts';
export type { HooklineTools } from './core/event/tool-types.ts';
export type { Json, JsonObject } from './core/values/json.ts';
export type { Consent, Denial, Hold, Question } from './hook/answers.ts';
export { allow, ask, context, deny, halt, hold, notice, replace, rewrite } from './hook/answers.ts';
export type {
  EventFor,
  ExecOptions,
  ExecResult,
  HookDefinition,
  HookMatch,
  HookResult,
  HookState,
  Matched,
  MatchedTool,
  ToolName,
} from './hook/definition.ts';
export { defineHook } from './hook/definition.ts';
