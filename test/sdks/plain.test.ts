/** A loop of one's own keeps the contract of adapters on another Node, in a project that has Hookline from its package. */
import { describe, expect, test } from 'vitest';
import { describeAdapter } from '../../src/api/testing/index.ts';
import { sdk } from '../../src/sdk/plain/capabilities.ts';
import { inSdkProject } from './install.ts';
import { VERSIONS } from './versions.ts';

for (const version of VERSIONS.plain) describeAdapter({ describe, test, expect }, { sdk, ...inSdkProject(sdk.id, version) });
