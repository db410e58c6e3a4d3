/** Where the format surprises. Each has a test of the same id. */
import type { Quirk } from '../../core/contracts/dialect.ts';

export const quirks = [
  {
    id: 'input-is-laid-over',
    behaviour: '`updatedInput` is laid over the old input: a new input that lacks a key of the old one cannot be expressed.',
  },
  { id: 'prompt-is-rewritten', behaviour: '`updatedInput.prompt` takes the place of a prompt.' },
  { id: 'compaction-by-exit', behaviour: 'A compaction is kept off by the exit code alone.' },
  { id: 'exit-three-blocks', behaviour: 'Exit 3 ends the run; it is read as a deny.' },
] as const satisfies readonly Quirk[];
