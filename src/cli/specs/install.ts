/** `hookline install` and `hookline uninstall` as data. */
import type { CommandSpec, OptionSpec } from '../command.ts';
import { HELP_OPTION, HOME_OPTION, JSON_OPTION } from './options.ts';

const COMMON: readonly OptionSpec[] = [
  {
    name: 'scope',
    value: 'SCOPE',
    help: 'Whose file: `user`, the default, for all of your projects, or `project`, which is shared with others.',
  },
  { name: 'dry-run', help: 'Change nothing; print the changes as a unified diff.' },
  { name: 'root', value: 'DIR', help: 'The project. Default: the working directory.' },
  HOME_OPTION,
];

export const installSpec: CommandSpec = {
  name: 'install',
  summary: "Put Hookline into an agent's own configuration, so that the agent asks the hooks.",
  takes: '<host>',
  words: {
    min: 1,
    max: 1,
    missing: 'Into which agent? For instance `hookline install claude-code`; `hookline doctor` shows which are here.',
  },
  options: [
    ...COMMON,
    {
      name: 'via',
      value: 'WAY',
      help: 'How the agent reaches us: `command`, the default, or `http`, where it can ask `hookline serve` itself.',
    },
    { name: 'port', value: 'N', help: 'With `--via http`: the port of `hookline serve`. Default: that of the one that runs.' },
    { name: 'fail-open', help: 'With `--via http`: accept that the agent goes ahead while no server answers.' },
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'One small entry for each event, which does not change with later versions. Hooks of others, comments, order and indentation stay as they are; a copy of the file is kept beside it as `.hookline-backup`. Installing twice changes nothing.',
    'A file that can not be read to the end, or that really lies outside of the home or the project, is left alone: exit code 78, with the place.',
  ],
  examples: [
    { does: 'For all projects', line: 'hookline install claude-code' },
    { does: 'What would change?', line: 'hookline install codex --dry-run' },
    { does: 'For everybody who works on this project', line: 'hookline install claude-code --scope project' },
  ],
};

export const uninstallSpec: CommandSpec = {
  name: 'uninstall',
  summary: "Take Hookline out of an agent's configuration again.",
  takes: '<host>',
  words: { min: 1, max: 1, missing: 'Out of which agent? `hookline doctor` shows where it is installed.' },
  options: [...COMMON, JSON_OPTION, HELP_OPTION],
  notes: [
    'Takes out exactly what `hookline install` put in. If nothing else was changed since, the file is as it was before, byte for byte. Exit code 1: there was nothing to take out.',
    'An agent can not take out what judges it.',
  ],
  examples: [
    { does: 'Out of your own file', line: 'hookline uninstall claude-code' },
    { does: 'What would change?', line: 'hookline uninstall claude-code --scope project --dry-run' },
  ],
};
