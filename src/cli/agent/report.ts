/** Collects what an agent did for one JSON document: its calls, and every hook that acted. */
import type { HookReport } from '../../core/decision/outcome.ts';
import type { EventKind } from '../../core/event/event.ts';
import type { Json, JsonObject } from '../../core/values/json.ts';
import type { AgentEvent } from '../../runtime/contract.ts';

export interface ReportedCall {
  readonly tool: string;
  readonly input: JsonObject;
  readonly result: Json;
  readonly isError: boolean;
}

export interface ReportedHook extends Pick<HookReport, 'name' | 'dialect' | 'status' | 'decision' | 'reason' | 'effects' | 'fault'> {
  readonly kind: EventKind;
  readonly session: string;
}

export interface Report {
  note(event: AgentEvent): void;
  made(): { readonly calls: readonly ReportedCall[]; readonly hooks: readonly ReportedHook[]; readonly problems: readonly string[] };
}

export function createReport(): Report {
  const calls: ReportedCall[] = [];
  const hooks: ReportedHook[] = [];
  const problems: string[] = [];
  return {
    note(event) {
      if (event.type === 'tool-result') {
        const { tool, input, result, isError } = event;
        calls.push({ tool, input, result, isError });
      }
      if (event.type === 'problem') problems.push(event.message);
      if (event.type !== 'hook') return;
      const { kind, session, outcome } = event;
      for (const { name, dialect, status, decision, reason, effects, fault, ...rest } of outcome.hooks) {
        if (!hasActed({ status, decision, effects, wouldHave: rest.wouldHave })) continue;
        hooks.push({
          ...{ kind, session, name, dialect, status },
          ...(decision !== undefined && { decision }),
          ...(reason !== undefined && { reason }),
          ...(effects !== undefined && { effects }),
          ...(fault !== undefined && { fault }),
        });
      }
    },
    made: () => ({ calls, hooks, problems }),
  };
}

/** Whether a hook did more than to have no objection. */
export function hasActed({
  status,
  decision,
  effects = [],
  wouldHave,
}: { [K in 'status' | 'decision' | 'effects' | 'wouldHave']?: HookReport[K] | undefined }): boolean {
  if (status === 'skipped' || status === 'detached') return false;
  return status === 'faulted' || wouldHave !== undefined || (decision !== undefined && decision !== 'pass') || effects.length > 0;
}
