/** Claude Code as it is started for a test, and what its model hears. */
import type { Agent } from './agent.ts';
import type { Session } from './session.ts';

/** `options`: how much it may do by itself. */
export function claudeCode(options: readonly string[] = ['--allowedTools', 'Bash']): Agent {
  return {
    id: 'claude-code',
    packages: { '@anthropic-ai/claude-code': '2.1.325' },
    shell: (command) => ({ call: 'Bash', input: { command, description: 'For a test.' } }),
    start: (prompt, { url }) => ({
      argv: ['claude', '-p', prompt, ...options],
      env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'none', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
    }),
  };
}

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
}

/** What came of a call, and all that the model was told beside it. */
export interface Heard {
  readonly failed: boolean;
  readonly result: string;
  readonly beside: string;
}

/** After the call that was the model's `index`th answer. */
export function heardAfter({ heard, output }: Session, index: number): Heard {
  const request = heard[index + 1];
  if (request === undefined) throw new Error(`the session ended before its request ${index + 1}: ${output}`);
  const { messages } = JSON.parse(request) as { messages: { role: string; content: string | Part[] }[] };
  const news = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  const parts = news.flatMap(({ content }): Part[] => (typeof content === 'string' ? [{ type: 'text', text: content }] : content));
  const result = parts.find(({ type }) => type === 'tool_result');
  return {
    failed: result?.is_error === true,
    result: typeof result?.content === 'string' ? result.content : JSON.stringify(result?.content ?? ''),
    beside: parts.map(({ text }) => text ?? '').join('\n'),
  };
}
