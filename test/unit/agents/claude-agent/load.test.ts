import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { load as loadFile } from '../../../../src/agents/claude-agent/load.ts';
import { camelCase, EVENT_NAMES, snakeCase } from '../../../../src/agents/claude-agent/profile.ts';
import type { LoadContext, Loaded } from '../../../../src/core/contracts/dialect.ts';
import { parseFrontmatter } from '../../../../src/load/formats/frontmatter.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';
import { anyHooks } from './any-hooks.ts';

const context: LoadContext = {
  scope: 'project',
  folder: '/p/.claude',
  folderName: '.claude',
  idPrefix: 'claude-agent:.claude/settings.json',
  checkPattern: (source) => (source === '(' || source === '*' ? 'it is not closed.' : undefined),
  read: () => undefined,
  stat: () => undefined,
};

function load(text: string): Loaded {
  return loadFile(parseJson('/p/.claude/settings.json', text), context);
}

function loadHooks(hooks: unknown): Loaded {
  return load(JSON.stringify({ hooks }));
}

function fixture(name: string): string {
  return readFileSync(new URL(`../../../fixtures/claude-agent/${name}`, import.meta.url), 'utf8');
}

test("the document's settings file loads its four hooks as they stand", () => {
  const { hooks, diagnostics } = load(fixture('settings.json'));
  expect(diagnostics).toEqual([]);
  expect(hooks[0]).toEqual({
    id: 'claude-agent:.claude/settings.json#preToolUse.security-check',
    name: 'security-check',
    dialect: 'claude-agent',
    event: 'PreToolUse',
    when: [{ facet: 'tool', test: { kind: 'pattern', source: 'Bash|Write', anchor: 'search' }, missing: 'holds' }],
    handler: { type: 'command', config: { command: 'python check_security.py' } },
    timeoutMs: 30_000,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: '/p/.claude/settings.json', line: 4, column: 7, scope: 'project' },
    folder: '/p/.claude',
    env: { EVENT: 'pre_tool_use' },
  });
  expect(hooks.slice(1)).toMatchObject([
    { name: 'audit-log', event: 'PostToolUse', timeoutMs: 60_000, handler: { config: { command: expect.stringContaining('$EVENT') } } },
    { name: 'sessionStart-1', event: 'SessionStart', handler: { config: { command: "notify-send 'Session started'" } } },
    { name: 'sessionEnd-1', event: 'SessionEnd', source: { line: 17, column: 7 } },
  ]);
});

test.each(EVENT_NAMES)('%s may be written in PascalCase or camelCase, and is told to its commands in snake_case', (name) => {
  const { hooks, diagnostics } = loadHooks({ [name]: ['a'], [camelCase(name)]: { gate: 'b' } });
  expect(diagnostics).toEqual([]);
  expect(hooks.map(({ event }) => event)).toEqual([name, name]);
  expect(hooks.map(({ env }) => env)).toEqual([{ EVENT: snakeCase(name) }, { EVENT: snakeCase(name) }]);
  expect(snakeCase(name)).toMatch(/^[a-z]+(_[a-z]+)*$/);
});

test('the items of a list each decide for themselves what they are', () => {
  const { hooks, diagnostics } = loadHooks({
    PreToolUse: [
      'one',
      { command: 'two', timeout_secs: 5, matcher: 'Bash', priority: 7 },
      { matcher: 'Write', hooks: [{ type: 'command', command: 'three', timeout: 2 }, { command: 'four' }] },
      { hooks: [] },
      { name: 'mine', command: 'five', timeout: 0.5, matcher: '' },
    ],
  });
  expect(diagnostics).toEqual([]);
  expect(
    hooks.map(({ id, name, handler, timeoutMs, priority, when }) => [
      id.split('#')[1],
      name,
      handler.config['command'],
      timeoutMs,
      priority,
      when.map(({ test }) => 'source' in test && test.source),
    ]),
  ).toEqual([
    ['PreToolUse[0]', 'PreToolUse-1', 'one', 60_000, 0, []],
    ['PreToolUse[1]', 'PreToolUse-2', 'two', 5_000, 7, ['Bash']],
    ['PreToolUse[2].hooks[0]', 'PreToolUse-3', 'three', 2_000, 0, ['Write']],
    ['PreToolUse[2].hooks[1]', 'PreToolUse-4', 'four', 60_000, 0, ['Write']],
    ['PreToolUse[4]', 'mine', 'five', 500, 0, []],
  ]);
});

test('quirk generated-names: a broken neighbour does not rename a hook', () => {
  const good = loadHooks({ stop: ['a', 'b'] }).hooks[1];
  expect(loadHooks({ stop: [5, 'b'] }).hooks).toMatchObject([{ name: good?.name, id: good?.id }]);
});

test('quirk priority-in-files: a command may have a priority in every form', () => {
  const { hooks } = loadHooks({
    stop: { a: { command: 'x', priority: 3 } },
    Stop: [{ hooks: [{ type: 'command', command: 'y', priority: -1 }] }],
  });
  expect(hooks.map(({ priority }) => priority)).toEqual([3, -1]);
});

test('quirk matcher-without-tool: a matcher on an event without a tool holds, and that is said', () => {
  const { hooks, diagnostics } = loadHooks({ sessionStart: [{ command: 'x', matcher: 'Bash' }] });
  expect(hooks).toMatchObject([{ when: [{ facet: 'tool', missing: 'holds' }] }]);
  expect(diagnostics).toMatchObject([{ severity: 'info', code: 'matcher-ignored' }]);
});

test('quirk other-types: a type that is not command is skipped with a warning, and none means command', () => {
  const { hooks, diagnostics } = load(
    '{"hooks": {"PreToolUse": [{"hooks": [\n{"type": "prompt", "command": "bad"},\n{"type": "command", "command": "good"},\n{"command": "bare"}]}]}}',
  );
  expect(hooks.map(({ handler }) => handler.config['command'])).toEqual(['good', 'bare']);
  expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'unknown-type', line: 2, column: 10 }]);
});

test.each([
  ['an unknown event', '"beforeLunch": {"x": "bad"}', 'warning', 'unknown-event', 1, 'beforeLunch'],
  ['a matcher that is no regular expression', '"stop": {"x": {"command": "bad", "matcher": "("}}', 'error', 'bad-pattern', 45, '('],
  ['a matcher that is no text', '"stop": {"x": {"command": "bad", "matcher": 5}}', 'error', 'wrong-type', 45, 'matcher'],
  ['a timeout of nothing', '"stop": {"x": {"command": "bad", "timeout_secs": 0}}', 'error', 'out-of-range', 50, '0'],
  [
    'a timeout below zero',
    '"stop": [{"hooks": [{"type": "command", "command": "bad", "timeout": -5}]}]',
    'error',
    'out-of-range',
    70,
    '-5',
  ],
  ['a timeout that is no number', '"stop": {"x": {"command": "bad", "timeout_secs": "5"}}', 'error', 'wrong-type', 50, 'timeout_secs'],
  ['a priority that is no number', '"stop": {"x": {"command": "bad", "priority": "high"}}', 'error', 'wrong-type', 46, 'priority'],
  ['a command that is no text', '"stop": {"x": {"command": ["bad"]}}', 'error', 'wrong-type', 27, 'command'],
  ['a map without a command', '"stop": {"x": {"timeout_secs": 5}}', 'error', 'missing-field', 15, 'command'],
  ['an action without a command', '"stop": [{"hooks": [{"type": "command"}]}]', 'error', 'missing-field', 21, 'command'],
  ['an empty command', '"stop": [""]', 'error', 'wrong-type', 10, 'empty'],
  ['a number for a command', '"stop": {"x": 5}', 'error', 'wrong-type', 15, 'a number'],
  ['a list for a command', '"stop": {"x": ["bad"]}', 'error', 'wrong-type', 15, 'a list'],
  ['a type that is no text', '"stop": [{"type": 5, "command": "bad"}]', 'error', 'wrong-type', 19, 'type'],
  ['a name that is no text', '"stop": [{"name": 5, "command": "bad"}]', 'error', 'wrong-type', 19, 'name'],
  ['hooks of a group that are no list', '"stop": [{"hooks": {"command": "bad"}}]', 'error', 'wrong-type', 20, 'hooks'],
  ['text for an event', '"stop": "bad"', 'error', 'wrong-type', 9, 'text'],
])('%s is told with its place, and its neighbours load', (_, bad, severity, code, column, says) => {
  const { hooks, diagnostics } = load(`{"hooks": {\n${bad},\n"preToolUse": {"good": "good"}}}`);
  expect(hooks.map(({ handler }) => handler.config['command'])).toEqual(['good']);
  expect(diagnostics).toEqual([expect.objectContaining({ severity, code, file: '/p/.claude/settings.json', line: 2, column })]);
  expect(diagnostics[0]?.message).toContain(says);
});

test('a bad matcher of a group is told once, however many actions it has', () => {
  const { hooks, diagnostics } = loadHooks({ Stop: [{ matcher: '(', hooks: [{ command: 'a' }, { command: 'b' }] }] });
  expect(hooks).toEqual([]);
  expect(diagnostics).toHaveLength(1);
});

test('a misspelt event comes with the name that was meant, in the spelling of its key', () => {
  expect(loadHooks({ preTolUse: ['a'] }).diagnostics[0]?.hint).toContain('`preToolUse`');
  expect(loadHooks({ pre_tool_use: ['a'] }).diagnostics[0]?.hint).toContain('`preToolUse`');
  expect(loadHooks({ PreTolUse: ['a'] }).diagnostics[0]?.hint).toContain('`PreToolUse`');
});

test('quirk single-handler: a handler straight under an event is an error, its matcher is not run', () => {
  const { hooks, diagnostics } = loadHooks({ preToolUse: { command: 'check', matcher: 'Bash' } });
  expect(hooks).toEqual([]);
  expect(diagnostics).toMatchObject([{ severity: 'error', code: 'wrong-type', hint: expect.stringContaining('name') }]);
});

test.each(['{}', '{"hooks": null}', '{"hooks": {}}', '{"hooks": {"stop": null}}', '{"model": "x"}', ''])(
  'settings without hooks are no trouble: %j',
  (text) => {
    expect(load(text)).toEqual({ hooks: [], diagnostics: [] });
  },
);

test.each(['[]', '"x"', '{"hooks": []}', '{"hooks": "x"}'])('settings of the wrong shape are one error: %j', (text) => {
  const { hooks, diagnostics } = load(text);
  expect(hooks).toEqual([]);
  expect(diagnostics).toMatchObject([{ severity: 'error', code: 'wrong-type', line: 1 }]);
});

test('the same text in settings is left alone: there is no plugin', () => {
  const { hooks } = load(`{"hooks": {"stop": ["\${CLAUDE_PLUGIN_ROOT}/x"]}}`);
  expect(hooks[0]).toMatchObject({ handler: { config: { command: expect.stringContaining('{CLAUDE') } }, env: { EVENT: 'stop' } });
});

// ---- frontmatter

test("the document's frontmatter loads in a skill and belongs to it", async () => {
  const document = await parseFrontmatter(
    '/p/.claude/skills/fmt/SKILL.md',
    `---\nname: formatter\n${fixture('frontmatter.yaml')}---\nBody.\n`,
  );
  const { hooks, diagnostics } = loadFile(document, { ...context, folderName: 'fmt' });
  expect(diagnostics).toEqual([]);
  expect(hooks).toMatchObject([
    {
      event: 'PreToolUse',
      name: 'formatter:PreToolUse-1',
      owner: 'formatter',
      timeoutMs: 10_000,
      handler: { config: { command: 'scripts/format.sh' } },
      env: { EVENT: 'pre_tool_use' },
      source: { line: 7, column: 11 },
    },
  ]);
});

test('whatever stands in a file, loading does not throw, every complaint has a place and every id is its own', () => {
  fc.assert(
    fc.property(anyHooks(), (hooks) => {
      const loaded = loadHooks(hooks);
      expect(loaded.diagnostics.every(({ line, column }) => Number(line) > 0 && Number(column) > 0)).toBe(true);
      expect(new Set(loaded.hooks.map(({ id }) => id)).size).toBe(loaded.hooks.length);
    }),
  );
});

test('variables of the settings and of a command reach the command, the nearer one first, and none that controls Hookline', () => {
  const { hooks, diagnostics } = load(
    JSON.stringify({
      env: { A: 'all', B: 'all', HOOKLINE_HOME: '/tmp' },
      hooks: { preToolUse: { check: { command: 'x', env: { B: 'own' }, extra_env: { C: 3 } } }, stop: ['y'] },
    }),
  );
  expect(hooks.map(({ env }) => env)).toEqual([
    { A: 'all', B: 'own', C: '3', EVENT: 'pre_tool_use' },
    { A: 'all', B: 'all', EVENT: 'stop' },
  ]);
  expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'no-effect', message: expect.stringContaining('HOOKLINE_HOME') }]);
});

test.each([[{ env: 'A=1' }], [{ extra_env: { A: { b: 1 } } }], [{ extra_env: ['A=1'] }]])(
  'variables in another form are an error: %j',
  (fields) => {
    const { hooks, diagnostics } = loadHooks({ preToolUse: { bad: { command: 'x', ...fields }, good: 'y' } });
    expect(hooks.map(({ name }) => name)).toEqual(['good']);
    expect(diagnostics).toMatchObject([{ severity: 'error', code: 'wrong-type' }]);
  },
);
