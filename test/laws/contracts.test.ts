/** Every built-in dialect, host and handler keeps its contract: the same suites that authors of new ones run. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sampleCall } from '../../src/api/testing/describe-handler.ts';
import { describeDialect, describeHandler, describeHost } from '../../src/api/testing/index.ts';
import { AGENTS, builtinHandlers, HOSTS } from '../../src/builtins.ts';
import type { JsonObject } from '../../src/core/values/json.ts';
import { type HandlerContract, never } from '../support/handler-contract.ts';
import { quirksOf } from '../support/quirks.ts';

const suite = { describe, test, expect };

for (const { dialect } of AGENTS) {
  const folder = path.join(import.meta.dirname, '../unit/agents', dialect.id);
  const files = (existsSync(folder) ? readdirSync(folder) : []).filter((name) => name.endsWith('.test.ts'));
  describeDialect(suite, dialect, {
    quirks: await quirksOf(dialect.id),
    payloads: nativePayloads(path.join(import.meta.dirname, '../fixtures', dialect.id, 'events'), Object.keys(dialect.profile.events)),
    tests: files.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('\n'),
    ...(dialect.wire.eventKey === 'kind' && { oneWay: { skip: 'functions are shown the event itself, and fired at with its payload' } }),
  });
}

for (const host of HOSTS) {
  const folder = path.join(import.meta.dirname, '../fixtures', host.id, 'events');
  describeHost(suite, host, { payloads: nativePayloads(folder, Object.keys(host.dialect.profile.events)) });
}

/** The payloads a dialect keeps as fixtures, each in a file named after its event. */
function nativePayloads(folder: string, events: readonly string[]): Record<string, JsonObject[]> {
  if (!existsSync(folder)) return {};
  const named = events.filter((event) => existsSync(path.join(folder, `${event}.json`)));
  return Object.fromEntries(named.map((event) => [event, [JSON.parse(readFileSync(path.join(folder, `${event}.json`), 'utf8'))]]));
}

const model = { judge: async ({ prompt }: { prompt: string }) => (prompt === 'hang' ? never() : { ok: true }) };
const handlers = builtinHandlers({ ...model, verify: model.judge });
const scenes = path.join(import.meta.dirname, 'scenes');
const types = readdirSync(scenes).map((name) => path.basename(name, '.ts'));

for (const handler of handlers.filter(({ type }) => types.includes(type))) {
  const { contract } = (await import(path.join(scenes, `${handler.type}.ts`))) as { readonly contract: HandlerContract };
  if ('unavailable' in contract) {
    const { law, says } = contract.unavailable;
    test(law, async () => {
      const answer = await handler.handle(sampleCall(handler.type, {}, {}));
      expect(answer).toMatchObject({ kind: 'fault', fault: 'unavailable', detail: expect.stringContaining(says) });
    });
    continue;
  }
  describeHandler(suite, () => handler, contract.scenes, contract.skip && { skip: contract.skip });
  afterAll(() => contract.close?.());
}

test('every built-in handler type is held to the contract', () => {
  expect(types.sort()).toEqual(handlers.map(({ type }) => type).sort());
});
