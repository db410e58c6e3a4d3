/** `hookline guard` as data. */
import type { CommandSpec } from '../command.ts';
import { HELP_OPTION, HOME_OPTION, JSON_OPTION } from './options.ts';

export const guardSpec: CommandSpec = {
  name: 'guard',
  summary: "Judge what an agent is about to do: as a hook's command, or to have a command explained.",
  takes: '[explain COMMAND | rules]',
  words: { min: 0, max: 2, missing: '' },
  options: [
    {
      name: 'preset',
      value: 'NAME',
      help: 'How careful it is: standard, strict or paranoid. As a hook, the stricter of this and your settings counts.',
    },
    { name: 'pack', value: 'NAME', repeatable: true, help: 'A pack of rules that counts beside the core. Repeatable.' },
    { name: 'cwd', value: 'DIR', help: 'Where the command would run. Default: what the payload says, else the working directory.' },
    { name: 'root', value: 'DIR', help: 'The project. Default: the working directory.' },
    HOME_OPTION,
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    "Without a word it is a hook: it reads any hook system's payload from stdin (or HOOK_INPUT). No objection: it says nothing, exit 0. Objection: exit 2, with the rule, why, and what to do instead on stderr. What a person should decide is asked in Claude Code's own words where its payload is recognised, or with --json; everywhere else it blocks. What it can't read blocks, too.",
    '`explain` shows how a command is understood and what the rules say of it; nothing is run. Exit 0 without an objection, 1 with one. `rules` lists the rules.',
  ],
  examples: [
    { does: 'What would the guard say?', line: `hookline guard explain "sudo bash -c 'rm -rf /'"` },
    { does: 'The same for a machine, with more rules', line: 'hookline guard explain "docker system prune" --pack containers --json' },
    { does: 'Every rule', line: 'hookline guard rules' },
  ],
};
