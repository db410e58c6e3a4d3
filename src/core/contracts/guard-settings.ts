/** The guard's settings. Several settings add up and the stricter value counts, so none of them can loosen another. */

/** From the most to the least lenient. */
export const PRESET_NAMES = ['standard', 'strict', 'paranoid'] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

/** Disables a rule for some command or file until a date. It has no effect on rules that are locked. */
export interface GuardOverride {
  readonly rule: string;
  /** The offending command as `guard explain` shows it; `*` matches any text. */
  readonly command?: string;
  /** The file that a tool would touch, with `~` for the home; `*` matches any text. */
  readonly path?: string;
  readonly reason: string;
  /** ISO 8601; a day counts to its end, in UTC. */
  readonly expires: string;
}

export interface GuardSettings {
  readonly preset?: PresetName;
  /** Rule packs that apply in addition to the core rules. */
  readonly packs?: readonly string[];
  readonly overrides?: readonly GuardOverride[];
}

export function isPresetName(value: unknown): value is PresetName {
  return PRESET_NAMES.some((name) => name === value);
}

export function addUp(...all: readonly (GuardSettings | undefined)[]): Required<GuardSettings> {
  const rank = Math.max(0, ...all.map((one) => (one?.preset === undefined ? 0 : PRESET_NAMES.indexOf(one.preset))));
  return {
    preset: PRESET_NAMES[rank] ?? 'standard',
    packs: [...new Set(all.flatMap((one) => one?.packs ?? []))],
    overrides: all.flatMap((one) => one?.overrides ?? []),
  };
}

/** Returns when an override ends, in milliseconds since the epoch, or undefined if its date is invalid. */
export function endOf({ expires }: Pick<GuardOverride, 'expires'>): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2}))?$/.test(expires)) return undefined;
  const at = Date.parse(expires);
  if (Number.isNaN(at)) return undefined;
  return expires.length === 10 ? at + DAY_MS : at;
}

const DAY_MS = 24 * 60 * 60 * 1000;
