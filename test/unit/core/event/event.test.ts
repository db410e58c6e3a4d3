/** The kinds of events, and the part of each that a hook may rewrite or replace. */
import { describe, expect, test } from 'vitest';
import {
  applyChanges,
  EVENT_KINDS,
  fitRewrite,
  type HookEvent,
  isEventKind,
  kindRule,
  withRewrite,
} from '../../../../src/core/event/event.ts';

test('a kind is one of the table, and nothing that every object has', () => {
  for (const kind of EVENT_KINDS) expect(isEventKind(kind)).toBe(true);
  for (const name of ['', 'toString', '__proto__', 'PreToolUse']) expect(isEventKind(name)).toBe(false);
});

test('a rewrite replaces one key of the payload, an object or a text', () => {
  const rewrites = EVENT_KINDS.flatMap((kind) => {
    const target = kindRule(kind).rewrites;
    return target ? [`${kind} ${target.key} ${target.type}`] : [];
  });
  expect(rewrites).toEqual([
    'prompt.submit prompt text',
    'prompt.expand prompt text',
    'model.resolve model text',
    'prompt.build prompt text',
    'llm.before model text',
    'tool.before input object',
    'permission.request input object',
    'message.received content text',
    'message.sending content text',
    'cron.delivery content text',
    'docs.sync content text',
  ]);
});

test('a replacement stands for what came back, and a deny does so for the result of a tool', () => {
  const replaces = EVENT_KINDS.flatMap((kind) => {
    const target = kindRule(kind).replaces;
    return target ? [`${kind} ${target.key}${target.byDeny ? ' byDeny' : ''}`] : [];
  });
  expect(replaces).toEqual(['llm.after output', 'tool.after result byDeny', 'subagent.after result', 'message.display text']);
});

test('a deny of a stop sends the agent back to work, and one of a subagent sends that one back', () => {
  expect(EVENT_KINDS.filter((kind) => kindRule(kind).denyContinues)).toEqual(['stop.before', 'teammate.idle']);
  expect(EVENT_KINDS.filter((kind) => kindRule(kind).denySendsBack)).toEqual(['subagent.after']);
});

describe('a rewrite', () => {
  test('fits if it is of the type the event carries', () => {
    expect(fitRewrite('tool.before', { a: 1 })).toEqual({ a: 1 });
    for (const value of ['text', ['a'], null, 1]) expect(fitRewrite('tool.before', value)).toBeUndefined();
    expect(fitRewrite('prompt.submit', 'text')).toBe('text');
    expect(fitRewrite('prompt.submit', '')).toBe('');
    expect(fitRewrite('prompt.submit', { prompt: 'text', other: 1 })).toBe('text');
    for (const value of [{ prompt: 1 }, { content: 'text' }, ['text'], null, 1]) expect(fitRewrite('prompt.submit', value)).toBeUndefined();
    expect(fitRewrite('session.start', 'text')).toBeUndefined();
  });

  test('changes one key and nothing else', () => {
    const event = eventOf('tool.before', { tool: 'Bash', input: { a: 1 } });
    expect(withRewrite(event, { b: 2 })).toEqual({ ...event, data: { tool: 'Bash', input: { b: 2 } } });
    expect(event.data).toEqual({ tool: 'Bash', input: { a: 1 } });
    const other = eventOf('session.start', { model: 'm' });
    expect(withRewrite(other, 'x')).toBe(other);
  });
});

test('an event is left with what is to be done and what came back', () => {
  const before = eventOf('tool.before', { input: {} });
  expect(applyChanges(before, {})).toBe(before);
  expect(applyChanges(before, { rewrite: { a: 1 } }).data).toEqual({ input: { a: 1 } });
  expect(applyChanges(before, { replace: 'r' })).toBe(before);
  const after = eventOf('tool.after', { input: {}, result: 'old' });
  expect(applyChanges(after, { replace: null }).data).toEqual({ input: {}, result: null });
  expect(applyChanges(after, {})).toBe(after);
});

function eventOf(kind: HookEvent['kind'], data: HookEvent['data']): HookEvent {
  return { id: 'e', kind, at: '', session: { id: 's', cwd: '/' }, data };
}
