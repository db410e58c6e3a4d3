/** `hookline/guard`: the guard as functions, for code that asks it about a command or a tool without any hook. */

export type { GuardOverride } from './core/contracts/guard-settings.ts';
export type { GuardDecision, Preset } from './guard/guard.ts';
export { type GuardFinding, type GuardOptions, type GuardVerdict, guardCommand } from './guard/guard.ts';
export { reasonFor } from './guard/judge-event.ts';
export { type GuardToolOptions, guardTool } from './guard/tools/guard-tool.ts';
