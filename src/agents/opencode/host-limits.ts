/** The calls that OpenCode keeps from its plugins. */
import type { HostLimits } from '../../core/contracts/host-limits.ts';

export const limits: HostLimits = {
  blind: [
    {
      of: 'agents',
      what: 'calls of subagents, in some versions',
      because: 'plugins were reported not to be asked about what was handed to another agent',
    },
    { of: 'tools', what: 'its own questions for permission', because: '`permission.ask` is declared and never fires' },
  ],
};
