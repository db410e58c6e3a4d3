/** The calls that Factory Droid keeps from its hooks, and how its settings switch them off. */
import { type HostLimits, offWhere } from '../../core/contracts/host-limits.ts';

const SETTINGS = ['~/.factory/settings.json', '~/.factory/hooks.json', '.factory/settings.json', '.factory/hooks.json'];

export const limits: HostLimits = {
  blind: [{ of: 'agents', what: 'that a subagent begins', because: 'only its end has an event' }],
  objections: (look) => SETTINGS.flatMap((file) => offWhere(look, [file], ['hooksDisabled'], true)),
};
