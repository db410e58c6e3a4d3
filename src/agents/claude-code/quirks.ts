/** Where the format surprises, or where we are stricter than Claude Code. Each has a test of the same id. */
import type { Quirk } from '../../core/contracts/dialect.ts';

export const quirks = [
  { id: 'only-two-blocks', behaviour: 'Only exit 2 blocks; every other failure passes, and is told.' },
  {
    id: 'json-beside-code',
    behaviour:
      'JSON on stdout counts whatever the exit code: a refusal always, the rest unless the code itself denies. The failure is still told.',
  },
  { id: 'null-is-wrong', behaviour: 'A known field that is null, or of another type, makes the whole answer a fault.' },
  { id: 'broken-json', behaviour: 'Output that begins like JSON and is none is a fault; Claude Code takes it for plain text.' },
  {
    id: 'http-json',
    behaviour: 'A server must answer with JSON or nothing; words are a fault, also where those of a command are context.',
  },
  { id: 'stop-context', behaviour: 'Context on Stop and SubagentStop makes the agent go on with it: it is a deny.' },
  { id: 'result-shape', behaviour: 'A result is replaced by one that looks like the own result of the tool; any other is passed over.' },
  { id: 'halt-lets-run', behaviour: '`"continue": false` stops the run, not the tool it was asked about: deny as well.' },
  {
    id: 'exact-or-pattern',
    behaviour: 'A matcher of plain names is a list of exact ones, split at `|` and `,`; anything else is a pattern found anywhere.',
  },
  { id: 'narrow-matchers', behaviour: 'On StopFailure and FileChanged a comma, a space or a hyphen already makes a pattern.' },
  { id: 'renamed-tools', behaviour: 'A matcher with a former name of a tool, such as `Task`, fires for the new one, `Agent`, too.' },
  { id: 'bare-server', behaviour: 'The name of a server alone, `mcp__mail`, matches none of its tools; `check` says so.' },
  { id: 'rule-as-matcher', behaviour: 'A permission rule as `matcher` fits no tool; it belongs into `if`, and `check` says so.' },
  { id: 'if-on-tools', behaviour: '`if` counts on the five events of a tool alone; a hook whose rule does not fit is not run.' },
  {
    id: 'if-targets',
    behaviour:
      'A rule is tried on every command of a shell line; if the line cannot be split (a substitution, a heredoc, a function), it fits.',
  },
  {
    id: 'on-failure',
    behaviour: '`onFailure: "block"` makes every fault a deny, but for hooks in the background and where the agent wants to stop.',
  },
  { id: 'permission-exit', behaviour: 'On PermissionRequest exit 2 is a failure and no refusal; only JSON refuses.' },
  { id: 'plain-context', behaviour: 'Plain text on stdout is context on five events, and nothing elsewhere.' },
  { id: 'defer-asks', behaviour: '`defer` is an ask: somebody else is to decide.' },
  { id: 'event-name-checked', behaviour: 'A `hookEventName` of another event is a fault, and so is a missing one.' },
  { id: 'payload-is-a-line', behaviour: 'The payload ends with a newline.' },
  { id: 'exec-form', behaviour: 'With `args` no shell reads the words; only placeholders are filled in.' },
  {
    id: 'platform-commands',
    behaviour:
      'The `windows`, `linux` or `osx` of VS Code takes the place of `command`; a hook for another system alone is skipped, with a warning.',
  },
  { id: 'active-skills', behaviour: 'A hook of a skill is asked only while the skill is active in the session.' },
  { id: 'once-in-skills', behaviour: '`once` counts in skills alone; elsewhere the hook is asked every time.' },
  {
    id: 'once-per-session',
    behaviour: '`once` is remembered for the session, also from one command to the next; without a session, by the engine alone.',
  },
  {
    id: 'disabled-file',
    behaviour: '`disableAllHooks` of a project switches off the hooks of its own file, that of the user all but managed ones.',
  },
  {
    id: 'managed-only',
    behaviour: '`allowManagedHooksOnly` in managed settings switches off all hooks but theirs; elsewhere it is nothing.',
  },
  { id: 'loose-frontmatter', behaviour: 'Frontmatter that is broken elsewhere still loads its `hooks:` block.' },
  { id: 'plugin-root-in-skills', behaviour: 'In a skill `CLAUDE_PLUGIN_ROOT` is the folder of the skill; a subagent has none.' },
  { id: 'subagent-type', behaviour: "A subagent's type is also its name for matchers here and in other formats." },
  { id: 'worktree-fails-closed', behaviour: 'On WorktreeCreate any failure means that there is no worktree.' },
] as const satisfies readonly Quirk[];
