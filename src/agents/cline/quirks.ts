/** Where the format surprises. Each has a test of the same id. */
import type { Quirk } from '../../core/contracts/dialect.ts';

export const quirks = [
  { id: 'json-only', behaviour: 'The exit code says nothing: an answer is read at any of them, and there is no other way to deny.' },
  { id: 'cancel-stops', behaviour: '`cancel` before a tool denies it; after a tool it ends the run.' },
  {
    id: 'denied-input',
    behaviour: '`cancel` ends the whole run without a word, so a tool of its own gets an input that it rejects, and the model the reason.',
  },
  { id: 'control-line', behaviour: 'Among other output, the last line that begins with `HOOK_CONTROL` and a tab is the answer.' },
  { id: 'two-names', behaviour: 'An event is named twice: the file is called `PreToolUse`, the payload says `tool_call`.' },
  { id: 'failed-tools', behaviour: '`PostToolUse` with `success: false` is `tool.error`.' },
  {
    id: 'need-not-be-executable',
    behaviour: 'A script is run by the interpreter of its first line or of its ending, so no bit has to be set.',
  },
  { id: 'all-run', behaviour: 'A script that cancels does not keep the next one from running; of several new inputs the last counts.' },
  { id: 'error-is-context', behaviour: 'Without `cancel`, an `errorMessage` is context for the agent.' },
] as const satisfies readonly Quirk[];
