/** The text of the prompt `write-hook`: what to write, where, and how to see that it works. */
import type { FormatFacts } from './desk.ts';

export interface WriteHook {
  readonly goal: string;
  readonly event?: string | undefined;
  readonly format: FormatFacts;
  /** The documentation of the format is attached. */
  readonly isDocumented: boolean;
}

export function writeHookText({ goal, event, format, isDocumented }: WriteHook): string {
  const { id, title, places, events } = format;
  const names = Object.entries(events).filter(([name, kinds]) => event === undefined || name === event || kinds.includes(event));
  const offered = (names.length > 0 ? names : Object.entries(events)).map(([name, kinds]) => `- \`${name}\` (${kinds.join(', ')})`);
  return [
    `Write a hook in the format \`${id}\` (${title}). Its purpose: ${goal}`,
    event === undefined ? 'Choose the event that fits.' : `It is for the event \`${event}\`.`,
    `Events of this format, with the canonical kinds that they stand for:\n${offered.join('\n')}`,
    places.length === 0
      ? 'This format has no files of a project.'
      : `Places of a project:\n${places.map((place) => `- \`${place}\``).join('\n')}`,
    ...(isDocumented ? ['The attached page describes the format, with a working example.'] : []),
    [
      'Then:',
      '1. Call `hook_check` and fix what it reports.',
      '2. Call `hook_plan` with an event that the hook must see, and with one that it must not see.',
      '3. Tell the user to look at the hook and to trust it with `hookline trust add`. You cannot do that, and you must not try.',
    ].join('\n'),
  ].join('\n\n');
}
