/** `hookline/guard`: the guard as functions, for code that asks it about a command or a tool without any hook. */

export type { GuardOverride } from './core/guard-settings.ts';
export { type GuardFinding, type GuardOptions, type GuardVerdict, guardCommand } from './guard/guard.ts';
export { type GuardToolOptions, guardTool } from './guard/guard-tool.ts';
export type { GuardDecision, Preset } from './guard/presets.ts';
export { reasonFor } from './guard/verdict-words.ts';
