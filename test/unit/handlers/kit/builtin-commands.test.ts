import { expect, test } from 'vitest';
import type { Dialect } from '../../../../src/core/contracts/dialect.ts';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import { type BuiltinCommand, builtinHandler, withBuiltins } from '../../../../src/handlers/kit/builtin-commands.ts';

const GATE: BuiltinCommand = {
  words: ['hookline', 'gate'],
  type: 'gate',
  options: { level: { key: 'level' }, pack: { key: 'packs', many: true } },
  check: ({ level }) => (level === 'none' ? 'There is no such level.' : undefined),
};

const handlerOf = (line: string) => builtinHandler(line, [GATE]);

test('a line of ours is the handler, with its options as config', () => {
  expect(handlerOf('hookline gate')).toEqual({ type: 'gate', config: {} });
  expect(handlerOf('  exec hookline gate --level=high --pack a --pack b ')).toEqual({
    type: 'gate',
    config: { level: 'high', packs: ['a', 'b'] },
  });
});

test('a line that is not understood to its last word is left to the shell', () => {
  for (const line of [
    'hookline gate || true',
    'hookline gate; exit 0',
    'hookline gate > /dev/null',
    'X=1 hookline gate; true',
    'hookline gate --unknown x',
    'hookline gate --level',
    'hookline gate --level --pack a',
    'hookline gate --level a --level b',
    'hookline gate explain',
    'hookline "gate"',
    'hookline gate $(true)',
    'hookline gates',
    'nothookline gate',
  ]) {
    expect(handlerOf(line), line).toBeUndefined();
  }
});

const hook = (command: string, over: Partial<Hook> = {}): Hook => ({
  id: 'x#1',
  name: 'one',
  dialect: 'sample',
  event: 'before',
  when: [],
  handler: { type: 'command', config: { command } },
  timeoutMs: 1000,
  priority: 0,
  detach: false,
  enabled: true,
  source: { file: 'f', line: 3, scope: 'user' },
  ...over,
});

const load = async (...hooks: Hook[]) => {
  const events = {
    before: { kinds: ['tool.before'], run: 'sequence', grants: ['deny'], facet: null },
    after: { kinds: ['tool.after'], run: 'sequence', grants: [], facet: null },
  };
  const dialect = { id: 'sample', profile: { events }, loader: async () => () => ({ hooks, diagnostics: [] }) } as unknown as Dialect;
  const loadFile = await withBuiltins(dialect, [GATE], new Set()).loader();
  return loadFile({ file: 'f', diagnostics: [] }, {} as never);
};

test('in a file, such a hook keeps all it is but its handler; the others are left alone', async () => {
  const other = hook('echo hookline gate', { id: 'x#2' });
  expect(await load(hook('hookline gate', { priority: 7 }), other)).toEqual({
    hooks: [hook('', { priority: 7, handler: { type: 'gate', config: {} } }), other],
    diagnostics: [],
  });
});

test('a config that can not be used is an error, and the hook stays: a misspelt gate must not be an open one', async () => {
  const { hooks, diagnostics } = await load(hook('hookline gate --level none'));
  expect(hooks).toHaveLength(1);
  expect(diagnostics).toMatchObject([{ severity: 'error', code: 'bad-handler', file: 'f', line: 3 }]);
});

test('where it could stop nothing, that is said', async () => {
  expect((await load(hook('hookline gate', { event: 'after' }))).diagnostics).toMatchObject([{ severity: 'warning', code: 'no-effect' }]);
  expect((await load(hook('hookline gate', { detach: true }))).diagnostics).toMatchObject([{ severity: 'warning', code: 'no-effect' }]);
});
