/** `hookline doctor` as data. */
import type { CommandSpec } from '../command.ts';
import { HELP_OPTION, JSON_OPTION, NAMED_PLACE_OPTIONS, PLACE_OPTIONS, STORE_OPTIONS } from './options.ts';

export const doctorSpec: CommandSpec = {
  name: 'doctor',
  summary: 'Is everything that should protect in force? Agents, hooks, trust, policy and the log, with what to do about each.',
  takes: '',
  words: { min: 0, max: 0, missing: '' },
  options: [
    { name: 'canary', help: "Fire a harmless probe through each agent's own entry and prove that it arrives, and that a deny comes back." },
    ...PLACE_OPTIONS,
    ...NAMED_PLACE_OPTIONS,
    ...STORE_OPTIONS.filter(({ name }) => name !== 'home'),
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Looks at every agent of which there are traces: what is installed, by which line, whether that line could run, what would be asked twice, and which hooks the agent has no event for. Looks at every hook: what does not run and why, and what has never been asked. Looks at the policy, the settings, the trust, the store, and at who may write to them.',
    'Nothing is changed and no hook is run; with --canary, the hooks that a call of the tool `HooklineCanary` concerns.',
    'Exit code 1: something that should protect does not.',
  ],
  examples: [
    { does: 'Once, after installing', line: 'hookline doctor --canary' },
    { does: 'In a script', line: 'hookline doctor --json' },
  ],
};
