/**
 * The contract of an adapter for an agent SDK, as tests against the real SDK with a mock model: no call runs that a hook denied or that no person
 * approved, and the model learns why. A law that an SDK cannot keep is skipped with the reason from its table of capabilities.
 */
import type { Capability, SdkFacts } from '../../sdk/kit/capabilities.ts';
import { holdLaws } from './adapter-hold-laws.ts';
import type { AdapterJob, AdapterReport } from './adapter-job.ts';
import { modelLaws } from './adapter-model-laws.ts';
import { toolLaws } from './adapter-tool-laws.ts';
import type { Suite } from './suite.ts';

export interface AdapterUnderTest {
  readonly sdk: SdkFacts;
  /** Names what differs between several descriptions of one SDK, such as its version. */
  readonly version?: string;
  /** Performs a job in a process of its own. */
  perform(job: AdapterJob): Promise<AdapterReport>;
  /** Returns a new, empty folder with the folders `project` and `home`. */
  newFolder(): string | Promise<string>;
}

/** The tools of the laws. */
export interface AdapterBench {
  /** Defines a test in a new folder. It is skipped if the SDK lacks one of these capabilities. */
  law(name: string, needs: readonly Capability[], body: (perform: Perform) => Promise<void>): void;
}

/** Performs a job in the folder of the law. */
export type Perform = (job: Omit<AdapterJob, 'folder'>) => Promise<AdapterReport>;

/** Defines the tests. */
export function describeAdapter(suite: Suite, { sdk, version, perform, newFolder }: AdapterUnderTest): void {
  const law: AdapterBench['law'] = (name, needs, body) => {
    const missing = needs.flatMap((need) => {
      const support = sdk.capabilities[need];
      return typeof support === 'object' && 'no' in support ? [support.no] : [];
    });
    if (missing.length > 0) return void suite.test.skip(`${name} (${[...new Set(missing)].join(', ')})`, () => undefined);
    suite.test(name, async () => {
      const folder = await newFolder();
      await body((job) => perform({ ...job, folder }));
    });
  };
  suite.describe(`adapter ${sdk.id}${version === undefined ? '' : ` ${version}`}`, () => {
    toolLaws(suite, { law });
    holdLaws(suite, { law });
    modelLaws(suite, { law });
  });
}
