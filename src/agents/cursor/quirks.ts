/** Where the format surprises. Each has a test of the same id. */
import type { Quirk } from '../../core/contracts/dialect.ts';

export const quirks = [
  {
    id: 'unreadable-denies',
    behaviour: 'On the six permission events an answer that is no JSON object, or whose `permission` is no word of the event, denies.',
  },
  {
    id: 'other-exits-pass',
    behaviour: 'Exit 2 blocks; every other exit but 0 is a fault that lets things pass, unless the hook has `failClosed`.',
  },
  { id: 'fail-closed', behaviour: '`failClosed` makes every fault of the hook deny, where the event can be denied.' },
  {
    id: 'one-tool-events',
    behaviour: 'Events for one tool alone (`beforeShellExecution`, `beforeReadFile` …) fire for that tool, whatever an agent calls it.',
  },
  { id: 'shell-matcher', behaviour: 'On shell events the matcher looks at the command, not at a name.' },
  {
    id: 'mcp-names',
    behaviour: 'A tool of an MCP server is `mcp__server__tool` for hooks of other formats; `MCP:tool` in a matcher means both.',
  },
  {
    id: 'constant-matcher',
    behaviour: 'Where the matcher is held against a word that never changes, a hook whose matcher misses it is not loaded, with a warning.',
  },
  { id: 'broken-matcher-fires', behaviour: 'A matcher that is no regular expression matches everything, with a warning.' },
  {
    id: 'stop-status',
    behaviour: 'A stop with status `error` is `stop.error`, one that was `aborted` is `agent.interrupt`; `followup_message` is a deny.',
  },
  { id: 'loop-limit', behaviour: '`loop_limit` is checked and not used: how often an agent is sent back is for the engine to count.' },
  { id: 'session-start-observes', behaviour: '`continue: false` at the start of a session stops nothing.' },
  { id: 'mcp-output-stays', behaviour: '`updated_mcp_tool_output` is not read: results are not replaced.' },
  { id: 'log-lines', behaviour: 'Lines of a log before the JSON are skipped.' },
  { id: 'project-root', behaviour: "A project's hooks run at its root, those of the user in `~/.cursor`." },
] as const satisfies readonly Quirk[];
