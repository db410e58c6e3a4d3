/** Where the format surprises. Each has a test of the same id. */
import type { Quirk } from '../../core/contracts/dialect.ts';

export const quirks = [
  { id: 'literal-settings', behaviour: 'A setting that is not a literal is an error, because it is read without running the file.' },
  { id: 'whole-names', behaviour: 'A text in `match` is the whole name; `on` of the library searches for it.' },
  { id: 'one-at-a-time', behaviour: 'A worker gets the next event after its answer.' },
  { id: 'imports-are-plain', behaviour: 'An import of a file that the audit could not find by its text is an error.' },
] as const satisfies readonly Quirk[];
