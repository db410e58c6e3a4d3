/** Where the agent surprises, or is not quite followed. Each has a proof of the same id in `quirks.test.ts`. */
import type { Quirk } from '../../core/contracts/dialect.ts';

export const quirks: readonly Quirk[] = [
  { id: 'json-beats-exit', behaviour: 'JSON in the output counts whatever the exit code is.' },
  { id: 'json-on-stderr', behaviour: 'Where stdout is empty, the answer is looked for on stderr.' },
  { id: 'json-in-json', behaviour: 'Text that holds JSON once more is read as what it holds.' },
  { id: 'one-lets-go-on', behaviour: 'Exit 1 without JSON is a failure that lets go on; every higher code refuses.' },
  {
    id: 'silent-exit-denies',
    behaviour: 'A code above 1 denies even if nothing was printed; the agent itself lets the tool run then, against its own manual.',
  },
  { id: 'allow-is-silence', behaviour: '`allow` and `approve` are no opinion: the agent does not ask any less for them.' },
  {
    id: 'input-is-merged',
    behaviour: '`tool_input` is laid over the arguments: a key that it leaves out stays. A rewrite that takes a key away is denied.',
  },
  { id: 'asks-with-the-message', behaviour: 'A person who is asked is shown the `systemMessage` and not the `reason`.' },
  {
    id: 'response-needs-refusal',
    behaviour: '`llm_response` on `BeforeModel` counts only together with a denial; Hookline ignores it then.',
  },
  {
    id: 'compression-every-time',
    behaviour: '`PreCompress` fires before every request to the model, whether anything is compressed or not.',
  },
  { id: 'failed-tools-too', behaviour: '`AfterTool` fires for failed tools too: there is an `error` in the `tool_response`.' },
  { id: 'one-sequential-all-sequential', behaviour: 'One `sequential: true` among the hooks that apply makes all run one after another.' },
  { id: 'broken-pattern-is-a-name', behaviour: 'A matcher that is no regular expression is the name of one tool.' },
  { id: 'exact-cause', behaviour: 'On sessions, compression and notifications a matcher is the exact word and no pattern.' },
  { id: 'same-hook-once', behaviour: 'Hooks with the same name, command and matcher under one event run once.' },
  {
    id: 'switched-off-here',
    behaviour: "`hooksConfig` switches off the hooks of its own file; in the user's settings, those of his projects too.",
  },
  {
    id: 'requests-stay',
    behaviour: '`llm_request`, `toolConfig`, `tailToolCallRequest` and `clearContext` are for the agent alone: here they change nothing.',
  },
];
