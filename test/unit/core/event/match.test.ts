/** The law by which a hook applies to an event, and the sentence that says why it does not. */
import { describe, expect, test } from 'vitest';
import type { Condition, Hook } from '../../../../src/core/contracts/hook.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import type { Facet } from '../../../../src/core/event/facet.ts';
import { answersTo, type Compile, holds, mismatch, type Placed } from '../../../../src/core/event/match.ts';

const EVENT: HookEvent = {
  id: 'e',
  kind: 'tool.before',
  at: '',
  session: { id: 's', cwd: '/' },
  data: { tool: 'Bash', input: { command: 'rm x' }, agent: 'main' },
};
const compile: Compile = ({ source, anchor }) => {
  const pattern = new RegExp(anchor === 'whole' ? `^(?:${source})$` : source);
  return (value) => pattern.test(value);
};

describe('an event in a dialect’s own words', () => {
  const native = { dialect: 'one', name: 'Before' };
  test('reaches in that dialect only hooks of that very event, and every hook of the others', () => {
    expect(answersTo(placed({ dialect: 'one', event: 'Before' }), { ...EVENT, native })).toBe(true);
    expect(answersTo(placed({ dialect: 'one', event: 'Other' }), { ...EVENT, native })).toBe(false);
    expect(answersTo(placed({ dialect: 'two', event: 'Other' }), { ...EVENT, native })).toBe(true);
    expect(answersTo(placed({ dialect: 'one', event: 'Other' }), EVENT)).toBe(true);
  });
  test('is named in the reason', () => {
    const reason = mismatch(placed({ dialect: 'one', event: 'Other' }), { ...EVENT, native }, compile);
    expect(reason).toMatch(/\w.*\bOther\b.*\bBefore$/);
  });
});

describe('a condition', () => {
  const oneOf: Condition = { facet: 'tool', test: { kind: 'oneOf', values: ['Bash', 'Write'] }, missing: 'fails' };
  const pattern: Condition = { facet: 'tool', test: { kind: 'pattern', source: 'as', anchor: 'search' }, missing: 'holds' };
  test('holds if any value does', () => {
    expect(holds(oneOf, ['Read', 'Write'], compile)).toBe(true);
    expect(holds(oneOf, ['Read'], compile)).toBe(false);
    expect(holds(oneOf, [], compile)).toBe(false);
    expect(holds(pattern, ['Read', 'Bash'], compile)).toBe(true);
    expect(holds(pattern, ['Read'], compile)).toBe(false);
  });
  test('on a facet the event does not have holds if it says so', () => {
    expect([holds(oneOf, undefined, compile), holds(pattern, undefined, compile)]).toEqual([false, true]);
  });
});

describe('a hook', () => {
  test('applies if its event stands for the kind and every condition holds', () => {
    expect(mismatch(placed({}), EVENT, compile)).toBeUndefined();
    expect(mismatch(placed({ when: [has('tool', 'Bash'), has('input', 'rm')] }), EVENT, compile)).toBeUndefined();
    expect(mismatch(placed({ when: [has('tool', 'Bash'), has('input', 'ls')] }), EVENT, compile)).toBeDefined();
    expect(mismatch(placed({ when: [has('tool', 'Read'), has('input', 'rm')] }), EVENT, compile)).toBeDefined();
  });
  test('of another kind of event is told by both', () => {
    expect(mismatch(placed({ event: 'After' }, ['tool.after']), EVENT, compile)).toMatch(/\bAfter\b.*tool\.before$/);
    const native = { dialect: 'two', name: 'Before' };
    expect(mismatch(placed({ event: 'After' }, ['tool.after']), { ...EVENT, native }, compile)).toMatch(/\bAfter\b.*tool\.before$/);
  });
  test('that does not match is told by the value and by what it wants', () => {
    const why = (condition: Condition): string => mismatch(placed({ when: [condition] }), EVENT, compile) ?? '';
    expect(why(has('tool', 'Read'))).toMatch(/^tool `Bash` \w.*\/Read\/$/);
    expect(why({ ...has('tool', 'Read'), test: { kind: 'pattern', source: 'Read', anchor: 'whole' } })).toMatch(
      /^tool `Bash` \w.*\/Read\/ \w+/,
    );
    const oneOf: Condition = { facet: 'tool', test: { kind: 'oneOf', values: ['Read', 'Write'] }, missing: 'fails' };
    expect(why(oneOf)).toMatch(/^tool `Bash` is not \w.* Read, Write$/);
    expect(why(has('model', 'm'))).toMatch(/^\w+ model .*\/m\/, .*\bno model$/);
  });
  test('never has its whole input or text repeated', () => {
    const why = mismatch(placed({ when: [has('input', 'ls')] }), EVENT, compile);
    expect(why).toMatch(/^the input \w.*\/ls\/$/);
    const prompt: HookEvent = { ...EVENT, kind: 'prompt.submit', data: { prompt: 'secret' } };
    expect(mismatch(placed({ when: [has('text', 'ls')] }, ['prompt.submit']), prompt, compile)).toMatch(/^the text \w.*\/ls\/$/);
  });
  test.each<Facet>(['agent', 'subagent', 'skill', 'model', 'channel', 'user', 'text', 'cause', 'subject', 'target', 'input', 'tool'])(
    'without %s is told so',
    (facet) => {
      expect(mismatch(placed({ when: [has(facet, 'x')] }), { ...EVENT, data: {} }, compile)).toMatch(new RegExp(` ${facet} .* ${facet}$`));
    },
  );
  test('that wants the last part of a tool’s name is told of the tool', () => {
    expect(mismatch(placed({ when: [has('toolTail', 'x')] }), { ...EVENT, data: {} }, compile)).toMatch(/ tool .* tool$/);
  });
});

function has(facet: Facet, source: string): Condition {
  return { facet, test: { kind: 'pattern', source, anchor: 'search' }, missing: 'fails' };
}

function placed(hook: Partial<Hook>, kinds: readonly string[] = ['tool.before']): Placed {
  return { hook: { dialect: 'one', event: 'Before', when: [], ...hook }, rule: { kinds }, order: 0 } as unknown as Placed;
}
