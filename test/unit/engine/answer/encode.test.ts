/** The bytes and the exit code of an answer, for every host and event: a deny is never left out, and exit code 2 means blocked. */
import { describe, expect, test } from 'vitest';
import { sampleEvent, sampleHook } from '../../../../src/api/testing/samples.ts';
import { HOSTS } from '../../../../src/builtins.ts';
import type { Host } from '../../../../src/core/contracts/host.ts';
import type { Effect, Verdict } from '../../../../src/core/decision/decision.ts';
import type { EventKind } from '../../../../src/core/event/event.ts';
import { interpret } from '../../../../src/core/meaning/interpret.ts';
import { type EventRule, isBlockingEvent } from '../../../../src/core/meaning/profile.ts';
import { encodeAnswer, encodeDeny, encodeFailure, encodeNoOpinion, encodeProblem } from '../../../../src/engine/answer/encode.ts';

const EVENTS = HOSTS.flatMap((host) => Object.entries(host.dialect.profile.events).map(([name, rule]) => ({ host, name, rule })));
const GATES = EVENTS.filter(({ rule }) => rule.grants.includes('deny'));
const deny = (reason = 'no entry', ...effects: Effect[]): Verdict => ({ decision: { kind: 'deny', reason }, effects });
const textOf = ({ stdout, stderr }: { stdout: string; stderr: string }): string => stdout + stderr;
const byExit = HOSTS.filter(({ deniesByExit }) => deniesByExit);

describe.each(HOSTS)('$id', (host) => {
  const gates = GATES.filter((gate) => gate.host === host);

  test('a deny is said in the words of the host, with its reason, and means a deny', () => {
    for (const { name } of gates) {
      const said = encodeAnswer(host, name, deny());
      expect(said.verdict.decision).toEqual({ kind: 'deny', reason: 'no entry' });
      expect(said.notEncoded).toEqual([]);
      expect(textOf(said.answer), name).toContain('no entry');
      expect(said.answer).not.toEqual(encodeNoOpinion(host, name));
    }
  });

  test('a rewrite together with a deny leaves the deny as it is', () => {
    for (const { name } of gates)
      expect(encodeAnswer(host, name, deny('no', { kind: 'rewrite', value: { a: 1 } })).answer).toEqual(
        encodeAnswer(host, name, deny('no')).answer,
      );
  });

  test('no opinion is said as the host says nothing, with exit code 0', () => {
    for (const { name } of EVENTS.filter((each) => each.host === host)) {
      const silence = encodeNoOpinion(host, name);
      expect([silence.exit, silence.stderr]).toEqual([0, '']);
      expect(encodeAnswer(host, name, { decision: { kind: 'pass' }, effects: [] }).answer).toEqual(silence);
    }
    expect(encodeNoOpinion(host, undefined)).toEqual({ stdout: '', stderr: '', exit: 0 });
  });

  test('a deny of an unnamed event is still a deny with its reason', () => {
    const answer = encodeDeny(host, undefined, 'no entry');
    expect(textOf(answer)).toContain('no entry');
    expect(answer.exit !== 0 || answer.stdout !== '').toBe(true);
    expect(encodeFailure(host, undefined, 'no entry')).toEqual(answer);
    expect(encodeFailure(host, 'no such event', 'no entry')).toEqual(answer);
  });

  test('a failure denies where that blocks something, and is a note for people elsewhere', () => {
    for (const { name, rule } of EVENTS.filter((each) => each.host === host)) {
      const answer = encodeFailure(host, name, 'we failed');
      if (isBlockingEvent(rule)) expect(answer, name).toEqual(encodeDeny(host, name, 'we failed'));
      else {
        expect([answer.exit, answer.stderr], name).toEqual([0, 'hookline: we failed\n']);
      }
    }
  });
});

test.each(byExit.map(({ id }) => id))(
  '%s: a deny by exit code carries texts with its reason, each on a line, and no other effect',
  (id) => {
    const host = byExit.find((each) => each.id === id) as Host;
    let told = 0;
    const words = [{ kind: 'context', text: 'one' } as const, { kind: 'notice', text: 'two' } as const];
    for (const { name } of GATES.filter((gate) => gate.host === host)) {
      const said = encodeAnswer(host, name, deny('no', ...words));
      if (said.answer.stderr === '') continue;
      told++;
      expect(said.answer.stderr).toBe('no\none\ntwo');
      expect(said).toMatchObject({ verdict: { decision: { kind: 'deny', reason: 'no\none\ntwo' }, effects: [] }, notEncoded: [] });
      expect(said.answer.stdout).toBe('');
      expect(encodeAnswer(host, name, deny('no', { kind: 'halt', reason: 'stop' })).verdict.decision.kind).toBe('deny');
    }
    expect(told).toBeGreaterThan(0);
  },
);

test('a notice is said or named as not said, and never makes a decision', () => {
  for (const { host, name } of EVENTS) {
    const notice = { kind: 'notice', text: 'n' } as const;
    const said = encodeAnswer(host, name, { decision: { kind: 'pass' }, effects: [notice] });
    expect(said.verdict.decision.kind).toBe('pass');
    expect([...said.verdict.effects, ...said.notEncoded], `${host.id} ${name}`).toEqual([notice]);
  }
});

test('a rewrite is put in place, asked about or refused, and never dropped', () => {
  for (const { host, name } of GATES) {
    const effects = [{ kind: 'rewrite', value: { command: 'changed-input' } } as const];
    for (const kind of ['pass', 'allow'] as const) {
      const said = encodeAnswer(host, name, { decision: { kind }, effects });
      const isPlaced = said.verdict.effects.some((effect) => effect.kind === 'rewrite');
      if (!isPlaced) expect(['ask', 'deny'], `${host.id} ${name}`).toContain(said.verdict.decision.kind);
      if (isPlaced) expect(said.answer.stdout).toContain('changed-input');
      expect(said.notEncoded.map((effect) => effect.kind)).not.toContain('rewrite');
    }
  }
});

test('a result is replaced or named as not replaced, and told in other words only where the host takes context', () => {
  for (const { host, name, rule } of EVENTS) {
    const replace = { kind: 'replace', value: 'other-result' } as const;
    const said = encodeAnswer(host, name, { decision: { kind: 'pass' }, effects: [replace] });
    expect([...said.verdict.effects, ...said.notEncoded], `${host.id} ${name}`).toContain(replace);
    const isTold = said.verdict.effects.some((effect) => effect.kind === 'context' && effect.text.includes('other-result'));
    expect(isTold && !rule.grants.includes('context')).toBe(false);
  }
});

test('a call that cannot be read is answered by what is known of it', () => {
  const host = HOSTS.find(({ id }) => id === 'claude-code') as Host;
  expect(encodeProblem({ problem: 'unknown-host', message: 'who?', mayDeny: true })).toEqual({
    stdout: '',
    stderr: 'hookline: who?\n',
    exit: 2,
  });
  expect(encodeProblem({ problem: 'unknown-host', message: 'who?', mayDeny: false })).toEqual({
    stdout: '',
    stderr: 'hookline: who?\n',
    exit: 64,
  });
  expect(encodeProblem({ problem: 'unknown-event', host, message: 'what?' })).toEqual({ stdout: '', stderr: 'hookline: what?\n', exit: 0 });
  expect(encodeProblem({ problem: 'unreadable', host, event: 'PreToolUse', others: [], reason: 'bad' })).toEqual(
    encodeFailure(host, 'PreToolUse', 'bad'),
  );
});

describe('a host whose format has no exit code that denies', () => {
  const codex = HOSTS.find(({ id }) => id === 'codex') as Host;
  const silentExit = { say: 'parse', notJson: 'pass' } as const;
  const { events } = codex.dialect.profile;
  const withEvents = (kept: typeof events): Host => ({
    ...codex,
    deniesByExit: false,
    dialect: {
      ...codex.dialect,
      profile: {
        ...codex.dialect.profile,
        events: Object.fromEntries(Object.entries(kept).map(([name, { read: _, ...rule }]) => [name, rule])),
        read: { ...codex.dialect.profile.read, exit: [{ exit: [0], means: silentExit as never }] },
      },
    },
  });

  test('is denied an unnamed event in the words of an event that can be denied', () => {
    const host = withEvents(events);
    expect(encodeDeny(host, undefined, 'no entry')).toMatchObject({ exit: 0, stdout: expect.stringContaining('no entry') });
  });

  test('is denied by exit code 2 where it has no such event', () => {
    const ungated = Object.fromEntries(Object.entries(events).filter(([, rule]) => !rule.grants.includes('deny')));
    expect(encodeDeny(withEvents(ungated), undefined, 'no entry')).toEqual({ stdout: '', stderr: 'no entry', exit: 2 });
  });
});

test('no opinion has the exit code that the format reads as one', () => {
  const host = HOSTS.find(({ id }) => id === 'codex') as Host;
  const { profile } = host.dialect;
  const event = { kinds: ['tool.before'], run: 'sequence', grants: ['deny'], facet: null } as const;
  const exit = [{ exit: [7], means: { say: 'pass' } }] as never;
  const odd: Host = {
    ...host,
    dialect: { ...host.dialect, profile: { ...profile, events: { gate: event }, read: { ...profile.read, exit } } },
  };
  expect(encodeNoOpinion(odd, 'gate')).toEqual({ stdout: '', stderr: '', exit: 7 });
  expect(encodeNoOpinion(odd, undefined)).toEqual({ stdout: '', stderr: '', exit: 0 });
});

describe('a format that can say only some effects', () => {
  const host = HOSTS.find(({ id }) => id === 'codex') as Host;
  const { profile } = host.dialect;
  const grants = ['allow', 'deny', 'rewrite', 'replace', 'context', 'notice', 'continue', 'halt', 'quiet'] as const;
  const events = { gate: { kinds: ['tool.before'], run: 'sequence', grants, facet: null } } as const;
  const exit = [{ exit: [0], means: { say: 'parse', notJson: 'pass' } }] as never;
  const saying = (kinds: readonly Effect['kind'][]): Host => ({
    ...host,
    deniesByExit: false,
    dialect: {
      ...host.dialect,
      profile: { ...profile, events, read: { ...profile.read, exit } },
      wire: {
        ...host.dialect.wire,
        encodeReply: ({ effects }) => (effects.every(({ kind }) => kinds.includes(kind)) ? { effects: effects.length } : undefined),
      },
    },
  });
  const effects: readonly Effect[] = [
    { kind: 'halt', reason: 'h' },
    { kind: 'continue', with: 'c' },
    { kind: 'context', text: 'x' },
    { kind: 'notice', text: 'n' },
    { kind: 'quiet' },
  ];

  test.each<[readonly Effect['kind'][], readonly Effect['kind'][]]>([
    [['halt', 'continue', 'context', 'notice', 'quiet'], []],
    [['halt', 'continue', 'context', 'notice'], ['quiet']],
    [
      ['halt', 'continue', 'context'],
      ['notice', 'quiet'],
    ],
    [
      ['halt', 'continue'],
      ['context', 'notice', 'quiet'],
    ],
    [['halt'], ['continue', 'context', 'notice', 'quiet']],
    [[], ['halt', 'continue', 'context', 'notice', 'quiet']],
  ])('says %j and names %j as not said', (kinds, left) => {
    const said = encodeAnswer(saying(kinds), 'gate', { decision: { kind: 'allow' }, effects });
    expect(said.verdict.decision.kind).toBe('allow');
    expect(said.verdict.effects.map(({ kind }) => kind)).toEqual(kinds);
    expect(said.notEncoded.map(({ kind }) => kind)).toEqual(left);
    expect(said.answer.stdout).toBe(JSON.stringify({ effects: kinds.length }));
  });

  test('says consent that it cannot express as no opinion, and never as a deny', () => {
    const mute: Host = { ...saying([]), dialect: { ...saying([]).dialect, wire: { ...host.dialect.wire, encodeReply: () => undefined } } };
    for (const kind of ['pass', 'allow'] as const)
      expect(encodeAnswer(mute, 'gate', { decision: { kind }, effects })).toEqual({
        answer: { stdout: '', stderr: '', exit: 0 },
        verdict: { decision: { kind: 'pass' }, effects: [] },
        notEncoded: effects,
      });
  });

  test('drops what cannot be said, but never a rewrite: then it denies', () => {
    const said = encodeAnswer(saying(['context']), 'gate', {
      decision: { kind: 'allow' },
      effects: [
        { kind: 'rewrite', value: {} },
        { kind: 'context', text: 'x' },
      ],
    });
    expect(said.verdict).toMatchObject({ decision: { kind: 'deny', reason: expect.stringContaining('without consent') }, effects: [] });
    expect(said.notEncoded).toEqual([{ kind: 'context', text: 'x' }]);
  });
});

test('a call whose event is unknown is denied on every event that one answer can deny', () => {
  const lost = HOSTS.flatMap((host) => {
    const { stdout, stderr, exit } = encodeDeny(host, undefined, 'It could not be judged.');
    const reply = { kind: 'process', stdout, stderr, exit, output: `${stdout}${stderr}` } as const;
    return Object.entries<EventRule>(host.dialect.profile.events).flatMap(([name, rule]) => {
      if (!isBlockingEvent(rule)) return [];
      const read = interpret(reply, sampleHook(host.dialect, name), rule, host.dialect, sampleEvent(rule.kinds[0] as EventKind));
      return 'decision' in read && read.decision.kind === 'deny' ? [] : [`${host.id} ${name}`];
    });
  });
  // They need a reply that names the event.
  expect(lost).toEqual(['claude-code PermissionRequest', 'codex PreCompact']);
});
