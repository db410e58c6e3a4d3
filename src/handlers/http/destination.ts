/**
 * Where a request may go. A name is looked up once, all its addresses are judged, and the connection is made to one of them: between the check and
 * the connection no name server can give another answer.
 */

import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { type Fault, fault } from '../../core/decision/reply.ts';

/** Returns why an address must not be asked, as the end of a sentence; undefined if it may. */
export type AddressCheck = (address: string) => string | undefined;

/**
 * Returns the check for addresses that are never asked, whatever leads there: those of the machine's own network or its cloud. An IPv4 address is
 * the same in every IPv6 disguise. Loopback and private addresses are fine: that is where most hooks are served.
 * @param allowed addresses and ranges that are fine nevertheless; entries that are neither are not looked at
 */
export function blockedAddress(allowed: readonly string[]): AddressCheck {
  const permitted = new BlockList();
  for (const entry of allowed) permit(permitted, entry);
  return (address) => {
    const faces = facesOf(address);
    if (faces.some((face) => isIn(permitted, face))) return undefined;
    return REFUSED.find(({ list }) => faces.some((face) => isIn(list, face)))?.why;
  };
}

/** Names that lead to a cloud's metadata service. */
export function isMetadataName(host: string): boolean {
  return METADATA_NAMES.includes(host);
}

const METADATA_NAMES = ['metadata.google.internal', 'metadata.goog', 'metadata'];

const REFUSED = [
  refused('is the metadata service of a cloud', '169.254.169.254/32', '100.100.100.200/32', '168.63.129.16/32', 'fd00:ec2::254/128'),
  refused('is link-local', '169.254.0.0/16', 'fe80::/10'),
  refused('is no address of a host', '0.0.0.0/8', '::/128'),
  refused('is multicast or broadcast', '224.0.0.0/4', '255.255.255.255/32', 'ff00::/8'),
];

function refused(why: string, ...ranges: readonly string[]): { readonly why: string; readonly list: BlockList } {
  const list = new BlockList();
  for (const range of ranges) permit(list, range);
  return { why, list };
}

function permit(list: BlockList, entry: string): void {
  const [address = '', bits, ...rest] = entry.split('/');
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  if (version !== 0 && rest.length === 0 && prefix <= most) list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** The address, and the IPv4 address it carries. */
function facesOf(address: string): readonly string[] {
  const plain = address.replace(/%.*$/, '');
  if (isIP(plain) !== 6) return [plain];
  const inner = innerIpv4(groupsOf(plain));
  return inner === undefined ? [plain] : [plain, inner];
}

/** Mapped, translated and compatible addresses, NAT64 and 6to4. */
function innerIpv4(groups: readonly number[]): string | undefined {
  const [a, b, c, d, e, f, g = 0, h = 0] = groups;
  const isZero = (...parts: readonly (number | undefined)[]): boolean => parts.every((part) => part === 0);
  if (isZero(a, b, c, d, e) && (f === 0xffff || (f === 0 && (g !== 0 || h > 1)))) return dotted(g, h);
  if (isZero(a, b, c, d) && e === 0xffff && f === 0) return dotted(g, h);
  if (a === 0x64 && b === 0xff9b && isZero(c, d, e, f)) return dotted(g, h);
  return a === 0x2002 ? dotted(b ?? 0, c ?? 0) : undefined;
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight groups of a valid IPv6 address; the URL parser writes every form of it in one way. */
function groupsOf(address: string): readonly number[] {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = written.split('::');
  const read = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [first, last] = [read(head), read(tail ?? '')];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

export interface Destinations {
  /** Returns the problem of this destination as it is written. */
  check(url: URL): Fault | undefined;
  /** To connect by. Fails for a name that leads to an address that must not be asked. */
  readonly lookup: LookupFunction;
}

/** `allowed`: addresses, ranges and host names that may be asked nevertheless. `resolve`: how names are looked up. */
export function destinations(allowed: readonly string[], resolve: Resolve = systemLookup): Destinations {
  const blocked = blockedAddress(allowed);
  const names = allowed.map(hostName);
  return {
    check(url) {
      const host = hostName(url.hostname);
      if (names.includes(host)) return undefined;
      const why = isIP(host) !== 0 ? blocked(host) : isMetadataName(host) ? 'is the metadata service of a cloud' : undefined;
      return why === undefined ? undefined : fault('network', refusedWords(host, why));
    },
    lookup(hostname, options, callback) {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        const failed = error ?? (names.includes(hostName(hostname)) ? undefined : refusedAmong(addresses, blocked));
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
function refusedAmong(addresses: readonly Address[], blocked: AddressCheck): Error | undefined {
  for (const { address } of addresses) {
    const why = blocked(address);
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
