/** Hooks that want a handler of a type nobody has registered. */
import type { Diagnostic } from '../core/diagnostic.ts';
import type { Hook } from '../core/hook.ts';
import { suggest } from '../core/suggest.ts';

/** A type nobody handles is no error of the file, but its hook can't be asked: that is said at once, not at the first event. */
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
        message: `Hook \`${name}\` wants a handler of type \`${handler.type}\`, and there is none: it is never asked.`,
        hint: near ? `Did you mean \`${near}\`?` : 'Give createHookline a handler of this type in `handlers`.',
      };
    });
}
