/** `hookline hook` as data. */
import type { CommandSpec } from '../command.ts';
import { HELP_OPTION, LOAD_OPTIONS } from './options.ts';

export const hookSpec: CommandSpec = {
  name: 'hook',
  summary: "Be an agent's hook command: its event on stdin, its answer on stdout, stderr and in the exit code.",
  takes: '<host> [event]',
  words: { min: 1, max: 2, missing: 'Which agent calls? For instance `hookline hook claude-code`.' },
  options: [
    ...LOAD_OPTIONS,
    {
      name: 'own-hooks',
      help: "Also ask the hooks in the agent's own format. Without it they are left to the agent, which runs them itself.",
    },
    HELP_OPTION,
  ],
  notes: [
    'The event is what the agent writes to the hooks it starts. All hooks that are found are asked, in whatever format they are written; what the agent has no words for is denied where that is safer, and said on stderr and in the log.',
    'The project is the folder that the agent names in its environment, else the repository around the working directory, else that directory.',
    'Whatever goes wrong denies in the agent’s own words where the event can be denied. Exit codes are those of the agent. An agent that does not exist: 2 where the event may be one that can be denied, else 64.',
  ],
  examples: [
    { does: 'As an entry in the settings of Claude Code', line: 'hookline hook claude-code' },
    { does: 'By hand, with the event in a file', line: 'hookline hook claude-code PreToolUse < event.json' },
  ],
};
