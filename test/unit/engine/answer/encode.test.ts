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
