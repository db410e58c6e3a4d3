/** Where the document is silent or surprises. Each has a proof of the same id in `quirks.test.ts`. */
import type { Quirk } from '../../core/contracts/dialect.ts';

export const quirks: readonly Quirk[] = [
  {
    id: 'tool-calls-fail-closed',
    behaviour: 'On `before_tool_call` a hook that cannot be run cancels; on other events it is only logged.',
  },
  {
    id: 'answers-of-actions',
    behaviour:
      'On a modifying event a shell action (stdout, exit code 0) and an http action (2xx) answer alike: `{"cancel": true, "reason"}` cancels, and the key that the event can change replaces its value. Anything else has no opinion.',
  },
  { id: 'exit-two-cancels', behaviour: 'Exit code 2 cancels every modifying event, with stderr as the reason.' },
  { id: 'llm-call-changes-its-model', behaviour: '`before_llm_call` can change `model`.' },
  { id: 'void-output', behaviour: 'On a void event nothing that an action prints or answers is read.' },
  {
    id: 'pattern-on-tools',
    behaviour: 'On tool events `pattern` is searched in every string of the arguments, and in the arguments as compact JSON.',
  },
  {
    id: 'conditions-without-effect',
    behaviour: 'A condition on something that its event never has is a warning, and the hook runs every time.',
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
