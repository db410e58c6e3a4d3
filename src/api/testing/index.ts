/** Tests of hooks in any test runner, and contract suites for authors of adapters, dialects, handlers, hosts and stores. */

export { type HookCase, type HookExpectation, type HookTestOptions, type HookTestResult, testHook } from '../../hooktest/test-hook.ts';
export type { Capability, SdkFacts, Support } from '../../sdk/kit/capabilities.ts';
export {
  type AdapterAgent,
  type AdapterJob,
  type AdapterReport,
  type AdapterResult,
  type AdapterScene,
  type JobCall,
  type JobHook,
  type JobTicket,
  performJob,
} from './adapter-job.ts';
export { type AdapterUnderTest, describeAdapter } from './describe-adapter.ts';
export { type DialectFixtures, describeDialect } from './describe-dialect.ts';
export { describeHandler, type HandlerOptions, type HandlerScenes, type HookPart } from './describe-handler.ts';
export { describeHost, type HostFixtures } from './describe-host.ts';
export { describeStore, type StoreOptions, type Tampering } from './describe-store.ts';
export { sampleEvent } from './samples.ts';
export type { Expectation, Suite, Test } from './suite.ts';
