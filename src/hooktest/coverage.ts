/** The coverage of the tests: the hooks that none asks, and the decisions that a hook never took. */
import type { ListedHook } from '../api/hookline.ts';
import { DIALECTS } from '../builtins.ts';
import type { Source } from '../core/contracts/hook.ts';
import type { DecisionKind } from '../core/decision/decision.ts';
import { RANK } from './as-host.ts';
import type { CaseResult } from './run-case.ts';

export interface CoveredHook {
  readonly name: string;
  readonly dialect: string;
  readonly event: string;
  readonly source: Source;
  /** How many cases asked it. */
  readonly cases: number;
  /** The decisions that it took. */
  readonly seen: readonly DecisionKind[];
  /** The decisions that its event permits and that it never took. */
  readonly never: readonly DecisionKind[];
}

export function coverageOf(hooks: readonly ListedHook[], cases: readonly CaseResult[]): readonly CoveredHook[] {
  const reports = cases.flatMap(({ outcome }) => outcome?.hooks ?? []);
  return hooks.map(({ id, name, dialect, event, source }) => {
    const own = reports.filter((report) => report.id === id && (report.status === 'answered' || report.status === 'faulted'));
    const taken = new Set(own.flatMap((report) => (report.status === 'answered' ? [report.decision ?? 'pass'] : [])));
    const grants = DIALECTS.find((one) => one.id === dialect)?.profile.events[event]?.grants ?? [];
    const possible = RANK.filter((kind) => kind === 'pass' || grants.includes(kind));
    return {
      ...{ name, dialect, event, source, cases: own.length },
      seen: RANK.filter((kind) => taken.has(kind)),
      never: possible.filter((kind) => !taken.has(kind)),
    };
  });
}
