/** The schema of the settings of a hook: the argument of `defineHook` without `run`, or the header of a script. */
import type { JsonObject } from '../../core/values/json.ts';
import { above0, anyOf, closed, eventName, flag, schemaOf, text, texts, words } from '../kit/schema/parts.ts';
import { FIELDS, MATCHED, ON_ERROR } from './load.ts';
import { profile } from './profile.ts';

const PATTERN = closed(
  ['pattern', 'flags'],
  {
    pattern: text('A regular expression that is searched for.'),
    flags: text('`i`, `m` and `s`, as in JavaScript.', { pattern: '^[imsgu]*$' }),
  },
  ['pattern'],
);

const tested = (what: string): JsonObject => ({
  ...anyOf(text('The whole value.'), { ...texts('One of these values.'), minItems: 1 }, PATTERN),
  description: `The hook runs if the ${what} of the event is one of these, or has the pattern in it.`,
});

const MEANINGS = {
  on: eventName(profile, 'The event that the hook is for.'),
  match: {
    ...closed(Object.keys(MATCHED), Object.fromEntries(Object.keys(MATCHED).map((key) => [key, tested(key)]))),
    description: 'All of them must hold.',
  },
  name: words('The name of the hook; the name of its file if left out.'),
  description: text('The purpose of the hook.'),
  timeoutMs: above0('How long the hook may take, in milliseconds.'),
  priority: { type: 'number', description: 'Hooks with a higher number run first.' },
  once: flag('The hook is asked once in a session.'),
  required: flag('If the hook applies and may not run, the action is denied.'),
  shadow: flag('The hook runs and its verdict is recorded, but changes nothing.'),
  onError: { enum: [...ON_ERROR], description: 'The consequence if the hook fails; `deny` if left out.' },
  enabled: flag('A hook that is not enabled does not run.'),
};

export function schema(): JsonObject {
  return schemaOf('The settings of a Hookline hook', '`defineHook({ … })` and `# hookline:`', closed(FIELDS, MEANINGS, ['on']));
}
