import fc from 'fast-check';
import { expect, test } from 'vitest';
import { load as loadFile } from '../../../../src/agents/qwen/load.ts';
import type { LoadContext, Loaded } from '../../../../src/core/contracts/dialect.ts';
import type { Json } from '../../../../src/core/values/json.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';

const CONTEXT: LoadContext = {
  ownTypes: new Set(['guard']),
  scope: 'project',
  folder: '/p/.qwen',
  folderName: '.qwen',
  idPrefix: 'qwen:.qwen/settings.json',
  checkPattern: (source) => (source.includes('[') ? 'it is not closed' : undefined),
  read: () => undefined,
  stat: () => undefined,
};
const GOOD = { type: 'command', command: './gate.sh' };

function load(value: Json): Loaded {
  return loadFile(parseJson('settings.json', JSON.stringify(value, null, 1)), CONTEXT);
}

function commands({ hooks }: Loaded): unknown[] {
  return hooks.map(({ handler }) => handler.config['command']);
}

test('settings without hooks have none, whatever else they hold', () => {
  expect(load({ model: { name: 'qwen3-coder' }, tools: {} })).toEqual({ hooks: [], diagnostics: [], switches: [] });
});

test('a command, an address and a question load with what they need', () => {
  const { hooks, diagnostics } = load({
    hooks: {
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [
            { ...GOOD, name: 'gate', description: 'Looks at commands', env: { LEVEL: 3 }, async: true, shell: 'bash', statusMessage: 'x' },
            { type: 'http', url: 'http://127.0.0.1:8080/', headers: { a: '$KEY' }, allowedEnvVars: ['KEY'], once: true },
            { type: 'prompt', prompt: 'Safe? $ARGUMENTS', model: 'small' },
          ],
        },
      ],
    },
  });
  expect(diagnostics).toEqual([]);
  expect(hooks).toMatchObject([
    { name: 'gate', description: 'Looks at commands', detach: true, env: { LEVEL: '3' }, facts: { QWEN_PROJECT_DIR: 'project' } },
    { handler: { type: 'http', config: { url: 'http://127.0.0.1:8080/', headers: { a: '$KEY' }, allowedEnvVars: ['KEY'] } }, once: true },
    { handler: { type: 'prompt', config: { prompt: 'Safe? $ARGUMENTS' } }, detach: false },
  ]);
});

test('a hook that is required, and one of ours, keep what they are', () => {
  const { hooks } = load({
    hooks: {
      PreToolUse: [
        {
          hooks: [
            { ...GOOD, required: true },
            { type: 'guard', preset: 'strict' },
          ],
        },
      ],
    },
  });
  expect(hooks).toMatchObject([{ required: true }, { handler: { type: 'guard', config: { preset: 'strict' } } }]);
});

test('a type that no file can have is skipped, and its neighbour loads', () => {
  const loaded = load({ hooks: { Stop: [{ hooks: [{ type: 'function', callback: 'x' }, GOOD] }] } });
  expect(commands(loaded)).toEqual(['./gate.sh']);
  expect(loaded.diagnostics).toMatchObject([{ severity: 'warning', code: 'unknown-type' }]);
});

test.each<[string, Json]>([
  ['a flat handler', { PreToolUse: [GOOD] }],
  ['a handler by itself', { PreToolUse: GOOD }],
  ['text', { PreToolUse: './gate.sh' }],
  ['a map of names', { PreToolUse: { gate: GOOD } }],
  ['a handler without a type', { PreToolUse: [{ hooks: [{ command: './gate.sh' }] }] }],
  ['hooks within hooks', { hooks: { PreToolUse: [{ hooks: [GOOD] }] } }],
])('%s is understood, and said to be loose', (_, hooks) => {
  const loaded = load({ hooks });
  expect(commands(loaded)).toEqual(['./gate.sh']);
  expect(loaded.diagnostics.map(({ code }) => code)).toContain('loose-shape');
});

test.each<[string, Json, string[]]>([
  ['a list', ['Bash', 'Edit'], ['loose-shape']],
  ['a permission rule', 'Bash(git push*)', ['matcher-never-fires']],
  ['a set with commas', 'Bash, Edit', ['matcher-never-fires']],
  ['bars alone', '||', ['matcher-never-fires']],
])('a matcher that is %s keeps its hook', (_, matcher, codes) => {
  const { hooks, diagnostics } = load({ hooks: { PreToolUse: [{ matcher, hooks: [GOOD] }] } });
  expect(hooks).toHaveLength(1);
  expect(diagnostics.map(({ code }) => code)).toEqual(codes);
});

test('a matcher nobody can read leaves its own hooks out, and no others', () => {
  const { hooks, diagnostics } = load({ hooks: { PreToolUse: [{ matcher: '[', hooks: [GOOD] }, { hooks: [GOOD] }] } });
  expect(hooks.map(({ id }) => id)).toEqual(['qwen:.qwen/settings.json#PreToolUse[1].hooks[0]']);
  expect(diagnostics).toMatchObject([{ severity: 'error', code: 'bad-pattern', line: 5 }]);
});

test('an unknown event is a warning with a suggestion', () => {
  expect(load({ hooks: { PreToolUs: [], enabled: true, disabled: [] } }).diagnostics).toMatchObject([
    { severity: 'warning', code: 'unknown-event', hint: 'Did you mean `PreToolUse`?' },
  ]);
});

test('whatever stands in the file: nothing throws, every complaint has a place, and a good hook beside it loads', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const nonsense = value as Json;
      for (const whole of [nonsense, { hooks: nonsense, disableAllHooks: nonsense }, { hooks: { Stop: nonsense } }]) {
        const { diagnostics } = load(whole);
        expect(diagnostics.every(({ line, column }) => line !== undefined && column !== undefined)).toBe(true);
      }
      const odd = { type: 'command', command: nonsense, env: nonsense, timeout: nonsense, if: nonsense, name: nonsense };
      const beside = load({
        hooks: { Stop: [nonsense, { matcher: nonsense, hooks: [nonsense] }, { sequential: nonsense, hooks: [odd, nonsense, GOOD] }] },
      });
      expect(commands(beside)).toContain('./gate.sh');
    }),
    { numRuns: 300 },
  );
});
