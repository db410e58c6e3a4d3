import { expect, test } from 'vitest';
import { HookOutput, mergeOutputs } from '../../../../src/api/claude-agent/hook-output.ts';

test('a later consent does not undo a block, nor later silence what was said', () => {
  const first = HookOutput.block('no').withSystemMessage('m').withUpdatedInput({ a: 1 }).withContext('c').withSuppressedLogging();
  const said = {
    continueExecution: false,
    stopReason: 'no',
    systemMessage: 'm',
    updatedInput: { a: 1 },
    additionalContext: 'c',
    suppressLogging: true,
  };
  expect({ ...mergeOutputs(first, HookOutput.allow()) }).toEqual(said);
  expect({ ...mergeOutputs(HookOutput.allow(), first) }).toEqual(said);
});

test('of two reasons the latest stands', () => {
  expect(mergeOutputs(HookOutput.block('one'), HookOutput.block('two')).stopReason).toBe('two');
});
