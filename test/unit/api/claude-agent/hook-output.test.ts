import { expect, test } from 'vitest';
import { HookOutput, mergeOutputs } from '../../../../src/api/claude-agent/hook-output.ts';

test('a later consent does not undo a block, nor later silence what was said', () => {
  const first = HookOutput.block('no').withSystemMessage('m').withUpdatedInput({ a: 1 }).withContext('c').withSuppressedLogging();
  expect({ ...mergeOutputs(first, HookOutput.allow()) }).toEqual({ ...first });
  expect({ ...mergeOutputs(HookOutput.allow(), first) }).toEqual({ ...first });
});

test('of two reasons the latest stands', () => {
  expect(mergeOutputs(HookOutput.block('one'), HookOutput.block('two')).stopReason).toBe('two');
});
