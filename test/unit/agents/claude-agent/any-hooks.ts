/** Hooks of a settings file or a plugin: well-formed, almost well-formed, or anything. */
import fc from 'fast-check';
import { camelCase, EVENT_NAMES } from '../../../../src/agents/claude-agent/profile.ts';

export function anyHooks(): fc.Arbitrary<unknown> {
  const entry = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.record(
      {
        command: fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 2 })),
        matcher: fc.jsonValue({ maxDepth: 2 }),
        timeout: fc.jsonValue({ maxDepth: 2 }),
      },
      { requiredKeys: [] },
    ),
  );
  const group = fc.record({
    matcher: fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 2 })),
    hooks: fc.oneof(fc.array(entry), fc.jsonValue({ maxDepth: 2 })),
  });
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.array(fc.oneof(entry, group)), fc.dictionary(fc.string(), entry));
  return fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.dictionary(fc.constantFrom(...EVENT_NAMES, ...EVENT_NAMES.map(camelCase), 'Nope'), value),
  );
}
