/** Contract suites for authors of dialects, handlers, hosts and stores. The caller hands in its own test runner. */

export { type DialectFixtures, describeDialect } from './describe-dialect.ts';
export { describeHandler, type HandlerOptions, type HandlerScenes, type HookPart } from './describe-handler.ts';
export { describeHost, type HostFixtures } from './describe-host.ts';
export { describeStore, type StoreOptions, type Tampering } from './describe-store.ts';
export { sampleEvent } from './samples.ts';
export type { Expectation, Suite, Test } from './suite.ts';
