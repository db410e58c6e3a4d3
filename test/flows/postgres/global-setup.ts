/** Owns the Postgres of a test run: starts it when the first test asks for its address, and stops it when the run ends, however it ends. */
import { createServer } from 'node:http';
import { BROKER, type Server, startServer } from './server.ts';

export async function setup(): Promise<() => Promise<void>> {
  let server: Promise<Server> | undefined;
  const broker = createServer((_, response) => {
    server ??= startServer();
    server.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
  broker.unref();
  const address = broker.address();
  process.env[BROKER] = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
  return async () => {
    broker.close();
    broker.closeAllConnections();
    await server?.then(
      (running) => running.stop(),
      // It never ran, and who asked for it was told.
      () => undefined,
    );
  };
}
