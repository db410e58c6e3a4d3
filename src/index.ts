/** The public API. Everything exported here is meant to be used; nothing else is. */

export type { HookAnswer, HookDecision, HookEffects } from './agents/hookline/index.ts';
export type { Skill, SkillEvent, SkillHandler, SkillHook, SkillReturn } from './agents/skillkit/index.ts';
export type { Answer, AuditEntry, AuditFilter, AuditRecord } from './api/deprecated.ts';
export { registerHandler } from './api/global-handlers.ts';
export type { Hookline, ListedHook, Registration, Reloaded } from './api/hookline.ts';
export { createHookline } from './api/on-first-use.ts';
export type { ApprovalOptions, BackgroundOptions, CustomHandler, HooklineOptions, LimitOptions, LogOptions } from './api/options.ts';
export type { HookTool, ReloadReport } from './api/reload-tool.ts';
export type { EventOf, HookFunction, HookReturn, OnOptions } from './api/runtime-hooks.ts';
export type { Notice, NotifierConfig, NotifyFailure, TicketNotice } from './core/contracts/notifier.ts';
export type { TicketFilter, TicketRecord, TicketState } from './core/contracts/store.ts';
export type { ContextSource, DecisionKind } from './core/decision/decision.ts';
export { explain, explainHook } from './core/decision/explain.ts';
export type {
  Approval,
  DecidedOutcome as Outcome,
  GrantRef,
  HookReport,
  HookStatus,
  PendingState,
  ShadowVerdict,
  TicketRef,
} from './core/decision/outcome.ts';
export type { FaultKind } from './core/decision/reply.ts';
export type { EventKind } from './core/event/event.ts';
export { EVENT_KINDS } from './core/event/event.ts';
export type { EventPayloads } from './core/event/payloads.ts';
// With a star, because only then `declare module 'hookline'` can add to `HooklineTools`.
export type * from './core/event/tool-types.ts';
export type { ChainProblem, LogEntry, LogFilter, LogRecord } from './core/record/decision-record.ts';
export type { Grant, GrantScope } from './core/record/grant.ts';
export type { Actor, Caller, Project, Who } from './core/record/who.ts';
export type { Diagnostic, Severity } from './core/values/diagnostic.ts';
export type { EnvironmentPolicy } from './core/values/environment.ts';
export { type ErrorCode, HooklineError } from './core/values/errors.ts';
export type { Json, JsonObject } from './core/values/json.ts';
export type { Settlement } from './engine/decide/hold.ts';
export type { Plan, PlannedHook } from './engine/plan.ts';
export type { FireContext, NativeEvent } from './engine/receive/events.ts';
export type { DecisionLog } from './engine/record/decision-log.ts';
export type { Model } from './handlers/model.ts';
export type { Approvals, ApproveOptions, SettleOptions } from './people/approvals.ts';
export type { GrantOptions, Grants } from './people/grants.ts';
export { verifySignature as verifyWebhook } from './people/notifiers/signature.ts';
export type { SettledListener } from './people/settled.ts';
export { HaltError, HeldError } from './sdk/kit/errors.ts';
export { type WrappedCall, type WrappedTool, type WrapToolOptions, wrapTool } from './sdk/plain/wrap-tool.ts';
export type { TrustPins } from './trust/lock-file.ts';
