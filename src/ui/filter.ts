/** The filter of entries as an address has it, and as the views take it. */
import type { EntryFilter } from '../views/views.ts';
import type { EntryQuery } from './api.ts';
import type { Schema } from './schema.ts';

const WORD: Schema = { type: 'string', minLength: 1, maxLength: 4000 };
export const AT: Schema = { type: 'integer', minimum: 0, description: 'Milliseconds since the epoch.' };

export const FILTER_QUERY: { readonly [K in keyof EntryQuery]-?: Schema } = {
  decision: {
    type: 'array',
    minItems: 1,
    maxItems: 6,
    items: { type: 'string', enum: ['pass', 'allow', 'ask', 'hold', 'deny', 'unknown'] },
  },
  tool: WORD,
  kind: WORD,
  host: WORD,
  user: WORD,
  project: WORD,
  session: WORD,
  agent: { type: 'string', maxLength: 4000 },
  sort: { type: 'string', enum: ['event', 'act', 'late'] },
  hook: { ...WORD, description: 'The id of a hook that denied, asked for a person, or failed.' },
  fault: { type: 'string', enum: ['1'], description: 'Only entries in which a hook failed.' },
  text: { ...WORD, maxLength: 500, description: 'Part of the tool, the action or the reason.' },
  since: AT,
  until: AT,
};

export function filterOf({ fault, ...query }: EntryQuery): EntryFilter {
  const known = Object.entries(query).filter(([name, value]) => Object.hasOwn(FILTER_QUERY, name) && value !== undefined);
  return { ...(Object.fromEntries(known) as EntryFilter), ...(fault === '1' && { isFaulted: true }) };
}
