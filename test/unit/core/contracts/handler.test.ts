/** The default limits. A change of them is a change of behaviour. */
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS, DEFAULT_PERMITS } from '../../../../src/core/contracts/handler.ts';

test('output, payload and context are limited, and nothing is permitted that must be asked for', () => {
  expect(DEFAULT_LIMITS).toEqual({ outputBytes: 8_388_608, payloadBytes: 67_108_864, hookContext: 65_536, totalContext: 262_144 });
  expect(DEFAULT_PERMITS).toEqual({ environment: { policy: 'promised', names: [] }, allowAddresses: [] });
});
