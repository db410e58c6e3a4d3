/** Whatever is written in the settings: what is right loads, what is wrong is said where it stands, and neither hides the other. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { load } from '../../../../src/agents/gemini-cli/load.ts';
import type { LoadContext, Loaded } from '../../../../src/core/contracts/dialect.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';

const CONTEXT: LoadContext = {
  scope: 'project',
  folder: '/shop/.gemini',
  folderName: '.gemini',
  idPrefix: 'gemini-cli:.gemini/settings.json',
  checkPattern: (source) => (source.includes('(?!') ? 'lookahead' : undefined),
  read: () => undefined,
  stat: () => undefined,
};
const loadText = (text: string): Loaded => load(parseJson('settings.json', text), CONTEXT);
const loadOf = (settings: unknown): Loaded => loadText(JSON.stringify(settings, null, 1));
const COMMAND = { type: 'command', command: './check.sh' };
const codes = ({ diagnostics }: Loaded): string[] => diagnostics.map(({ code }) => code);

test('a group of handlers becomes hooks, in order, with all that is said of them', () => {
  const { hooks, diagnostics } = loadOf({
    hooks: {
      BeforeTool: [
        {
          matcher: 'run_.*|write_file',
          sequential: true,
          hooks: [{ ...COMMAND, name: 'gate', description: 'Looks.', timeout: 5000, env: { MODE: 'strict', N: 3 } }, COMMAND],
        },
      ],
      SessionEnd: [{ hooks: [{ type: 'command', command: 'echo bye' }] }],
    },
  });
  expect(diagnostics).toEqual([]);
  expect(hooks).toMatchObject([
    {
      id: 'gemini-cli:.gemini/settings.json#BeforeTool[0].hooks[0]',
      name: 'gate',
      description: 'Looks.',
      event: 'BeforeTool',
      when: [{ facet: 'tool', test: { kind: 'pattern', source: 'run_.*|write_file', anchor: 'search' } }],
      handler: { type: 'command', config: { command: './check.sh' } },
      timeoutMs: 5000,
      sequence: true,
      env: { MODE: 'strict', N: '3' },
      facts: { GEMINI_PROJECT_DIR: 'project', GEMINI_SESSION_ID: 'session', CLAUDE_PROJECT_DIR: 'project' },
    },
    { name: 'check.sh', timeoutMs: 60_000 },
    { name: 'SessionEnd', formerName: 'echo', event: 'SessionEnd', when: [] },
  ]);
});

describe('timeouts', () => {
  const timed = (timeout: unknown): Loaded => loadOf({ hooks: { BeforeTool: [{ hooks: [{ ...COMMAND, timeout }] }] } });

  test.each([
    [30, 'error', true],
    [600, 'warning', false],
  ])('%s are milliseconds: %s', (timeout, severity, isUnusable) => {
    const loaded = timed(timeout);
    expect(loaded.hooks[0]?.timeoutMs).toBe(timeout);
    expect(loaded.hooks[0]?.unusable !== undefined).toBe(isUnusable);
    expect(loaded.diagnostics).toMatchObject([{ severity, code: 'short-timeout', hint: expect.stringContaining(String(timeout * 1000)) }]);
  });

  test.each([[0], [-5], ['5s'], [[]], [true]])('%j takes no guard away', (timeout) => {
    const loaded = timed(timeout);
    expect(loaded.hooks).toMatchObject([{ timeoutMs: 60_000 }]);
    expect(codes(loaded)).toEqual(['bad-timeout']);
  });

  test('a timer that would wrap is cut', () => {
    expect(timed(1e15).hooks[0]).toMatchObject({ timeoutMs: 2_147_483_647, unusable: expect.stringContaining('hours') });
  });
});

describe('matchers', () => {
  const matched = (matcher: unknown, event = 'BeforeTool'): Loaded => loadOf({ hooks: { [event]: [{ matcher, hooks: [COMMAND] }] } });

  test.each([[undefined], [null], [''], ['*']])('%j is everything', (matcher) => {
    expect(matched(matcher)).toMatchObject({ hooks: [{ when: [] }], diagnostics: [] });
  });

  test.each([['run_shell_command(git push*)'], ['read_file,write_file']])('%s fits no name, and that is said', (matcher) => {
    expect(codes(matched(matcher))).toEqual(['matcher-never-fires']);
  });

  test('one that can not be tried safely is an error, and its hooks do not load', () => {
    expect(matched('(?!read).*')).toMatchObject({ hooks: [], diagnostics: [{ severity: 'error', code: 'bad-pattern' }] });
  });

  test('on an event with nothing to look at it is ignored, with a warning', () => {
    expect(matched('x', 'BeforeAgent')).toMatchObject({ hooks: [{ when: [] }], diagnostics: [{ code: 'matcher-ignored' }] });
  });

  test('a list is any of it; an object is nobody knows what', () => {
    expect(matched(['a', 'b']).hooks).toMatchObject([{ when: [{ test: { source: 'a|b' } }] }]);
    expect(matched({ tool: 'a' })).toMatchObject({ hooks: [], diagnostics: [{ severity: 'error', code: 'wrong-type' }] });
  });
});

test("another agent's name of an event is answered with this one's", () => {
  const { diagnostics } = loadOf({ hooks: { PreToolUse: [{ hooks: [COMMAND] }] } });
  expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'unknown-event', hint: 'There it is called `BeforeTool`.', line: 3 }]);
});

test.each([
  ['a runtime action', { type: 'runtime', name: 'x' }, 'unknown-type'],
  ['no command', { type: 'command' }, 'missing-field'],
  ['an empty command', { type: 'command', command: ' ' }, 'wrong-type'],
  ['a number', 5, 'wrong-type'],
])('%s is said, and its neighbour loads', (_, handler, code) => {
  const loaded = loadOf({ hooks: { BeforeTool: [{ hooks: [handler, COMMAND] }] } });
  expect(loaded.hooks).toMatchObject([{ handler: { config: { command: './check.sh' } } }]);
  expect(codes(loaded)).toEqual([code]);
});

test('byte order mark, line ends, comments and trailing commas are no obstacle; of two equal keys the last counts', () => {
  const loaded = loadText(
    '\uFEFF{ // mine\r\n "hooks": {"BeforeTool": [], "BeforeTool": [{"hooks": [{"type": "command", "command": "a",},]}]}\r\n}',
  );
  expect(loaded.hooks).toHaveLength(1);
});

test('whatever stands beside it, a good hook loads, nothing throws, and every complaint has its place', () => {
  const shapes = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.dictionary(
      fc.constantFrom('matcher', 'hooks', 'type', 'command', 'timeout', 'name', 'env', 'sequential'),
      fc.jsonValue({ maxDepth: 2 }),
    ),
  );
  fc.assert(
    fc.property(shapes, shapes, fc.constantFrom('BeforeTool', 'Nonsense', 'hooks', '__proto__'), (one, two, key) => {
      const good = { hooks: [{ type: 'command', command: 'good', name: 'good' }] };
      const text = `{"hooks": {"AfterTool": [${JSON.stringify(one)}, ${JSON.stringify(good)}], ${JSON.stringify(key)}: ${JSON.stringify(two)}}}`;
      const { hooks, diagnostics } = loadText(text);
      expect(hooks.filter(({ event, name }) => event === 'AfterTool' && name === 'good').length).toBeGreaterThan(0);
      expect(diagnostics.filter(({ line, column, file }) => !line || !column || file !== 'settings.json')).toEqual([]);
    }),
  );
  fc.assert(fc.property(fc.jsonValue(), (value) => void loadOf(value)));
});
