/** Where the host surprises. Each has a test of the same id. */
import type { Quirk } from '../../core/contracts/dialect.ts';

export const quirks = [
  { id: 'own-words', behaviour: 'OpenCode has no wire for hooks: payload and answer are what our plugin file and Hookline agreed on.' },
  { id: 'nobody-is-asked', behaviour: 'Its hook for permissions is never called, so no person can be asked.' },
  { id: 'stop-observes', behaviour: 'A session that has become idle is told, and is not sent back to work.' },
  {
    id: 'code-is-not-run',
    behaviour: 'A plugin is code for the process of OpenCode, so Hookline reports it and does not run it.',
  },
] as const satisfies readonly Quirk[];
