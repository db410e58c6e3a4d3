/** Options that several commands share, in one place so that they mean and say the same everywhere. */
import type { OptionSpec } from './command.ts';

export const JSON_OPTION: OptionSpec = { name: 'json', help: 'One JSON document on stdout, nothing else.' };
export const HELP_OPTION: OptionSpec = { name: 'help', help: 'Show this page.' };

export const HOME_OPTION: OptionSpec = {
  name: 'home',
  value: 'DIR',
  help: "The user's home, for the user's hooks and for state. Default: HOOKLINE_HOME, or the real one.",
};
const STORE_OPTION: OptionSpec = {
  name: 'store',
  value: 'URL',
  help: "Where held actions and the log are kept: `sqlite:PATH`, `postgres://…` or `memory:`. Default: SQLite below the user's state folder.",
};

/** For commands that look at what was kept. */
export const STORE_OPTIONS: readonly OptionSpec[] = [STORE_OPTION, HOME_OPTION];

export const PLACE_OPTIONS: readonly OptionSpec[] = [
  { name: 'root', value: 'DIR', help: 'The project. Default: the working directory.' },
  HOME_OPTION,
  { name: 'dialect', value: 'DIALECT', repeatable: true, help: 'Load this dialect alone. Repeatable.' },
  { name: 'only', value: 'DIALECT', repeatable: true, help: 'The same as `--dialect`.' },
  { name: 'policy', value: 'FILE', help: 'The policy of the machine, where it has none of its own.' },
];

export const NAMED_PLACE_OPTIONS: readonly OptionSpec[] = [
  { name: 'skills', value: 'DIR', repeatable: true, help: 'A further folder with SKILL.md files. Repeatable.' },
  { name: 'plugins', value: 'DIR', repeatable: true, help: 'A further folder with plugins. Repeatable.' },
  { name: 'hooks', value: 'DIR', repeatable: true, help: 'A further folder with HOOK.md or HOOK.toml hooks. Repeatable.' },
];

export const LOAD_OPTIONS: readonly OptionSpec[] = [
  ...PLACE_OPTIONS,
  ...NAMED_PLACE_OPTIONS,
  { name: 'trust-all', help: 'Run project hooks nobody has trusted yet (for CI and tests).' },
  {
    name: 'trust-hook',
    value: 'NAME=sha256:HEX',
    repeatable: true,
    help: 'Run the project hook of this name as long as it has this digest. Repeatable.',
  },
  {
    name: 'trust-lock',
    value: 'FILE',
    help: 'Run the project hooks that this file of `trust lock`, kept outside the project, vouches for.',
  },
  { name: 'strict', help: 'Every hook that can not be asked denies, where the event can be denied.' },
  STORE_OPTION,
];

export const EVENT_OPTIONS: readonly OptionSpec[] = [
  { name: 'as', value: 'DIALECT', help: 'The event and its payload are in the words of this dialect.' },
  { name: 'payload', value: 'JSON', help: 'The payload: JSON, `@FILE`, or `-` for stdin. Default: {}.' },
  { name: 'tool', value: 'NAME', help: 'Short for the payload of a tool event: the name of the tool …' },
  { name: 'input', value: 'JSON', help: '… and its input, a JSON object.' },
  { name: 'session', value: 'ID', help: 'The session the event happens in.' },
  { name: 'cwd', value: 'DIR', help: 'Where the session works. Default: the project.' },
];
