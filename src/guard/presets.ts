/** What follows from a finding, by how careful one wants to be. Nothing here says yes: the best the guard has to say is no objection. */
import type { FindingSeverity } from './findings.ts';

export type GuardDecision = 'deny' | 'ask' | 'none';
export type Preset = 'standard' | 'strict' | 'paranoid';

export const PRESETS: Readonly<Record<Preset, Readonly<Record<FindingSeverity, GuardDecision>>>> = {
  standard: { catastrophic: 'deny', high: 'deny', medium: 'ask', low: 'none' },
  strict: { catastrophic: 'deny', high: 'deny', medium: 'deny', low: 'ask' },
  paranoid: { catastrophic: 'deny', high: 'deny', medium: 'deny', low: 'deny' },
};
