/** Where the format surprises. Each has a test of the same id. */
import type { Quirk } from '../../core/contracts/dialect.ts';

export const quirks = [
  { id: 'deny-or-nothing', behaviour: 'The only decision it hears is `deny`: `ask`, `allow` and a new input are passed over.' },
  { id: 'prompt-parts', behaviour: 'The prompt comes as a list of parts; hooks of other formats see its text.' },
  { id: 'context-on-prompts', behaviour: 'Text for the agent is in `message`, and only with a prompt.' },
  { id: 'result-is-no-denial', behaviour: '`PermissionResult` is `permission.denied` if the answer was no, else a `notification`.' },
] as const satisfies readonly Quirk[];
