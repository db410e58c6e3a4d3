/** The calls that Cursor keeps from its hooks, and the one kind of file that it does not read. */
import { type HostLimits, switchedOff } from '../../core/contracts/host-limits.ts';

export const limits: HostLimits = {
  blind: [
    {
      of: 'tools',
      what: 'what the tab completion writes, before it is written',
      because: 'only `afterTabFileEdit` tells of it, when it is done',
    },
    {
      of: 'tools',
      what: 'files it reads, as calls of a tool',
      because: 'they have no `preToolUse`; `beforeReadFile` stands for it, and can only allow or deny',
    },
    {
      of: 'surfaces',
      what: 'servers and sessions of its cloud agents',
      because: 'hooks on MCP tools and on sessions were reported not to run there',
    },
  ],
  objections: ({ isLink, file }) =>
    isLink
      ? [{ ...switchedOff('Cursor does not read this file, because it is a link.', file), fix: 'Put a plain file in its place.' }]
      : [],
};
