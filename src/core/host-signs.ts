/**
 * Which host really calls. Several agents also run the hooks they find in another agent's files, so the name in an entry says for whom it was
 * written, not who reads the answer: that shows in the payload, and less surely in the environment, which a child inherits.
 */
import type { Environment } from './environment.ts';
import type { Host } from './host.ts';
import type { JsonObject } from './json.ts';

/** The entry's own host, unless another one shows by more. */
export function callerOf(entry: Host, payload: JsonObject, environment: Environment, hosts: readonly Host[]): Host {
  let caller = entry;
  let best = evidence(entry, payload, environment);
  for (const host of hosts) {
    const found = host === entry ? 0 : evidence(host, payload, environment);
    if (found > best) [caller, best] = [host, found];
  }
  return caller;
}

const IN_PAYLOAD = 2;
const IN_ENVIRONMENT = 1;

function evidence({ signs }: Host, payload: JsonObject, environment: Environment): number {
  const said = signs.payload?.some((key) => Object.hasOwn(payload, key)) ? IN_PAYLOAD : 0;
  const set = signs.env?.some((name) => (environment[name] ?? '') !== '') ? IN_ENVIRONMENT : 0;
  return said + set;
}
