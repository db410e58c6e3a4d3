/** What a call says of its caller: the host, its version and its subagent, where the host's facts say they are. */
import { expect, test } from 'vitest';
import { HOSTS } from '../../../../src/builtins.ts';
import type { Host } from '../../../../src/core/contracts/host.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import { callerOf, readHostCall } from '../../../../src/engine/receive/host-call.ts';

const hostNamed = (id: string): Host => HOSTS.find((host) => host.id === id) as Host;

test.each(HOSTS.map((host) => [host.id, host] as const))('%s: a call without signs names the host alone', (id, host) => {
  expect(callerOf(host, {}, {})).toEqual({ host: id });
});

const versions = HOSTS.filter(({ tells }) => tells.version && !tells.version.pattern);
test.each(versions.map((host) => [host.id, host] as const))('%s: its version is read where it says it', (_, host) => {
  const { key, variable } = host.tells.version ?? {};
  if (key !== undefined) expect(callerOf(host, { [key]: '9.8.7' }, {}).hostVersion).toBe('9.8.7');
  if (variable !== undefined) expect(callerOf(host, {}, { [variable]: '9.8.7' }).hostVersion).toBe('9.8.7');
  if (key !== undefined && variable !== undefined)
    expect(callerOf(host, { [key]: 'payload' }, { [variable]: 'environment' }).hostVersion).toBe('payload');
  for (const other of HOSTS.filter(({ id }) => id !== host.id))
    if (variable !== undefined) expect(callerOf(other, {}, { [variable]: '9.8.7' }).hostVersion).toBeUndefined();
});

test('Claude Code says its version in the name that it gives to its processes, as only it writes it', () => {
  const version = (text: string) => callerOf(hostNamed('claude-code'), {}, { AI_AGENT: text }).hostVersion;
  expect(version('claude-code_2-1-325_harness')).toBe('2.1.325');
  expect(version('claude-code_2-1-325')).toBe('2.1.325');
  for (const other of ['crush', 'claude-code', 'other_2-1_harness', 'claude-code_x_harness', '']) expect(version(other)).toBeUndefined();
});

test.each(
  HOSTS.flatMap((host) => (['agent', 'parent'] as const).flatMap((what) => host.tells[what].map((key) => [host.id, what, key] as const))),
)('%s: the %s is read under `%s`', (id, what, key) => {
  expect(callerOf(hostNamed(id), { [key]: 'helper' }, {})).toEqual({ host: id, [what]: 'helper' });
  for (const nothing of ['', 7, null, { a: 1 }]) expect(callerOf(hostNamed(id), { [key]: nothing as never }, {})).toEqual({ host: id });
});

test('a text from outside is kept short and on one line', () => {
  const { agent } = callerOf(hostNamed('codex'), { agent_type: `a\n\u001b[2J\u2028b${'x'.repeat(10_000)}` }, {});
  expect(agent).toMatch(/^a \[2J bx+$/);
  expect(agent?.length).toBeLessThanOrEqual(100);
});

test('every event of a call has the caller, also one that is asked ahead', () => {
  const seen: (HookEvent['caller'] | undefined)[] = [];
  const payload = { hook_event_name: 'PreToolUse', agent_type: 'reviewer', tool_name: 'Agent', tool_input: { subagent_type: 'x' } };
  const call = readHostCall('claude-code', payload, undefined, {}, HOSTS, (_, __, ___, caller) => {
    seen.push(caller);
    return { session: { id: 's' } } as HookEvent;
  });
  expect('problem' in call).toBe(false);
  const caller = { host: 'claude-code', agent: 'reviewer' };
  expect(seen).toEqual([caller, caller]);
});
