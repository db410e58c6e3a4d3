import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { load } from '../../../../src/agents/claude-agent/load.ts';
import type { LoadContext, Loaded } from '../../../../src/core/contracts/dialect.ts';
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

function fixture(name: string): string {
  return readFileSync(new URL(`../../../fixtures/claude-agent/${name}`, import.meta.url), 'utf8');
}

function loadPlugin(manifest: unknown, files: Record<string, string> = {}, folder = '/p/plugins/fmt'): Loaded {
  const asked: LoadContext = {
    ...context,
    scope: 'plugin',
    folder,
    folderName: 'fmt',
    idPrefix: 'claude-agent:plugins/fmt',
    read: (relative) => {
      const text = Object.hasOwn(files, relative) ? files[relative] : undefined;
      return text === undefined ? undefined : parseJson(`${folder}/${relative}`, text);
    },
  };
  return load(parseJson(`${folder}/.claude-plugin/plugin.json`, JSON.stringify(manifest)), asked);
}

const ONE = '{"PreToolUse": ["one"]}';

test("the document's hooks.json loads by default, and knows its plugin", () => {
  const { hooks, diagnostics } = loadPlugin({ name: 'fmt' }, { 'hooks/hooks.json': fixture('hooks.json') });
  expect(diagnostics).toEqual([]);
  expect(hooks).toMatchObject([
    {
      id: 'claude-agent:plugins/fmt#hooks/hooks.json/PostToolUse[0].hooks[0]',
      name: 'fmt:PostToolUse-1',
      owner: 'fmt',
      when: [{ test: { source: 'Write|Edit' } }],
      handler: { config: { command: 'fmt.sh' } },
      env: { EVENT: 'post_tool_use', CLAUDE_PLUGIN_ROOT: '/p/plugins/fmt' },
      source: { file: '/p/plugins/fmt/hooks/hooks.json', line: 7, column: 11, scope: 'plugin' },
    },
  ]);
  expect(hooks[0]?.cwd).toBeUndefined();
});

test('a plugin without hooks is a plugin like any other', () => {
  expect(loadPlugin({ name: 'fmt' })).toEqual({ hooks: [], diagnostics: [] });
});

test('a manifest names a file, several files, or has the events itself; then the default is not read', () => {
  const files = { 'hooks/hooks.json': '{"Stop": ["default"]}', 'a.json': ONE, 'b.json': '{"hooks": {"PreToolUse": {"two": "two"}}}' };
  const commandsOf = ({ hooks, diagnostics }: Loaded) => [hooks.map(({ handler }) => handler.config['command']), diagnostics];
  expect(commandsOf(loadPlugin({ hooks: './a.json' }, files))).toEqual([['one'], []]);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable is the plugin format's own.
  expect(commandsOf(loadPlugin({ hooks: ['${CLAUDE_PLUGIN_ROOT}/b.json', 'a.json'] }, files))).toEqual([['two', 'one'], []]);
  expect(commandsOf(loadPlugin({ hooks: { PreToolUse: ['inline'] } }, files))).toEqual([['inline'], []]);
  expect(commandsOf(loadPlugin({ hooks: { hooks: { PreToolUse: ['inline'] } } }, files))).toEqual([['inline'], []]);
  expect(commandsOf(loadPlugin({ hooks: ['a.json', { PreToolUse: ['inline'] }] }, files))).toEqual([['one', 'inline'], []]);
});

test('two files of one plugin do not share ids', () => {
  const { hooks } = loadPlugin({ hooks: ['a.json', 'b.json', { PreToolUse: ['x'] }] }, { 'a.json': ONE, 'b.json': ONE });
  expect(new Set(hooks.map(({ id }) => id)).size).toBe(3);
});

test.each([
  ['a file that is not there', './gone.json', 'error', 'missing-file'],
  ['a file outside the plugin', '../other/hooks.json', 'error', 'outside-folder'],
  ['an absolute path', '/etc/hooks.json', 'error', 'outside-folder'],
  ['a number', 5, 'error', 'wrong-type'],
  ['a file that was named before', './a.json', 'warning', 'duplicate-file'],
])('%s is told at its place in the manifest, and the other files load', (_, named, severity, code) => {
  const { hooks, diagnostics } = loadPlugin({ hooks: ['a.json', named] }, { 'a.json': ONE });
  expect(hooks).toHaveLength(1);
  expect(diagnostics).toEqual([
    expect.objectContaining({ severity, code, file: '/p/plugins/fmt/.claude-plugin/plugin.json', line: 1, column: 20 }),
  ]);
});

test('what is wrong in a hooks file is told with that file', () => {
  const { diagnostics } = loadPlugin({}, { 'hooks/hooks.json': '{"Stpo": ["x"]}' });
  expect(diagnostics).toMatchObject([{ code: 'unknown-event', file: '/p/plugins/fmt/hooks/hooks.json' }]);
  const broken = loadPlugin({}, { 'hooks/hooks.json': '{"Stop": [' });
  expect(broken.diagnostics).toMatchObject([{ severity: 'error', file: '/p/plugins/fmt/hooks/hooks.json' }]);
});

test('a hooks file may describe itself', () => {
  expect(loadPlugin({}, { 'hooks/hooks.json': '{"description": "x", "Stop": ["x"]}' })).toMatchObject({ hooks: [{}], diagnostics: [] });
});

test('quirk quoted-root: the root of a plugin is one path in its commands, whatever its characters', () => {
  const files = { 'hooks/hooks.json': `{"Stop": ["'\${CLAUDE_PLUGIN_ROOT}/x.sh' \${CLAUDE_PLUGIN_ROOT} $CLAUDE_PLUGIN_ROOT"]}` };
  const commandIn = (folder: string) => loadPlugin({}, files, folder).hooks[0]?.handler.config['command'];
  expect(commandIn('/p/fmt')).toBe("'/p/fmt/x.sh' /p/fmt $CLAUDE_PLUGIN_ROOT");
  expect(commandIn('/p/my fmt')).toBe("'/p/my fmt/x.sh' '/p/my fmt' $CLAUDE_PLUGIN_ROOT");
  expect(commandIn('/p/$(reboot)')).toBe("'/p/$(reboot)/x.sh' '/p/$(reboot)' $CLAUDE_PLUGIN_ROOT");
});

test('whatever stands in a manifest or a hooks file, loading does not throw, every complaint has a place and every id is its own', () => {
  fc.assert(
    fc.property(anyHooks(), (hooks) => {
      for (const loaded of [loadPlugin({ hooks }), loadPlugin({}, { 'hooks/hooks.json': JSON.stringify(hooks) })]) {
        expect(loaded.diagnostics.every(({ line, column }) => Number(line) > 0 && Number(column) > 0)).toBe(true);
        expect(new Set(loaded.hooks.map(({ id }) => id)).size).toBe(loaded.hooks.length);
      }
    }),
  );
});
