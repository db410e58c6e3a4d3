/** What answering a host needs beside the hooks: what was said in a session before, and by which entries it is asked. */
import { openSaidOnce } from '../config/said-once.ts';
import { NAMELESS_SESSION } from './events.ts';
import type { HostAnswerOptions } from './host-answer.ts';
import { type HooklineOptions, resolvePlaces } from './options.ts';
import { createTwoEntries } from './two-entries.ts';

export function hostSurroundings(options: HooklineOptions): Pick<HostAnswerOptions, 'isFirst' | 'entries'> {
  const { stateFolder, home, root } = resolvePlaces(options);
  return {
    isFirst: openSaidOnce(stateFolder, root, NAMELESS_SESSION),
    entries: createTwoEntries({ stateFolder, home, root, nameless: NAMELESS_SESSION }),
  };
}
