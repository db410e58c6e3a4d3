/**
 * The guard's verdict on one command. A preset maps each severity to a decision. The guard never allows an action: at best it has no
 * objection.
 */

import type { KnownFolders } from './effects/effect.ts';
import type { Finding, FindingSeverity } from './findings.ts';
import { type Judgement, judge } from './judge.ts';

export type GuardDecision = 'deny' | 'ask' | 'none';
export type Preset = 'standard' | 'strict' | 'paranoid';

export const PRESETS: Readonly<Record<Preset, Readonly<Record<FindingSeverity, GuardDecision>>>> = {
  standard: { catastrophic: 'deny', high: 'deny', medium: 'ask', low: 'none' },
  strict: { catastrophic: 'deny', high: 'deny', medium: 'deny', low: 'ask' },
  paranoid: { catastrophic: 'deny', high: 'deny', medium: 'deny', low: 'deny' },
};

export interface GuardOptions extends KnownFolders {
  readonly preset?: Preset;
  /** Rule packs that are enabled in addition to the core rules. */
  readonly packs?: readonly string[];
}

export type GuardFinding = Finding & {
  readonly decision: GuardDecision;
  /** The file that the tool would touch, with symbolic links resolved. */
  readonly path?: string;
  /** The override that turned this finding into no objection. */
  readonly override?: { readonly reason: string; readonly expires: string };
};

export interface GuardVerdict {
  readonly decision: GuardDecision;
  readonly preset: Preset;
  /** Whether the whole command was understood. */
  readonly complete: boolean;
  /** Most severe first. */
  readonly findings: readonly GuardFinding[];
  /** The commands that would run, without their wrappers. */
  readonly commands: readonly { readonly argv: readonly string[]; readonly via: readonly string[] }[];
}

/** A text that breaks the guard has not been understood, so a person is asked about it. */
function judged(command: string, options: GuardOptions): Judgement {
  try {
    return judge(String(command), options);
  } catch {
    const doubt = { why: 'the text could not be judged', line: 1, limit: true };
    const analysis = { commands: [], shapes: [], runs: [], doubts: [doubt] };
    return judge('', { ...options, analysis });
  }
}

export function guardCommand(command: string, options: GuardOptions = {}): GuardVerdict {
  const preset = options.preset ?? 'standard';
  const { findings, analysis } = judged(command, options);
  const told = findings.map((finding) => ({ ...finding, decision: PRESETS[preset][finding.severity] }));
  return {
    decision: told.some(({ decision }) => decision === 'deny') ? 'deny' : told.some(({ decision }) => decision === 'ask') ? 'ask' : 'none',
    preset,
    complete: analysis.doubts.length === 0,
    findings: told,
    commands: analysis.commands.map(({ argv, via }) => ({ argv, via })),
  };
}
