// The Postgres that the tests use, for programs that are not run by the test runner.
import { bundleSource } from '../support/bundle-source.mjs';

export async function startServer() {
  return (await import(await bundleSource('test/flows/postgres/server.ts'))).startServer();
}
