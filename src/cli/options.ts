/** Options that several commands share, so that they have the same meaning and help everywhere. */
import type { OptionSpec } from './command.ts';

export const JSON_OPTION: OptionSpec = { name: 'json', help: 'Print one JSON document on stdout and nothing else.' };
export const HELP_OPTION: OptionSpec = { name: 'help', help: 'Show this page.' };

export const HOME_OPTION: OptionSpec = {
  name: 'home',
  value: 'DIR',
  help: "User's home folder, for the user's hooks and state. Default: HOOKLINE_HOME, else the real home folder.",
};
const STORE_OPTION: OptionSpec = {
  name: 'store',
  value: 'URL',
  help: "Store for held actions and the log: `sqlite:PATH`, `postgres://…` or `memory:`. Default: SQLite in the user's state folder.",
};

/** Options of commands that read the store. */
export const STORE_OPTIONS: readonly OptionSpec[] = [STORE_OPTION, HOME_OPTION];

export const PLACE_OPTIONS: readonly OptionSpec[] = [
  { name: 'root', value: 'DIR', help: 'Project folder. Default: the working directory.' },
  HOME_OPTION,
  { name: 'dialect', value: 'DIALECT', repeatable: true, help: 'Load only this dialect. Repeatable.' },
  { name: 'only', value: 'DIALECT', repeatable: true, help: 'The same as `--dialect`.' },
  { name: 'policy', value: 'FILE', help: 'Managed policy file to use if this machine has none.' },
];

export const NAMED_PLACE_OPTIONS: readonly OptionSpec[] = [
  { name: 'skills', value: 'DIR', repeatable: true, help: 'Additional folder with SKILL.md files. Repeatable.' },
  { name: 'plugins', value: 'DIR', repeatable: true, help: 'Additional folder with plugins. Repeatable.' },
  { name: 'hooks', value: 'DIR', repeatable: true, help: 'Additional folder with HOOK.md or HOOK.toml hooks. Repeatable.' },
];

/** For commands that read files and no event. */
export const AS_OPTION: OptionSpec = { name: 'as', value: 'DIALECT', help: 'Read each place that several dialects can read as this one.' };

export const LOAD_OPTIONS: readonly OptionSpec[] = [
  ...PLACE_OPTIONS,
  ...NAMED_PLACE_OPTIONS,
  { name: 'trust-all', help: 'Run project hooks that are not trusted yet (for CI and tests).' },
  {
    name: 'trust-hook',
    value: 'NAME=sha256:HEX',
    repeatable: true,
    help: 'Run the project hook with this name as long as it has this digest. Repeatable.',
  },
  {
    name: 'trust-lock',
    value: 'FILE',
    help: 'Run the project hooks listed in this file. Create it with `trust lock` and store it outside the project.',
  },
  { name: 'strict', help: 'Deny if a hook cannot be run and the event can be denied.' },
  STORE_OPTION,
];

export const EVENT_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'as',
    value: 'DIALECT',
    help: 'Read the event and its payload in the format of this dialect, and hook files too that several can read. Default: canonical.',
  },
  { name: 'payload', value: 'JSON', help: 'Payload: JSON, `@FILE`, or `-` for stdin. Default: {}.' },
  { name: 'tool', value: 'NAME', help: 'Name of the tool, as a short form of the payload of a tool event.' },
  { name: 'input', value: 'JSON', help: 'Input of the tool, a JSON object. Needs --tool.' },
  { name: 'session', value: 'ID', help: 'Session of the event.' },
  { name: 'cwd', value: 'DIR', help: 'Working folder of the session. Default: the project.' },
];

/** Options of `hookline approvals approve` that only a grant needs. */
export const GRANT_OPTIONS: readonly string[] = ['for', 'same', 'prefix', 'path', 'yes'];
