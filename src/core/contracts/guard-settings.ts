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

/** How an action uses a file. */
export const FILE_USES = ['read', 'write', 'delete'] as const;
export type FileUse = (typeof FILE_USES)[number];

/** From the most to the least lenient. */
export const PROTECTIONS = ['ask', 'deny'] as const;
export type ProtectionWord = (typeof PROTECTIONS)[number];

/** The decision on each use of some files. A use without a decision is free. */
export interface Protection {
  readonly read?: ProtectionWord;
  readonly write?: ProtectionWord;
  /** Default: as `write`, because deleting a file changes it as much. */
  readonly delete?: ProtectionWord;
  /** Why, as its author puts it. */
  readonly reason?: string;
  readonly instead?: string;
  /** No override relaxes it: it is the machine's policy. */
  readonly locked?: true;
}

/** Conditions on the facts of an effect, as in the rules of the guard. */
export type RulePattern = Readonly<Record<string, string | boolean | readonly string[]>>;

/** A rule of one's own, in the form of the rules of the guard. */
export interface AuthoredRule {
  /** Kebab-case. */
  readonly id: string;
  readonly severity: RuleSeverity;
  readonly match: RulePattern & { readonly effect: string };
  readonly unless?: readonly RulePattern[];
  /** The predicate of the sentence "This action …". `{fact}` is replaced by the effect's fact. */
  readonly reason: string;
  readonly instead: string;
  /** As in `Protection`. */
  readonly locked?: true;
}

export const RULE_SEVERITIES = ['catastrophic', 'high', 'medium', 'low'] as const;
export type RuleSeverity = (typeof RULE_SEVERITIES)[number];

export interface GuardSettings {
  readonly preset?: PresetName;
  /** Rule packs that apply in addition to the core rules. */
  readonly packs?: readonly string[];
  readonly overrides?: readonly GuardOverride[];
  /** Decisions on the use of files, by the glob of their paths. A glob that starts with a name is relative to the project. */
  readonly protect?: Readonly<Record<string, Protection>>;
  readonly rules?: readonly AuthoredRule[];
  /** Absolute paths of YAML files with more rules. In a settings file they are texts in the list `rules`. */
  readonly ruleFiles?: readonly string[];
  /** Why parts of `protect` and `rules` cannot be used. A person is asked about every command and file until they are fixed. */
  readonly broken?: readonly string[];
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
    protect: allProtections(all.map((one) => one?.protect ?? {})),
    rules: all.flatMap((one) => one?.rules ?? []),
    ruleFiles: all.flatMap((one) => one?.ruleFiles ?? []),
    broken: all.flatMap((one) => one?.broken ?? []),
  };
}

/** Joins protections. Of two for one glob, the stricter decision on each use counts, and the words of the last one that tightens. */
function allProtections(all: readonly Readonly<Record<string, Protection>>[]): Readonly<Record<string, Protection>> {
  const joined = new Map<string, Protection>();
  for (const [glob, added] of all.flatMap((one) => Object.entries(one))) {
    const known = joined.get(glob);
    joined.set(glob, known === undefined ? added : bothProtections(known, added));
  }
  return Object.fromEntries(joined);
}

function bothProtections(known: Protection, added: Protection): Protection {
  const uses = FILE_USES.flatMap((use) => {
    const word = strictest(protectionOf(known, use), protectionOf(added, use));
    return word === undefined ? [] : [[use, word] as const];
  });
  const tightens = FILE_USES.some((use) => rankOf(protectionOf(added, use)) > rankOf(protectionOf(known, use)));
  const [worded, other] = tightens ? [added, known] : [known, added];
  return { ...other, ...worded, ...Object.fromEntries(uses), ...((known.locked ?? added.locked) && { locked: true }) };
}

/** Returns the decision on a use, if there is one. */
export function protectionOf(protection: Protection, use: FileUse): ProtectionWord | undefined {
  return protection[use] ?? (use === 'delete' ? protection.write : undefined);
}

function strictest(first: ProtectionWord | undefined, second: ProtectionWord | undefined): ProtectionWord | undefined {
  return rankOf(first) >= rankOf(second) ? first : second;
}

/** Returns a number that grows with the strictness. */
export function rankOf(word: ProtectionWord | undefined): number {
  return word === undefined ? -1 : PROTECTIONS.indexOf(word);
}

/** Returns the settings of the machine's policy, whose rules no override relaxes. */
export function lockedDown(settings: GuardSettings): GuardSettings {
  const { protect = {}, rules = [] } = settings;
  return {
    ...settings,
    protect: Object.fromEntries(Object.entries(protect).map(([glob, one]) => [glob, { ...one, locked: true }])),
    rules: rules.map((rule) => ({ ...rule, locked: true })),
  };
}

/** The effects that a rule of one's own can name, with their facts. */
export const EFFECT_FACTS: Readonly<Record<string, readonly string[]>> = {
  command: ['command', 'verb', 'option', 'operand', 'words'],
  'net.connect': ['host', 'command'],
  'net.send': ['host', 'what', 'how', 'command', 'local', 'file'],
  'git.push': ['how', 'remote', 'to', 'own', 'forced', 'deletes', 'mirrors', 'leased'],
  'git.discard': ['what', 'how', 'reach', 'source'],
  'git.delete': ['what', 'how', 'forced', 'own', 'name'],
  'git.rewrite': ['how', 'forced'],
  'sql.destroy': ['what', 'statement', 'client', 'test'],
};

/** Returns when an override ends, in milliseconds since the epoch, or undefined if its date is invalid. */
export function endOf({ expires }: Pick<GuardOverride, 'expires'>): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2}))?$/.test(expires)) return undefined;
  const at = Date.parse(expires);
  if (Number.isNaN(at)) return undefined;
  return expires.length === 10 ? at + DAY_MS : at;
}

const DAY_MS = 24 * 60 * 60 * 1000;
