import fc from 'fast-check';
import { expect, test } from 'vitest';
import { load as loadFile } from '../../../../src/agents/codex/load.ts';
import type { LoadContext, Loaded } from '../../../../src/core/contracts/dialect.ts';
import type { Json } from '../../../../src/core/values/json.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';
import { parseToml } from '../../../../src/load/formats/toml.ts';

const CONTEXT: LoadContext = {
  scope: 'project',
  folder: '/p/.codex',
  folderName: '.codex',
  idPrefix: 'codex:.codex/hooks.json',
  checkPattern: (source) => (source.includes('[') ? 'it is not closed' : undefined),
  read: () => undefined,
  stat: () => undefined,
};
const GOOD = { type: 'command', command: './gate.sh' };

function load(value: Json): Loaded {
  return loadFile(parseJson('hooks.json', JSON.stringify(value, null, 1)), CONTEXT);
}

function commands({ hooks }: Loaded): unknown[] {
  return hooks.map(({ handler }) => handler.config['command']);
}

test('groups load in the order written, with what Codex gives them', () => {
  const { hooks, diagnostics } = load({
    description: 'mine',
    hooks: {
      PreToolUse: [{ matcher: 'Bash', hooks: [GOOD, { ...GOOD, timeout: 5, async: true, statusMessage: 'Looking' }] }],
      Stop: [{ hooks: [GOOD] }],
    },
  });
  expect(diagnostics).toEqual([]);
  expect(hooks.map(({ id, event, timeoutMs, detach }) => [id, event, timeoutMs, detach])).toEqual([
    ['codex:.codex/hooks.json#PreToolUse[0].hooks[0]', 'PreToolUse', 600_000, false],
    ['codex:.codex/hooks.json#PreToolUse[0].hooks[1]', 'PreToolUse', 5000, true],
    ['codex:.codex/hooks.json#Stop[0].hooks[0]', 'Stop', 600_000, false],
  ]);
});

test('the tables of config.toml are read like the file, and what Codex keeps there is left alone', () => {
  const text = `model = "gpt-6"\n\n[[hooks.PreToolUse]]\nmatcher = "^Bash$"\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "./gate.sh"\ntimeout = 7\n\n[hooks.state."a:pre_tool_use:0:0"]\nenabled = true\ntrusted_hash = "x"\n`;
  const { hooks, diagnostics } = loadFile(parseToml('config.toml', text), CONTEXT);
  expect(diagnostics).toEqual([]);
  expect(hooks).toMatchObject([{ event: 'PreToolUse', timeoutMs: 7000, source: { file: 'config.toml' } }]);
  expect(loadFile(parseToml('config.toml', 'model = "gpt-6"\n'), CONTEXT)).toEqual({ hooks: [], diagnostics: [], switches: [] });
});

test('an MCP tool is kept with its arguments, a prompt is not run', () => {
  const { hooks, diagnostics } = load({
    hooks: {
      Stop: [
        {
          hooks: [
            { type: 'mcp_tool', server: 'audit', tool: 'note', input: { a: 1 } },
            { type: 'prompt', prompt: 'ok?' },
          ],
        },
      ],
    },
  });
  expect(hooks.map(({ handler }) => handler)).toEqual([{ type: 'mcp_tool', config: { server: 'audit', tool: 'note', input: { a: 1 } } }]);
  expect(diagnostics).toMatchObject([{ code: 'unknown-type', severity: 'warning' }]);
});

test.each<[string, Json]>([
  ['a group by itself', { PreToolUse: { matcher: 'Bash', hooks: [GOOD] } }],
  ['a flat handler', { PreToolUse: [GOOD] }],
  ['a handler by itself', { PreToolUse: GOOD }],
  ['text', { PreToolUse: './gate.sh' }],
  ['a list of texts', { PreToolUse: ['./gate.sh'] }],
  ['a map of names', { PreToolUse: { gate: GOOD } }],
  ['a handler without a type', { PreToolUse: [{ hooks: [{ command: './gate.sh' }] }] }],
  ['bare text in a group', { PreToolUse: [{ hooks: ['./gate.sh'] }] }],
  ['words in a group', { PreToolUse: [{ hooks: [['./gate.sh']] }] }],
  ['words as the command', { PreToolUse: [{ hooks: [{ type: 'command', command: ['./gate.sh'] }] }] }],
  ['one handler as the group', { PreToolUse: [{ hooks: GOOD }] }],
  ['hooks within hooks', { hooks: { PreToolUse: [{ hooks: [GOOD] }] } }],
  ['a list of maps', [{ PreToolUse: [{ hooks: [GOOD] }] }]],
])('%s is understood, and said to be loose', (_, hooks) => {
  const loaded = load({ hooks });
  expect(commands(loaded)).toEqual(['./gate.sh']);
  expect(new Set(loaded.diagnostics.map(({ code }) => code)).has('loose-shape') || /bare text|words in/.test(_)).toBe(true);
});

test('events without `hooks` around them are understood', () => {
  const loaded = load({ PreToolUse: [{ hooks: [GOOD] }] });
  expect(commands(loaded)).toEqual(['./gate.sh']);
  expect(loaded.diagnostics).toMatchObject([{ code: 'loose-shape' }, { code: 'dropped-file' }]);
});

test('nothing at all is fine', () => {
  for (const hooks of [{}, [], { PostToolUse: [] }]) expect(load({ hooks })).toEqual({ hooks: [], diagnostics: [], switches: [] });
  // Codex itself does not read the file.
  for (const hooks of [null, false, { Stop: null }, { PreToolUse: false }])
    expect(load({ hooks })).toMatchObject({ hooks: [], diagnostics: [{ severity: 'warning', code: 'dropped-file' }] });
});

test('words with spaces and quotes reach the shell as they are', () => {
  expect(commands(load({ hooks: { Stop: [{ hooks: [['node', 'my gate.js', "it's"]] }] } }))).toEqual([`node 'my gate.js' 'it'\\''s'`]);
});

test.each<[string, Json, string[]]>([
  ['null', null, []],
  ['empty text', '', []],
  ['a star', '*', []],
  ['a list', ['Bash', 'Edit'], ['loose-shape', 'dropped-file']],
  ['a permission rule', 'Bash(git push*)', ['matcher-never-fires']],
  ['a set with commas', 'Bash, Edit', ['matcher-never-fires']],
  ['a bare server', 'mcp__memory', ['matcher-never-fires']],
])('a matcher that is %s keeps its hook', (_, matcher, codes) => {
  const { hooks, diagnostics } = load({ hooks: { PreToolUse: [{ matcher, hooks: [GOOD] }] } });
  expect(hooks).toHaveLength(1);
  expect(diagnostics.map(({ code }) => code)).toEqual(codes);
});

test('a matcher nobody can read leaves its own hooks out, and no others', () => {
  for (const [matcher, code, others] of [
    [{ tool: 'Bash' }, 'wrong-type', ['dropped-file']],
    [7, 'wrong-type', ['dropped-file']],
    ['[', 'bad-pattern', []],
  ] as const) {
    const { hooks, diagnostics } = load({ hooks: { PreToolUse: [{ matcher, hooks: [GOOD] }, { hooks: [GOOD] }] } });
    expect(hooks.map(({ id }) => id)).toEqual(['codex:.codex/hooks.json#PreToolUse[1].hooks[0]']);
    expect(diagnostics[0]).toMatchObject({ severity: 'error', code, line: expect.any(Number) });
    expect(diagnostics.slice(1).map((one) => one.code)).toEqual(others);
  }
});

test('a matcher where there is nothing to match is said and not looked at', () => {
  expect(load({ hooks: { Stop: [{ matcher: 'Bash', hooks: [GOOD] }] } })).toMatchObject({
    hooks: [{ when: [] }],
    diagnostics: [{ code: 'matcher-ignored' }],
  });
});

test('a timeout in the wrong unit is warned about and kept, one that is none gives way to the usual', () => {
  const timeout = (value: Json) => load({ hooks: { Stop: [{ hooks: [{ ...GOOD, timeout: value }] }] } });
  expect(timeout(5000)).toMatchObject({ hooks: [{ timeoutMs: 5_000_000 }], diagnostics: [{ code: 'long-timeout' }] });
  for (const bad of ['5s', -1, 1.5, true, [5]])
    expect(timeout(bad)).toMatchObject({
      hooks: [{ timeoutMs: 600_000 }],
      diagnostics: [{ code: 'bad-timeout' }, { code: 'dropped-file' }],
    });
  expect(timeout(0)).toMatchObject({ hooks: [{ timeoutMs: 1000 }], diagnostics: [] });
});

test('an unknown event is a warning with a suggestion', () => {
  expect(load({ hooks: { PreToolUs: [{ hooks: [GOOD] }], Notification: [] } }).diagnostics).toMatchObject([
    { severity: 'warning', code: 'unknown-event', hint: 'Did you mean `PreToolUse`?' },
    { severity: 'warning', code: 'unknown-event' },
  ]);
});

test('comments, trailing commas, a byte order mark and a key written twice are no obstacle', () => {
  const text = `\uFEFF{\r\n // mine\r\n "hooks": {"Stop": [], "Stop": [{"hooks": [{"type": "command", "command": "true"},]}]},\r\n}`;
  const document = parseJson('hooks.json', text);
  expect(commands(loadFile(document, CONTEXT))).toEqual(['true']);
  expect(document.diagnostics).toMatchObject([{ code: 'duplicate-key' }]);
});

test('whatever stands in the file: nothing throws, every complaint has a place, and a good hook beside it loads', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const nonsense = value as Json;
      for (const whole of [nonsense, { hooks: nonsense }, { hooks: { Stop: nonsense } }, { hooks: { Stop: [{ hooks: nonsense }] } }]) {
        const { diagnostics } = load(whole);
        expect(diagnostics.every(({ line, column }) => line !== undefined && column !== undefined)).toBe(true);
      }
      const beside = load({ hooks: { Stop: [nonsense, { matcher: nonsense, hooks: [nonsense] }, { hooks: [nonsense, GOOD] }] } });
      expect(commands(beside)).toContain('./gate.sh');
    }),
    { numRuns: 300 },
  );
});

test('unwanted-hooks: what its user has switched off is told by the file, the event and its number; a project says nothing', () => {
  const state = parseToml('config.toml', '[hooks.state."hooks.json:pre_tool_use:0:1"]\nenabled = false\n');
  const { hooks } = load({ hooks: { PreToolUse: [{ hooks: [GOOD, GOOD] }], Stop: [{ hooks: [GOOD, GOOD] }] } });
  const [unwanted] = loadFile(state, { ...CONTEXT, scope: 'user' }).switches ?? [];
  expect(hooks.map((hook) => unwanted?.apply(hook).enabled)).toEqual([true, false, true, true]);
  expect(loadFile(state, CONTEXT).switches).toEqual([]);
});
