import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { load as loadFile } from '../../../../src/agents/cursor/load.ts';
import { isEventName, profile } from '../../../../src/agents/cursor/profile.ts';
import { sampleEvent } from '../../../../src/api/testing/index.ts';
import type { LoadContext, Loaded } from '../../../../src/core/contracts/dialect.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import { mismatch } from '../../../../src/core/event/match.ts';
import { checkPattern, compilePattern } from '../../../../src/engine/select/compile.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';

const context: LoadContext = {
  scope: 'project',
  folder: '/p/.cursor',
  folderName: '.cursor',
  idPrefix: 'cursor:.cursor/hooks.json',
  checkPattern,
  read: () => undefined,
  stat: () => undefined,
};

const load = (text: string, more: Partial<LoadContext> = {}): Loaded =>
  loadFile(parseJson('/p/.cursor/hooks.json', text), { ...context, ...more });
const loadHooks = (hooks: unknown, more: Partial<LoadContext> = {}): Loaded => load(JSON.stringify({ version: 1, hooks }), more);
const codes = ({ diagnostics }: Loaded): string[] => diagnostics.map(({ severity, code }) => `${severity} ${code}`);

const toolEvent = (tool: string, input: HookEvent['data'] = {}, kind: HookEvent['kind'] = 'tool.before'): HookEvent =>
  sampleEvent(kind, { tool, input });
const fires = ({ hooks }: Loaded, event: HookEvent): boolean =>
  hooks.some((hook) => {
    if (!isEventName(hook.event)) return false;
    return mismatch({ hook, rule: profile.events[hook.event], order: 0 }, event, compilePattern) === undefined;
  });

test('a hook loads with its limits, its place and the folder it runs in', () => {
  const text =
    '{\r\n  // mine\r\n  "version": 1,\r\n  "hooks": {\r\n    "preToolUse": [{"command": "./gate.sh", "matcher": "Shell", "timeout": 5,}],\r\n  },\r\n}';
  const { hooks, diagnostics } = load(`\ufeff${text}`);
  expect(diagnostics).toEqual([]);
  expect(hooks).toEqual([
    {
      id: 'cursor:.cursor/hooks.json#preToolUse[0]',
      name: 'preToolUse-1',
      dialect: 'cursor',
      event: 'preToolUse',
      when: [{ facet: 'tool', test: { kind: 'pattern', source: 'Shell', anchor: 'search' }, missing: 'fails' }],
      handler: { type: 'command', config: { command: './gate.sh' } },
      timeoutMs: 5000,
      priority: 0,
      detach: false,
      enabled: true,
      source: { file: '/p/.cursor/hooks.json', line: 5, column: 20, scope: 'project' },
      cwd: '/p',
      folder: '/p',
      facts: { CURSOR_PROJECT_DIR: 'project', CLAUDE_PROJECT_DIR: 'project' },
    },
  ]);
});

test('every event of the format loads, and a prompt is a hook too', () => {
  const all = loadHooks(Object.fromEntries(Object.keys(profile.events).map((event) => [event, [{ command: 'true' }]])));
  expect([codes(all), all.hooks.map(({ event }) => event)]).toEqual([[], Object.keys(profile.events)]);
  const { hooks } = loadHooks({ preToolUse: [{ type: 'prompt', prompt: 'Is it safe?', model: 'fast' }] });
  expect(hooks).toMatchObject([{ handler: { type: 'prompt', config: { prompt: 'Is it safe?', model: 'fast' } }, timeoutMs: 60_000 }]);
});

test('project-root: the hooks of a project run at its root, those of the user beside their file', () => {
  const hooks = { stop: [{ command: './x.sh' }] };
  expect(loadHooks(hooks).hooks[0]?.cwd).toBe('/p');
  expect(loadHooks(hooks, { scope: 'user', folder: '/home/ann/.cursor' }).hooks[0]?.cwd).toBe('/home/ann/.cursor');
});

test('fail-closed: the hook is strict, and only then', () => {
  const { hooks } = loadHooks({ preToolUse: [{ command: 'a', failClosed: true }, { command: 'b', failClosed: false }, { command: 'c' }] });
  expect(hooks.map(({ strict }) => strict)).toEqual([true, undefined, undefined]);
});

describe('what a hook fires on', () => {
  test('one-tool-events: the events of one tool fire for it under every name, and for no other tool', () => {
    const shell = loadHooks({ beforeShellExecution: [{ command: 'true' }] });
    const named = ['Shell', 'Bash', 'run_shell_command', 'Read'].map((tool) => fires(shell, toolEvent(tool, { command: 'ls' })));
    expect(named).toEqual([true, true, true, false]);
    const read = loadHooks({ beforeReadFile: [{ command: 'true' }], beforeTabFileRead: [{ command: 'true' }] });
    expect(['Read', 'read_file', 'TabRead', 'Bash'].map((tool) => fires(read, toolEvent(tool)))).toEqual([true, true, true, false]);
    const edit = loadHooks({ afterFileEdit: [{ command: 'true' }] });
    expect(['Write', 'Edit', 'Read'].map((tool) => fires(edit, toolEvent(tool, {}, 'tool.after')))).toEqual([true, true, false]);
  });

  test('shell-matcher: on shell events the matcher looks at the command', () => {
    const loaded = loadHooks({ beforeShellExecution: [{ command: 'true', matcher: '^git push' }] });
    expect(fires(loaded, toolEvent('Bash', { command: 'git push origin' }))).toBe(true);
    expect(fires(loaded, toolEvent('Bash', { command: 'ls', description: 'git push' }))).toBe(false);
  });

  test('mcp-names: `MCP:tool` also means what the tool is called elsewhere', () => {
    const loaded = loadHooks({ beforeMCPExecution: [{ command: 'true', matcher: 'MCP:delete' }] });
    const tools = ['MCP:delete', 'mcp__db__delete', 'mcp__db__list', 'delete', 'Bash'];
    expect(tools.map((tool) => fires(loaded, toolEvent(tool)))).toEqual([true, true, false, false, false]);
  });

  test('constant-matcher: a matcher that misses the one word it is held against is a hook that never fires', () => {
    const loaded = loadHooks({
      beforeReadFile: [
        { command: 'a', matcher: 'Read|Write' },
        { command: 'b', matcher: 'Shell' },
      ],
      stop: [{ command: 'c', matcher: 'Stop' }],
    });
    expect(loaded.hooks.map(({ handler }) => handler.config['command'])).toEqual(['a', 'c']);
    expect(codes(loaded)).toEqual(['warning matcher-never-fires']);
  });

  test('broken-matcher-fires: what is no regular expression matches everything; what is a dangerous one is an error', () => {
    const loaded = loadHooks({
      preToolUse: [
        { command: 'a', matcher: '(' },
        { command: 'b', matcher: '*' },
        { command: 'c', matcher: '(?=x)' },
      ],
    });
    expect(loaded.hooks.map(({ when }) => when)).toEqual([[], []]);
    expect(codes(loaded)).toEqual(['warning matcher-ignored', 'error bad-pattern']);
  });

  test('a matcher where there is nothing to match is ignored, and said', () => {
    const loaded = loadHooks({ sessionStart: [{ command: 'a', matcher: 'startup' }] });
    expect([loaded.hooks.map(({ when }) => when), codes(loaded)]).toEqual([[[]], ['info matcher-ignored']]);
  });
});

test('loop-limit: it is checked, and changes nothing', () => {
  const loaded = loadHooks({
    stop: [
      { command: 'a', loop_limit: null },
      { command: 'b', loop_limit: 3 },
      { command: 'c', loop_limit: 'x' },
    ],
    preCompact: [{ command: 'd', loop_limit: 1 }],
  });
  expect(loaded.hooks).toHaveLength(4);
  expect(codes(loaded)).toEqual(['warning wrong-type', 'warning unknown-field']);
});

test.each([
  [{ hooks: [] }, 'error wrong-type'],
  [{ hooks: './other.json' }, 'error wrong-type'],
  [{ hooks: { hooks: { stop: [] } } }, 'error unknown-event'],
  [{ preToolUse: [{ command: 'x' }] }, 'error missing-field'],
  [{ version: 2, hooks: {} }, 'warning out-of-range'],
  [{ hooks: { preToolUse: { command: 'x' } } }, 'error wrong-type'],
  [{ hooks: { preToolUse: 'x' } }, 'error wrong-type'],
  [{ hooks: { preToolUse: true } }, 'error wrong-type'],
  [{ hooks: { preToolUse: ['x'] } }, 'error wrong-type'],
  [{ hooks: { preToolUse: [{ matcher: 'x', hooks: [{ command: 'x' }] }] } }, 'error missing-field'],
  [{ hooks: { preToolUse: [{ command: ['git', 'status'] }] } }, 'error wrong-type'],
  [{ hooks: { preToolUse: [{ command: ' ' }] } }, 'error missing-field'],
  [{ hooks: { preToolUse: [{ type: 'http', url: 'x' }] } }, 'warning unknown-type'],
  [{ hooks: { preToolUse: [{ command: 'x', matcher: ['Shell'] }] } }, 'error wrong-type'],
  [{ hooks: { preToolUse: [{ command: 'x', timeout: 0 }] } }, 'error out-of-range'],
  [{ hooks: { preToolUse: [{ command: 'x', timeout: 30_000 }] } }, 'warning long-timeout'],
  [{ hooks: { preToolUse: [{ command: 'x', failclosed: true }] } }, 'warning unknown-field'],
  [{ hooks: { PreToolUse: [] } }, 'error unknown-event'],
])('%j is said: %s', (file, code) => {
  expect(codes(load(JSON.stringify(file)))).toContain(code);
});

test('any JSON loads without a throw, every complaint has a place, and a good hook beside it stays', () => {
  const good = { command: 'true' };
  const json = fc.jsonValue({ maxDepth: 4 });
  const shapes = fc.oneof(
    json,
    json.map((value) => ({ hooks: value })),
    json.map((value) => ({ hooks: { preToolUse: value } })),
    json.map((value) => ({ hooks: { preToolUse: [{ command: value, matcher: value, timeout: value, type: value, failClosed: value }] } })),
  );
  fc.assert(
    fc.property(shapes, (value) => {
      for (const { line, column } of load(JSON.stringify(value)).diagnostics) expect([line, column]).not.toContain(undefined);
    }),
  );
  fc.assert(
    fc.property(json, fc.string(), (value, event) => {
      const { hooks } = loadHooks({ [event]: value, sessionEnd: [value, good] });
      expect(hooks.filter((hook) => hook.event === 'sessionEnd' && hook.handler.config['command'] === 'true').length).toBeGreaterThan(0);
    }),
  );
});
