/** Where the document is silent or surprises. Each has a proof of the same id in `quirks.test.ts`. */
import type { Quirk } from '../../core/contracts/dialect.ts';

export const quirks: readonly Quirk[] = [
  { id: 'eleven-events', behaviour: 'The document counts ten events and lists eleven; all eleven exist.' },
  { id: 'renamed-triggers', behaviour: 'The eleven later trigger names (`pre-tool-call` …) are accepted and mean the classic events.' },
  { id: 'refusal-stands', behaviour: 'A `deny` or `ask` counts even if another field of the same answer has the wrong type.' },
  { id: 'spaced-json', behaviour: 'stdin has a space after every `:` and `,`, because the example script greps for `"command": "`.' },
  {
    id: 'context-carries-the-rest',
    behaviour: 'Fields of an event that the document does not name are in `context`; `context` is always there.',
  },
  { id: 'stop-context', behaviour: '`before_stop` says in `context` whether and how often in a row a hook has sent the agent back.' },
  { id: 'fragments-are-not-hooks', behaviour: "The document's fragments without `description` do not load: the appendix requires it." },
  { id: 'matcher-off-tool-events', behaviour: 'On events without a tool a matcher is ignored with a warning and the hook fires.' },
  {
    id: 'script-without-execute-bit',
    behaviour: 'An entry script without execute bit is run by the interpreter of its first line, with a warning.',
  },
  { id: 'empty-frontmatter-value', behaviour: 'An optional field without a value counts as left out; a required one as missing.' },
  { id: 'own-command', behaviour: 'A `metadata.command` that starts Hookline itself takes the place of an entry script.' },
  { id: 'log-is-kept', behaviour: '`log` in an answer changes nothing. It is kept in the log, and `why` shows it.' },
  { id: 'names-are-free', behaviour: 'A name in another style than `block-rm`, or other than the folder, is a warning.' },
  { id: 'nothing-to-run', behaviour: 'A HOOK.md without a script is listed with a warning, and never blocks.' },
  {
    id: 'plain-output',
    behaviour:
      'Plain text on stdout with exit code 0 is ignored with a warning, also in strict mode. Broken JSON with a key of a reply is a fault.',
  },
];
