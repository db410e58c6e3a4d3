/** Calls that concern no hook are remembered by the parts that decide, under the facts that decided. */
import { expect, test } from 'vitest';
import type { Memory } from '../../../../src/load/memory.ts';
import { keepSilence, type QuietCall, quietCall, readSilence, type Silence } from '../../../../src/load/remembered/silence.ts';

const FACTS: Omit<Silence, 'calls'> = {
  of: 'an entry',
  decidedBy: ['event', 'tool'],
  others: { payload: ['their_key'], env: ['THEIR_VARIABLE'] },
  variables: { PROJECT: '/project', OTHER: null },
  lookups: [['stat', '/nonexistent/hooks', '']],
};
const QUIET: QuietCall = { reportsRun: false };
const CALL = { event: 'Before', tool: 'Glob', input: { pattern: '*' } };
const ENVIRONMENT = { PROJECT: '/project' };

function createMemory(): Memory {
  const kept = new Map<string, string>();
  return {
    read: (key) => (kept.has(key) ? JSON.parse(kept.get(key) as string) : undefined),
    write: (key, value) => void kept.set(key, JSON.stringify(value)),
    hash: (data) => String(data),
  };
}

function kept(facts: Omit<Silence, 'calls'> = FACTS): Silence {
  const memory = createMemory();
  keepSilence(memory, facts, CALL, QUIET);
  return readSilence(memory, facts.of) as Silence;
}

test('a call with the same event and tool is quiet too, whatever else is in it', () => {
  expect(quietCall(kept(), CALL, ENVIRONMENT)).toEqual(QUIET);
  expect(quietCall(kept(), { ...CALL, input: 'rm', session: 's' }, { ...ENVIRONMENT, PATH: '/bin' })).toEqual(QUIET);
});

test('a call that differs in a part that decides is not remembered', () => {
  const { tool: _, ...without } = CALL;
  for (const other of [
    { ...CALL, tool: 'Bash' },
    { ...CALL, event: 'After' },
    without,
    { ...CALL, tool: ['Glob'] },
    { ...CALL, tool: null },
  ])
    expect(quietCall(kept(), other, ENVIRONMENT)).toBeUndefined();
  expect(quietCall(kept(), JSON.parse('{"__proto__":{"event":"Before","tool":"Glob"}}'), ENVIRONMENT)).toBeUndefined();
});

test('a call of another host, another variable or another file is judged', () => {
  expect(quietCall(kept(), { ...CALL, their_key: null }, ENVIRONMENT)).toBeUndefined();
  expect(quietCall(kept(), CALL, { ...ENVIRONMENT, THEIR_VARIABLE: '1' })).toBeUndefined();
  expect(quietCall(kept(), CALL, { ...ENVIRONMENT, OTHER: '' })).toBeUndefined();
  expect(quietCall(kept(), CALL, {})).toBeUndefined();
  expect(quietCall(kept({ ...FACTS, lookups: [['stat', '/', '']] }), CALL, ENVIRONMENT)).toBeUndefined();
});

test('calls add up as long as the facts are the same, and no longer', () => {
  const memory = createMemory();
  const tools = (): unknown[] => Object.keys(readSilence(memory, FACTS.of)?.calls ?? {}).map((call) => JSON.parse(call)[1]);
  keepSilence(memory, FACTS, CALL, QUIET);
  keepSilence(memory, FACTS, { ...CALL, tool: 'Read' }, QUIET);
  expect(tools()).toEqual(['Glob', 'Read']);
  keepSilence(memory, { ...FACTS, variables: {} }, { ...CALL, tool: 'Write' }, QUIET);
  expect(tools()).toEqual(['Write']);
  for (let i = 0; i < 1000; i++) keepSilence(memory, { ...FACTS, variables: {} }, { ...CALL, tool: `Tool${i}` }, QUIET);
  expect(tools().length).toBeLessThanOrEqual(256);
});

test('an entry under the same short name is not taken for another one', () => {
  const memory = createMemory();
  const all: Memory = { ...memory, read: () => memory.read('any'), write: (_, value) => memory.write('any', value) };
  keepSilence(all, FACTS, CALL, QUIET);
  expect(readSilence(all, 'another entry')).toBeUndefined();
  expect(readSilence(all, FACTS.of)).toBeDefined();
});
