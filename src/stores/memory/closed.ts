/** What is asked of a closed store is refused, as a durable one would. */
import { HooklineError } from '../../core/errors.ts';

export function refuseClosed(closed: AbortSignal): void {
  if (closed.aborted) throw new HooklineError('store-unavailable', 'The store was closed.', { hint: 'Open it again.' });
}
