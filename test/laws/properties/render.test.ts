/** `render` is `interpret` read backwards, for every dialect, every event and any verdict that the event grants. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampleEvent } from '../../../src/api/testing/index.ts';
import { asSaid, meaningOf } from '../../../src/api/testing/samples.ts';
import { DIALECTS } from '../../../src/builtins.ts';
import type { Dialect } from '../../../src/core/contracts/dialect.ts';
import type { Hook } from '../../../src/core/contracts/hook.ts';
import { interpret } from '../../../src/core/meaning/interpret.ts';
import { type EventRule, isGating } from '../../../src/core/meaning/profile.ts';
import { render } from '../../../src/core/meaning/render.ts';
import { verdict } from './arbitraries.ts';

const written = DIALECTS.filter(({ profile }) => profile.read.exit.length > 0);

describe.each(written)('$id', (dialect) => {
  const events = Object.entries<EventRule>(dialect.profile.events);

  test.each(events)('%s: what is rendered is understood as it was meant', (name, rule) => {
    const [kind = 'notification'] = rule.kinds;
    fc.assert(
      fc.property(verdict(kind, rule.grants), (meant) => {
        const said = render(meant, name, dialect);
        if (!said) return;
        const understood = interpret(said, hookOf(dialect, name), rule, dialect, sampleEvent(kind));
        expect('decision' in understood && meaningOf(understood, dialect.profile.fold)).toEqual(
          meaningOf(asSaid(meant, rule), dialect.profile.fold),
        );
      }),
    );
  });

  test('every event that can be denied has words for a deny, and every event has words for no opinion', () => {
    for (const [name, rule] of events) {
      expect(render({ decision: { kind: 'pass' }, effects: [] }, name, dialect)).toBeDefined();
      const denied = render({ decision: { kind: 'deny', reason: 'no' }, effects: [] }, name, dialect);
      expect({ name, denies: denied !== undefined }).toEqual({
        name,
        denies: isGating(rule) && canSayDeny(dialect, rule),
      });
    }
  });
});

/** A dialect may have events that only an HTTP answer can cancel. */
function canSayDeny(dialect: Dialect, rule: EventRule): boolean {
  const rows = rule.read?.exit ?? dialect.profile.read.exit;
  const json = dialect.wire.encodeReply({ decision: { kind: 'deny', reason: 'no' }, effects: [] }, 'any') !== undefined;
  return rows.some(({ means }) => (means.say === 'deny' && means.reason.length > 0) || (json && means.say === 'parse'));
}

function hookOf(dialect: Dialect, event: string): Hook {
  return {
    id: 'h',
    name: 'h',
    dialect: dialect.id,
    event,
    when: [],
    handler: { type: 'command', config: {} },
    timeoutMs: 1,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: 'h', scope: 'project' },
  };
}
