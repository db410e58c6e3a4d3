/** Asks the running server: whether it is there, and to stop. Never throws; undefined is "nobody there". */
import { request } from 'node:http';
import { isObject, type JsonObject } from '../core/values/json.ts';
import type { Endpoint } from './endpoint.ts';

export const HEALTH = '/v1/health';
export const STOP = '/v1/stop';

/** Over its socket, or where only a port is known over that. */
export type Reachable = Pick<Endpoint, 'token'> & (Pick<Endpoint, 'socket'> | { readonly socket?: undefined; readonly port: number });

export function askServer(server: Reachable, path: typeof HEALTH | typeof STOP): Promise<JsonObject | undefined> {
  return new Promise((resolve) => {
    const nobody = (): void => resolve(undefined);
    const method = path === STOP ? 'POST' : 'GET';
    const asking = request({
      ...(server.socket === undefined ? { host: '127.0.0.1', port: server.port } : { socketPath: server.socket }),
      path,
      method,
      headers: { 'x-hookline-token': server.token },
      timeout: PATIENCE_MS,
      agent: false,
    });
    asking.on('timeout', () => asking.destroy());
    asking.on('error', nobody);
    asking.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', nobody);
      response.on('close', nobody);
      response.on('end', () => resolve(response.statusCode === 200 ? objectIn(Buffer.concat(chunks).toString('utf8')) : undefined));
    });
    asking.end();
  });
}

const PATIENCE_MS = 1000;

function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
