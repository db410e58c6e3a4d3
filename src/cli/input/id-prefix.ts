/** Ids as people type them: whole, or the beginning of exactly one. A prefix of several ids is reported, never guessed. */
import type { ErrorCode } from '../../core/values/errors.ts';
import { CommandError, EXIT } from '../command.ts';

/** Shorter beginnings would fit by accident. */
export const SHORTEST_PREFIX = 4;
const MOST_NAMED = 5;

export interface Wanted {
  /** The kind of thing, for messages: `ticket`, `decision`. */
  readonly what: string;
  readonly code: ErrorCode | 'not-found';
  /** Where all of them can be seen. */
  readonly list: string;
}

/** Reads all ids, so that a prefix of a second one is noticed. */
export async function findByPrefix<T extends { readonly id: string }>(
  prefix: string,
  all: AsyncIterable<readonly T[]>,
  wanted: Wanted,
): Promise<T> {
  const fitting: T[] = [];
  let near: string | undefined;
  for await (const page of all) {
    for (const item of page) {
      if (prefix.length >= SHORTEST_PREFIX && item.id.startsWith(prefix)) fitting.push(item);
      else if (sharedLength(item.id, prefix) >= Math.max(SHORTEST_PREFIX, sharedLength(near ?? '', prefix))) near = item.id;
    }
  }
  const [found, second] = fitting;
  if (found && !second) return found;
  if (second) {
    const named = fitting.slice(0, MOST_NAMED).map(({ id }) => id);
    const more = fitting.length > named.length ? ` and ${fitting.length - named.length} more` : '';
    throw negative(wanted, `\`${prefix}\` fits ${fitting.length} ids: ${named.join(', ')}${more}.`, 'Give more of the id.');
  }
  if (prefix.length < SHORTEST_PREFIX)
    throw negative(
      wanted,
      `There is no ${wanted.what} \`${prefix}\`.`,
      `Give the id, or at least ${SHORTEST_PREFIX} characters of its beginning.`,
    );
  throw negative(
    wanted,
    `There is no ${wanted.what} \`${prefix}\`.`,
    near === undefined ? `\`${wanted.list}\` shows them.` : `Did you mean \`${near}\`?`,
  );
}

/**
 * Beginnings that tell these ids apart. An id that ends in a counter is kept whole: others of its process, not among these, differ from
 * it only there.
 */
export function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const sorted = [...new Set(ids)].sort();
  return new Map(
    sorted.map((id, i) => {
      const shared = Math.max(sharedLength(id, sorted[i - 1] ?? ''), sharedLength(id, sorted[i + 1] ?? ''));
      return [id, ENDS_IN_COUNTER.test(id) ? id : id.slice(0, Math.max(12, shared + 1))];
    }),
  );
}

const ENDS_IN_COUNTER = /-[0-9a-z]{1,7}$/;

function sharedLength(a: string, b: string): number {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return i;
}

function negative({ code }: Wanted, message: string, hint: string): CommandError {
  return new CommandError({ exit: EXIT.negative, code, message, hint });
}
