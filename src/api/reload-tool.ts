/** `hook_reload` as a tool definition an agent can be given: name, JSON schema, and the function that does it. */
import type { Diagnostic } from '../core/values/diagnostic.ts';
import type { JsonObject } from '../core/values/json.ts';

export interface HookTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  execute(input?: unknown): Promise<ReloadReport>;
}

export interface ReloadReport {
  readonly ok: boolean;
  readonly hooks: number;
  /** What the agent should know, in one sentence. */
  readonly message: string;
  readonly diagnostics: readonly Diagnostic[];
}

export function reloadTool(reload: () => Promise<{ readonly hooks: number; readonly diagnostics: readonly Diagnostic[] }>): HookTool {
  return {
    name: 'hook_reload',
    description: 'Reads all hook files again and puts the new hooks in force at once. If they can not be read, the old ones stay.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    async execute() {
      try {
        const { hooks, diagnostics } = await reload();
        const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
        const trouble = errors === 0 ? '' : ` ${errors} ${errors === 1 ? 'problem keeps' : 'problems keep'} hooks out: see diagnostics.`;
        return { ok: errors === 0, hooks, message: `${hooks} ${hooks === 1 ? 'hook is' : 'hooks are'} loaded.${trouble}`, diagnostics };
      } catch (error) {
        const message = `Nothing was changed: ${error instanceof Error ? error.message : String(error)}`;
        return { ok: false, hooks: 0, message, diagnostics: [{ severity: 'error', code: 'reload-failed', message }] };
      }
    },
  };
}
