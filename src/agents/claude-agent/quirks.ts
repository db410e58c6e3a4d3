/** Where the document is silent or the format surprises. Each has a test of the same id. */
import type { Quirk } from '../../core/contracts/dialect.ts';

export const quirks = [
  { id: 'any-nonzero-blocks', behaviour: 'Every exit code but 0 blocks, 1 and 127 included; stdout is then not read.' },
  { id: 'silent-json', behaviour: 'Output that is no JSON object, such as text, a number or a list, is an allow.' },
  {
    id: 'wrong-type-faults',
    behaviour: 'A field of the wrong type (`"continue_execution": "no"`) is a fault: it blocks where the event can block.',
  },
  { id: 'matcher-without-tool', behaviour: 'On an event without a tool a matcher is not looked at: the hook fires.' },
  { id: 'original-input', behaviour: 'Every hook sees the original input; the last `updated_input` is the one that counts.' },
  { id: 'observer-fails', behaviour: 'A non-zero exit on an event that cannot be blocked is a fault that changes nothing.' },
  {
    id: 'generated-names',
    behaviour:
      'Commands in lists and groups are called `event-number`, after the plugin or skill they came with, unless they have a `name`.',
  },
  { id: 'priority-in-files', behaviour: 'A command may have a `priority` (default 0); higher runs first.' },
  { id: 'other-types', behaviour: 'An action whose `type` is not `command` is skipped with a warning; one without a `type` is a command.' },
  {
    id: 'single-handler',
    behaviour: 'A `{command, matcher}` map straight under an event is an error: read as a map of names it would run the matcher.',
  },
  {
    id: 'subagent-type',
    behaviour: "A subagent's type is also its name for the gates of other dialects, and its name is its type if there is no other.",
  },
  {
    id: 'own-metadata',
    behaviour: 'Unknown keys of a payload are added to its `metadata`; keys that are there already keep their values.',
  },
  { id: 'empty-messages', behaviour: 'An empty `system_message` or `additional_context` adds nothing.' },
  {
    id: 'quoted-root',
    behaviour: 'The folder put in the place of `CLAUDE_PLUGIN_ROOT` in braces is quoted for the shell where its characters need it.',
  },
] as const satisfies readonly Quirk[];
