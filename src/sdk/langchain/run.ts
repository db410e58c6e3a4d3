/** The run that a call of a tool or a model belongs to: its thread is the session of the hooks. */
import { getConfig, type LangGraphRunnableConfig } from '@langchain/langgraph';
import type { CallContext } from '../kit/gate.ts';

/** The caller, for hooks. `metadata` is kept on the tickets of held calls, next to the thread. */
export type Caller = Pick<CallContext, 'agent' | 'user' | 'channel' | 'depth' | 'metadata'>;

/** The caller, or a function that returns the caller of a run from its config, for an agent that serves several people. */
export type CallerOfRun = Caller | ((config: LangGraphRunnableConfig) => Caller);

export interface AgentRun {
  readonly config: LangGraphRunnableConfig;
  readonly context: CallContext;
}

/** The session of a run without `thread_id`. Such a run is never suspended, so no approval is bound to this session. */
const NO_THREAD = 'default';

/** Must be called inside a node of the graph. */
export function currentRun(caller: CallerOfRun): AgentRun {
  const config = getConfig() ?? {};
  const { metadata, ...who } = typeof caller === 'function' ? caller(config) : caller;
  const thread = threadOf(config);
  const kept = { ...metadata, ...(thread !== undefined && { thread }) };
  return { config, context: { ...who, session: thread ?? NO_THREAD, signal: config.signal, metadata: kept } };
}

export function threadOf({ configurable }: LangGraphRunnableConfig): string | undefined {
  const id = configurable?.['thread_id'];
  return typeof id === 'string' && id !== '' ? id : typeof id === 'number' ? String(id) : undefined;
}
