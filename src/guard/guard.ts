/** The guard's answer on one command: the worst finding decides, and every finding is told. Never throws, never says yes. */
import type { Sight } from './effects/effect.ts';
import type { Finding } from './findings.ts';
import { judge } from './judge.ts';
import { type GuardDecision, PRESETS, type Preset } from './presets.ts';

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
