/**
 * What the switches in agents' files do to the hooks that were found. Whoever manages the machine switches off anybody's, a user his own and
 * those of projects; what stands in a project reaches the hooks of its own file alone, so that nothing it brings silences another guard.
 */
import type { Diagnostic } from '../core/diagnostic.ts';
import type { Hook, Scope } from '../core/hook.ts';
import type { Switch } from '../core/switch.ts';

/** One file that was read. */
export interface Switching {
  readonly file: string;
  readonly scope: Scope;
  readonly dialect: string;
  readonly hooks: readonly Hook[];
  readonly switches: readonly Switch[];
}

export interface Switched {
  /** For each file what became of its hooks, in the same order. */
  readonly hooks: readonly (readonly Hook[])[];
  readonly diagnostics: readonly Diagnostic[];
}

export function throwSwitches(files: readonly Switching[]): Switched {
  if (files.every(({ switches }) => switches.length === 0)) return { hooks: files.map(({ hooks }) => hooks), diagnostics: [] };
  const touched = new Map<Switch, Touched>(files.flatMap(({ switches }) => switches.map((one) => [one, { stopped: [], narrowed: [] }])));
  const hooks = files.map((target) => {
    const reaching = files.flatMap((from) => (reaches(from, target) ? from.switches.map((one) => ({ one, from })) : []));
    return target.hooks.map((hook) => reaching.reduce((left, { one, from }) => thrown(one, from, left, touched.get(one)), hook));
  });
  const diagnostics = files.flatMap((from) => from.switches.flatMap((one) => sayWhat(one, from, touched.get(one))));
  return { hooks, diagnostics };
}

/** The names of the hooks that a switch has done something to. */
interface Touched {
  readonly stopped: string[];
  readonly narrowed: string[];
}

function reaches(from: Switching, target: Switching): boolean {
  if (from === target) return true;
  if (from.dialect !== target.dialect) return false;
  return from.scope === 'managed' || (from.scope === 'user' && target.scope !== 'managed');
}

function thrown(one: Switch, { file }: Switching, hook: Hook, touched: Touched | undefined): Hook {
  if (!hook.enabled) return hook;
  const left = one.apply(hook);
  if (left === hook) return hook;
  (left.enabled ? touched?.narrowed : touched?.stopped)?.push(hook.name);
  return left.enabled ? left : { ...left, offBy: `\`${one.key}\` in ${file}:${one.at.line}` };
}

function sayWhat({ key, at }: Switch, { file, scope }: Switching, touched: Touched | undefined): Diagnostic[] {
  const place = { file, line: at.line, column: at.column };
  const { stopped = [], narrowed = [] } = touched ?? {};
  const elsewhere = scope === 'managed' || scope === 'user' ? '' : ' Those of other files stay in force here.';
  const off = `\`${key}\` switches off ${listed(stopped)}.${elsewhere}`;
  const less = `\`${key}\` permits less than is wanted by ${listed(narrowed)}.`;
  return [
    ...(stopped.length === 0 ? [] : [{ severity: 'warning', code: 'hooks-disabled', ...place, message: off, hint: MEND } as const]),
    ...(narrowed.length === 0 ? [] : [{ severity: 'info', code: 'hooks-narrowed', ...place, message: less } as const]),
  ];
}

const MEND = 'Take it out to have them asked.';
const MOST = 5;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST).map((name) => `\`${name}\``);
  const more = names.length > MOST ? ` and ${names.length - MOST} more` : '';
  return `${names.length === 1 ? 'the hook' : `${names.length} hooks:`} ${shown.join(', ')}${more}`;
}
