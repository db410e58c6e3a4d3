/** A provider's package in the user's folder for packages, for tests of the program: its model answers with a file, and lists what it was asked. */
import { existsSync, readFileSync } from 'node:fs';
import type { Workspace } from './workspace.ts';

const FOLDER = '~/.config/hookline/packages/node_modules';

const CODE = `import { appendFileSync, readFileSync } from 'node:fs';
export const createOpenAICompatible = ({ name }) => ({
  languageModel: (modelId) => ({
    specificationVersion: 'v3', provider: name, modelId, supportedUrls: {},
    async doGenerate({ prompt, temperature, tools }) {
      appendFileSync(process.env.SCRIPTED_LOG, JSON.stringify({ prompt, temperature, tools }) + '\\n');
      const steps = JSON.parse(readFileSync(process.env.SCRIPTED_STEPS, 'utf8'));
      const asked = readFileSync(process.env.SCRIPTED_LOG, 'utf8').split('\\n').length - 1;
      const step = steps[Math.min(asked, steps.length) - 1];
      const content = typeof step === 'string' ? [{ type: 'text', text: step }] : step;
      return { content, finishReason: { unified: 'stop' }, usage: { inputTokens: { total: 100 }, outputTokens: { total: 20 } }, warnings: [] };
    },
  }),
});
`;

/** The name of the model. */
export const SCRIPTED = 'ollama:scripted';

export interface ScriptedProvider {
  /** The variables that a process needs to use it. */
  readonly env: Readonly<Record<string, string>>;
  /** The answers, in order; the last is repeated. An object is the content of an answer. */
  answer(...steps: readonly (string | readonly object[])[]): void;
  /** What the model was asked, by all processes. */
  asked(): readonly { readonly prompt: readonly unknown[]; readonly temperature?: number; readonly tools?: readonly unknown[] }[];
}

export function scriptedProvider(workspace: Workspace, judge: object = {}): ScriptedProvider {
  const manifest = (version: string): string => JSON.stringify({ version, exports: './index.mjs' });
  workspace.write({
    [`${FOLDER}/ai/package.json`]: manifest('6.0.1'),
    [`${FOLDER}/ai/index.mjs`]: '',
    [`${FOLDER}/@ai-sdk/openai-compatible/package.json`]: manifest('2.0.1'),
    [`${FOLDER}/@ai-sdk/openai-compatible/index.mjs`]: CODE,
    '~/.config/hookline/settings.json': JSON.stringify({ judge: { model: SCRIPTED, ...judge } }),
  });
  const [log, steps] = [workspace.at('~/asked.jsonl'), workspace.at('~/steps.json')];
  return {
    env: { SCRIPTED_LOG: log, SCRIPTED_STEPS: steps },
    answer: (...given) => workspace.write({ '~/steps.json': JSON.stringify(given) }),
    asked: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
  };
}
