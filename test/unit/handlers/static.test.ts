import { expect, test } from 'vitest';
import { type Call, DEFAULT_LIMITS, DEFAULT_PERMITS } from '../../../src/core/contracts/handler.ts';
import { NOT_NESTED } from '../../../src/core/contracts/nesting.ts';
import { staticHandler } from '../../../src/handlers/static.ts';

test.each([[{ text: 'x' }], ['text'], [null], [undefined]])('the reply is the one in the configuration: %j', (reply) => {
  const call: Call = {
    hook: {
      id: 'h',
      name: 'h',
      dialect: 'd',
      event: 'E',
      when: [],
      handler: { type: 'static', config: { reply } },
      timeoutMs: 1000,
      priority: 0,
      detach: false,
      enabled: true,
      source: { file: '/f', scope: 'user' },
    },
    payload: {},
    ask: {
      timeout: { unit: 'ms', fallbackMs: 1000 },
      command: { launch: 'shell', input: 'stdin', json: 'compact', capture: 'split', environment: [] },
      http: { redirects: 0 },
      judge: null,
    },
    cwd: '/',
    timeoutMs: 1000,
    limits: DEFAULT_LIMITS,
    permits: DEFAULT_PERMITS,
    nesting: NOT_NESTED,
  };
  expect(staticHandler.handle(call)).toEqual({ kind: 'value', value: reply });
});
