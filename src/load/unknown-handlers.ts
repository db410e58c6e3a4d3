/** Hooks that name a handler which does not exist. */
import type { Hook } from '../core/contracts/hook.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { suggest } from '../core/values/suggest.ts';

/** Reports hooks whose handler type is not registered. The file has no error, but the hook cannot run, so it is reported before the first event. */
export function unknownHandlers(hooks: readonly Hook[], known: readonly string[]): Diagnostic[] {
  return hooks
    .filter(({ handler }) => !known.includes(handler.type))
    .map(({ name, handler, source }) => {
      const near = suggest(handler.type, known);
      return {
        severity: 'warning',
        code: 'unknown-handler',
        file: source.file,
        ...(source.line !== undefined && { line: source.line }),
        ...(source.column !== undefined && { column: source.column }),
        message: `Hook \`${name}\` needs a handler of type \`${handler.type}\`, but there is none, so the hook never runs.`,
        hint: near ? `Did you mean \`${near}\`?` : 'Give createHookline a handler of this type in `handlers`.',
      };
    });
}
