/** What follows from a finding, by how careful one wants to be. Nothing here says yes: the best the guard has to say is no objection. */

import type { Sight } from './effects/effect.ts';
import type { Finding, FindingSeverity } from './findings.ts';
import { judge } from './judge.ts';

export type GuardDecision = 'deny' | 'ask' | 'none';
export type Preset = 'standard' | 'strict' | 'paranoid';

export const PRESETS: Readonly<Record<Preset, Readonly<Record<FindingSeverity, GuardDecision>>>> = {
  standard: { catastrophic: 'deny', high: 'deny', medium: 'ask', low: 'none' },
  strict: { catastrophic: 'deny', high: 'deny', medium: 'deny', low: 'ask' },
  paranoid: { catastrophic: 'deny', high: 'deny', medium: 'deny', low: 'deny' },
};

/** The guard's answer on one command: the worst finding decides, and every finding is told. Never throws, never says yes. */

export interface GuardOptions extends Sight {
  readonly preset?: Preset;
  /** Packs of rules that count beside the core. */
  readonly packs?: readonly string[];
}

export type GuardFinding = Finding & {
  readonly decision: GuardDecision;
  /** The file that a tool would touch, where its links lead. */
  readonly path?: string;
  /** Whose word it is that it does not count. */
  readonly override?: { readonly reason: string; readonly expires: string };
};

export interface GuardVerdict {
  readonly decision: GuardDecision;
  readonly preset: Preset;
  /** Whether all of the command was understood. */
  readonly complete: boolean;
  /** Worst first. */
  readonly findings: readonly GuardFinding[];
  /** The commands that would run, with what wraps them taken off. */
  readonly commands: readonly { readonly argv: readonly string[]; readonly via: readonly string[] }[];
}

export function guardCommand(command: string, options: GuardOptions = {}): GuardVerdict {
  const preset = options.preset ?? 'standard';
  const { findings, analysis } = judge(command, options);
  const told = findings.map((finding) => ({ ...finding, decision: PRESETS[preset][finding.severity] }));
  return {
    decision: told.some(({ decision }) => decision === 'deny') ? 'deny' : told.some(({ decision }) => decision === 'ask') ? 'ask' : 'none',
    preset,
    complete: analysis.doubts.length === 0,
    findings: told,
    commands: analysis.commands.map(({ argv, via }) => ({ argv, via })),
  };
}
