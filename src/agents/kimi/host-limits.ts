/** The calls that Kimi Code keeps from its hooks. */
import type { HostLimits } from '../../core/contracts/host-limits.ts';

export const limits: HostLimits = {
  blind: [
    { of: 'surfaces', what: 'the last events of `-p`', because: 'the process does not wait for them and may end first' },
    {
      of: 'surfaces',
      what: 'sessions in its terminal, in some versions',
      because: 'hooks were reported not to run there; the log shows whether yours do',
    },
  ],
};
