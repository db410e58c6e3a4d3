/**
 * Waivers: findings of the audit that the user accepts for one hook, with a reason and an end date. A catastrophic finding cannot be waived. A
 * waiver that names a digest is bound to the present content of the hook and no longer holds once that changes.
 */
import { isCalled } from './hook.ts';

export interface Waiver {
  /** The hook's name or id, or its digest (`sha256:…`). */
  readonly hook: string;
  /** Ids of rules. */
  readonly rules: readonly string[];
  readonly reason: string;
  /** ISO 8601. A day counts to its end. */
  readonly expires: string;
}

export interface WaivableHook {
  readonly id: string;
  readonly name: string;
  readonly formerName?: string | undefined;
  /** Called only if a waiver names a digest. */
  digest(): string;
}

interface Judged {
  readonly rule: string;
  readonly severity: string;
}

export interface Sorted<F> {
  /** The findings that still count. */
  readonly standing: readonly F[];
  readonly waived: readonly { readonly finding: F; readonly waiver: Waiver }[];
  /** Waivers that would hold, had they not expired. */
  readonly expired: readonly Waiver[];
  /** Waivers for a finding that cannot be waived. */
  readonly refused: readonly Waiver[];
}

export function sortByWaivers<F extends Judged>(
  findings: readonly F[],
  hook: WaivableHook,
  waivers: readonly Waiver[],
  now: number,
): Sorted<F> {
  const meant = waivers.filter((waiver) => isMeant(hook, waiver));
  const standing: F[] = [];
  const waived: { finding: F; waiver: Waiver }[] = [];
  const expired = new Set<Waiver>();
  const refused = new Set<Waiver>();
  for (const finding of findings) {
    const naming = meant.filter(({ rules }) => rules.includes(finding.rule));
    const holding = naming.find((waiver) => !isExpired(waiver, now));
    if (holding && finding.severity !== 'catastrophic') waived.push({ finding, waiver: holding });
    else {
      standing.push(finding);
      if (holding) refused.add(holding);
      else for (const waiver of naming) expired.add(waiver);
    }
  }
  return { standing, waived, expired: [...expired], refused: [...refused] };
}

export function isMeant(hook: WaivableHook, { hook: named }: Waiver): boolean {
  return named.startsWith('sha256:') ? named === hook.digest() : isCalled(hook, named) || named === hook.id;
}

export function isExpired({ expires }: Waiver, now: number): boolean {
  return now >= endOf(expires);
}

/** Returns undefined if the text is neither a day nor a time. */
export function readExpiry(text: string): number | undefined {
  const at = /^\d{4}-\d{2}-\d{2}($|T)/.test(text) ? endOf(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

const DAY_MS = 24 * 60 * 60 * 1000;

function endOf(text: string): number {
  const at = Date.parse(text);
  return text.includes('T') ? at : at + DAY_MS;
}
