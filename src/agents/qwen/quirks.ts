/** Where Qwen Code surprises, or we read it otherwise than it does. Each has a test of the same id. */
import type { Quirk } from '../../core/contracts/dialect.ts';

export const quirks = [
  {
    id: 'thousand-is-milliseconds',
    behaviour: 'A `timeout` is in seconds, but for a command a number from 1000 on is read as milliseconds, with a warning.',
  },
  {
    id: 'input-stays',
    behaviour: '`updatedInput` on `PreToolUse` has no effect; only `PermissionRequest` puts another input in place, with `allow`.',
  },
  {
    id: 'stop-word-refuses',
    behaviour: '`continue: false` keeps a tool, a prompt or a batch from going on, and an agent from stopping; it ends no run.',
  },
  {
    id: 'post-block-is-nothing',
    behaviour:
      'A `decision: "block"` on `PostToolUse` has no effect; `continue: false` hides what the tool brought back behind the reason.',
  },
  {
    id: 'last-word-counts',
    behaviour:
      'Of several hooks before a tool the last `permissionDecision` counts, so an `allow` undoes a `deny`; only `continue: false` cannot be undone.',
  },
  { id: 'allow-is-silence', behaviour: '`allow` on `PreToolUse` is no opinion: permission was given before its hooks are asked.' },
  { id: 'context-is-lost', behaviour: '`additionalContext` on `PreToolUse` is thrown away; on `PostToolUse` it reaches the model.' },
  { id: 'json-beats-exit', behaviour: 'JSON in the output counts whatever the exit code is, but for 2.' },
  {
    id: 'batch-loses-its-last',
    behaviour: 'A refusal of `PostToolBatch` replaces the last result by its reason; the others stay, and the run continues.',
  },
  {
    id: 'alias-or-pattern',
    behaviour:
      'A matcher is a regular expression found anywhere; the names `Bash`, `Read`, `Write` and others also mean the tools they stand for.',
  },
  { id: 'nothing-to-match', behaviour: 'On an event that lacks what the matcher looks at, the hook fires.' },
  {
    id: 'one-sequential-all-sequential',
    behaviour: 'One `sequential: true` among the hooks that apply makes all of them run one after another.',
  },
  {
    id: 'switched-off-here',
    behaviour:
      "`disableAllHooks` and `hooks.disabled` switch off the hooks of their own file; in the user's settings, those of his projects too.",
  },
  { id: 'models-say-ok', behaviour: 'A `prompt` handler answers with `{ok, reason, additionalContext}`; `ok: false` refuses.' },
  { id: 'refusal-ignores-stdout', behaviour: 'With exit 2 stdout is not read: stderr is the reason.' },
  { id: 'unheard-events', behaviour: 'Eight of its events only tell: what their hooks print is not read.' },
] as const satisfies readonly Quirk[];
