/** Where the format surprises. Each has a test of the same id. */
import type { Quirk } from '../../core/contracts/dialect.ts';

export const quirks = [
  { id: 'exit-code-only', behaviour: 'Only exit 2 of a `pre_` hook is heard; what a hook prints to stdout is never read.' },
  { id: 'other-exits-pass', behaviour: 'Every other exit but 0 is a fault that lets things pass.' },
  { id: 'no-time-limit', behaviour: 'The format has no timeout; here a hook is ended after 60 seconds.' },
  { id: 'no-matcher', behaviour: 'There is no matcher: a key of that name is ignored, with a warning, and the hook always runs.' },
  {
    id: 'events-are-tools',
    behaviour: 'Each event stands for one tool (`Bash`, `Read`, `Edit`, `mcp__server__tool`) and fires for it, whatever an agent calls it.',
  },
  { id: 'powershell-only', behaviour: 'An entry with `powershell` and no `command` is skipped, with an error.' },
  {
    id: 'working-directory',
    behaviour: "A relative `working_directory` is seen from the project's root, and is ignored in the user's own file.",
  },
  { id: 'worktree-is-setup', behaviour: '`post_setup_worktree` is the kind `setup`: the worktree is there already.' },
  {
    id: 'two-responses',
    behaviour: '`post_cascade_response` and its variant with a transcript both stand for `stop.before`, which they only observe.',
  },
] as const satisfies readonly Quirk[];
