/** The checks of a request: that the page is ours, that there is such a route, and that parameters and body are as its schemas say. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isObject, ownValue } from '../core/values/json.ts';
import { suggest } from '../core/values/suggest.ts';
import { Refusal, type Route } from './route.ts';
import { problemIn, type Schema } from './schema.ts';

const WRITES: ReadonlySet<string | undefined> = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);
const OPEN_AGAIN = 'Open the link that `hookline ui` prints.';

/** Refuses a request for another host name, which a page reaches by changing the address of its name, and one of another page. */
export function checkPage({ headers, method, socket }: IncomingMessage): void {
  const { host, origin } = headers;
  const names = [`127.0.0.1:${socket.localPort}`, `localhost:${socket.localPort}`];
  if (host === undefined || !names.includes(host)) throw new Refusal(403, 'The request names another host.', OPEN_AGAIN);
  if (origin === undefined && WRITES.has(method)) throw new Refusal(403, 'The request does not say from which page it comes.', OPEN_AGAIN);
  if (origin !== undefined && origin !== `http://${host}`) throw new Refusal(403, 'The request comes from another page.', OPEN_AGAIN);
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new Refusal(403, 'The request comes from another page.', OPEN_AGAIN);
}

/** The path must be written as a path, so that no part of it can be taken for a host. */
export function addressOf({ url = '' }: IncomingMessage): URL {
  const address = `http://localhost${url}`;
  if (!url.startsWith('/') || !URL.canParse(address)) throw new Refusal(400, 'The address of the request is no path.', OPEN_AGAIN);
  return new URL(address);
}

export function tokenOf({ headers }: IncomingMessage): string {
  return /^Bearer ([\w-]{1,200})$/.exec(headers.authorization ?? '')?.[1] ?? '';
}

/** Whether the request has the secret of the file that only this user can read. */
export function codeSecretOf({ headers }: IncomingMessage, secret: string): boolean {
  const [shown, known] = [Buffer.from(String(headers['x-hookline-ui'] ?? '')), Buffer.from(secret)];
  return shown.length === known.length && timingSafeEqual(shown, known);
}

export function foundRoute(
  routes: readonly Route[],
  method: string,
  pathname: string,
): { readonly route: Route; readonly path: Readonly<Record<string, string>> } {
  const found = routes.flatMap((route) => {
    const path = pathIn(pathname, route.path);
    return path ? [{ route, path }] : [];
  });
  const [match] = found.filter(({ route }) => route.method === method);
  if (match) return match;
  const hint = '`GET /v1/openapi.json` describes the routes.';
  if (found.length === 0) throw new Refusal(404, 'There is no such route.', hint);
  throw new Refusal(405, `This route does not take ${method}.`, hint);
}

function pathIn(pathname: string, pattern: string): Readonly<Record<string, string>> | undefined {
  const [parts, names] = [pathname.split('/'), pattern.split('/')];
  if (parts.length !== names.length) return undefined;
  const path: Record<string, string> = {};
  for (const [i, name] of names.entries()) {
    const part = decoded(parts[i] as string);
    if (part === undefined || part === '') {
      if (i > 0) return undefined;
    } else if (name.startsWith('{')) path[name.slice(1, -1)] = part;
    else if (part !== name) return undefined;
  }
  return path;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** Returns the parameters with the types of their schemas. A list is separated by commas, or given several times. */
export function queryOf(given: URLSearchParams, { query = {} }: Route): Readonly<Record<string, unknown>> {
  const schemas = query as Readonly<Record<string, Schema>>;
  const read: Record<string, unknown> = {};
  for (const name of new Set(given.keys())) {
    const schema = ownValue(schemas, name);
    if (!schema) throw unknownParameter(name, Object.keys(schemas));
    const values = given.getAll(name);
    if (schema.type !== 'array' && values.length > 1) throw new Refusal(400, `\`${name}\` is given twice.`, 'Give it once.');
    const value = typed(values, schema);
    const problem = problemIn(value, schema, `\`${name}\``);
    if (problem !== undefined) throw new Refusal(400, `${problem}.`, 'Correct the parameter, or leave it out.');
    read[name] = value;
  }
  return read;
}

function typed(values: readonly string[], { type }: Schema): unknown {
  if (type === 'array') return values.flatMap((value) => value.split(','));
  const [value = ''] = values;
  return type === 'integer' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
}

function unknownParameter(name: string, known: readonly string[]): Refusal {
  const near = suggest(name, known);
  const hint =
    near !== undefined ? `Did you mean \`${near}\`?` : known.length === 0 ? 'It takes none.' : `Parameters: ${known.join(', ')}.`;
  return new Refusal(400, `There is no parameter \`${name.slice(0, 100)}\`.`, hint);
}

/** An edited input may be large, and so may an event that is pasted. */
const MOST_BYTES = 1024 * 1024;

export async function bodyOf(request: IncomingMessage, { body: schema }: Route): Promise<unknown> {
  if (!schema) return undefined;
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new Refusal(415, 'The body must be JSON.', 'Send `content-type: application/json`.');
  const value = parsed(await textOf(request));
  if (!isObject(value)) throw new Refusal(400, 'The body must be a JSON object.', 'Send an object.');
  const problem = problemIn(value, schema, 'the body');
  if (problem !== undefined) throw new Refusal(400, `${problem.slice(0, 1).toUpperCase()}${problem.slice(1)}.`, 'Correct the body.');
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal(400, `The body is no JSON: ${(error as Error).message}`, 'Send one JSON object.');
  }
}

/** Reads on after it refused, so that the refusal reaches a caller that is still sending. */
function textOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MOST_BYTES) chunks.push(chunk);
      else reject(new Refusal(413, `The body has more than ${MOST_BYTES} bytes.`, 'Send a smaller one.'));
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
  });
}
