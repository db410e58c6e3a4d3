/** The calls that Windsurf keeps from its hooks. */
import type { HostLimits } from '../../core/contracts/host-limits.ts';

export const limits: HostLimits = {
  blind: [
    {
      of: 'tools',
      what: 'every tool that is no reading, writing, command or MCP tool, such as searching the web',
      because: 'there are events for these four and for no other',
    },
  ],
};
