/** The calls that Cline keeps from its hooks. */
import type { HostLimits } from '../../core/contracts/host-limits.ts';

export const limits: HostLimits = {
  blind: [
    {
      of: 'tools',
      what: 'a denied call of a tool of its own, if another of its `PreToolUse` hooks replaces the input',
      because: 'the last replacement counts, and a denial there is an input that the tool rejects',
    },
    {
      of: 'tools',
      what: 'the reason of a denied call of a tool from a server',
      because: '`cancel` ends the whole run, and its reason reaches neither the model nor a person',
    },
    { of: 'tools', what: 'tools that the provider of the model runs', because: 'they never reach Cline, so no hook is asked' },
    {
      of: 'surfaces',
      what: 'compaction in its command line',
      because: '`PreCompact` is known there and not wired; the extension for editors has it',
    },
  ],
};
