import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HandlerContract } from '../../support/handler-contract.ts';

let server: Server | undefined;

export const contract: HandlerContract = {
  async scenes() {
    const url = await startServer();
    const to = (target: string) => ({ handler: { type: 'http', config: { url: target } } });
    return {
      answers: to(`${url}/answer`),
      hangs: to(`${url}/hang`),
      floods: to(`${url}/flood`),
      broken: [
        to('not a url'),
        to('file:///etc/passwd'),
        to('http://127.0.0.1:1/'),
        to(`${url}/cut-off`),
        { handler: { type: 'http', config: {} } },
      ],
    };
  },
  close() {
    server?.closeAllConnections();
    server?.close();
  },
};

async function startServer(): Promise<string> {
  const started = createServer((request, response) => {
    if (request.url === '/hang') return;
    if (request.url === '/cut-off') response.writeHead(200, { 'content-length': '10' }).write('x', () => response.destroy());
    else response.end(request.url === '/flood' ? 'x'.repeat(100_000) : '{"decision": "deny"}');
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
}
