/** `hook_reload` as a tool definition for an agent: its name, JSON schema and function. */
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
  /** The result for the agent, in one sentence. */
  readonly message: string;
  readonly diagnostics: readonly Diagnostic[];
}

export function reloadTool(reload: () => Promise<{ readonly hooks: number; readonly diagnostics: readonly Diagnostic[] }>): HookTool {
  return {
    name: 'hook_reload',
    description: 'Reads all hook files again and applies the new hooks at once. If they cannot be read, the old ones stay in force.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    async execute() {
      try {
        const { hooks, diagnostics } = await reload();
        const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
        const trouble =
          errors === 0 ? '' : ` ${errors} ${errors === 1 ? 'problem keeps' : 'problems keep'} hooks out. See the diagnostics.`;
        return { ok: errors === 0, hooks, message: `${hooks} ${hooks === 1 ? 'hook is' : 'hooks are'} loaded.${trouble}`, diagnostics };
      } catch (error) {
        const message = `Nothing was changed: ${error instanceof Error ? error.message : String(error)}`;
        return { ok: false, hooks: 0, message, diagnostics: [{ severity: 'error', code: 'reload-failed', message }] };
      }
    },
  };
}
