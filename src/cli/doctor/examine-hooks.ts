/** The hooks that were found: which are in force, which are not and why, which are there twice, and which nobody has ever asked. */
import { auditHooks, leniencyOf } from '../../api/audit-hooks.ts';
import { type FindOptions, findHooks } from '../../api/check-files.ts';
import type { ListedHook } from '../../api/listed-hook.ts';
import { loadManaged } from '../../api/managed.ts';
import { DIALECTS } from '../../builtins.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { canonicalJson } from '../../core/digest.ts';
import type { EventKind } from '../../core/event.ts';
import type { Hook } from '../../core/hook.ts';
import { type EventRule, isGating } from '../../core/profile.ts';
import type { LogFacts } from './examine-log.ts';
import type { HooksReport } from './report.ts';

export function ruleOf({ dialect, event }: Pick<Hook, 'dialect' | 'event'>): EventRule | undefined {
  return DIALECTS.find(({ id }) => id === dialect)?.profile.events[event];
}

export function kindsOf(hook: Pick<Hook, 'dialect' | 'event'>): readonly EventKind[] {
  return ruleOf(hook)?.kinds ?? [];
}

export function summarise(hooks: readonly ListedHook[]): HooksReport {
  const states: Record<string, number> = {};
  for (const { state } of hooks) states[state] = (states[state] ?? 0) + 1;
  const active = hooks.filter(({ state }) => state === 'active');
  const kinds = new Map<EventKind, { hooks: string[]; gates: boolean }>();
  for (const hook of active) {
    for (const kind of kindsOf(hook)) {
      const known = kinds.get(kind) ?? { hooks: [], gates: false };
      known.hooks.push(hook.name);
      known.gates ||= canDeny(hook);
      kinds.set(kind, known);
    }
  }
  return { total: hooks.length, active: active.length, states, kinds: [...kinds].map(([kind, rest]) => ({ kind, ...rest })) };
}

/** Those that do not run although somebody counted on them are errors; those nobody has decided on are warnings. */
export function notInForce(hooks: readonly ListedHook[]): readonly Diagnostic[] {
  return hooks
    .filter(({ state }) => state !== 'active' && state !== 'disabled')
    .map((hook) => {
      const { name, state, trust, required, source } = hook;
      const lost = required === true || (canDeny(hook) && (trust === 'modified' || trust === 'trusted' || trust === undefined));
      const message = `Hook \`${name}\` is not asked: ${state}.`;
      return { severity: lost ? 'error' : 'warning', code: 'hook-not-in-force', ...placeOf(source), message, hint: mendFor(hook) };
    });
}

/** What would fail if it were asked: scripts that are missing or may not be executed. */
export async function unable(find: FindOptions, active: readonly ListedHook[]): Promise<readonly Diagnostic[]> {
  const [found, managed] = await Promise.all([findHooks(find), loadManaged(find.policy)]);
  const ids = new Set(active.map(({ id }) => id));
  const hooks = [...found.hooks, ...managed.hooks].map(({ hook }) => hook).filter(({ id }) => ids.has(id));
  const audits = await auditHooks(hooks, find.root, leniencyOf(found.audit));
  const broken = audits.flatMap(({ hook, findings }) =>
    findings
      .filter(({ rule }) => rule === 'missing-script' || rule === 'not-executable')
      .map(({ message, hint }): Diagnostic => {
        const severity = canDeny(hook) ? 'error' : 'warning';
        return { severity, code: 'hook-can-not-run', ...placeOf(hook.source), message: `Hook \`${hook.name}\`: ${message}`, hint };
      }),
  );
  return [...broken, ...duplicates(hooks)];
}

/** Its event has happened often enough, and it was never among those asked. */
export function neverAsked(hooks: readonly ListedHook[], { asked, kinds }: LogFacts): readonly Diagnostic[] {
  return hooks.flatMap((hook): Diagnostic[] => {
    const times = kindsOf(hook).reduce((sum, kind) => sum + (kinds.get(kind) ?? 0), 0);
    if (hook.state !== 'active' || asked.has(hook.id) || times < OFTEN) return [];
    const message = `Hook \`${hook.name}\` was never asked, and its event is on record ${times} times.`;
    const hint = 'Look at its matcher: `hookline plan` says why it does not apply.';
    return [{ severity: 'info', code: 'never-asked', ...placeOf(hook.source), message, hint }];
  });
}

/** Hooks that wait for what an agent never tells of. */
export function notCovered(
  title: string,
  covered: ReadonlySet<EventKind>,
  own: string,
  hooks: readonly ListedHook[],
): readonly Diagnostic[] {
  const waiting = hooks.filter(
    (hook) =>
      hook.state === 'active' && hook.dialect !== own && kindsOf(hook).length > 0 && !kindsOf(hook).some((kind) => covered.has(kind)),
  );
  if (waiting.length === 0) return [];
  const names = waiting.map((hook) => `\`${hook.name}\` (${kindsOf(hook).join(', ')})`).join(', ');
  const message = `${title} has no event for ${names}: there ${waiting.length === 1 ? 'it is' : 'they are'} never asked.`;
  return [
    {
      severity: waiting.some(canDeny) ? 'warning' : 'info',
      code: 'not-covered',
      message,
      hint: 'Use an event that it has, if it matters there.',
    },
  ];
}

const OFTEN = 20;

function duplicates(hooks: readonly Hook[]): Diagnostic[] {
  const same = new Map<string, Hook[]>();
  for (const hook of hooks) {
    const key = canonicalJson({ handler: hook.handler, when: hook.when, kinds: kindsOf(hook) });
    same.set(key, [...(same.get(key) ?? []), hook]);
  }
  return [...same.values()]
    .filter((group) => group.length > 1)
    .map((group) => {
      const [first] = group as [Hook];
      const places = group.map(({ source }) => `${source.file}${source.line === undefined ? '' : `:${source.line}`}`).join(' and ');
      const message = `Hook \`${first.name}\` is there ${group.length} times and is asked as often: ${places}.`;
      return { severity: 'warning', code: 'duplicate-hook', ...placeOf(first.source), message, hint: 'Keep one of them.' };
    });
}

function canDeny(hook: Pick<Hook, 'dialect' | 'event'>): boolean {
  const rule = ruleOf(hook);
  return rule !== undefined && isGating(rule);
}

function placeOf({ file, line, column }: Hook['source']): Pick<Diagnostic, 'file' | 'line' | 'column'> {
  return { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
}

function mendFor({ trust }: ListedHook): string {
  if (trust === 'modified') return 'See what has changed with `hookline trust diff`, and trust it again with `hookline trust add`.';
  if (trust === 'untrusted') return 'Look at it, and trust it with `hookline trust add`.';
  return trust === 'denied'
    ? 'Its trust was refused; `hookline trust add` with its path asks again.'
    : '`hookline audit` says what is wrong with it.';
}
