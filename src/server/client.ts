/** Asks the running server whether it is alive. Never throws; returns undefined if no server answers. */
import { request } from 'node:http';
import { type JsonObject, objectIn } from '../core/values/json.ts';
import type { Endpoint } from './endpoint.ts';

export const HEALTH = '/v1/health';

/** A server that is reached over its socket, or over its port if only that is known. */
export type Reachable = Pick<Endpoint, 'token'> & (Pick<Endpoint, 'socket'> | { readonly socket?: undefined; readonly port: number });

export function askServer(server: Reachable, path: typeof HEALTH): Promise<JsonObject | undefined> {
  return new Promise((resolve) => {
    const unavailable = (): void => resolve(undefined);
    const call = request({
      ...(server.socket === undefined ? { host: '127.0.0.1', port: server.port } : { socketPath: server.socket }),
      path,
      method: 'GET',
      headers: { 'x-hookline-token': server.token },
      timeout: TIMEOUT_MS,
      agent: false,
    });
    call.on('timeout', () => call.destroy());
    call.on('error', unavailable);
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', unavailable);
      response.on('close', unavailable);
      response.on('end', () => resolve(response.statusCode === 200 ? objectIn(Buffer.concat(chunks).toString('utf8')) : undefined));
    });
    call.end();
  });
}

const TIMEOUT_MS = 1000;
