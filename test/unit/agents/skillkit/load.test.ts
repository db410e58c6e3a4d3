import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { load as loadFile } from '../../../../src/agents/skillkit/load.ts';
import { EVENT_NAMES } from '../../../../src/agents/skillkit/profile.ts';
import type { LoadContext, Loaded } from '../../../../src/core/contracts/dialect.ts';
import { parseFrontmatter } from '../../../../src/load/formats/frontmatter.ts';

const context: LoadContext = {
  scope: 'project',
  folder: '/p/skills/guard',
  folderName: 'guard',
  idPrefix: 'skillkit:skills/guard/SKILL.md',
  checkPattern(source) {
    try {
      new RegExp(source);
      return undefined;
    } catch {
      return 'it is not closed.';
    }
  },
  read: () => undefined,
  stat: () => undefined,
};

async function load(frontmatter: string): Promise<Loaded> {
  return loadFile(await parseFrontmatter('/p/skills/guard/SKILL.md', `---\n${frontmatter}\n---\nBody.\n`), context);
}

function fixture(name: string): string {
  return readFileSync(new URL(`../../../fixtures/skillkit/${name}`, import.meta.url), 'utf8');
}

test("the document's deploy skill becomes one command hook and one http hook", async () => {
  const document = await parseFrontmatter('/p/skills/deploy/SKILL.md', fixture('deploy/SKILL.md'));
  const { hooks, diagnostics } = loadFile(document, { ...context, idPrefix: 'skillkit:skills/deploy/SKILL.md' });
  expect(diagnostics).toEqual([]);
  expect(hooks).toEqual([
    {
      id: 'skillkit:skills/deploy/SKILL.md#PreToolUse[0].hooks[0]',
      name: 'ops:deploy/check-deploy-policy.sh',
      formerName: 'ops:deploy/check-deploy-policy.sh',
      dialect: 'skillkit',
      event: 'PreToolUse',
      when: [{ facet: 'toolTail', test: { kind: 'pattern', source: 'Shell', anchor: 'search' }, missing: 'fails' }],
      handler: { type: 'command', config: { command: './scripts/check-deploy-policy.sh' } },
      timeoutMs: 60_000,
      priority: 0,
      detach: false,
      enabled: true,
      source: { file: '/p/skills/deploy/SKILL.md', line: 8, column: 11, scope: 'project' },
      folder: '/p/skills/guard',
      owner: 'ops:deploy',
    },
    expect.objectContaining({
      event: 'PostToolUse',
      when: [],
      handler: { type: 'http', config: { url: 'https://audit.example.com/log' } },
      timeoutMs: 30_000,
      source: { file: '/p/skills/deploy/SKILL.md', line: 12, column: 11, scope: 'project' },
    }),
  ]);
});

test.each([
  ['command.yaml', { type: 'command', config: { command: './scripts/validate.sh' } }, 60_000],
  ['http.yaml', { type: 'http', config: { url: 'https://policy.example.com/approve' } }, 10_000],
  ['slack.yaml', { type: 'slack', config: { channel: '#deployments', message: 'Tool executed' } }, 60_000],
])("the document's %s loads as it stands", async (name, handler, timeoutMs) => {
  const { hooks, diagnostics } = await load(fixture(name));
  expect(diagnostics).toEqual([]);
  expect(hooks.map((hook) => [hook.handler, hook.timeoutMs])).toEqual([[handler, timeoutMs]]);
});

test('quirk custom-timeout: all of a custom handler is its config, a timeout too', async () => {
  const { hooks } = await load('hooks:\n  PreTurn:\n    - hooks:\n        - {type: slack, timeout: 5, deep: {a: [1, null]}}');
  expect(hooks).toMatchObject([{ handler: { type: 'slack', config: { timeout: 5, deep: { a: [1, null] } } }, timeoutMs: 60_000 }]);
});

test('every event loads, under its exact name, with a matcher on its own subject', async () => {
  const groups = EVENT_NAMES.map(
    (name) => `  ${name}:\n    - matcher: x\n      hooks: [{type: command, command: a}, {type: command, command: b}]`,
  );
  const { hooks, diagnostics } = await load(`hooks:\n${groups.join('\n')}`);
  expect(diagnostics).toEqual([]);
  expect(hooks.map(({ event }) => event)).toEqual(EVENT_NAMES.flatMap((name) => [name, name]));
  expect(new Set(hooks.map(({ id }) => id)).size).toBe(32);
  expect(Object.fromEntries(hooks.map(({ event, when }) => [event, when[0]?.facet]))).toEqual({
    PreToolUse: 'toolTail',
    PostToolUse: 'toolTail',
    PreSubagent: 'subagent',
    PostSubagent: 'subagent',
    PreSkillActivation: 'skill',
    PostSkillActivation: 'skill',
    PreLlmRequest: 'model',
    PostLlmRequest: 'model',
    PreConversationSave: 'agent',
    PostConversationSave: 'agent',
    PreConversationLoad: 'agent',
    PostConversationLoad: 'agent',
    PreTurn: 'agent',
    PostTurn: 'agent',
    PreAgent: 'agent',
    PostAgent: 'agent',
  });
});

test('an omitted, null or empty matcher puts no condition on a hook', async () => {
  const { hooks } = await load(
    `hooks:\n  PreTurn:\n    - matcher: ""\n      hooks: [{type: command, command: a}]\n    - matcher:\n      hooks: [{type: command, command: b}]`,
  );
  expect(hooks.map(({ when }) => when)).toEqual([[], []]);
});

test('a skill without a name goes by its folder', async () => {
  const { hooks } = await load('hooks:\n  PreTurn:\n    - hooks: [{type: command, command: a}]');
  expect(hooks[0]?.owner).toBe('guard');
});

test.each(['name: x', 'name: x\nhooks:', ''])('a skill without hooks is no trouble: %j', async (frontmatter) => {
  expect(await load(frontmatter)).toEqual({ hooks: [], diagnostics: [] });
});

const GOOD = '- hooks: [{type: command, command: good}]';

test.each([
  ['an unknown event', `  BeforeLunch:\n    ${GOOD}`, 'warning', 'unknown-event', 3, 3, 'BeforeLunch'],
  [
    'a matcher that is no regular expression',
    `  PreTurn:\n    - matcher: "("\n      hooks: [{type: command, command: a}]`,
    'error',
    'bad-pattern',
    4,
    16,
    '(',
  ],
  [
    'a matcher that is no text',
    `  PreTurn:\n    - matcher: [a]\n      hooks: [{type: command, command: a}]`,
    'error',
    'wrong-type',
    4,
    16,
    'matcher',
  ],
  ['groups that are no list', `  PreTurn:\n    hooks: []`, 'error', 'wrong-type', 4, 5, 'PreTurn'],
  ['a group without hooks', `  PreTurn:\n    - matcher: x`, 'error', 'wrong-type', 4, 7, 'hooks'],
  ['a handler that is no map', `  PreTurn:\n    - hooks:\n        - ./x.sh`, 'error', 'wrong-type', 5, 11, 'text'],
  ['a handler without a type', `  PreTurn:\n    - hooks:\n        - command: a`, 'error', 'missing-field', 5, 11, 'type'],
  ['a command handler without a command', `  PreTurn:\n    - hooks:\n        - type: command`, 'error', 'missing-field', 5, 11, 'command'],
  ['an empty command', `  PreTurn:\n    - hooks:\n        - {type: command, command: ""}`, 'error', 'missing-field', 5, 36, 'command'],
  ['a command that is no text', `  PreTurn:\n    - hooks:\n        - {type: command, command: 5}`, 'error', 'wrong-type', 5, 36, 'command'],
  ['an http handler without a url', `  PreTurn:\n    - hooks:\n        - type: http`, 'error', 'missing-field', 5, 11, 'url'],
  ['a url that is none', `  PreTurn:\n    - hooks:\n        - {type: http, url: gate}`, 'error', 'bad-url', 5, 29, 'gate'],
  [
    'headers that are no map',
    `  PreTurn:\n    - hooks:\n        - {type: http, url: "http://a/", headers: x}`,
    'error',
    'wrong-type',
    5,
    51,
    'headers',
  ],
  [
    'a header that is no text',
    `  PreTurn:\n    - hooks:\n        - {type: http, url: "http://a/", headers: {x: [1]}}`,
    'error',
    'wrong-type',
    5,
    55,
    'x',
  ],
])('%s is told with its place, and its neighbours load', async (_, bad, severity, code, line, column, says) => {
  const { hooks, diagnostics } = await load(`hooks:\n${bad}\n  PostTurn:\n    ${GOOD}`);
  expect(hooks.map(({ handler }) => handler.config)).toEqual([{ command: 'good' }]);
  expect(diagnostics).toEqual([expect.objectContaining({ severity, code, file: '/p/skills/guard/SKILL.md', line, column })]);
  expect(diagnostics[0]?.message).toContain(says);
});

test('a group that can not be used does not take the groups after it along', async () => {
  const { hooks } = await load(
    `hooks:\n  PreTurn:\n    - matcher: "("\n      hooks: [{type: command, command: bad}]\n    - bad\n    ${GOOD}`,
  );
  expect(hooks).toMatchObject([{ id: expect.stringContaining('#PreTurn[2].hooks[0]'), handler: { config: { command: 'good' } } }]);
});

test('a misspelt event comes with the name that was meant', async () => {
  const { diagnostics } = await load(`hooks:\n  preToolUse:\n    ${GOOD}`);
  expect(diagnostics[0]?.hint).toContain('PreToolUse');
});

test.each([
  ['hooks: nonsense', 2, 8],
  ['hooks: [a]', 2, 8],
  ['- a', 2, 1],
])('frontmatter of the wrong shape is one error: %j', async (frontmatter, line, column) => {
  const { hooks, diagnostics } = await load(frontmatter);
  expect(hooks).toEqual([]);
  expect(diagnostics).toEqual([expect.objectContaining({ severity: 'error', code: 'wrong-type', line, column })]);
});

test('headers are text', async () => {
  const { hooks } = await load('hooks:\n  PreTurn:\n    - hooks:\n        - {type: http, url: "http://a/", headers: {x-n: 5}}');
  expect(hooks).toMatchObject([{ handler: { config: { headers: { 'x-n': '5' } } } }]);
});

test.each([
  ['0', 'out-of-range'],
  ['-1', 'out-of-range'],
  ['soon', 'wrong-type'],
  ['100000', 'long-timeout'],
  ['99999999', 'long-timeout'],
])('a hook with a timeout of %s is kept as a gate that cannot be asked, with an error at its place', async (timeout, code) => {
  const { hooks, diagnostics } = await load(`hooks:\n  PreTurn:\n    - hooks:\n        - {type: command, command: a, timeout: ${timeout}}`);
  expect(hooks).toMatchObject([{ unusable: expect.stringContaining('timeout') }]);
  expect(hooks[0]?.timeoutMs).toBeLessThan(2 ** 31);
  expect(diagnostics).toMatchObject([{ severity: 'error', code, line: 5, column: 48 }]);
});

test('whatever stands in the frontmatter, loading does not throw and every complaint has a place', async () => {
  const handler = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.record({
      type: fc.constantFrom('command', 'http', 'x'),
      command: fc.jsonValue({ maxDepth: 2 }),
      url: fc.jsonValue({ maxDepth: 2 }),
      timeout: fc.jsonValue({ maxDepth: 2 }),
      headers: fc.jsonValue({ maxDepth: 2 }),
    }),
  );
  const group = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.record({ matcher: fc.jsonValue({ maxDepth: 2 }), hooks: fc.array(handler) }));
  const events = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.dictionary(fc.constantFrom(...EVENT_NAMES, 'Nope'), fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.array(group))),
  );
  await fc.assert(
    fc.asyncProperty(events, async (hooks) => {
      const { diagnostics } = await load(`hooks: ${JSON.stringify(hooks)}`);
      expect(diagnostics.every(({ line, column }) => Number(line) > 0 && Number(column) > 0)).toBe(true);
    }),
  );
});
