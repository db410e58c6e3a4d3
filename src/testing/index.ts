/** Contract suites for authors of dialects and handlers. They bring no test runner: the caller hands in its own. */
export { type DialectFixtures, describeDialect } from './describe-dialect.ts';
export { describeHandler, type HandlerOptions, type HandlerScenes, type HookPart, type Skip } from './describe-handler.ts';
export { sampleEvent } from './sample-events.ts';
export type { Expectation, Suite } from './suite.ts';
