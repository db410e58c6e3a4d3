/** The adapters whose SDK is here keep the contract of adapters. `npm run test:sdks` runs it over the others, and over other versions. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeAdapter } from '../../src/api/testing/index.ts';
import { sdk as ai } from '../../src/sdk/ai/capabilities.ts';
import { sdk as mcp, ofServer } from '../../src/sdk/mcp/capabilities.ts';
import { sdk as plain } from '../../src/sdk/plain/capabilities.ts';
import { inProcesses } from '../support/adapter-process.ts';

const suite = { describe, test, expect };
const scriptOf = (id: string): string => path.join(import.meta.dirname, '../sdks/agents', `${id}.mjs`);

for (const sdk of [plain, ai, mcp]) describeAdapter(suite, { sdk, ...inProcesses(scriptOf(sdk.id)) });
describeAdapter(suite, { sdk: ofServer, version: 'server', ...inProcesses(scriptOf('mcp-server')) });
