/** Installs agents from npm into a temporary folder. */
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installFromNpm } from '../support/from-npm.ts';

/** Returns the `node_modules` they are in. */
export function installAgent(packages: Readonly<Record<string, string>>): string {
  return installFromNpm(packages, process.env['HOOKLINE_AGENTS'] ?? path.join(tmpdir(), 'hookline-agents'));
}
