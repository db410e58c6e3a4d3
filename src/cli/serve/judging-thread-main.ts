/** The program of the guard's second thread: judges the events of one message after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import type { JsonObject } from '../../core/values/json.ts';
import { type EventJudgement, judgeEvent } from '../../guard/judge-event.ts';
import type { GuardRules } from '../../handlers/guard.ts';
import { openFindingNotes } from '../../stores/finding-notes.ts';

export interface ToJudge {
  readonly session: string;
  readonly payload: JsonObject;
  /** Absent: those of the event before. */
  readonly rules?: GuardRules;
}

/** In the order of the events. Absent: it could not be judged here. */
export type Judged = readonly (EventJudgement | undefined)[];

let rules: GuardRules | undefined;

parentPort?.on('message', (events: readonly ToJudge[]) => parentPort?.postMessage(events.map(judge)));
// The guard is loaded.
parentPort?.postMessage([]);

function judge({ session, payload, rules: given = rules }: ToJudge): EventJudgement | undefined {
  rules = given;
  if (!given) return undefined;
  try {
    return judgeEvent(payload, { ...given, memory: openFindingNotes(String(workerData), given.root, session) });
  } catch {
    return undefined;
  }
}
