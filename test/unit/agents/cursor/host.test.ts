/** Cursor's entry fails closed: a program that breaks denies, and so no opinion has to be written out. */
import { expect, test } from 'vitest';
import { cursorHost as host } from '../../../../src/agents/cursor/host.ts';
import { isBlockingEvent } from '../../../../src/core/meaning/profile.ts';
import { ownValue } from '../../../../src/core/values/json.ts';
import { encodeNoOpinion } from '../../../../src/engine/answer/encode.ts';

test('an entry fails closed on exactly the events that a deny blocks', () => {
  for (const event of host.entry.events) {
    const rule = ownValue(host.dialect.profile.events, event);
    const isClosed = rule !== undefined && isBlockingEvent(rule);
    const { value } = host.entry.entry(event, 'hookline hook cursor');
    expect({ event, value }).toEqual({
      event,
      value: { command: 'hookline hook cursor', timeout: 600, ...(isClosed && { failClosed: true }) },
    });
  }
  expect(host.entry.events.filter((event) => host.emptyFails.includes(event))).toEqual([
    ...['beforeSubmitPrompt', 'preToolUse', 'beforeMCPExecution', 'beforeReadFile', 'beforeTabFileRead', 'subagentStart'],
  ]);
});

test('where an empty answer would deny, no opinion is an object without a decision', () => {
  for (const event of host.entry.events)
    expect({ event, said: encodeNoOpinion(host, event).stdout }).toEqual({ event, said: host.emptyFails.includes(event) ? '{}' : '' });
});
