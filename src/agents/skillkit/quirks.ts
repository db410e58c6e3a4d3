/** Where the document is silent or the format surprises. Each has a test of the same id. */
import type { Quirk } from '../../core/contracts/dialect.ts';

export const quirks = [
  {
    id: 'failed-result',
    behaviour:
      'PostToolUse and PostSubagent fire for failures too; `result` is then `{"error": …}`, and such a result is read as a failure.',
  },
  {
    id: 'pending-over-http',
    behaviour: 'A server suspends an action with `{"decision": "pending", "state": …}`; its `reason`, if any, is shown.',
  },
  {
    id: 'pending-on-resume',
    behaviour: 'After an approval, the hooks that follow find the state of the last `pending` under the key `pending` of their context.',
  },
  { id: 'default-reason', behaviour: 'A denial without a reason gets one.' },
  {
    id: 'nothing-to-match',
    behaviour: 'A matcher on an event that does not say its tool, subagent, skill, model or agent does not match.',
  },
  { id: 'nonsense-denies', behaviour: 'A handler that throws or returns neither ok, deny nor pending before an action denies it.' },
  { id: 'ignored-returns', behaviour: 'After an action any return value is fine; a deny or pending there has no effect and is reported.' },
  { id: 'custom-timeout', behaviour: 'A `timeout` in the map of a custom handler belongs to its config; the engine gives it one minute.' },
  { id: 'loaded-count', behaviour: 'The load boundaries carry `message_count` only if the host says how many messages there are.' },
  { id: 'host-keys', behaviour: 'Keys that a skillkit host adds to a context reach the handlers; the metadata of other hosts does not.' },
  { id: 'snake-case-in-code', behaviour: 'Hooks in code may name their event `pre_tool_use`; in files only `PreToolUse` is known.' },
] as const satisfies readonly Quirk[];
