import { expect, test, vi } from 'vitest';
import { HaltError, HeldError, type Hookline, type WrapToolOptions, wrapTool } from '../../../../src/index.ts';
import { until } from '../../../support/patience.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const open = async (answer: object = {}): Promise<Hookline> => {
  const hookline = await createWorkspace().open();
  hookline.on('tool.before', () => answer);
  return hookline;
};
const HOLD = { decision: 'hold', reason: 'a person decides' };
const run = vi.fn(async ({ text }: { text: string }) => `ran ${text}`);
const wrap = (hookline: Hookline, more: Partial<WrapToolOptions> = {}) =>
  wrapTool(hookline, { name: 'deploy', session: 's1', ...more }, run);

test('a permitted call returns its result, and a denied one a text for the model', async () => {
  run.mockClear();
  expect(await wrap(await open())({ text: 'a' })).toBe('ran a');
  const refused = await wrap(await open({ decision: 'deny', reason: 'not today' }))({ text: 'a' });
  expect(refused).toContain('not today');
  expect(run.mock.calls.length).toBe(1);
});

test('a held call is a text for the model, and the same input runs once a person has approved it', async () => {
  run.mockClear();
  const hookline = await open(HOLD);
  const deploy = wrap(hookline);
  const [first, second] = [await deploy({ text: 'a' }), await deploy({ text: 'a' })];
  const tickets = await hookline.approvals.list();
  expect(tickets.length).toBe(1);
  for (const text of [first, second]) expect(text).toContain(tickets[0]?.id);
  await hookline.approvals.approve(tickets[0]?.id ?? '', { by: 'ann' });
  expect(await deploy({ text: 'a' })).toBe('ran a');
  expect(run.mock.calls.length).toBe(1);
});

test('with `throw` a held call throws an error that names the ticket', async () => {
  const hookline = await open(HOLD);
  const failing = wrap(hookline, { onHold: 'throw', metadata: { run: 'r1' } })({ text: 'a' }, { id: 'c1' });
  const error = await failing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HeldError);
  const [ticket] = await hookline.approvals.list();
  expect(error).toMatchObject({ ticket: { id: ticket?.id }, reason: 'a person decides' });
  expect(ticket?.metadata).toEqual({ run: 'r1' });
});

test('with `wait` a held call runs when a person approves it', async () => {
  const hookline = await open(HOLD);
  const waiting = wrap(hookline, { onHold: 'wait' })({ text: 'a' });
  await until(async () => (await hookline.approvals.count()) === 1);
  const [ticket] = await hookline.approvals.list();
  await hookline.approvals.approve(ticket?.id ?? '', { by: 'ann' });
  expect(await waiting).toBe('ran a');
});

test('a halt throws, so that the loop ends', async () => {
  await expect(wrap(await open({ halt: 'stop here' }))({ text: 'a' })).rejects.toBeInstanceOf(HaltError);
});

test('a tool without a session is refused when it is wrapped', async () => {
  const hookline = await open();
  expect(() => wrap(hookline, { session: '' })).toThrow('session');
});
