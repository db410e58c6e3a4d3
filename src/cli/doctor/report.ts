/** The doctor's report as data: the same for people and machines. An error is a protection that is not in force. */
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import type { InstallScope } from '../../install/host-files.ts';
import type { Coverage } from './coverage.ts';

export interface DoctorReport {
  readonly hookline: string;
  readonly node: string;
  readonly platform: string;
  readonly root: string;
  readonly home: string;
  readonly hosts: readonly HostReport[];
  readonly hooks: HooksReport;
  readonly log: LogReport;
  readonly findings: readonly Diagnostic[];
  /** Every agent on this machine asks Hookline, and every hook that should act does. */
  readonly healthy: boolean;
}

export interface HostReport {
  readonly id: string;
  readonly title: string;
  readonly installed: boolean;
  /** The user leaves it without Hookline on purpose: `doctor.ignore` in the settings. */
  readonly ignored?: true;
  readonly files: readonly HostFileReport[];
  /** Calls that its hooks never see, and calls that they see and cannot stop. */
  readonly coverage: Coverage;
}

export interface HostFileReport {
  readonly scope: InstallScope;
  readonly file: string;
  readonly state: 'absent' | 'not-installed' | 'installed' | 'partly' | 'changed' | 'ignored' | 'dead' | 'unreadable';
  readonly via?: 'command' | 'http';
  readonly events: readonly string[];
  readonly missing: readonly string[];
  readonly canary?: CanaryReport;
}

export interface CanaryReport {
  /** Whether the probe reached the hooks, and what shows it. */
  readonly arrived: boolean;
  readonly shownBy?: 'log' | 'answer';
  /** Whether a denial came back in the agent's format. */
  readonly denies: boolean;
  /** Why it was not sent: the agent would not start this entry. */
  readonly notSent?: string;
  readonly event: string;
  readonly ms: number;
  readonly detail?: string;
}

export interface HooksReport {
  readonly total: number;
  readonly active: number;
  /** How many are in each state. */
  readonly states: Readonly<Record<string, number>>;
  /** The active ones of each kind of event, and whether they can deny it. */
  readonly kinds: readonly { readonly kind: string; readonly hooks: readonly string[]; readonly gates: boolean }[];
  /** The active ones that a model answers, and the model. Null: no model can. */
  readonly judged: readonly { readonly hook: string; readonly model: string | null }[];
}

export interface LogReport {
  /** Undefined if the store cannot be opened. */
  readonly entries?: number;
  readonly newest?: number;
}
