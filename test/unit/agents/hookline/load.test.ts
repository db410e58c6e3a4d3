/** The settings of a program become a hook. Nothing of it runs, and every mistake has its place. */
import { describe, expect, test } from 'vitest';
import { load } from '../../../../src/agents/hookline/load.ts';
import type { LoadContext, Loaded } from '../../../../src/core/contracts/dialect.ts';
import { checkPattern } from '../../../../src/engine/select/compile.ts';
import { loadFormat } from '../../../../src/load/formats/index.ts';

const CONTEXT: LoadContext = {
  ...{ scope: 'project', folder: '/p/.hookline/hooks', folderName: 'hooks', idPrefix: 'hookline:.hookline/hooks/gate.ts', checkPattern },
  read: () => undefined,
  stat: () => undefined,
};

async function loaded(text: string, file = '/p/.hookline/hooks/gate.ts'): Promise<Loaded> {
  const document = await (await loadFormat('hook-program'))(file, text);
  const { hooks, diagnostics } = load(document, CONTEXT);
  return { hooks, diagnostics: [...document.diagnostics, ...diagnostics] };
}

const hook = (settings: string): string => `import { defineHook } from 'hookline/hook';\nexport default defineHook({ ${settings} });\n`;

async function problems(text: string, file?: string): Promise<string[]> {
  const { hooks, diagnostics } = await loaded(text, file);
  if (diagnostics.some(({ severity }) => severity === 'error')) expect(hooks).toEqual([]);
  return diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`);
}

test('every setting is read from its literal', async () => {
  const { hooks, diagnostics } = await loaded(
    hook(
      "on: 'tool.before', match: { tool: ['Bash', 'Write'], input: /RM -rf/i, agent: `main` }, name: 'no-rm', timeoutMs: 500, priority: -3, once: true, required: true, shadow: true, onError: 'ask', run(event: unknown) { throw new Error('it runs'); }",
    ),
  );
  expect(diagnostics).toEqual([]);
  expect(hooks).toMatchObject([
    {
      ...{ name: 'no-rm', event: 'tool.before', timeoutMs: 500, priority: -3, once: true, required: true, shadow: true, onError: 'ask' },
      handler: { type: 'worker', config: { script: '/p/.hookline/hooks/gate.ts' } },
      when: [
        { facet: 'tool', test: { kind: 'oneOf', values: ['Bash', 'Write'] }, missing: 'fails' },
        { facet: 'input', test: { kind: 'pattern', source: 'RM -rf', flags: 'i', anchor: 'search' } },
        { facet: 'agent', test: { kind: 'oneOf', values: ['main'] } },
      ],
    },
  ]);
});

test('whole-names: a text in `match` is the whole name', async () => {
  const { hooks } = await loaded(hook("on: 'tool.before', match: { tool: 'Bash' }, run() {}"));
  expect(hooks[0]?.when).toEqual([{ facet: 'tool', test: { kind: 'oneOf', values: ['Bash'] }, missing: 'fails' }]);
  expect(hooks[0]?.name).toBe('gate');
});

describe('literal-settings: a setting that is computed is an error with its place', () => {
  test.each([
    ['on: EVENT, run() {}', 'not-literal 2:33'],
    ["on: 'tool.' + 'before', run() {}", 'not-literal 2:33'],
    [`on: \`tool.\${x}\`, run() {}`, 'not-literal 2:33'],
    ["on: 'tool.before', ...rest, run() {}", 'not-literal 2:48'],
    ["on: 'tool.before', name, run() {}", 'not-literal 2:48'],
    ["on: 'tool.before', ['name']: 'x', run() {}", 'not-literal 2:48'],
    ["on: 'tool.before', match: { tool: tools() }, run() {}", 'not-literal 2:63'],
    ["get on() { return 'tool.before'; }, run() {}", 'not-literal 2:29'],
  ])('%s', async (settings, problem) => {
    expect(await problems(hook(settings))).toEqual([problem]);
  });
});

describe('a program that is no hook is an error', () => {
  test.each([
    ['const a = 1;', 'no-hook 1:1'],
    ['export default { on: 1 };', 'no-hook 1:1'],
    ["import { defineHook } from './own.ts';\nexport default defineHook({ on: 'tool.before', run() {} });", 'no-hook 2:1'],
    ["import { defineHook } from 'hookline/hook';\nexport default defineHook(settings);", 'not-literal 2:27'],
    [hook("on: 'tool.before'"), 'missing-field 2:27'],
    [hook('run() {}'), 'missing-field 2:27'],
    [hook("on: 'tool.befor', run() {}"), 'unknown-event 2:33'],
    [hook("on: 'tool.before', timeoutMs: 0, run() {}"), 'out-of-range 2:59'],
    [hook("on: 'tool.before', onError: 'open', run() {}"), 'wrong-type 2:57'],
    [hook("on: 'tool.before', match: { tol: 'Bash' }, run() {}"), 'unknown-field 2:57'],
    [hook("on: 'tool.before', match: { tool: /(/ }, run() {}"), 'bad-pattern 2:63'],
    [hook("on: 'tool.before', match: { tool: /(?<=a)b(?<!c)\\k<d>/ }, run() {}"), 'bad-pattern 2:63'],
    ['enum A { b }\nexport default 1;', 'bad-program 1:1'],
  ])('%s', async (text, problem) => {
    expect((await problems(text))[0]).toBe(problem);
  });
});

test('imports-are-plain: an import of a file that the audit could not find by its text is an error', async () => {
  expect(await problems(`import './\\u0061.ts';\n${hook("on: 'tool.before', run() {}")}`)).toEqual(['bad-program 1:8']);
  expect(await problems(`const name = './a.ts';\nawait import(name);\n${hook("on: 'tool.before', run() {}")}`)).toEqual([
    'bad-program 2:14',
  ]);
  expect(await problems(`await import('node:fs');\n${hook("on: 'tool.before', run() {}")}`)).toEqual([]);
});

describe('the header of a script', () => {
  test.each([
    ['on one line', '#!/bin/sh\n# hookline: { on: tool.before, match: { tool: Bash } }\nexit 0\n', 'gate.sh'],
    ['on several lines', '"""Doc."""\n# hookline:\n#   on: tool.before\n#   match:\n#     tool: Bash\nimport os\n', 'gate.py'],
    ['with another comment sign', '-- hookline: { on: tool.before, match: { tool: Bash } }\n', 'gate.lua'],
  ])('%s', async (_, text, file) => {
    const { hooks, diagnostics } = await loaded(text, `/p/.hookline/hooks/${file}`);
    expect(diagnostics).toEqual([]);
    expect(hooks).toMatchObject([{ event: 'tool.before', when: [{ facet: 'tool' }], handler: { type: 'worker' } }]);
  });

  test.each([
    ['#!/bin/sh\nexit 0\n', 'no-hook 1:1'],
    ['#!/bin/sh\n# hookline:\nexit 0\n', 'wrong-type 2:3'],
    ['# hookline: { on: tool.befor }\n', 'unknown-event 1:19'],
    ['# hookline: { on: [\n', 'invalid-yaml 1:20'],
    [`${'\n'.repeat(20)}# hookline: { on: tool.before }\n`, 'no-hook 1:1'],
  ])('%j', async (text, problem) => {
    expect(await problems(text, '/p/.hookline/hooks/gate.sh')).toEqual([problem]);
  });
});

// one-at-a-time: see test/flows/process/worker.test.ts, which runs real workers.
