/** The providers that a model may be named by: `provider:model`. Each is one package of the AI SDK, called with one key, without a gateway. */

export interface Provider {
  /** The word before the colon. */
  readonly id: string;
  readonly title: string;
  readonly package: string;
  /** The export that creates the provider. */
  readonly creates: string;
  /** The variable that has the key. Null: the provider needs none. */
  readonly key: string | null;
  /** The address of a provider that has no package of its own, and the variable that moves it. */
  readonly endpoint?: { readonly url: string; readonly variable: string };
  /** The major version of the package that fits a major version of `ai`. */
  readonly majors: Readonly<Record<AiMajor, string>>;
  /** A name of a model, for messages. */
  readonly example: string;
}

export type AiMajor = 6 | 7;

export const PROVIDERS: readonly Provider[] = [
  {
    ...{ id: 'anthropic', title: 'Anthropic', package: '@ai-sdk/anthropic', creates: 'createAnthropic' },
    ...{ key: 'ANTHROPIC_API_KEY', majors: { 6: '3', 7: '4' }, example: 'claude-sonnet-4-5' },
  },
  {
    ...{ id: 'openai', title: 'OpenAI', package: '@ai-sdk/openai', creates: 'createOpenAI' },
    ...{ key: 'OPENAI_API_KEY', majors: { 6: '3', 7: '4' }, example: 'gpt-5' },
  },
  {
    ...{ id: 'google', title: 'Google', package: '@ai-sdk/google', creates: 'createGoogleGenerativeAI' },
    ...{ key: 'GOOGLE_GENERATIVE_AI_API_KEY', majors: { 6: '3', 7: '4' }, example: 'gemini-2.5-pro' },
  },
  {
    ...{ id: 'mistral', title: 'Mistral', package: '@ai-sdk/mistral', creates: 'createMistral' },
    ...{ key: 'MISTRAL_API_KEY', majors: { 6: '3', 7: '4' }, example: 'mistral-large-latest' },
  },
  {
    ...{ id: 'groq', title: 'Groq', package: '@ai-sdk/groq', creates: 'createGroq' },
    ...{ key: 'GROQ_API_KEY', majors: { 6: '3', 7: '4' }, example: 'openai/gpt-oss-120b' },
  },
  {
    ...{ id: 'xai', title: 'xAI', package: '@ai-sdk/xai', creates: 'createXai' },
    ...{ key: 'XAI_API_KEY', majors: { 6: '3', 7: '5' }, example: 'grok-4' },
  },
  {
    ...{ id: 'deepseek', title: 'DeepSeek', package: '@ai-sdk/deepseek', creates: 'createDeepSeek' },
    ...{ key: 'DEEPSEEK_API_KEY', majors: { 6: '2', 7: '3' }, example: 'deepseek-chat' },
  },
  {
    ...{ id: 'ollama', title: 'Ollama', package: '@ai-sdk/openai-compatible', creates: 'createOpenAICompatible' },
    ...{ key: null, majors: { 6: '2', 7: '3' }, example: 'qwen3' },
    endpoint: { url: 'http://127.0.0.1:11434/v1', variable: 'OLLAMA_BASE_URL' },
  },
];
