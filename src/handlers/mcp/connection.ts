/** A connection to the server of a hook, for one call: over stdio to a process, or over HTTP. */
import type { Call } from '../../core/contracts/handler.ts';
import { type Fault, fault } from '../../core/decision/reply.ts';
import type { Environment } from '../../core/values/environment.ts';
import { isObject, type JsonObject, textOf } from '../../core/values/json.ts';
import { environmentOf } from '../command/launch.ts';
import { httpConnection } from './http.ts';
import type { ClientPackage } from './package.ts';
import { stdioConnection } from './stdio.ts';

export interface Connection {
  /** The transport that the client of the SDK uses. */
  readonly transport: object;
  /** The reason why nothing more can come; undefined while there is none. */
  failure(): Fault | undefined;
  /** Tells of a failure, once. */
  onFailure(listener: (why: Fault) => void): void;
  /** Tells the server, after an answer, that it is no longer needed. Never rejects. */
  farewell(): Promise<void>;
  /** Ends every process and socket. Never rejects. */
  close(): Promise<void>;
}

/** Returns a connection that is not open yet, or why there is none. */
export function connectionTo(call: Call, sdk: ClientPackage): Connection | Fault {
  const { config, aside = {} } = call.hook.handler;
  const server = textOf(config['server']) ?? '';
  const definition = isObject(config['definition']) ? config['definition'] : undefined;
  if (!definition) return fault('unavailable', `no file of the agent defines the MCP server '${server}'`);
  const missing = textOf(aside['missing']);
  if (missing !== undefined) return fault('unavailable', `the MCP server '${server}' cannot be asked: ${missing}`);
  try {
    const fill = definition['expands'] === true ? expander(call, server) : (text: string) => text;
    return definition['transport'] === 'stdio'
      ? stdioConnection(processOf(call, definition, aside, fill), server, call)
      : httpConnection(
          { url: fill(textOf(definition['url']) ?? ''), headers: headersOf(call, definition, aside, fill) },
          server,
          call,
          sdk,
        );
  } catch (error) {
    if (error instanceof Unset) return fault('unavailable', error.message);
    throw error;
  }
}

type Fill = (text: string) => string;

/** A variable that the definition names and the caller does not have. */
class Unset extends Error {}

function processOf(call: Call, definition: JsonObject, aside: JsonObject, fill: Fill) {
  const env = Object.entries(textsIn(aside['env'])).map(([name, value]) => [name, fill(value)]);
  const all = environmentIn(call);
  const passes = listIn(definition['passes']).flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]]));
  const cwd = textOf(definition['cwd']);
  return {
    command: fill(textOf(definition['command']) ?? ''),
    args: listIn(definition['args']).map(fill),
    env: environmentOf(call, Object.fromEntries([...passes, ...env])),
    ...(cwd !== undefined && { cwd }),
  };
}

function headersOf(call: Call, definition: JsonObject, aside: JsonObject, fill: Fill): Readonly<Record<string, string>> {
  const written = Object.entries(textsIn(aside['headers'])).map(([name, value]) => [name, fill(value)]);
  const named = isObject(definition['fromVariables']) ? Object.entries(definition['fromVariables']) : [];
  const all = environmentIn(call);
  const filled = named.map(([header, from]) => {
    const variable = isObject(from) ? (textOf(from['name']) ?? '') : '';
    const value = all[variable];
    if (value === undefined) throw unset(variable, textOf(call.hook.handler.config['server']) ?? '');
    return [header, `${isObject(from) ? (textOf(from['before']) ?? '') : ''}${value}`];
  });
  // A line break would begin another header.
  return Object.fromEntries([...written, ...filled].map(([name = '', value = '']) => [name, value.replace(/[\r\n\0]+/g, '')]));
}

/** `${NAME}` and `${NAME:-default}`. The definition names the variable, and trust covers the definition, so it is looked up among all variables. */
function expander(call: Call, server: string): Fill {
  const all = { ...environmentIn(call), ...call.hook.env, ...call.variables };
  return (text) =>
    text.replace(VARIABLE, (_, name: string, fallback?: string) => {
      const value = all[name] ?? fallback;
      if (value === undefined) throw unset(name, server);
      return value;
    });
}

/** As `quoted` of `kit/describe.ts` reads them, for the audit. */
const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

function unset(name: string, server: string): Unset {
  return new Unset(`the definition of the MCP server '${server}' needs the variable ${name}, which is not set`);
}

function environmentIn({ environment = process.env }: Call): Environment {
  return environment;
}

function textsIn(value: unknown): Readonly<Record<string, string>> {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)])) : {};
}

function listIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
