/** Where Codex surprises, or we read it otherwise than it does. Each has a test of the same id. */
import type { Quirk } from '../../core/contracts/dialect.ts';

export const quirks = [
  {
    id: 'stray-key-fails',
    behaviour: 'An answer with a key that Codex does not know is a fault, a deny in it included: the tool runs, unless `strict`.',
  },
  {
    id: 'allow-needs-input',
    behaviour: '`permissionDecision: "allow"` counts only with `updatedInput`, and then it rewrites and does not consent.',
  },
  { id: 'ask-fails', behaviour: '`permissionDecision: "ask"` is a fault, because no person can be asked.' },
  { id: 'silent-refusal', behaviour: 'Exit 2 refuses even without a word on stderr, where Codex itself would take the hook for failed.' },
  {
    id: 'text-is-context',
    behaviour: 'Text that is no JSON is context on `SessionStart`, `SubagentStart` and `UserPromptSubmit`, and nothing elsewhere.',
  },
  { id: 'block-replaces-output', behaviour: 'A block on `PostToolUse` puts its reason in the place of what the tool brought back.' },
  {
    id: 'compaction-is-stopped',
    behaviour:
      '`continue: false` on `PreCompact` refuses the compaction, and Codex ends the turn; exit 2 there is a failure like any other.',
  },
  { id: 'own-shell', behaviour: "Commands run by the user's own shell (`$SHELL -c`), which is no login, by `/bin/sh` if there is none." },
  {
    id: 'exact-or-pattern',
    behaviour: 'A matcher of letters, digits, `_` and `|` is a list of exact names; any other is a regular expression found anywhere.',
  },
  {
    id: 'patch-aliases',
    behaviour: '`Write` and `Edit` in a matcher also mean `apply_patch`, `Agent` also means `spawn_agent`, in a pattern as well.',
  },
  { id: 'short-goodbye', behaviour: '`SessionEnd` hooks have 1 second, at most 3, and are always awaited.' },
  {
    id: 'one-word-one-hook',
    behaviour:
      'A value that makes Codex drop the whole file costs only its own hook here, with a warning; the others run here even if Codex calls.',
  },
  { id: 'unwanted-hooks', behaviour: "Hooks that the user has disabled in Codex's own dialog are disabled here as well." },
  {
    id: 'declared-order-wins',
    behaviour: 'All hooks run at once on the original input; of several rewrites the last declared counts, not the last to finish.',
  },
] as const satisfies readonly Quirk[];
