/** The hooks that were found: which are in force, which are not and why, which are there twice, and which have never run. */
import { existsSync } from 'node:fs';
import type { ListedHook } from '../../api/hookline.ts';
import { DIALECTS, describeHandler } from '../../builtins.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import type { Host } from '../../core/contracts/host.ts';
import type { EventKind } from '../../core/event/event.ts';
import { type EventRule, isGating } from '../../core/meaning/profile.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { canonicalJson } from '../../core/values/digest.ts';
import { textOf } from '../../core/values/json.ts';
import { findProgram } from '../../install/launcher.ts';
import { type FindOptions, findHooks } from '../../load/check-files.ts';
import { loadManaged } from '../../load/managed.ts';
import { auditHooks, leniencyOf } from '../../trust/audit-hooks.ts';
import type { Examined } from './examine-host.ts';
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
      known.gates ||= canDeny(hook) && !hook.shadow;
      kinds.set(kind, known);
    }
  }
  const judged = active.flatMap(({ name, judgedBy }) => (judgedBy === undefined ? [] : [{ hook: name, model: judgedBy }]));
  return { total: hooks.length, active: active.length, states, kinds: [...kinds].map(([kind, rest]) => ({ kind, ...rest })), judged };
}

/** A hook that was trusted and does not run is an error; a hook without a decision on its trust is a warning. */
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

/** Names every hook that runs and decides nothing, because a person may rely on it. */
export function inShadow(hooks: readonly ListedHook[]): readonly Diagnostic[] {
  return hooks
    .filter(({ shadow }) => shadow)
    .map(({ name, source }) => {
      const message = `Hook \`${name}\` is in shadow: it runs, and its verdict is only recorded.`;
      const hint = 'Remove it from `shadow` in the settings when it should decide. `hookline log` shows what it would have done.';
      return { severity: 'warning', code: 'hook-in-shadow', ...placeOf(source), message, hint };
    });
}

/** Returns the hooks that would fail: their scripts are missing or may not be executed. */
export async function unable(find: FindOptions, active: readonly ListedHook[]): Promise<readonly Diagnostic[]> {
  const [found, managed] = await Promise.all([findHooks(find), loadManaged(find.policy, find.agents)]);
  const ids = new Set(active.map(({ id }) => id));
  const hooks = [...found.hooks, ...managed.hooks].map(({ hook }) => hook).filter(({ id }) => ids.has(id));
  const audits = await auditHooks(hooks, find.root, { dialects: DIALECTS, describe: describeHandler }, leniencyOf(found.audit));
  const broken = audits.flatMap(({ hook, findings }) =>
    findings
      .filter(({ rule }) => rule === 'missing-script' || rule === 'not-executable')
      .map(({ message, hint }): Diagnostic => {
        const severity = canDeny(hook) ? 'error' : 'warning';
        return { severity, code: 'hook-can-not-run', ...placeOf(hook.source), message: `Hook \`${hook.name}\`: ${message}`, hint };
      }),
  );
  return [...broken, ...hooks.flatMap(notStarted), ...duplicates(hooks)];
}

/** A folder to run in, or a program, that is not there. Only plain words are checked, because the meaning of others depends on the shell. */
function notStarted(hook: Hook): Diagnostic[] {
  const { handler, cwd, source, env } = hook;
  const line = handler.type === 'command' ? textOf(handler.config['command']) : undefined;
  const [, program] = PROGRAM.exec(line ?? '') ?? [];
  const path = env?.['PATH'] ?? process.env['PATH'] ?? '';
  const isGone = program !== undefined && !SHELL_WORDS.has(program) && findProgram(program, path) === undefined;
  const why =
    cwd !== undefined && !existsSync(cwd) ? `Its folder ${cwd} is not there.` : isGone ? `There is no program \`${program}\`.` : '';
  if (why === '') return [];
  const message = `Hook \`${hook.name}\`: ${why}`;
  const hint = 'Install it, or fix the path.';
  return [{ severity: canDeny(hook) ? 'error' : 'warning', code: 'hook-can-not-run', ...placeOf(source), message, hint }];
}

/** A name without a folder at the beginning of a line. */
const PROGRAM = /^\s*([A-Za-z][\w.-]*)(?=\s|$)/;
/** Words of the shell itself, or that begin a longer construct. */
const SHELL_WORDS: ReadonlySet<string> = new Set(
  'alias bg bind break builtin caller case cd command compgen continue coproc declare do done echo elif else esac eval exec exit export false fc fg fi for function getopts hash help history if in jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return select set shift shopt source suspend test then time times trap true type typeset ulimit umask unalias unset until wait while'.split(
    ' ',
  ),
);

/** Its event has happened often enough, and it was never among those asked. */
export function neverAsked(hooks: readonly ListedHook[], { asked, kinds }: LogFacts): readonly Diagnostic[] {
  return hooks.flatMap((hook): Diagnostic[] => {
    const times = kindsOf(hook).reduce((sum, kind) => sum + (kinds.get(kind) ?? 0), 0);
    if (hook.state !== 'active' || asked.has(hook.id) || times < OFTEN) return [];
    const message = `Hook \`${hook.name}\` was never asked, and its event is on record ${times} times.`;
    const hint = 'Check its matcher: `hookline plan` shows why it does not apply.';
    return [{ severity: 'info', code: 'never-asked', ...placeOf(hook.source), message, hint }];
  });
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

export function canDeny(hook: Pick<Hook, 'dialect' | 'event'>): boolean {
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
    : 'Run `hookline audit` to see what is wrong with it.';
}

/** Returns hooks for events that an agent never fires, or that Hookline's entries there do not cover: in that agent they never run. */
export function gapsIn({ dialect, entry, title }: Host, { report, files }: Examined, hooks: readonly ListedHook[]): readonly Diagnostic[] {
  if (!report.installed) return [];
  const installed = files.flatMap(({ lines }) => lines.flatMap(({ event }) => event ?? entry.events));
  const told = new Set(installed.flatMap((event) => dialect.profile.events[event]?.kinds ?? []));
  const known = new Set(Object.values<EventRule>(dialect.profile.events).flatMap(({ kinds }) => kinds));
  // The agent runs hooks in its own format itself.
  const active = hooks.filter((hook) => hook.state === 'active' && hook.dialect !== dialect.id);
  const waiting = active.filter((hook) => kindsOf(hook).length > 0 && !kindsOf(hook).some((kind) => told.has(kind)));
  const isKnown = (hook: ListedHook) => kindsOf(hook).some((kind) => known.has(kind));
  return [
    ...say(
      waiting.filter((hook) => !isKnown(hook)),
      (what) => `${title} never fires ${what}`,
      'Use an event that it has, if it matters there.',
    ),
    ...say(
      waiting.filter(isKnown),
      (what) => `${title} has no entry of Hookline for ${what}`,
      'Write it as a hook of that agent, if it matters there.',
    ),
  ];
}

function say(hooks: readonly ListedHook[], what: (kinds: string) => string, hint: string): Diagnostic[] {
  if (hooks.length === 0) return [];
  const kinds = [...new Set(hooks.flatMap((hook): readonly EventKind[] => kindsOf(hook)))].join(', ');
  const names = hooks.map((hook) => `\`${hook.name}\``).join(', ');
  const message = `${what(kinds)}, for which ${names} ${hooks.length === 1 ? 'waits: there it is' : 'wait: there they are'} never asked.`;
  return [{ severity: hooks.some(canDeny) ? 'warning' : 'info', code: 'not-covered', message, hint }];
}
