import fc from 'fast-check';
import { expect, test } from 'vitest';
import { load as loadFile } from '../../../../src/agents/kimi/load.ts';
import { type EventName, profile } from '../../../../src/agents/kimi/profile.ts';
import { sampleEvent } from '../../../../src/api/testing/index.ts';
import type { LoadContext, Loaded } from '../../../../src/core/contracts/dialect.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import { mismatch } from '../../../../src/core/event/match.ts';
import { checkPattern, compilePattern } from '../../../../src/engine/select/compile.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';
import { parseToml } from '../../../../src/load/formats/toml.ts';

const CONTEXT: LoadContext = {
  scope: 'user',
  folder: '/home/ann/.kimi-code',
  folderName: '.kimi-code',
  idPrefix: 'kimi:~/.kimi-code/config.toml',
  checkPattern,
  read: () => undefined,
  stat: () => undefined,
};

const load = (text: string): Loaded => loadFile(parseToml('config.toml', text), CONTEXT);
const entry = (more: string, event = 'PreToolUse', command = './gate.sh'): string =>
  `[[hooks]]\nevent = "${event}"\ncommand = "${command}"\n${more}\n`;
const codes = ({ diagnostics }: Loaded): string[] => diagnostics.map(({ severity, code }) => `${severity} ${code}`);

function fires({ hooks }: Loaded, event: HookEvent): boolean {
  return hooks.some(
    (hook) => mismatch({ hook, rule: profile.events[hook.event as EventName], order: 0 }, event, compilePattern) === undefined,
  );
}

test('every event loads, in the order written, beside the other settings', () => {
  const events = Object.keys(profile.events);
  const loaded = load(
    `default_model = "k"\n\n${events.map((event) => entry('timeout = 7', event)).join('\n')}\n[permission]\nmode = "ask"\n`,
  );
  expect([codes(loaded), loaded.hooks.map(({ event }) => event)]).toEqual([[], events]);
  expect(loaded.hooks[0]).toMatchObject({
    id: 'kimi:~/.kimi-code/config.toml#hooks[0]',
    name: 'gate.sh',
    timeoutMs: 7000,
    source: { line: 3, column: 1, scope: 'user' },
    folder: '/home/ann/.kimi-code',
  });
  expect(load('default_model = "k"\n')).toEqual({ hooks: [], diagnostics: [] });
});

test('a matcher is searched in the name of the tool, in the prompt, and in the cause', () => {
  const tool = load(entry('matcher = "as"'));
  expect(['Bash', 'Read'].map((name) => fires(tool, sampleEvent('tool.before', { tool: name, input: {} })))).toEqual([true, false]);
  const prompt = load(entry('matcher = "deploy"', 'UserPromptSubmit'));
  expect(['please deploy', 'hi'].map((text) => fires(prompt, sampleEvent('prompt.submit', { prompt: text })))).toEqual([true, false]);
  const start = load(entry('matcher = "resume"', 'SessionStart'));
  expect(['resume', 'startup'].map((source) => fires(start, sampleEvent('session.start', { source })))).toEqual([true, false]);
  const agent = load(entry('matcher = "^explore$"', 'SubagentStart'));
  expect(['explore', 'coder'].map((name) => fires(agent, sampleEvent('subagent.before', { name })))).toEqual([true, false]);
});

test('nothing-to-match: a matcher on such an event must match an empty text, or the hook never runs', () => {
  for (const event of ['Stop', 'Interrupt', 'SessionHeartbeat']) {
    const loaded = load(entry('matcher = "Bash"', event));
    expect([loaded.hooks, codes(loaded)]).toEqual([[], ['warning matcher-never-fires']]);
    expect(load(entry('matcher = "Bash|"', event)).hooks).toHaveLength(1);
    expect(codes(load(entry('matcher = ".*"', event)))).toEqual([]);
  }
});

test('broken-pattern: a matcher that is no regular expression is an error, and its hook is not loaded', () => {
  const loaded = load(entry('matcher = "*"') + entry('matcher = "Bash"'));
  expect([loaded.hooks.map(({ id }) => id), codes(loaded)]).toEqual([['kimi:~/.kimi-code/config.toml#hooks[1]'], ['error bad-pattern']]);
});

test('a matcher that another agent understands is told', () => {
  expect(codes(load(entry('matcher = "Bash, Write"')))).toEqual(['warning matcher-never-fires']);
  expect(codes(load(entry('matcher = "Bash(rm *)"')))).toEqual(['warning matcher-never-fires']);
});

test('same-command-once: what is written twice is one hook, and another matcher makes another', () => {
  const loaded = load(entry('matcher = "Bash"') + entry('matcher = "Bash"\ntimeout = 5') + entry('matcher = "Read"') + entry('', 'Stop'));
  expect(loaded.hooks.map(({ id, timeoutMs }) => [id.split('#')[1], timeoutMs])).toEqual([
    ['hooks[0]', 30_000],
    ['hooks[2]', 30_000],
    ['hooks[3]', 30_000],
  ]);
});

test.each([
  ['timeout = 0', 30_000],
  ['timeout = 1.5', 30_000],
  ['timeout = "5"', 30_000],
  ['timeout = 601', 600_000],
  ['timeout = 30000', 600_000],
])('a gate is not lost for a number: %s', (more, timeoutMs) => {
  const loaded = load(entry(more));
  expect([loaded.hooks[0]?.timeoutMs, codes(loaded)]).toEqual([timeoutMs, ['warning bad-timeout']]);
});

test.each([
  ['hooks = "x"', 'error wrong-type'],
  ['[hooks]\nevent = "Stop"', 'error wrong-type'],
  ['hooks = ["x"]', 'error wrong-type'],
  ['[[hooks]]\ncommand = "x"', 'error missing-field'],
  ['[[hooks]]\nevent = "Stop"', 'error missing-field'],
  ['[[hooks]]\nevent = "Stop"\ncommand = " "', 'error missing-field'],
  ['[[hooks]]\nevent = "Stop"\ncommand = ["x"]', 'error wrong-type'],
  ['[[hooks]]\nevent = 5\ncommand = "x"', 'error wrong-type'],
  ['[[hooks]]\nevent = "BeforeTool"\ncommand = "x"', 'error unknown-event'],
  ['[[hooks]]\nevent = "Stop"\ncommand = "x"\nmatcher = 5', 'error wrong-type'],
  ['[[hooks]]\nevent = "Stop"\ncommand = "x"\ntype = "command"', 'warning unknown-field'],
])('%j is reported: %s', (text, code) => {
  expect(codes(load(text))).toEqual([code]);
});

test('one-drops-all: one wrong entry takes no other down, and says what Kimi Code does', () => {
  const loaded = load(`${entry('timeot = 5')}\n[[hooks]]\nevent = "Stop"\n${entry('matcher = "Bash"')}`);
  expect(loaded.hooks.map(({ id }) => id.split('#')[1])).toEqual(['hooks[0]', 'hooks[2]']);
  expect(loaded.diagnostics).toMatchObject([
    { code: 'unknown-field', line: 4, column: 1, hint: 'Did you mean `timeout`?', message: expect.stringContaining('no hook of the file') },
    { code: 'missing-field', line: 6, column: 1, message: expect.stringContaining('no hook of the file') },
  ]);
});

test('anything loads without a throw, every diagnostic has a place, and a good hook beside it stays', () => {
  const GOOD = { event: 'PreToolUse', command: 'true' };
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const file = { hooks: [value, { event: value, command: value, matcher: value, timeout: value }, GOOD] };
      for (const one of [value, { hooks: value }, file]) {
        const loaded = loadFile(parseJson('x', JSON.stringify(one)), CONTEXT);
        for (const { line, column } of loaded.diagnostics) expect([line, column]).not.toContain(undefined);
        if (one === file) expect(loaded.hooks.map(({ handler }) => handler.config['command'])).toContain('true');
      }
    }),
  );
});
