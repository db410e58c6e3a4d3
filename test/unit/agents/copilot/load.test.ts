/** Whatever is written in a hook file: what is right loads, what is wrong is said where it stands, and neither hides the other. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { load } from '../../../../src/agents/copilot/load.ts';
import type { LoadContext, Loaded } from '../../../../src/core/contracts/dialect.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';

const CONTEXT: LoadContext = {
  scope: 'project',
  folder: '/shop/.github/hooks',
  folderName: 'hooks',
  idPrefix: 'copilot:.github/hooks/a.json',
  checkPattern: (source) => (source.includes('(?!') || source === '(' ? 'no' : undefined),
  read: () => undefined,
  stat: () => undefined,
};
const loadText = (text: string): Loaded => load(parseJson('a.json', text), CONTEXT);
const loadOf = (file: unknown): Loaded => loadText(JSON.stringify(file, null, 1));
const codes = ({ diagnostics }: Loaded): string[] => diagnostics.map(({ code }) => code);
const one = (entry: unknown, event = 'preToolUse'): Loaded => loadOf({ version: 1, hooks: { [event]: [entry] } });

test('a flat list of handlers becomes hooks, in order, with all that is said of them', () => {
  const { hooks, diagnostics } = loadOf({
    version: 1,
    hooks: {
      preToolUse: [
        {
          type: 'command',
          bash: './gate.sh',
          powershell: './gate.ps1',
          cwd: 'scripts',
          env: { MODE: 'strict' },
          timeoutSec: 5,
          timeout: 9,
          matcher: 'bash|edit',
        },
        { type: 'http', url: 'https://hooks.example.com/x', headers: { 'X-Key': '$KEY' }, allowedEnvVars: ['KEY'] },
      ],
      sessionEnd: [{ command: 'echo bye' }],
    },
  });
  expect(diagnostics).toEqual([]);
  expect(hooks).toMatchObject([
    {
      id: 'copilot:.github/hooks/a.json#preToolUse[0]',
      name: 'gate.sh',
      event: 'preToolUse',
      when: [{ facet: 'tool', test: { kind: 'pattern', source: 'bash|edit', anchor: 'whole' } }],
      handler: { type: 'command', config: { command: './gate.sh' } },
      timeoutMs: 5000,
      cwd: '/shop/scripts',
      env: { MODE: 'strict', COPILOT_CLI: '1', COPILOT_HOOK_DIR: '/shop/.github/hooks' },
      facts: { CLAUDE_PROJECT_DIR: 'project' },
    },
    {
      handler: { type: 'http', config: { url: 'https://hooks.example.com/x', headers: { 'X-Key': '$KEY' }, allowedEnvVars: ['KEY'] } },
      timeoutMs: 30_000,
    },
    { event: 'sessionEnd', handler: { config: { command: 'echo bye' } } },
  ]);
});

test('groups as Claude Code has them load as well, under their own spelling', () => {
  const loaded = one(
    {
      matcher: 'Bash',
      hooks: [
        { type: 'command', command: 'a' },
        { type: 'command', command: 'b', timeout: 3 },
      ],
    },
    'PreToolUse',
  );
  expect(loaded.diagnostics).toEqual([]);
  expect(loaded.hooks).toMatchObject([
    { id: 'copilot:.github/hooks/a.json#PreToolUse[0].hooks[0]', event: 'PreToolUse' },
    { handler: { config: { command: 'b' } }, timeoutMs: 3000 },
  ]);
});

describe('what is run', () => {
  test.each([
    [{ bash: 'a', command: 'b' }, 'a'],
    [{ command: 'b', powershell: 'c' }, 'b'],
    [{ exec: './my gate', args: ['--it', "isn't"] }, `'./my gate' --it 'isn'\\''t'`],
    [{ exec: 'gate', args: [] }, 'gate'],
    [{ bash: ['echo', 'a b'] }, "echo 'a b'"],
  ])('of %j it is %s', (entry, command) => {
    expect(one(entry).hooks).toMatchObject([{ handler: { config: { command } } }]);
  });

  test.each([
    [{ powershell: 'x' }, 'missing-field'],
    [{ type: 'command' }, 'missing-field'],
    [{ bash: 5 }, 'wrong-type'],
    [{ exec: 'a', args: 'b' }, 'wrong-type'],
    [{ type: 'http', url: 'ftp://x' }, 'bad-url'],
    [{ type: 'http' }, 'missing-field'],
    [{ type: 'prompt', prompt: '/go' }, 'unknown-type'],
    [{ type: 'magic' }, 'unknown-type'],
    [7, 'wrong-type'],
  ])('%j is said, and its neighbour loads', (entry, code) => {
    const loaded = loadOf({ hooks: { preToolUse: [entry, { bash: 'good' }] } });
    expect(loaded.hooks).toMatchObject([{ handler: { config: { command: 'good' } } }]);
    expect(codes(loaded)).toContain(code);
  });
});

describe('timeouts', () => {
  test('what looks like milliseconds is said, and kept as seconds', () => {
    const loaded = one({ bash: 'a', timeoutSec: 5000 });
    expect(loaded.hooks[0]?.timeoutMs).toBe(5_000_000);
    expect(loaded.diagnostics).toMatchObject([{ code: 'long-timeout', hint: expect.stringContaining('write 5') }]);
  });

  test.each([[0], [-1], ['5s'], [{}]])('%j takes no guard away', (timeoutSec) => {
    const loaded = one({ bash: 'a', timeoutSec });
    expect(loaded.hooks).toMatchObject([{ timeoutMs: 30_000 }]);
    expect(codes(loaded)).toEqual(['bad-timeout']);
  });
});

describe('matchers', () => {
  test.each([['bash(git push*)'], ['bash,edit']])('%s fits no name, and that is said', (matcher) => {
    expect(codes(one({ bash: 'a', matcher }))).toEqual(['matcher-never-fires']);
  });

  test('one that is no pattern takes its hook along, as the agent has it', () => {
    expect(one({ bash: 'a', matcher: '(' })).toMatchObject({ hooks: [], diagnostics: [{ severity: 'error', code: 'bad-pattern' }] });
  });

  test('each event looks at its own', () => {
    const facet = (event: string) => one({ bash: 'a', matcher: 'x' }, event).hooks[0]?.when[0]?.facet;
    const events = ['preToolUse', 'postToolUse', 'permissionRequest', 'subagentStart', 'preCompact', 'notification', 'agentStop'];
    expect(events.map(facet)).toEqual(['tool', 'tool', 'tool', 'subagent', 'cause', 'cause', undefined]);
    expect(codes(one({ bash: 'a', matcher: 'x' }, 'agentStop'))).toEqual(['matcher-ignored']);
  });

  describe('as a map with `toolName`', () => {
    const whenOf = ({ hooks }: Loaded) => hooks.map(({ when }) => when);

    test.each([['preToolUse'], ['PreToolUse'], ['postToolUse'], ['permissionRequest']])('on %s it means what the text means', (event) => {
      for (const toolName of ['bash', 'Bash', 'edit|create', 'mcp__.*', '*', '', null]) {
        const loaded = one({ bash: 'a', matcher: { toolName } }, event);
        expect({ toolName, when: whenOf(loaded) }).toEqual({ toolName, when: whenOf(one({ bash: 'a', matcher: toolName }, event)) });
        expect(codes(loaded)).toEqual(['loose-shape']);
      }
    });

    test('a group may have it too', () => {
      const loaded = one({ matcher: { toolName: 'bash' }, hooks: [{ bash: 'a' }, { bash: 'b' }] });
      expect(whenOf(loaded)).toEqual(whenOf(one({ matcher: 'bash', hooks: [{ bash: 'a' }, { bash: 'b' }] })));
      expect(codes(loaded)).toEqual(['loose-shape']);
    });

    test('other keys in it are said and narrow nothing', () => {
      const loaded = one({ bash: 'a', matcher: { toolName: 'edit', filePath: '**/*.go' } });
      expect(whenOf(loaded)).toEqual(whenOf(one({ bash: 'a', matcher: 'edit' })));
      expect(loaded.diagnostics).toMatchObject([{ severity: 'warning', code: 'unknown-field' }, { code: 'loose-shape' }]);
    });

    test.each([[{}], [{ tool: 'bash' }], [{ toolName: 5 }], [{ toolName: {} }]])('%j says no tool: an error, as before', (matcher) => {
      const loaded = one({ bash: 'a', matcher });
      expect(loaded.hooks).toEqual([]);
      expect(loaded.diagnostics).toContainEqual(expect.objectContaining({ severity: 'error', code: 'wrong-type' }));
    });

    test('a pattern that cannot be used takes its hook along', () => {
      const loaded = one({ bash: 'a', matcher: { toolName: '(' } });
      expect([loaded.hooks, codes(loaded)]).toEqual([[], ['loose-shape', 'bad-pattern']]);
    });

    test.each([['notification'], ['preCompact'], ['subagentStart'], ['agentStop']])('%s has no tool, so the hook always runs', (event) => {
      const loaded = one({ bash: 'a', matcher: { toolName: 'bash' } }, event);
      expect([whenOf(loaded), codes(loaded)]).toEqual([[[]], ['matcher-ignored']]);
    });
  });
});

test('a misspelt event is answered with one of its own spelling', () => {
  expect(one({ bash: 'a' }, 'preTooluse').diagnostics).toMatchObject([{ code: 'unknown-event', hint: 'Did you mean `preToolUse`?' }]);
  expect(one({ bash: 'a' }, 'PreTooluse').diagnostics).toMatchObject([{ code: 'unknown-event', hint: 'Did you mean `PreToolUse`?' }]);
});

test('a file of another version is read, with a warning', () => {
  const loaded = loadOf({ version: 2, hooks: { preToolUse: [{ bash: 'a' }] } });
  expect(loaded.hooks).toHaveLength(1);
  expect(codes(loaded)).toEqual(['loose-shape']);
});

test.each([
  ['a single handler', { bash: 'a' }],
  ['a map of names', { gate: { bash: 'a' } }],
  ['a command', 'a'],
  ['a list of commands', ['a']],
  ['a group with one handler', { hooks: { bash: 'a' } }],
])('%s in place of a list is understood, and said to be loose', (_, value) => {
  const loaded = loadOf({ hooks: { preToolUse: value } });
  expect(loaded.hooks).toMatchObject([{ handler: { config: { command: 'a' } } }]);
  expect(codes(loaded)).toContain('loose-shape');
});

test('byte order mark, line ends, comments and trailing commas are no obstacle', () => {
  expect(loadText('\uFEFF{ // mine\r\n "hooks": {"preToolUse": [{"bash": "a",},]}\r\n}').hooks).toHaveLength(1);
});

test('whatever stands beside it, a good hook loads, nothing throws, and every complaint has its place', () => {
  const keys = fc.constantFrom('matcher', 'hooks', 'type', 'bash', 'command', 'exec', 'args', 'url', 'headers', 'timeoutSec', 'cwd', 'env');
  const shapes = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.dictionary(keys, fc.jsonValue({ maxDepth: 2 })));
  fc.assert(
    fc.property(shapes, shapes, fc.constantFrom('agentStop', 'Nonsense', 'hooks', '__proto__'), (first, second, key) => {
      const text = `{"hooks": {"preToolUse": [${JSON.stringify(first)}, {"bash": "good", "name": "good"}], ${JSON.stringify(key)}: ${JSON.stringify(second)}}}`;
      const { hooks, diagnostics } = loadText(text);
      expect(hooks.filter(({ event, name }) => event === 'preToolUse' && name === 'good').length).toBeGreaterThan(0);
      expect(diagnostics.filter(({ line, column, file }) => !line || !column || file !== 'a.json')).toEqual([]);
    }),
  );
  fc.assert(fc.property(fc.jsonValue(), (value) => void loadOf(value)));
});
