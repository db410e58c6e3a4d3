/** The specification of `hookline hook`, apart from the command, because a call that concerns no hook loads nothing else. */
import type { CommandSpec } from '../command.ts';
import { HELP_OPTION, LOAD_OPTIONS } from '../options.ts';

export const hookSpec: CommandSpec = {
  name: 'hook',
  summary: "Run as an agent's hook command: event on stdin, answer on stdout, stderr and in the exit code.",
  takes: '<host> [event]',
  words: { min: 1, max: 2, missing: 'The agent is missing. Write, for example, `hookline hook claude-code`.' },
  options: [
    ...LOAD_OPTIONS,
    {
      name: 'own-hooks',
      help: "Also run the hooks in the agent's own format. Default: the agent runs those itself.",
    },
    {
      name: 'installed',
      value: 'RECORD',
      help: 'Written by `hookline install`: the record that names the home to protect, or `account` for that of the account.',
    },
    { name: 'proof', value: 'TEXT', help: 'Used by `hookline-hook`: print the answer as one frame that ends in this text.' },
    HELP_OPTION,
  ],
  notes: [
    'The event is the one that the agent writes to its hooks. All hooks that are found run, in every format. An effect that the agent does not support becomes a denial where that is safer, and is reported on stderr and in the log.',
    'The project is the folder that the agent names in its environment, else the repository around the working directory, else that directory.',
    'A failure denies in the agent’s own format if the event can be denied. Exit codes are those of the agent. For an unknown agent: 2 if the event might be one that can be denied, else 64.',
  ],
  examples: [
    { does: 'As an entry in the settings of Claude Code', line: 'hookline hook claude-code' },
    { does: 'By hand, with the event in a file', line: 'hookline hook claude-code PreToolUse < event.json' },
  ],
};
