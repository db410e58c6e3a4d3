/** `hookline/claude-agent-sdk`: agents of the Claude Agent SDK behind the hooks. */

export { type GuardOptions, guardHooks } from './sdk/claude-agent-sdk/hooks.ts';
export { type GuardedSession, type SessionOptions, startSession } from './sdk/claude-agent-sdk/session.ts';
export type { ClaudeHooks } from './sdk/claude-agent-sdk/wire.ts';
export { HaltError } from './sdk/kit/errors.ts';
