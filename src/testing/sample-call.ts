/** A call as an engine makes it, for a hook of which only what matters is given. */
import { type Call, DEFAULT_LIMITS, DEFAULT_PERMITS } from '../core/handler.ts';
import type { Hook } from '../core/hook.ts';
import { NOT_NESTED } from '../core/nesting.ts';
import type { Ask } from '../core/profile.ts';

export function sampleCall(
  type: string,
  part: Partial<Hook>,
  { ask = ASK, cwd = '/' }: { readonly ask?: Ask; readonly cwd?: string },
): Call {
  const hook: Hook = {
    id: 'sample',
    name: 'sample',
    dialect: 'sample',
    event: 'sample',
    when: [],
    handler: { type, config: {} },
    timeoutMs: 10_000,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: 'sample', scope: 'project' },
    ...part,
  };
  return {
    hook,
    payload: { tool: 'Bash', input: { command: 'ls' } },
    ask,
    cwd,
    timeoutMs: hook.timeoutMs,
    limits: DEFAULT_LIMITS,
    permits: DEFAULT_PERMITS,
    nesting: NOT_NESTED,
  };
}

const ASK: Ask = {
  timeout: { unit: 'ms', fallbackMs: 5000 },
  command: { launch: 'shell', input: 'stdin', json: 'compact', capture: 'split', environment: [] },
  http: { redirects: 0 },
};
