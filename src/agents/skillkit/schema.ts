/** The schema of the frontmatter of a SKILL.md, as far as it concerns hooks. */
import type { JsonObject } from '../../core/values/json.ts';
import { above0, anyOf, COMMON, closed, events, grouped, handlers, list, open, schemaOf, text } from '../kit/schema/parts.ts';
import { FIELDS } from './load.ts';
import { profile } from './profile.ts';

export function schema(): JsonObject {
  const meanings = { ...COMMON, timeout: above0('How long the hook may take, in seconds.') };
  const known = handlers(FIELDS, meanings, { command: ['command'], http: ['url'] });
  const custom = {
    type: 'object',
    properties: {
      type: { type: 'string', pattern: '\\S', not: { enum: Object.keys(FIELDS) }, description: 'A type that the program registers.' },
    },
    required: ['type'],
  };
  const entry = closed(['matcher', 'hooks', 'description'], { ...COMMON, hooks: grouped(anyOf(known, custom)) }, ['hooks']);
  return schemaOf(
    'Hooks of a skill',
    'the frontmatter of `SKILL.md`',
    open({ name: text('The name of the skill.'), description: text('The purpose of the skill.'), hooks: events(profile, list(entry)) }),
  );
}
