/** What a host can't carry out: nothing that was refused goes ahead, and nothing is dropped without a word. */
import { describe, expect, test } from 'vitest';
import { sampleOutcomes } from '../../../../src/api/testing/describe-host.ts';
import { sampleEvent } from '../../../../src/api/testing/samples.ts';
import { HOSTS } from '../../../../src/builtins.ts';
import type { Host } from '../../../../src/core/contracts/host.ts';
import type { Grant } from '../../../../src/core/decision/decision.ts';
import type { Outcome } from '../../../../src/core/decision/outcome.ts';
import { EVENT_KINDS, type EventKind } from '../../../../src/core/event/event.ts';
import type { EventRule } from '../../../../src/core/meaning/profile.ts';
import type { Json } from '../../../../src/core/values/json.ts';
import { degrade, joinVerdicts, replacementText, shownAs } from '../../../../src/engine/answer/degrade.ts';

const hostOf = (id: string): Host => HOSTS.find((host) => host.id === id) as Host;
const HOST: Host = { ...hostOf('codex'), title: 'The host' };
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

test.each(['kimi', 'qwen'])('%s is told which hook rewrote what, so that the model can ask for it', (id) => {
  const host = hostOf(id);
  const rule = host.dialect.profile.events['PreToolUse'] as EventRule;
  const report = {
    dialect: 'hookline',
    event: 'tool.before',
    handler: 'function',
    source: { file: '', scope: 'user' },
    status: 'answered',
  } as const;
  const hooks = [
    { ...report, id: '1', name: 'watcher' },
    { ...report, id: '2', name: 'no-force', effects: ['rewrite'] as const },
  ];
  const { verdict } = degrade({ ...outcome({ rewrite: { command: 'git push' } }), hooks }, rule, host);
  expect(verdict.decision).toMatchObject({ kind: 'deny', reason: expect.stringMatching(/`no-force`.*\{"command":"git push"\}/) });
  expect(JSON.stringify(verdict)).not.toContain('watcher');
});

test('where a new input is laid over the old one, a rewrite that takes a key away denies', () => {
  for (const host of HOSTS) {
    const [name, rule] = Object.entries<EventRule>(host.dialect.profile.events).find(
      ([, { kinds, grants }]) => kinds.includes('tool.before') && grants.includes('rewrite'),
    ) ?? ['', undefined];
    if (!rule) continue;
    const original = { ...sampleEvent('tool.before'), data: { tool: 'Bash', input: { command: 'rm x', force: true } } };
    const decision = (rewrite: Json) => degrade(outcome({ rewrite }), rule, host, original).verdict.decision.kind;
    const taken = host.dialect.profile.rewrite === 'merges' ? 'deny' : 'pass';
    expect({ name, kept: decision({ command: 'ls', force: false }), taken: decision({ command: 'ls' }) }).toEqual({
      name,
      kept: 'pass',
      taken,
    });
  }
  expect(HOSTS.filter(({ dialect }) => dialect.profile.rewrite === 'merges').map(({ id }) => id)).toEqual(
    expect.arrayContaining(['gemini-cli', 'droid']),
  );
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

test('of several replacements the last one counts, and a deny keeps it but no rewrite', () => {
  const replace = (value: string) => ({ kind: 'replace', value }) as const;
  const pass = { kind: 'pass' } as const;
  expect(
    joinVerdicts([
      { decision: pass, effects: [replace('one'), { kind: 'quiet' }] },
      { decision: pass, effects: [replace('two')] },
    ]),
  ).toEqual({ decision: pass, effects: [{ kind: 'quiet' }, replace('two')] });
  const denied = { kind: 'deny', reason: 'no' } as const;
  expect(
    joinVerdicts([
      { decision: pass, effects: [{ kind: 'rewrite', value: {} }] },
      { decision: denied, effects: [replace('x')] },
    ]),
  ).toEqual({ decision: denied, effects: [replace('x')] });
});

test('no verdicts are no opinion', () => {
  expect(joinVerdicts([])).toEqual({ decision: { kind: 'pass' }, effects: [] });
});

describe('the reason of a decision', () => {
  const decisionFor = (more: Partial<Outcome>, kind: EventKind = 'tool.before') =>
    degrade(outcome(more, kind), ruleOf(kind, ALL), HOST).verdict.decision;

  test('is the reason of the outcome, and an allow needs none', () => {
    for (const decision of ['allow', 'ask', 'hold', 'deny'] as const)
      expect(decisionFor({ decision, reason: 'because' })).toEqual({ kind: decision, reason: 'because' });
    expect(decisionFor({ decision: 'allow', reason: null })).toStrictEqual({ kind: 'allow' });
    expect(decisionFor({ decision: 'pass', reason: null })).toStrictEqual({ kind: 'pass' });
  });

  test('is never empty where a host must show one', () => {
    const reasons = (['ask', 'hold', 'deny'] as const).map((decision) => decisionFor({ decision, reason: null }));
    expect(reasons).toEqual([
      { kind: 'ask', reason: 'A hook asks for a person to decide.' },
      { kind: 'hold', reason: 'A hook asks for a person to approve this.' },
      { kind: 'deny', reason: 'A hook denied this.' },
    ]);
  });

  test('is what the agent is to do next where a deny sends it back, and only there', () => {
    const sentBack = { decision: 'deny', reason: 'no', continue: 'Run the tests.' } as const;
    expect(decisionFor(sentBack, 'stop.before')).toEqual({ kind: 'deny', reason: 'Run the tests.' });
    expect(decisionFor(sentBack)).toEqual({ kind: 'deny', reason: 'no' });
  });
});

test('a value is shown to an agent as text, a text as it is, and nothing as a sentence', () => {
  expect(['key: "***"', { a: [1] }, null, 7].map(shownAs)).toEqual(['key: "***"', '{"a":[1]}', 'null', '7']);
  expect(['', ' \n'].map(shownAs)).toEqual(['A hook removed this result.', 'A hook removed this result.']);
  expect(replacementText('x')).toBe('A hook replaced this result. Do not use the result above. Use this instead:\nx');
});

describe('each effect that a host cannot apply is reported with its text', () => {
  const reported = (more: Partial<Outcome>, grants: readonly Grant[], kind: EventKind = 'tool.before') =>
    degrade(outcome(more, kind), ruleOf(kind, grants), HOST).degraded;

  test('context, notices and a halt', () => {
    expect(reported({ context: ['c'], notices: ['n'], halt: 'h' }, [])).toEqual([
      { what: 'context', became: 'reported', message: 'The host accepts no context on this event. A hook added: c' },
      { what: 'notice', became: 'reported', message: "The host shows no notice on this event. A hook's notice: n" },
      { what: 'halt', became: 'reported', message: 'A hook halts the run, but The host cannot stop it on this event: h' },
    ]);
    expect(reported({ context: ['c'], notices: ['n'], halt: 'h', quiet: true }, ['context', 'notice', 'halt', 'quiet'])).toEqual([]);
  });

  test('a halt that became a deny is reported once', () => {
    expect(reported({ halt: 'h' }, ['deny'])).toEqual([
      { what: 'halt', became: 'deny', message: 'A hook halts the run, but The host cannot stop it on this event: h' },
    ]);
    expect(reported({ halt: 'h' }, ['deny', 'halt'])).toEqual([]);
  });

  test('a rewrite that cannot be applied where nothing can be denied', () => {
    const said = degrade(outcome({ rewrite: {} }), ruleOf('tool.before', []), HOST);
    expect(said.verdict).toEqual({ decision: { kind: 'pass' }, effects: [] });
    expect(said.degraded).toMatchObject([{ what: 'rewrite', became: 'reported', message: expect.stringContaining('rewrote the content') }]);
  });

  test('an allow, which becomes no opinion', () => {
    const said = degrade(outcome({ decision: 'allow' }), ruleOf('tool.before', ['deny']), HOST);
    expect(said.verdict.decision).toEqual({ kind: 'pass' });
    expect(said.degraded).toMatchObject([{ what: 'allow', became: 'pass', message: expect.stringContaining('decides as usual') }]);
  });

  test('a deny without context is reported and says nothing to the agent', () => {
    const denied = outcome({ decision: 'deny', reason: 'no' }, 'tool.after');
    const message = 'The host cannot deny this event: no';
    expect(degrade(denied, ruleOf('tool.after', []), HOST)).toEqual({
      verdict: { decision: { kind: 'pass' }, effects: [] },
      degraded: [{ what: 'deny', became: 'reported', message }],
    });
    expect(degrade(denied, ruleOf('tool.after', ['context']), HOST)).toEqual({
      verdict: { decision: { kind: 'pass' }, effects: [{ kind: 'context', text: 'A hook objects: no' }] },
      degraded: [{ what: 'deny', became: 'context', message }],
    });
  });
});

test('a run is stopped once, by the reason of the halt if there is one', () => {
  const denied = outcome({ decision: 'deny', reason: 'no', halt: 'Enough.' }, 'session.start');
  expect(degrade(denied, ruleOf('session.start', ['halt']), HOST)).toMatchObject({
    verdict: { effects: [{ kind: 'halt', reason: 'Enough.' }] },
    degraded: [{ what: 'deny', became: 'halt', message: 'The host cannot deny this event: no' }],
  });
});

test('a person who cannot be asked anywhere is named in the reason', () => {
  const asked = outcome({ decision: 'ask', reason: 'Sure?' });
  const { verdict, degraded } = degrade(asked, ruleOf('tool.before', ['deny']), HOST);
  expect(verdict.decision).toEqual({ kind: 'deny', reason: 'Sure? (No person can be asked here. Let a person run it.)' });
  expect(degraded).toEqual([
    { what: 'ask', became: 'deny', message: 'The host cannot ask a person on this event, so it was told to deny: Sure?' },
  ]);
  const held = outcome({ decision: 'hold', reason: 'Sure?' }, 'permission.request');
  expect(degrade(held, ruleOf('permission.request', ['deny']), HOST).verdict.decision.kind).toBe('deny');
});
