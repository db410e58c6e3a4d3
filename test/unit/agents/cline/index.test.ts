import { expect, test } from 'vitest';
import { clineHost } from '../../../../src/agents/cline/host.ts';

test('an event is known by the name in the payload, in either spelling, else by that of the file', () => {
  expect(clineHost.eventsOf({ hookName: 'tool_call' }, 'PostToolUse')).toEqual(['PreToolUse']);
  expect(clineHost.eventsOf({ hookName: 'PreToolUse' }, undefined)).toEqual(['PreToolUse']);
  expect(clineHost.eventsOf({}, 'PostToolUse')).toEqual(['PostToolUse']);
  expect(clineHost.eventsOf({}, undefined)).toContain('hookName');
});

test('an installation is a script for each event', () => {
  expect(clineHost.entry.entry('PostToolUse', 'hookline hook cline PostToolUse')).toEqual({
    path: ['PostToolUse'],
    value: '#!/bin/sh\nexec hookline hook cline PostToolUse\n',
  });
  const { value } = clineHost.entry.entry('PreToolUse', 'hookline hook cline PreToolUse');
  expect(String(value).split('\n')).toContain('hookline hook cline PreToolUse');
  expect(value).toContain('"cancel":true');
});
