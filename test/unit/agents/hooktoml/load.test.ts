import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { load } from '../../../../src/agents/hooktoml/load.ts';
import { type EventName, profile } from '../../../../src/agents/hooktoml/profile.ts';
import type { LoadContext, Loaded } from '../../../../src/core/contracts/dialect.ts';
import { parseToml } from '../../../../src/load/formats/toml.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures/hooktoml');
const CONTEXT: LoadContext = {
  scope: 'project',
  folder: '/w/hooks/gate',
  folderName: 'gate',
  idPrefix: 'hooktoml:hooks/gate/HOOK.toml',
  checkPattern: (source) => (source === '(' ? 'missing )' : undefined),
  read: () => undefined,
  stat: () => undefined,
};

function loadText(text: string): Loaded {
  const document = parseToml('HOOK.toml', text);
  const { hooks, diagnostics } = load(document, CONTEXT);
  return { hooks, diagnostics: [...document.diagnostics, ...diagnostics] };
}

const SHELL = '[hook.action.shell]\ncommand = "true"\n';
function toml(rest: string, event = 'before_tool_call', head = ''): string {
  return `[hook]\nname = "gate"\nevent = "${event}"\n${head}\n${rest}`;
}

test('a minimal manifest is a hook with every default', () => {
  const { hooks, diagnostics } = loadText(toml(SHELL));
  expect(diagnostics).toEqual([]);
  expect(hooks).toMatchObject([
    {
      id: 'hooktoml:hooks/gate/HOOK.toml#gate',
      name: 'gate',
      dialect: 'hooktoml',
      event: 'before_tool_call',
      when: [],
      handler: { type: 'command', config: { command: 'true' } },
      timeoutMs: 30_000,
      priority: 0,
      detach: false,
      enabled: true,
      source: { file: 'HOOK.toml', line: 1, scope: 'project' },
      cwd: '/w/hooks/gate',
      folder: '/w/hooks/gate',
      env: { HOOK_EVENT: 'before_tool_call', HOOK_NAME: 'gate' },
    },
  ]);
  expect(hooks[0]).not.toHaveProperty('skipAudit');
});

test.each(Object.keys(profile.events) as EventName[])('%s loads, and is detached if it only observes', (event) => {
  const { hooks, diagnostics } = loadText(toml(SHELL, event));
  expect(diagnostics).toEqual([]);
  expect(hooks[0]).toMatchObject({ event, detach: (profile.events[event].grants as readonly string[]).length === 0 });
});

test('priority may be negative, and a disabled hook is still listed', () => {
  expect(loadText(toml(SHELL, undefined, 'priority = -5\nenabled = false\n')).hooks[0]).toMatchObject({ priority: -5, enabled: false });
});

describe('actions', () => {
  test.each([
    ['workdir = "/tmp"', '/tmp'],
    ['workdir = "./sub/dir"', '/w/hooks/gate/sub/dir'],
    ['workdir = "sub"', '/w/hooks/gate/sub'],
    ['workdir = "."', '/w/hooks/gate'],
    ['workdir = "a..b"', '/w/hooks/gate/a..b'],
  ])('with %s the shell runs in %s', (line, cwd) => {
    expect(loadText(toml(`${SHELL}${line}\n`)).hooks[0]?.cwd).toBe(cwd);
  });

  test('http has POST as its method, and takes headers, body and timeout', () => {
    const http = '[hook.action.http]\nurl = "https://example.com/x"\n';
    expect(loadText(toml(http)).hooks[0]?.handler).toEqual({ type: 'http', config: { url: 'https://example.com/x', method: 'POST' } });
    const full = `${http}method = "put"\nbody = "ping"\ntimeout_secs = 2\n[hook.action.http.headers]\nX-Token = "t"\n`;
    const [hook] = loadText(toml(full)).hooks;
    expect(hook?.handler.config).toEqual({ url: 'https://example.com/x', method: 'PUT', body: 'ping', headers: { 'X-Token': 't' } });
    expect(hook?.timeoutMs).toBe(2000);
  });

  test('prompt_inject becomes an answer that is known beforehand', () => {
    const inject = '[hook.action.prompt_inject]\ncontent = "Be brief."\nposition = "append"\n';
    expect(loadText(toml(inject, 'on_message_sending')).hooks[0]?.handler).toEqual({
      type: 'static',
      config: { reply: { inject: 'Be brief.', position: 'append' } },
    });
  });
});

test('conditions become conditions, and all of them hold where there is nothing to test', () => {
  const [hook] = loadText(
    toml(`${SHELL}\n${readFileSync(join(FIXTURES, 'fragments/conditions.toml'), 'utf8')}`, 'on_message_received'),
  ).hooks;
  expect(hook?.when).toEqual([
    { facet: 'channel', test: { kind: 'oneOf', values: ['telegram', 'discord'] }, missing: 'holds' },
    { facet: 'user', test: { kind: 'oneOf', values: ['admin'] }, missing: 'holds' },
    { facet: 'text', test: { kind: 'pattern', source: '.*deploy.*', anchor: 'search' }, missing: 'holds' },
  ]);
});

describe('what breaks a rule is an error where it stands, and the hook is not loaded', () => {
  const HTTP = '[hook.action.http]\nurl = "https://e.com/"\n';
  const INJECT = '[hook.action.prompt_inject]\ncontent = "c"\n';
  test.each([
    ['unknown event', toml(SHELL, 'after_lunch'), 'unknown-event', 3, 9],
    ['missing name', '[hook]\nevent = "before_tool_call"\n[hook.action.shell]\ncommand = "true"\n', 'missing-field', 1, undefined],
    ['missing event', '[hook]\nname = "a"\n[hook.action.shell]\ncommand = "true"\n', 'missing-field', 1, undefined],
    ['empty name', '[hook]\nname = ""\nevent = "before_tool_call"\n[hook.action.shell]\ncommand = "true"\n', 'out-of-range', 2, 8],
    ['name with a space', '[hook]\nname = "a b"\nevent = "before_tool_call"\n[hook.action.shell]\ncommand = "true"\n', 'bad-name', 2, 8],
    [
      'name of 65',
      `[hook]\nname = "${'a'.repeat(65)}"\nevent = "before_tool_call"\n[hook.action.shell]\ncommand = "true"\n`,
      'bad-name',
      2,
      8,
    ],
    ['name that is no text', '[hook]\nname = 5\nevent = "before_tool_call"\n[hook.action.shell]\ncommand = "true"\n', 'wrong-type', 2, 8],
    ['no [hook] table', 'name = "a"\n', 'missing-field', 1, 1],
    ['[hook] that is no table', 'hook = 5\n', 'wrong-type', 1, 8],
    ['no action', '[hook]\nname = "a"\nevent = "before_tool_call"\n', 'missing-field', 1, undefined],
    ['action that is no table', '[hook]\nname = "a"\nevent = "before_tool_call"\naction = "ls"\n', 'wrong-type', 4, 10],
    ['two actions', toml(`${HTTP}\n${SHELL}`), 'too-many-actions', 8, undefined],
    ['timeout of zero', toml(`${SHELL}timeout_secs = 0\n`), 'out-of-range', 7, 16],
    ['timeout with a fraction', toml(`${SHELL}timeout_secs = 1.5\n`), 'out-of-range', 7, 16],
    ['timeout as text', toml(`${SHELL}timeout_secs = "5"\n`), 'wrong-type', 7, 16],
    ['timeout beyond every timer', toml(`${SHELL}timeout_secs = 2147484\n`), 'out-of-range', 7, 16],
    ['priority with a fraction', toml(SHELL, undefined, 'priority = 1.5\n'), 'wrong-type', 4, 12],
    ['enabled that is no boolean', toml(SHELL, undefined, 'enabled = "yes"\n'), 'wrong-type', 4, 11],
    ['missing command', toml('[hook.action.shell]\n'), 'missing-field', 5, undefined],
    ['empty command', toml('[hook.action.shell]\ncommand = " "\n'), 'out-of-range', 6, 11],
    ['.. in workdir', toml(`${SHELL}workdir = "../x"\n`), 'bad-path', 7, 11],
    ['.. in the midst of workdir', toml(`${SHELL}workdir = "/a/../b"\n`), 'bad-path', 7, 11],
    ['url of another kind', toml('[hook.action.http]\nurl = "file:///etc/passwd"\n'), 'bad-url', 6, 7],
    ['url that is none', toml('[hook.action.http]\nurl = "nonsense"\n'), 'bad-url', 6, 7],
    ['method nobody knows', toml(`${HTTP}method = "FETCH"\n`), 'out-of-range', 7, 10],
    ['header that is no text', toml(`${HTTP}headers = { A = 5 }\n`), 'wrong-type', 7, 17],
    ['header name with a blank', toml(`${HTTP}headers = { "A b" = "x" }\n`), 'bad-header', 7, 13],
    ['header on two lines', toml(`${HTTP}headers = { A = "x\\ny" }\n`), 'bad-header', 7, 17],
    ['body that is no text', toml(`${HTTP}body = 5\n`), 'wrong-type', 7, 8],
    ['position nobody knows', toml(`${INJECT}position = "middle"\n`, 'before_prompt_build'), 'out-of-range', 7, 12],
    ['missing content', toml('[hook.action.prompt_inject]\nposition = "append"\n', 'before_prompt_build'), 'missing-field', 5, undefined],
    ['channels that are no list', toml(`${SHELL}[hook.conditions]\nchannels = "telegram"\n`), 'wrong-type', 8, 12],
    ['a user that is no text', toml(`${SHELL}[hook.conditions]\nusers = ["a", 5]\n`), 'wrong-type', 8, 15],
    ['pattern that can not be used', toml(`${SHELL}[hook.conditions]\npattern = "("\n`), 'bad-pattern', 8, 11],
  ])('%s', (_, text, code, line, column) => {
    const { hooks, diagnostics } = loadText(text);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect(hooks).toEqual([]);
    expect(errors).toMatchObject([{ severity: 'error', code, file: 'HOOK.toml', line, ...(column && { column }) }]);
  });
});

test('a file that is not TOML is said once, by the format', () => {
  const { hooks, diagnostics } = loadText('not = [valid\n');
  expect(hooks).toEqual([]);
  expect(diagnostics).toMatchObject([{ severity: 'error', line: expect.any(Number) }]);
});

test.each([
  ['at the top', `prority = 1\n${toml(SHELL)}`, 1, 'prority'],
  ['under [hook]', toml(SHELL, undefined, 'prioriti = 1\n'), 4, 'prioriti'],
  ['in an action', toml(`${SHELL}timeout = 5\n`), 7, 'timeout'],
  ['in the conditions', toml(`${SHELL}[hook.conditions]\nchannel = ["a"]\n`), 8, 'channel'],
])('an unknown key %s is a warning, and the hook loads', (_, text, line, key) => {
  const { hooks, diagnostics } = loadText(text);
  expect(hooks).toHaveLength(1);
  expect(diagnostics).toMatchObject([
    { severity: 'warning', code: 'unknown-field', line, column: 1, message: expect.stringContaining(key) },
  ]);
});

test('a misspelt event or key is told its nearest name', () => {
  expect(loadText(toml(SHELL, 'before_toolcal')).diagnostics[0]?.hint).toContain('before_tool_call');
  expect(loadText(toml(`${SHELL}timeout = 5\n`)).diagnostics[0]?.hint).toContain('timeout_secs');
});

describe("the document's own examples load", () => {
  test.each([
    [
      'format',
      { name: 'my-hook', event: 'before_tool_call', priority: 10, timeoutMs: 30_000, cwd: '/tmp', description: 'Optional description' },
    ],
    ['tool-logger', { name: 'tool-logger', event: 'on_after_tool_call', detach: true }],
    ['system-inject', { name: 'system-inject', event: 'before_prompt_build', handler: { type: 'static' } }],
    ['my-hook', { name: 'my-hook', event: 'on_session_start', handler: { config: { command: 'bash ./run.sh' } } }],
  ])('%s', (name, wanted) => {
    const { hooks, diagnostics } = loadText(readFileSync(join(FIXTURES, name, 'HOOK.toml'), 'utf8'));
    expect(diagnostics).toEqual([]);
    expect(hooks).toMatchObject([wanted]);
  });

  test.each(['shell', 'http', 'prompt_inject'])('the fragment %s, as part of a hook', (name) => {
    const { hooks, diagnostics } = loadText(toml(readFileSync(join(FIXTURES, `fragments/${name}.toml`), 'utf8'), 'before_prompt_build'));
    expect(diagnostics).toEqual([]);
    expect(hooks).toHaveLength(1);
  });
});
