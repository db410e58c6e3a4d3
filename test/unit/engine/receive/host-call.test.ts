/** Who calls: the payload says it, and the environment only where no payload does, because a child inherits it. */
import { expect, test } from 'vitest';
import { HOSTS } from '../../../../src/builtins.ts';
import type { Host } from '../../../../src/core/contracts/host.ts';
import { identifyCaller } from '../../../../src/engine/receive/host-call.ts';

const [some] = HOSTS as readonly [Host, ...Host[]];
const host = (id: string, signs: Partial<Host['identifiedBy']>): Host => ({
  ...some,
  id,
  identifiedBy: { payload: [], env: [], ...signs },
});

const entry = host('entry', { env: ['ENTRY_HOME'], payload: ['entry_id'] });
const byPayload = host('by-payload', { payload: ['turn'] });
const byEnvironment = host('by-environment', { env: ['AGENT_HOME'] });
const caller = (payload: Record<string, string>, environment: Record<string, string>, hosts: readonly Host[]) =>
  identifyCaller(entry, payload, environment, hosts).id;

test.each([[[entry, byPayload, byEnvironment]], [[byEnvironment, byPayload, entry]]])(
  'a sign in the payload outweighs one in the environment, in any order of the hosts',
  (hosts) => {
    expect(caller({ turn: '1' }, { AGENT_HOME: '/a' }, hosts)).toBe('by-payload');
    expect(caller({ turn: '1' }, { ENTRY_HOME: '/e' }, hosts)).toBe('by-payload');
    expect(caller({ entry_id: '1' }, { AGENT_HOME: '/a' }, hosts)).toBe('entry');
  },
);

test('the environment counts where no payload says more, and the entry where nothing does', () => {
  const hosts = [entry, byPayload, byEnvironment];
  expect(caller({}, { AGENT_HOME: '/a' }, hosts)).toBe('by-environment');
  expect(caller({}, { AGENT_HOME: '' }, hosts)).toBe('entry');
  expect(caller({}, {}, hosts)).toBe('entry');
  expect(caller({ turn: '1', entry_id: '1' }, {}, hosts)).toBe('entry');
});
