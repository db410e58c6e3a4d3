/**
 * Loads the official SDK of MCP, which the user installs: from the folder of Hookline's own installation, or from the user's configuration folder.
 * It is never loaded from the project, because a project must not decide which code runs.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { HooklineError } from '../../core/values/errors.ts';

export interface McpSdk {
  readonly server: typeof import('@modelcontextprotocol/server');
  readonly stdio: typeof import('@modelcontextprotocol/server/stdio');
}

const NAME = '@modelcontextprotocol/server';
const VERSION = '2';

/** @param own the module that asks, whose installation is searched first */
export function loadSdk(configFolder: string, own: string | URL = import.meta.url): McpSdk {
  const folder = path.join(configFolder, 'hookline');
  let cause: unknown;
  for (const from of [own, path.join(folder, 'package.json')]) {
    try {
      const load = createRequire(from);
      return { server: load(NAME), stdio: load(`${NAME}/stdio`) };
    } catch (error) {
      cause = error;
    }
  }
  throw new HooklineError('bad-installation', `\`hookline mcp\` needs the package \`${NAME}\`, which is not installed.`, {
    hint: `Run \`npm install --prefix ${quoted(folder)} ${NAME}@${VERSION}\`.`,
    cause,
  });
}

function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
