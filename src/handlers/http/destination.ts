/**
 * Where a request may go. A name is looked up once, all its addresses are judged, and the connection is made to one of them: between the
 * judgement and the connection nobody can give another answer.
 */
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { type Fault, fault } from '../../core/reply.ts';
import { isMetadataName, type Refusal, refusalExcept } from './address.ts';

export interface Destinations {
  /** What is wrong with this place as it is written. */
  check(url: URL): Fault | undefined;
  /** To connect by. Fails for a name that leads to an address nobody may ask. */
  readonly lookup: LookupFunction;
}

/** `allowed`: addresses, ranges and host names that may be asked nevertheless. `resolve`: how names are looked up. */
export function destinations(allowed: readonly string[], resolve: Resolve = systemLookup): Destinations {
  const refusal = refusalExcept(allowed);
  const names = allowed.map(hostName);
  return {
    check(url) {
      const host = hostName(url.hostname);
      if (names.includes(host)) return undefined;
      const why = isIP(host) !== 0 ? refusal(host) : isMetadataName(host) ? 'is the metadata service of a cloud' : undefined;
      return why === undefined ? undefined : fault('network', refusedWords(host, why));
    },
    lookup(hostname, options, callback) {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        const failed = error ?? (names.includes(hostName(hostname)) ? undefined : refusedAmong(addresses, refusal));
        const [first] = addresses ?? [];
        if (failed || first === undefined) callback(failed ?? new Error(`${hostname} has no address`), '', 0);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      });
    },
  };
}

interface Address {
  readonly address: string;
  readonly family: number;
}

export type Resolve = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: Address[]) => void,
) => void;

/** One address that may not be asked is enough: the others are there to get it past a look. */
function refusedAmong(addresses: readonly Address[], refusal: Refusal): Error | undefined {
  for (const { address } of addresses) {
    const why = refusal(address);
    if (why !== undefined) return new Error(refusedWords(`its address ${address}`, why));
  }
  return undefined;
}

function refusedWords(what: string, why: string): string {
  return `${what} ${why} and is not asked; name it in \`http.allowAddresses\` of the settings to permit it`;
}

/** A name without the dot that may end it, an IPv6 address without its brackets. */
function hostName(text: string): string {
  return text
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}
