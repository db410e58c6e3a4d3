// The Postgres that the tests use, for programs that are not run by the test runner.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

export async function startServer() {
  const project = path.join(import.meta.dirname, '../..');
  // Below node_modules, from where its packages are found.
  const outfile = path.join(project, 'node_modules/.cache/hookline/postgres-server.mjs');
  mkdirSync(path.dirname(outfile), { recursive: true });
  const entryPoints = [path.join(project, 'test/flows/postgres/server.ts')];
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external', logLevel: 'warning' });
  return (await import(pathToFileURL(outfile).href)).startServer();
}
