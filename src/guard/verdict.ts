/** The guard's verdict as data, and the presets that map each severity to a decision. */
import type { AuthoredRule, Protection } from '../core/contracts/guard-settings.ts';
import type { KnownFolders } from './effects/effect.ts';
import type { Finding, FindingSeverity } from './findings.ts';

export type GuardDecision = 'deny' | 'ask' | 'none';
export type Preset = 'standard' | 'strict' | 'paranoid';

export const PRESETS: Readonly<Record<Preset, Readonly<Record<FindingSeverity, GuardDecision>>>> = {
  standard: { catastrophic: 'deny', high: 'deny', medium: 'ask', low: 'none' },
  strict: { catastrophic: 'deny', high: 'deny', medium: 'deny', low: 'ask' },
  paranoid: { catastrophic: 'deny', high: 'deny', medium: 'deny', low: 'deny' },
};

/** Returns the preset of the options. One that does not exist is the strictest, because nothing more lenient was asked for. */
export function presetOf(options: GuardOptions): Preset {
  const preset = options.preset ?? 'standard';
  return Object.hasOwn(PRESETS, preset) ? preset : 'paranoid';
}

export interface GuardOptions extends KnownFolders {
  readonly preset?: Preset;
  /** Rule packs that are enabled in addition to the core rules. */
  readonly packs?: readonly string[];
  /** Packs that the project shows to need. Their rules ask, and deny only under a stricter preset. */
  readonly shownPacks?: readonly string[];
  /** Rules of one's own. */
  readonly rules?: readonly AuthoredRule[];
  /** Decisions on the use of files, by the glob of their paths. */
  readonly protect?: Readonly<Record<string, Protection>>;
  /** Why some rules of the settings cannot be used. Then a person is asked about every command and file. */
  readonly broken?: readonly string[];
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
