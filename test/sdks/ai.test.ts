/** The adapter keeps its contract in the oldest and the newest versions of the AI SDK. `npm test` runs it over the newest version 6. */
import { describe, expect, test } from 'vitest';
import { describeAdapter } from '../../src/api/testing/index.ts';
import { sdk } from '../../src/sdk/ai/capabilities.ts';
import { inSdkProject } from './install.ts';
import { VERSIONS } from './versions.ts';

for (const version of VERSIONS.ai) describeAdapter({ describe, test, expect }, { sdk, ...inSdkProject(sdk.id, version) });
