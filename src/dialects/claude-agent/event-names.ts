/** The ten events by name, in each of the spellings the document uses: PascalCase, camelCase in settings, snake_case on the wire. */
import type { EventKind } from '../../core/event.ts';
import { profile } from './profile.ts';

export type EventName = keyof typeof profile.events;
export const EVENT_NAMES: readonly EventName[] = Object.keys(profile.events) as EventName[];

export function isEventName(name: string): name is EventName {
  return Object.hasOwn(profile.events, name);
}

/** The event a configuration key names: `preToolUse` or `PreToolUse`. */
export function eventOfKey(key: string): EventName | undefined {
  const name = key.charAt(0).toUpperCase() + key.slice(1);
  return isEventName(name) ? name : undefined;
}

export function camelCase(name: EventName): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

export function snakeCase(name: string): string {
  return name.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase();
}

export function kindOf(name: EventName): EventKind {
  // Every event of this dialect stands for exactly one kind.
  return profile.events[name].kinds[0] as EventKind;
}

export function canBlock(name: EventName): boolean {
  const rule: { readonly grants: readonly string[] } = profile.events[name];
  return rule.grants.includes('deny');
}
