/** The schema of the frontmatter of a HOOK.md. */
import type { JsonObject } from '../../core/values/json.ts';
import { closed, eventName, flag, schemaOf, text, whole } from '../kit/schema/parts.ts';
import { FIELDS, MATCHER_FIELDS } from './load.ts';
import { PRIORITY, profile, RENAMED } from './profile.ts';

const { minMs, maxMs } = profile.ask.timeout;
const MEANINGS = {
  name: text('The name of the hook, which is also the name of its folder.', { pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 64 }),
  description: text('The purpose of the hook, in a sentence.', { pattern: '\\S', maxLength: 1024 }),
  trigger: eventName(profile, 'The event that the hook is for.', Object.keys(RENAMED)),
  matcher: {
    ...closed(MATCHER_FIELDS, {
      tool: text('A regular expression for the name of the tool.'),
      pattern: text('A regular expression for the input of the tool.'),
    }),
    description: 'The tools that the hook is for. Everything, if it is left out.',
  },
  timeout: whole('How long the hook may take, in milliseconds.', minMs ?? 1, maxMs),
  async: flag('The agent does not wait for the hook.'),
  priority: whole('Hooks with a higher number run first.', PRIORITY.min, PRIORITY.max),
  metadata: { type: 'object', description: 'Anything. Hookline reads `command`, if it starts Hookline itself, and `required`.' },
};

export function schema(): JsonObject {
  return schemaOf('A hook as HOOK.md', 'the frontmatter of `HOOK.md`', closed(FIELDS, MEANINGS, ['name', 'description', 'trigger']));
}
