import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { load } from '../../../../src/agents/arawn/load.ts';
import { profile } from '../../../../src/agents/arawn/profile.ts';
import { ROOT_VARIABLE } from '../../../../src/agents/kit/plugin-root.ts';
import type { LoadContext, Loaded } from '../../../../src/core/contracts/dialect.ts';
import type { Json } from '../../../../src/core/values/json.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';

/** A copy, because the path of a checkout may need quotes. */
const FOLDER = mkdtempSync(join(tmpdir(), 'hookline-arawn-'));
const PLUGIN = join(FOLDER, 'my-plugin');
cpSync(join(import.meta.dirname, '../../../fixtures/arawn/my-plugin'), PLUGIN, { recursive: true });
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));
const MANIFEST = '.claude-plugin/plugin.json';

/** A plugin of the given files, read as the real one is. */
function loadPlugin(files: Record<string, string>, folder = '/p/demo'): Loaded {
  const context: LoadContext = {
    scope: 'project',
    folder,
    folderName: 'demo',
    idPrefix: 'arawn:demo',
    checkPattern: (source) => (source === '(' ? 'missing )' : undefined),
    read: (path) => (files[path] === undefined ? undefined : parseJson(`${folder}/${path}`, files[path])),
    stat: () => undefined,
  };
  const document = parseJson(`${folder}/${MANIFEST}`, files[MANIFEST] ?? '{}');
  const { hooks, diagnostics } = load(document, context);
  return { hooks, diagnostics: [...document.diagnostics, ...diagnostics] };
}

function hooksFile(hooks: Json): string {
  return JSON.stringify({ hooks }, null, 1);
}

function loadHooks(hooks: Json): Loaded {
  return loadPlugin({ 'hooks/hooks.json': hooksFile(hooks) });
}

const OK = { type: 'command', command: 'true' };

test("the document's plugin loads as its three hooks", () => {
  const files: Record<string, string> = {};
  for (const path of [MANIFEST, 'hooks/hooks.json']) files[path] = readFileSync(join(PLUGIN, path), 'utf8');
  const { hooks, diagnostics } = loadPlugin(files, PLUGIN);
  expect(diagnostics).toEqual([]);
  expect(hooks.map(({ event, timeoutMs }) => [event, timeoutMs])).toEqual([
    ['PreToolUse', 5000],
    ['PostToolUse', 10_000],
    ['SessionStart', 10_000],
  ]);
  for (const { handler } of hooks) expect(existsSync(handler.config['command'] as string)).toBe(true);
  expect(hooks[0]).toEqual({
    id: 'arawn:demo#PreToolUse[0].hooks[0]',
    name: 'my-plugin/validate-shell.sh',
    formerName: 'my-plugin/validate-shell.sh',
    dialect: 'arawn',
    event: 'PreToolUse',
    when: [{ facet: 'tool', test: { kind: 'pattern', source: 'shell', anchor: 'whole' }, missing: 'fails' }],
    handler: { type: 'command', config: { command: `${PLUGIN}/hooks/validate-shell.sh` } },
    timeoutMs: 5000,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: `${PLUGIN}/hooks/hooks.json`, line: 7, column: 11, scope: 'project' },
    cwd: PLUGIN,
    folder: PLUGIN,
    env: { CLAUDE_PLUGIN_ROOT: PLUGIN, ARAWN_PLUGIN_DIR: PLUGIN },
    owner: 'my-plugin',
  });
});

test.each(Object.keys(profile.events))('%s loads', (event) => {
  const { hooks, diagnostics } = loadHooks({ [event]: [{ hooks: [OK] }] });
  expect(diagnostics).toEqual([]);
  expect(hooks).toMatchObject([{ event, when: [] }]);
});

describe('which files are read', () => {
  const one = (command: string) => hooksFile({ Stop: [{ hooks: [{ type: 'command', command }] }] });
  const commands = ({ hooks }: Loaded) => hooks.map(({ handler }) => handler.config['command']);

  test('without an entry the default, and without that none', () => {
    expect(commands(loadPlugin({ 'hooks/hooks.json': one('d') }))).toEqual(['d']);
    expect(loadPlugin({})).toEqual({ hooks: [], diagnostics: [] });
  });

  test.each(['"./a.json"', '"a.json"', `"${ROOT_VARIABLE}/a.json"`, '["./a.json"]'])('a path may be written as %s', (path) => {
    expect(commands(loadPlugin({ [MANIFEST]: `{"hooks": ${path}}`, 'a.json': one('a') }))).toEqual(['a']);
  });

  test('several files are read in order, and no two of their hooks share an id', () => {
    const loaded = loadPlugin({
      [MANIFEST]: '{"hooks": ["./b.json", "./hooks/hooks.json", "./a.json"]}',
      'a.json': one('a'),
      'b.json': one('b'),
      'hooks/hooks.json': one('d'),
    });
    expect(commands(loaded)).toEqual(['b', 'd', 'a']);
    expect(loaded.hooks.map(({ id }) => id)).toEqual([
      'arawn:demo#b.json:Stop[0].hooks[0]',
      'arawn:demo#Stop[0].hooks[0]',
      'arawn:demo#a.json:Stop[0].hooks[0]',
    ]);
  });

  test('a named file that is missing is an error in the manifest, and the others load', () => {
    const { hooks, diagnostics } = loadPlugin({ [MANIFEST]: '{\n"hooks": ["./x.json", "./a.json"]}', 'a.json': one('a') });
    expect(hooks).toHaveLength(1);
    expect(diagnostics).toMatchObject([{ severity: 'error', code: 'missing-file', file: `/p/demo/${MANIFEST}`, line: 2, column: 11 }]);
  });

  test.each([
    ['"../x.json"', 'bad-path'],
    ['"/etc/x.json"', 'bad-path'],
    ['5', 'wrong-type'],
    ['[{}]', 'wrong-type'],
    ['""', 'wrong-type'],
  ])('hooks: %s is an error', (value, code) => {
    const { hooks, diagnostics } = loadPlugin({ [MANIFEST]: `{"hooks": ${value}}`, 'x.json': one('x') });
    expect(hooks).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: 'error', code, line: 1 }]);
  });

  test('a file named twice is read once, with a warning', () => {
    const { hooks, diagnostics } = loadPlugin({ [MANIFEST]: '{"hooks": ["./a.json", "a.json"]}', 'a.json': one('a') });
    expect(hooks).toHaveLength(1);
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'duplicate-file' }]);
  });

  test('a hooks file that is not JSON is an error in that file', () => {
    const { hooks, diagnostics } = loadPlugin({ 'hooks/hooks.json': '{\n "hooks": {\n "Stop": [ oops ]}}' });
    expect(hooks).toEqual([]);
    expect(diagnostics.length).toBeGreaterThan(0);
    for (const { file, severity } of diagnostics) expect([file, severity]).toEqual(['/p/demo/hooks/hooks.json', 'error']);
  });

  test.each(['[]', '5', '{}', '{"hooks": []}', '{"hooks": null}'])('a hooks file that is %s is an error with a position', (text) => {
    const { hooks, diagnostics } = loadPlugin({ 'hooks/hooks.json': text });
    expect(hooks).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: 'error', file: '/p/demo/hooks/hooks.json', line: 1, column: expect.any(Number) }]);
  });

  test('a manifest that is no object is an error', () => {
    expect(loadPlugin({ [MANIFEST]: '[]' }).diagnostics).toMatchObject([{ severity: 'error', code: 'wrong-type', line: 1, column: 1 }]);
  });
});

describe('one bad entry is said where it stands and leaves its neighbours alone', () => {
  const file = (action: string) => `{"hooks": {"PreToolUse": [{"hooks": [\n${action},\n{"type": "command", "command": "true"}]}]}}`;
  test.each([
    ['an unknown type', '{"type": "comand"}', 'warning', 'unknown-type', 10],
    ['no type', '{"command": "ls"}', 'error', 'missing-field', 1],
    ['a type that is no text', '{"type": 5}', 'error', 'wrong-type', 10],
    ['no command', '{"type": "command"}', 'error', 'missing-field', 1],
    ['an empty command', '{"type": "command", "command": " "}', 'error', 'out-of-range', 32],
    ['a command that is no text', '{"type": "command", "command": 5}', 'error', 'wrong-type', 32],
    ['a prompt action without prompt', '{"type": "prompt"}', 'error', 'missing-field', 1],
    ['an agent action without agent', '{"type": "agent", "prompt": "p"}', 'error', 'missing-field', 1],
    ['an action that is no object', '"ls"', 'error', 'wrong-type', 1],
  ])('%s', (_, action, severity, code, column) => {
    const { hooks, diagnostics } = loadPlugin({ 'hooks/hooks.json': file(action) });
    expect(hooks.map(({ id }) => id)).toEqual(['arawn:demo#PreToolUse[0].hooks[1]']);
    expect(diagnostics).toMatchObject([{ severity, code, file: '/p/demo/hooks/hooks.json', line: 2, column }]);
  });

  test('an unknown event is a warning with the nearest name', () => {
    const { hooks, diagnostics } = loadHooks({ PreToolUsee: [{ hooks: [OK] }], Stop: [{ hooks: [OK] }] });
    expect(hooks).toMatchObject([{ event: 'Stop' }]);
    expect(diagnostics).toMatchObject([
      { severity: 'warning', code: 'unknown-event', line: 3, column: 3, hint: expect.stringContaining('`PreToolUse`') },
    ]);
  });

  test('a matcher that can not be used keeps out its group only', () => {
    const { hooks, diagnostics } = loadHooks({
      PreToolUse: [
        { matcher: '(', hooks: [OK] },
        { matcher: 'shell', hooks: [OK] },
      ],
    });
    expect(hooks.map(({ id }) => id)).toEqual(['arawn:demo#PreToolUse[1].hooks[0]']);
    expect(diagnostics).toMatchObject([{ severity: 'error', code: 'bad-pattern', line: 5, column: expect.any(Number) }]);
  });

  test('a misspelt key is a warning, because without its matcher a hook fires for everything', () => {
    const { hooks, diagnostics } = loadHooks({ PreToolUse: [{ matchr: 'shell', hooks: [{ ...OK, timout: 5 }] }] });
    expect(hooks).toHaveLength(1);
    expect(diagnostics.map(({ severity, hint }) => [severity, hint])).toEqual([
      ['warning', 'Did you mean `matcher`?'],
      ['warning', 'Did you mean `timeout`?'],
    ]);
  });

  test.each<Json>([5, 30, 99, 0, -1, 1.5, 3_000_000_000, '5'])(
    'a timeout of %s keeps the hook as a gate that cannot be used',
    (timeout) => {
      const { hooks, diagnostics } = loadHooks({ PreToolUse: [{ hooks: [{ ...OK, timeout }] }] });
      expect(hooks).toMatchObject([{ event: 'PreToolUse', unusable: expect.stringContaining('`timeout`') }]);
      expect(diagnostics).toMatchObject([{ severity: 'error', line: 9 }]);
    },
  );

  test('a timeout that a process can keep is taken', () => {
    const { hooks, diagnostics } = loadHooks({ PreToolUse: [{ hooks: [{ ...OK, timeout: 100 }] }] });
    expect(hooks[0]).toMatchObject({ timeoutMs: 100 });
    expect(hooks[0]).not.toHaveProperty('unusable');
    expect(diagnostics).toEqual([]);
  });
});
