/** The run of an agent that a call belongs to: its thread is the session of the hooks. */
import type { CallContext } from '../kit/gate.ts';

/** A run, as far as it is used here. */
export interface AgentRun {
  readonly runId: string;
  readonly threadId?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly requestContext: { get(key: string): unknown };
}

/** The caller, for hooks. `session` is the thread by default, or the run if it has none. `metadata` is kept on the tickets of held calls. */
export type Caller = Partial<Pick<CallContext, 'session'>> & Pick<CallContext, 'agent' | 'user' | 'channel' | 'depth' | 'cwd' | 'metadata'>;

/** The caller, or a function that returns the caller of a run, for an agent that serves several people. */
export type CallerOfRun = Caller | ((run: AgentRun) => Caller);

/** The session of a model call outside of a run. It holds nothing, so no approval is bound to this session. */
const NO_RUN = 'default';

/** @param agent the id of the agent, which resumes the run */
export function contextOf(caller: CallerOfRun, agent: string, run: AgentRun): CallContext {
  const { session, metadata, ...who } = typeof caller === 'function' ? caller(run) : caller;
  const kept = { ...metadata, agent, runId: run.runId };
  return { agent, ...who, session: session ?? run.threadId ?? run.runId, metadata: kept };
}

/** The caller of a model call outside of a run, such as the one that finds a title. A function has no run to read. */
export function contextOutside(caller: CallerOfRun, agent: string): CallContext {
  const { session = NO_RUN, ...who } = typeof caller === 'function' ? {} : caller;
  return { agent, ...who, session };
}
