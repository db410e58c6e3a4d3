/** Everything that the worker of hooks needs from the engine that it belongs to. */
import { commandJudge, type GuardHandlerContext } from '../handlers/guard.ts';
import type { WorkerPorts } from '../handlers/worker/index.ts';
import type { ResolvedPlaces } from '../load/find/places.ts';
import type { Memory } from '../load/memory.ts';

/** Called for the first hook that needs a worker. */
export function workerPorts(
  { root, stateFolder }: Pick<ResolvedPlaces, 'root' | 'stateFolder'>,
  guard: () => Promise<GuardHandlerContext>,
  memory: Memory | undefined,
): () => Promise<WorkerPorts> {
  return async () => {
    const { openSessionState } = await import('../stores/session-state.ts');
    return { root, state: openSessionState(stateFolder, root), judge: commandJudge(guard), kept: memory };
  };
}
