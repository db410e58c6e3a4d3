/** Where the format surprises. Each has a test of the same id. */
import type { Quirk } from '../../core/contracts/dialect.ts';

export const quirks = [
  { id: 'deny-or-nothing', behaviour: 'The only decision it hears is `deny`: `ask`, `allow` and a new input are passed over.' },
  { id: 'prompt-parts', behaviour: 'The prompt comes as a list of parts; hooks of other formats see its text.' },
  {
    id: 'context-on-prompts',
    behaviour: 'With a prompt, and only there, the output is for the agent: `message`, and without one all that was printed.',
  },
  { id: 'result-is-no-denial', behaviour: '`PermissionResult` is `permission.denied` if the answer was no, else a `notification`.' },
  { id: 'one-drops-all', behaviour: 'Kimi Code runs no hook of a file with one wrong entry; here that entry alone is skipped.' },
  { id: 'same-command-once', behaviour: 'The same command with the same matcher runs once for an event, however often it is written.' },
  {
    id: 'nothing-to-match',
    behaviour: 'On `Stop`, `Interrupt` and `SessionHeartbeat` a matcher is held against an empty text, so most of them never fire.',
  },
  { id: 'broken-pattern', behaviour: 'A matcher that is no regular expression, such as `*`, matches nothing; it is an error here.' },
] as const satisfies readonly Quirk[];
