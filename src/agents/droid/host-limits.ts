/** The calls that Factory Droid keeps from its hooks, and how its settings switch them off. */
import { type HostLimits, offWhere } from '../../core/contracts/host-limits.ts';

const SWITCHES = [
  { file: '~/.factory/settings.json', path: ['hooks', 'hooksDisabled'] },
  { file: '~/.factory/hooks.json', path: ['hooksDisabled'] },
  { file: '.factory/settings.json', path: ['hooks', 'hooksDisabled'] },
  { file: '.factory/hooks.json', path: ['hooksDisabled'] },
];

export const limits: HostLimits = {
  blind: [{ of: 'agents', what: 'that a subagent begins', because: 'only its end has an event' }],
  objections: (look) => SWITCHES.flatMap(({ file, path }) => offWhere(look, [file], path, true)),
};
