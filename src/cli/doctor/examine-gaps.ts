/** Hooks that wait for what an agent never tells of, or what our entries there do not ask for: in that agent they are dead. */
import type { ListedHook } from '../../api/listed-hook.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { EventKind } from '../../core/event.ts';
import type { Host } from '../../core/host.ts';
import type { EventRule } from '../../core/profile.ts';
import { canDeny, kindsOf } from './examine-hooks.ts';
import type { Examined } from './examine-host.ts';

export function gapsIn({ speaks, entry, title }: Host, { report, files }: Examined, hooks: readonly ListedHook[]): readonly Diagnostic[] {
  if (!report.installed) return [];
  const installed = files.flatMap(({ lines }) => lines.flatMap(({ event }) => event ?? entry.events));
  const told = new Set(installed.flatMap((event) => speaks.profile.events[event]?.kinds ?? []));
  const known = new Set(Object.values<EventRule>(speaks.profile.events).flatMap(({ kinds }) => kinds));
  // Those in its own format the agent runs itself.
  const active = hooks.filter(({ state, dialect }) => state === 'active' && dialect !== speaks.id);
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
      (what) => `${title} is not asked to tell us of ${what}`,
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
