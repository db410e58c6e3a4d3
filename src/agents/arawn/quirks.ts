/** Where the document is silent or surprises. Each has a proof of the same id in `quirks.test.ts`. */
import type { Quirk } from '../../core/contracts/dialect.ts';

export const quirks: readonly Quirk[] = [
  {
    id: 'not-started-is-no-block',
    behaviour: 'Exit 126 and 127, the codes of a command that could not be started, are a fault and do not block.',
  },
  { id: 'models-are-asked', behaviour: '`prompt` and `agent` actions are asked: `{ok, reason}` or `{decision, reason}` is their answer.' },
  { id: 'agent-file', behaviour: 'The instructions of an `agent` action are those in `agents/<name>.md` of the plugin, and its `prompt`.' },
  { id: 'model-informs', behaviour: "Where nothing can be blocked, a model's reason is information." },
  {
    id: 'session-context',
    behaviour: 'The output of a hook at the start of a session is information for the person and context for the agent.',
  },
  {
    id: 'absurd-timeout',
    behaviour: 'A `timeout` below 100 ms is an error. The hook stays as a gate that is never run and that denies what it would judge.',
  },
  { id: 'star-is-everything', behaviour: '`"matcher": "*"` matches everything, though it is no regular expression.' },
  { id: 'whole-name', behaviour: 'A matcher must match the whole tool name: `shell` does not match `shell_exec`.' },
  { id: 'matcher-off-tool-events', behaviour: 'A matcher on an event that is about no tool never fires, with a warning.' },
  {
    id: 'quoted-root',
    behaviour: 'The folder put in the place of `CLAUDE_PLUGIN_ROOT` in braces is quoted for the shell where its characters need it.',
  },
  { id: 'root-exported', behaviour: '`CLAUDE_PLUGIN_ROOT` is exported beside `ARAWN_PLUGIN_DIR`.' },
  {
    id: 'preview-length',
    behaviour: 'Previews have at most 200 characters, the three dots of a cut included, and never half a character.',
  },
  {
    id: 'both-subagent-ends',
    behaviour: '`SubagentStop` and `SubagentCompleted` both fire when a subagent finishes, with the same shape.',
  },
  { id: 'inline-hooks', behaviour: 'The manifest may carry the map of events itself instead of a path.' },
  { id: 'no-bare-map', behaviour: 'A hooks file without the `hooks` wrapper is an error, not an empty set.' },
];
