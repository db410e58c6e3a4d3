/** Where the document is silent or surprises. Each has a proof of the same id in `quirks.test.ts`. */
import type { Quirk } from '../../core/contracts/dialect.ts';

export const quirks: readonly Quirk[] = [
  {
    id: 'tool-calls-fail-closed',
    behaviour: 'On `before_tool_call` a hook that cannot be run cancels; on other events it is only logged.',
  },
  { id: 'stdout-is-not-read', behaviour: 'Text that a shell action prints on stdout never cancels or changes anything.' },
  {
    id: 'http-cancel',
    behaviour: 'A 2xx answer `{"cancel": true, "reason"}` cancels a modifying event; any other 2xx answer has no opinion.',
  },
  {
    id: 'two-tool-outcomes',
    behaviour: '`on_after_tool_call` fires for successes and failures; a failure carries `error` instead of `result`.',
  },
  { id: 'two-llm-events', behaviour: '`before_llm_call` and `on_llm_input` both fire before a model is asked; only the first can cancel.' },
  {
    id: 'inject-needs-a-text',
    behaviour: '`prompt_inject` on an event without prompt or message to add to is an error, not a silent no-op.',
  },
  { id: 'inject-default-position', behaviour: '`prompt_inject` without `position` prepends.' },
  { id: 'inject-sees-the-latest', behaviour: '`prompt_inject` adds to the text as the hooks before it left it.' },
  { id: 'empty-list', behaviour: 'An empty `channels` or `users` restricts nothing, with a warning.' },
  { id: 'nothing-to-test', behaviour: 'A condition on something the event does not have holds.' },
  { id: 'sender-is-user', behaviour: '`sender` in a payload is read as `user` if there is no `user`.' },
  { id: 'skip-audit-in-two-places', behaviour: '`skip_security_audit` may stand at the top or under `[hook]`.' },
  { id: 'tilde-in-workdir', behaviour: '`~` in `workdir` is an error: it would name a folder called `~`.' },
];
