/** What a host can't carry out: nothing that was refused goes ahead, and nothing is dropped without a word. */
import { describe, expect, test } from 'vitest';
import { sampleOutcomes } from '../../../../src/api/testing/describe-host.ts';
import type { Grant } from '../../../../src/core/decision/decision.ts';
import type { Outcome } from '../../../../src/core/decision/outcome.ts';
import { EVENT_KINDS, type EventKind } from '../../../../src/core/event/event.ts';
import type { EventRule } from '../../../../src/core/meaning/profile.ts';
import { degrade, joinVerdicts } from '../../../../src/engine/answer/degrade.ts';

const HOST = { title: 'The host' };
const ALL: readonly Grant[] = ['allow', 'ask', 'hold', 'deny', 'rewrite', 'replace', 'context', 'notice', 'halt', 'quiet'];

function ruleOf(kind: EventKind, grants: readonly Grant[]): EventRule {
  return { kinds: [kind], run: 'sequence', grants, facet: null };
}

function outcome(more: Partial<Outcome>, kind: EventKind = 'tool.before'): Outcome {
  const [pass] = sampleOutcomes(kind);
  return { ...(pass as Outcome), ...more };
}

/** Every set of grants there is. */
const SETS = Array.from({ length: 2 ** ALL.length }, (_, bits) => ALL.filter((_grant, i) => bits & (1 << i)));

describe('for every kind, every outcome and every set of grants', () => {
  test.each(EVENT_KINDS)('%s: nothing beyond the grants is said, and a deny where it can be said stays one', (kind) => {
    const wrong: unknown[] = [];
    for (const grants of SETS) {
      for (const said of sampleOutcomes(kind)) {
        const { verdict, degraded } = degrade(said, ruleOf(kind, grants), HOST);
        const kinds = [verdict.decision, ...verdict.effects].map((part) => part.kind);
        if (kinds.some((part) => part !== 'pass' && !grants.includes(part as Grant))) wrong.push({ beyond: kinds, grants });
        const refuses = said.decision === 'deny' || said.decision === 'hold';
        const { decision } = verdict;
        const isKept = grants.includes('deny') ? decision.kind === 'deny' || (decision.kind === 'hold' && grants.includes('hold')) : true;
        const isLoud = isKept && (decision.kind !== 'pass' || degraded.length > 0);
        if (refuses && !isLoud) wrong.push({ said: said.decision, decision, grants });
        if (said.decision === 'ask' && decision.kind === 'pass' && degraded.length === 0) wrong.push({ silent: 'ask', grants });
      }
    }
    expect(wrong).toEqual([]);
  });
});

test('a rewrite that can not be put in place denies, because something else would run than was judged', () => {
  const { verdict, degraded } = degrade(outcome({ rewrite: { command: 'ls' } }), ruleOf('tool.before', ['deny', 'allow']), HOST);
  expect(verdict).toMatchObject({ decision: { kind: 'deny', reason: expect.stringContaining('unchanged') }, effects: [] });
  expect(degraded).toMatchObject([{ what: 'rewrite', became: 'deny' }]);
});

test('a deny carries no rewrite', () => {
  const denied = outcome({ decision: 'deny', reason: 'no', rewrite: { command: 'ls' } });
  expect(degrade(denied, ruleOf('tool.before', ALL), HOST).verdict).toEqual({ decision: { kind: 'deny', reason: 'no' }, effects: [] });
});

test('a hold that can not be said denies, and says how a person approves the ticket', () => {
  const held = outcome({ decision: 'hold', reason: 'Deploys.', ticket: { id: 'ticket-7', expiresAt: '' } });
  const { verdict } = degrade(held, ruleOf('tool.before', ['deny', 'ask']), HOST);
  expect(verdict.decision).toMatchObject({ kind: 'deny', reason: expect.stringContaining('hookline approvals approve ticket-7') });
});

test('a person who is being asked already needs no deny', () => {
  const asked = outcome({ decision: 'ask', reason: 'Look at it.' }, 'permission.request');
  const { verdict, degraded } = degrade(asked, ruleOf('permission.request', ['allow', 'deny']), HOST);
  expect(verdict.decision).toEqual({ kind: 'pass' });
  expect(degraded).toMatchObject([{ what: 'ask', became: 'pass' }]);
});

test('stopping the run also stops the action at hand, and never keeps an agent working', () => {
  const halted = outcome({ halt: 'Enough.' });
  expect(degrade(halted, ruleOf('tool.before', ['deny', 'halt']), HOST).verdict).toEqual({
    decision: { kind: 'deny', reason: 'Enough.' },
    effects: [{ kind: 'halt', reason: 'Enough.' }],
  });
  const atStop = outcome({ halt: 'Enough.' }, 'stop.before');
  expect(degrade(atStop, ruleOf('stop.before', ['deny']), HOST)).toMatchObject({
    verdict: { decision: { kind: 'pass' } },
    degraded: [{ what: 'halt' }],
  });
});

test('what must not begin and can not be denied is stopped with the run; what is over is told to the agent', () => {
  const denied = { decision: 'deny', reason: 'no' } as const;
  expect(degrade(outcome(denied, 'session.start'), ruleOf('session.start', ['halt', 'context']), HOST).verdict.effects).toEqual([
    { kind: 'halt', reason: 'no' },
  ]);
  expect(degrade(outcome(denied, 'tool.after'), ruleOf('tool.after', ['halt', 'context']), HOST).verdict.effects).toMatchObject([
    { kind: 'context' },
  ]);
});

describe('a tool output that a hook replaced', () => {
  const replaced = outcome({ replace: 'key: ***' }, 'tool.after');
  const on = (grants: readonly Grant[], said = replaced) => degrade(said, ruleOf('tool.after', grants), HOST);

  test('is replaced where the host can do that, also beside a deny', () => {
    expect(on(['replace', 'context'])).toEqual({
      verdict: { decision: { kind: 'pass' }, effects: [{ kind: 'replace', value: 'key: ***' }] },
      degraded: [],
    });
    const denied = outcome({ decision: 'deny', reason: 'no', replace: 'x' }, 'tool.after');
    expect(on(['deny', 'replace'], denied).verdict.effects).toEqual([{ kind: 'replace', value: 'x' }]);
  });

  test('is denied where that can be done, with what should stand there; a deny of its own stays what it is', () => {
    expect(on(['deny', 'context'])).toMatchObject({
      verdict: { decision: { kind: 'deny', reason: 'key: ***' }, effects: [] },
      degraded: [{ what: 'replace', became: 'deny' }],
    });
    const denied = outcome({ decision: 'deny', reason: 'no', replace: 'x' }, 'tool.after');
    expect(on(['deny'], denied).verdict.decision).toEqual({ kind: 'deny', reason: 'no' });
    expect(on(['deny'], outcome({ replace: ' ' }, 'tool.after')).verdict.decision).toMatchObject({
      reason: expect.stringMatching(/removed/),
    });
  });

  test('is told to the agent, or only said, where it can not be kept from it', () => {
    expect(on(['context'])).toMatchObject({
      verdict: { decision: { kind: 'pass' }, effects: [{ kind: 'context', text: expect.stringContaining('key: ***') }] },
      degraded: [{ what: 'replace', became: 'context', message: expect.stringContaining('sees the original') }],
    });
    expect(on([])).toMatchObject({ verdict: { effects: [] }, degraded: [{ what: 'replace', became: 'reported' }] });
  });

  test('never sends a subagent back to work', () => {
    const said = outcome({ replace: 'x' }, 'subagent.after');
    expect(degrade(said, ruleOf('subagent.after', ['deny']), HOST).verdict.decision).toEqual({ kind: 'pass' });
  });
});

test('of several answers the most severe counts, with the last rewrite and all texts', () => {
  const context = (text: string) => ({ kind: 'context', text }) as const;
  const joined = joinVerdicts([
    { decision: { kind: 'allow' }, effects: [{ kind: 'rewrite', value: { a: 1 } }, context('one')] },
    { decision: { kind: 'ask', reason: 'sure?' }, effects: [{ kind: 'rewrite', value: { a: 2 } }, context('two')] },
  ]);
  expect(joined).toEqual({
    decision: { kind: 'ask', reason: 'sure?' },
    effects: [context('one'), { kind: 'rewrite', value: { a: 2 } }, context('two')],
  });
});
