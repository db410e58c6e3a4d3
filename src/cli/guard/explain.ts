/** Explains how a command is parsed and judged, as one document. Every part of the command is shown; nothing is run. */
import { PRESET_NAMES, type PresetName } from '../../core/contracts/guard-settings.ts';
import { ownPlaces } from '../../guard/effects/own/files.ts';
import { type GuardFinding, type GuardVerdict, guardCommand } from '../../guard/guard.ts';
import { overrideProblems, withOverrides } from '../../guard/overrides.ts';
import { printable } from '../../guard/shell/marks.ts';
import type { GuardRules } from './rules.ts';

export interface Explanation {
  readonly decision: GuardVerdict['decision'];
  /** Of the worst finding; null without one, as all that follows. */
  readonly rule: string | null;
  readonly severity: GuardFinding['severity'] | null;
  /** Whether all of the command was understood. */
  readonly complete: boolean;
  readonly span: readonly [start: number, end: number] | null;
  /** The command with the objection, and the commands that run it, outermost first. */
  readonly effective: { readonly argv: readonly string[]; readonly via: readonly string[] } | null;
  readonly why: string | null;
  readonly instead: string | null;
  /** The way to the command: the commands that run it, the call in a file or in code that leads to it, and the command. */
  readonly trace: readonly { readonly step: 'unwrap' | 'call' | 'run'; readonly from: string }[];
  readonly override: { readonly possible: boolean; readonly because: string } | null;
  readonly preset: PresetName;
  /** The decision of each preset. */
  readonly presets: Readonly<Record<PresetName, GuardVerdict['decision']>>;
  readonly elapsed_us: number;
  readonly findings: readonly GuardFinding[];
  /** Every command that would run. */
  readonly commands: GuardVerdict['commands'];
  /** Problems of the overrides in the settings. */
  readonly notes: readonly string[];
}

export function explainCommand(command: string, { settings, shown, root, home, cwd = root, diagnostics }: GuardRules): Explanation {
  const { packs, overrides, rules, protect, broken } = settings;
  const shownPacks = shown.map(({ pack }) => pack);
  const now = Date.now();
  const judge = (preset: PresetName): GuardVerdict =>
    withOverrides(guardCommand(command, { preset, packs, shownPacks, rules, protect, broken, root, home, cwd, own: ownPlaces() }), {
      overrides,
      now,
      home,
    });
  const start = process.hrtime.bigint();
  const verdict = judge(settings.preset);
  const elapsed = Number(process.hrtime.bigint() - start) / 1000;
  const [worst] = [...verdict.findings].sort((a, b) => Number(b.decision === verdict.decision) - Number(a.decision === verdict.decision));
  const effective = worst ? commandOf(worst, verdict) : null;
  return {
    decision: verdict.decision,
    rule: worst?.rule ?? null,
    severity: worst?.severity ?? null,
    complete: verdict.complete,
    span: worst?.span ?? null,
    effective,
    why: worst?.message ?? null,
    instead: worst?.hint ?? null,
    trace: effective
      ? [
          ...effective.via.map((from) => ({ step: 'unwrap', from }) as const),
          ...callOf(worst),
          { step: 'run', from: effective.argv.join(' ') },
        ]
      : [],
    override: worst ? overrideOf(worst) : null,
    preset: settings.preset,
    presets: Object.fromEntries(PRESET_NAMES.map((name) => [name, judge(name).decision])) as Explanation['presets'],
    elapsed_us: Math.round(elapsed),
    findings: verdict.findings,
    commands: verdict.commands.map(clean),
    notes: [...overrideProblems(overrides, now), ...diagnostics.map(({ message }) => message)],
  };
}

/** Returns the line of code that leads to a finding. */
function callOf(finding: GuardFinding | undefined): readonly { readonly step: 'call'; readonly from: string }[] {
  const place = finding?.source && placeOf(finding.source);
  return place === undefined ? [] : [{ step: 'call', from: place }];
}

/** Returns a place in code as one line: the file, the line, and its text. */
export function placeOf({ file, line, call }: NonNullable<GuardFinding['source']>): string {
  const where = [
    ...(file === undefined ? [] : [file]),
    ...(line === undefined ? [] : [file === undefined ? `line ${line} of the code` : line]),
  ].join(':');
  return call === undefined ? where : `${where}: ${call}`;
}

function overrideOf({ locked, override }: GuardFinding): NonNullable<Explanation['override']> {
  if (override) return { possible: true, because: `overridden until ${override.expires}: ${override.reason}` };
  if (locked) return { possible: false, because: 'locked' };
  return { possible: true, because: 'in your own settings, with a reason and an end' };
}

/** The finding has its command as text, cut; the list has it word by word. */
function commandOf({ text, via = [] }: GuardFinding, { commands }: GuardVerdict): Explanation['effective'] {
  const beginning = text.replace(/…$/, '');
  const found = commands
    .map(clean)
    .find(
      ({ argv, via: other }) => other.join('\n') === via.join('\n') && argv.join(' ').replace(/\s+/g, ' ').trim().startsWith(beginning),
    );
  return found ?? null;
}

function clean({ argv, via }: GuardVerdict['commands'][number]): GuardVerdict['commands'][number] {
  return { argv: argv.map(printable), via: via.map(printable) };
}
