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
  {
    id: 'prompt-by-exit',
    behaviour: 'A prompt is kept off by the exit code or by `continue`; `decision` is not read there. Here `decision` denies too.',
  },
  { id: 'json-at-any-exit', behaviour: 'JSON is read with every exit code, so a `deny` with exit code 1 denies.' },
  { id: 'events-on-top', behaviour: 'In `hooks.json` the events are at the top; in `settings.json` they are under `hooks`.' },
  {
    id: 'file-before-settings',
    behaviour: 'Droid reads the `hooks` of its settings only if there is no `hooks.json` next to them. Here they are read, with a warning.',
  },
  { id: 'command-regex', behaviour: '`commandRegex` is for the command of `Execute`; with it a hook runs for nothing else.' },
  { id: 'payload-in-variables', behaviour: 'The texts of the payload are also variables of the same name, such as `tool_name`.' },
] as const satisfies readonly Quirk[];
