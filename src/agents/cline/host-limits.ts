/** The calls that Cline keeps from its hooks. */
import type { HostLimits } from '../../core/contracts/host-limits.ts';

export const limits: HostLimits = {
  blind: [
    { of: 'tools', what: 'tools that the provider of the model runs', because: 'they never reach Cline, so no hook is asked' },
    {
      of: 'surfaces',
      what: 'compaction in its command line',
      because: '`PreCompact` is known there and not wired; the extension for editors has it',
    },
  ],
};
