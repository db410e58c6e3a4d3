/** Models by name: which package is loaded, from where, and what each missing thing says. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HooklineError } from '../../../../src/core/values/errors.ts';
import { loadAiSdk, openModel, readModelName } from '../../../../src/runtime/models/open-model.ts';
import { PROVIDERS } from '../../../../src/runtime/models/providers.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'hookline-models-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const packages = (): string => path.join(home, '.config', 'hookline', 'packages', 'node_modules');

/** Writes a package whose provider tells what it was created with. */
function writePackage(
  folder: string,
  name: string,
  version: string,
  code: string,
  exported: unknown = { '.': { import: './index.mjs' } },
): void {
  mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, name, 'package.json'), JSON.stringify({ name, version, exports: exported }));
  writeFileSync(path.join(folder, name, 'index.mjs'), code);
}

const providerCode = (creates: string, specification = 'v3', from = 'user'): string =>
  `export const ${creates} = (options) => ({ languageModel: (modelId) => ({ specificationVersion: '${specification}', provider: '${from}', modelId, options }) });`;

async function failureOf(work: Promise<unknown>): Promise<HooklineError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HooklineError);
  return error as HooklineError;
}

describe('the name of a model', () => {
  test('is a provider and a model, and the model may contain colons', () => {
    expect(readModelName('ollama:qwen3:8b')).toMatchObject({ provider: { id: 'ollama' }, model: 'qwen3:8b' });
  });

  test.each(['', 'claude', ':claude', 'anthropic:', 'anthropic'])('is not `%s`, and the error shows how to write one', (name) => {
    expect(() => readModelName(name)).toThrow(
      expect.objectContaining({ code: 'unknown-model', hint: expect.stringMatching(/^Write `provider:model`, for example `anthropic:/) }),
    );
  });

  test('of an unknown provider is an error that lists the known ones and the nearest', () => {
    const hint = expect.stringContaining('Did you mean `anthropic:x`?');
    expect(() => readModelName('antropic:x')).toThrow(expect.objectContaining({ code: 'unknown-model', hint }));
    expect(() => readModelName('nobody-knows:x')).toThrow(
      expect.objectContaining({ hint: `Providers: ${PROVIDERS.map(({ id }) => id).join(', ')}.` }),
    );
  });
});

describe('a model is opened', () => {
  const env = { MISTRAL_API_KEY: 'k-1' };

  test("with the package of the user's folder, the key of the environment and nothing else", async () => {
    writePackage(packages(), '@ai-sdk/mistral', '3.0.1', providerCode('createMistral'));
    const model = await openModel('mistral:large', { home, env });
    expect(model).toMatchObject({ provider: 'user', modelId: 'large', options: { apiKey: 'k-1' } });
  });

  test('at its own address if it has no package of its own', async () => {
    writePackage(packages(), '@ai-sdk/openai-compatible', '2.0.1', providerCode('createOpenAICompatible'));
    const opened = (variables: Record<string, string>) => openModel('ollama:qwen3', { home, env: variables });
    expect(await opened({})).toMatchObject({ options: { name: 'ollama', baseURL: 'http://127.0.0.1:11434/v1' } });
    expect(await opened({ OLLAMA_BASE_URL: 'http://127.0.0.1:1/v1' })).toMatchObject({ options: { baseURL: 'http://127.0.0.1:1/v1' } });
  });

  test.each([
    ['a string', './index.mjs'],
    ['conditions', { types: './index.d.ts', import: './index.mjs' }],
    ['nested conditions', { '.': { node: { require: './index.cjs', import: './index.mjs' } } }],
    ['a list', { '.': [{ import: './index.mjs' }] }],
  ])('from a package whose exports are %s', async (_, exported) => {
    writePackage(packages(), '@ai-sdk/mistral', '3.0.1', providerCode('createMistral'), exported);
    expect(await openModel('mistral:large', { home, env })).toMatchObject({ modelId: 'large' });
  });

  test('never from the project, although it is the working directory', async () => {
    const project = path.join(home, 'project');
    writePackage(path.join(project, 'node_modules'), '@ai-sdk/xai', '3.0.1', providerCode('createXai', 'v3', 'project'));
    const before = process.cwd;
    process.cwd = () => project;
    try {
      expect((await failureOf(openModel('xai:grok', { home, env: { XAI_API_KEY: 'k' } }))).message).toContain(
        '`@ai-sdk/xai`, which is not installed',
      );
    } finally {
      process.cwd = before;
    }
  });
});

describe('a model that cannot be opened', () => {
  test('for want of its package has the line that installs it', async () => {
    const { code, message, hint } = await failureOf(openModel('mistral:large', { home, env: {} }));
    expect(code).toBe('model-unavailable');
    expect(message).toBe('The model `mistral:large` needs `@ai-sdk/mistral`, which is not installed.');
    expect(hint).toBe(`Run \`npm install --prefix ${path.join(home, '.config/hookline/packages')} @ai-sdk/mistral@3\`.`);
  });

  test('for want of its key has the line that sets it', async () => {
    writePackage(packages(), '@ai-sdk/mistral', '3.0.1', providerCode('createMistral'));
    for (const env of [{}, { MISTRAL_API_KEY: ' ' }]) {
      const { code, message, hint } = await failureOf(openModel('mistral:large', { home, env }));
      expect(code).toBe('model-unavailable');
      expect(message).toBe('The model `mistral:large` needs the key of Mistral, but `MISTRAL_API_KEY` is not set.');
      expect(hint).toBe('Run `export MISTRAL_API_KEY=…` with your key.');
    }
  });

  test('for want of a fitting `ai` has the line that installs both', async () => {
    writePackage(packages(), 'ai', '5.0.0', '');
    const { message, hint } = await failureOf(openModel('mistral:large', { home, env: {} }));
    expect(message).toBe('The model `mistral:large` needs `ai` 6 or 7, but 5.0.0 is installed.');
    expect(hint).toMatch(/ ai@([67]) @ai-sdk\/mistral@[34]`\.$/);
    expect((await failureOf(loadAiSdk({ home, env: {} }))).hint).toMatch(/ ai@[67]`\.$/);
  });

  test('because the package is newer than `ai` has the line that installs the fitting one', async () => {
    writePackage(packages(), 'ai', '6.0.0', '');
    writePackage(packages(), '@ai-sdk/mistral', '4.0.1', providerCode('createMistral', 'v4'));
    const { message, hint } = await failureOf(openModel('mistral:large', { home, env: { MISTRAL_API_KEY: 'k' } }));
    expect(message).toBe('`@ai-sdk/mistral` 4.0.1 needs `ai` 7, but `ai` 6.0.0 is installed.');
    expect(hint).toContain('@ai-sdk/mistral@3');
  });

  test('because the package is broken says why, and never shows the key', async () => {
    writePackage(packages(), '@ai-sdk/mistral', '3.0.1', `throw new Error('no such thing');`);
    const { code, message } = await failureOf(openModel('mistral:large', { home, env: { MISTRAL_API_KEY: 'k-secret' } }));
    expect(code).toBe('model-unavailable');
    expect(message).toContain('cannot be loaded: no such thing');
    writePackage(packages(), '@ai-sdk/xai', '3.0.1', 'export const other = 1;');
    const other = await failureOf(openModel('xai:grok', { home, env: { XAI_API_KEY: 'k-secret' } }));
    expect(other.message).toBe('The model `xai:grok` cannot be opened with `@ai-sdk/xai` 3.0.1.');
    expect(`${message}${other.message}${other.hint}`).not.toContain('k-secret');
  });
});

test("the SDK is loaded from Hookline's installation if the user's folder has none", async () => {
  expect(await loadAiSdk({ home, env: {} })).toHaveProperty('generateText');
});

test('every provider has one package, one example and a version for each `ai`', () => {
  expect(new Set(PROVIDERS.map(({ id }) => id)).size).toBe(PROVIDERS.length);
  for (const { package: name, majors, example, id } of PROVIDERS) {
    expect(name).toMatch(/^@ai-sdk\//);
    expect(Object.keys(majors)).toEqual(['6', '7']);
    expect(readModelName(`${id}:${example}`)).toMatchObject({ model: example });
  }
});
