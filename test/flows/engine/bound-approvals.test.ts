/** An approval counts for one action in one project, and settles the hold of those hooks that asked for it, and of no others. */
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../src/stores/memory.ts';
import { event, hold, hook, type Say, smallEngine } from './small-engine.ts';

const ls = event('tool.before');

test('the project is part of what is approved: the same action in another one needs a ticket of its own', async () => {
  const store = createMemoryStore();
  const inProject = (root: string) =>
    smallEngine([hook('a/gate', () => hold())], { settings: { root }, ports: { store: async () => store } });
  const [here, there] = [inProject('/here'), inProject('/there')];
  const { ticket } = await here.fire(ls);
  const settling = { state: 'approved', at: Date.now(), by: 'ann', note: null, via: null, edit: null } as const;
  await store.tickets.settle(ticket?.id ?? '', settling);
  const elsewhere = await there.fire(ls);
  expect(elsewhere.decision).toBe('hold');
  expect(elsewhere.ticket?.id).not.toBe(ticket?.id);
  expect(await here.fire(ls)).toMatchObject({ decision: 'allow', approval: { ticket: ticket?.id } });
});

test('a hook that holds the edited input, and not the first one, is not passed over', async () => {
  const asked: string[] = [];
  const onlyDangerous: Say = (payload) => {
    const { command } = payload['input'] as { command: string };
    asked.push(command);
    return command === 'rm' ? hold('It deletes.') : undefined;
  };
  const engine = smallEngine([hook('a/always', () => hold('Always.')), hook('b/dangerous', onlyDangerous)]);
  const first = await engine.fire(ls);
  expect(first).toMatchObject({ decision: 'hold', reason: 'Always.' });
  const edited = await engine.resume(first.ticket?.id ?? '', { approve: true, by: 'ann', input: { command: 'rm' } });
  expect(asked).toEqual(['ls', 'rm']);
  expect(edited).toMatchObject({ decision: 'hold', rewrite: { command: 'rm' } });
  expect(edited.reason).toContain('It deletes.');
  expect(edited.ticket?.id).not.toBe(first.ticket?.id);
});

test('an edit that only the first hook holds goes ahead: its hold is settled', async () => {
  const engine = smallEngine([hook('a/always', () => hold('Always.')), hook('b/other', () => undefined)]);
  const { ticket } = await engine.fire(ls);
  const edited = await engine.resume(ticket?.id ?? '', { approve: true, by: 'ann', input: { command: 'pwd' } });
  expect(edited).toMatchObject({ decision: 'allow', rewrite: { command: 'pwd' } });
});
