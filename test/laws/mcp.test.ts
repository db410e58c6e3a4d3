/** The laws of MCP alone, with the SDK that is here. `npm run test:sdks` runs them over the oldest version too. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { mcpLaws } from '../sdks/mcp-laws.ts';
import type { Scenes } from '../sdks/project-laws.ts';

const script = path.join(import.meta.dirname, '../sdks/agents/mcp-own.mjs');
let seen: ReturnType<Scenes> | undefined;

async function observe(): ReturnType<Scenes> {
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env: { PATH: process.env['PATH'] } });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
}

mcpLaws(() => (seen ??= observe()));
