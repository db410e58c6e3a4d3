/** The request of an http hook: where it leads, how, and what it carries. Nothing is asked; an address is judged by how it is written. */
import { SECRET_NAMES } from '../../core/values/environment.ts';
import { isObject, textOf } from '../../core/values/json.ts';
import { redactText } from '../../core/values/redact.ts';
import { type Accusation, type Finding, finding } from '../findings.ts';
import { accuse } from './rules.ts';

const LOOPBACK = /^(localhost|[\w-]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])\.?$/;
const METADATA_NAMES = /^(metadata(\.(google|azure)\.internal|\.goog)?|instance-data(\.ec2\.internal)?)\.?$/;
/** Link-local, and the addresses that single clouds use for the same. */
const METADATA_V4 = /^(169\.254\.\d+\.\d+|100\.100\.100\.200|168\.63\.129\.16|192\.0\.0\.192)$/;
const METADATA_V6 = /^\[(fe[89ab][0-9a-f]:.*|fd00:ec2::254|fd20:ce::254)\]$/;
/** Names that are an address in disguise. */
const DISGUISED = /(?:^|[.-])169[.-]254[.-]\d+[.-]\d+[.-].*\b(?:nip|sslip|xip)\.io\.?$|(?:^|[.-])a9fea9fe\.(?:nip|sslip|xip)\.io\.?$/;
const SECRET_KEY = /(^|[_-])(token|key|apikey|secret|password|passwd|pwd|auth|signature|sig|credentials?)$/i;

export function judgeRequest(config: unknown): readonly Finding[] {
  const url = isObject(config) ? textOf(config['url']) : undefined;
  if (url === undefined || !URL.canParse(url)) return [];
  const headers = isObject(config) && isObject(config['headers']) ? config['headers'] : {};
  const address = new URL(url);
  const text = withoutSecrets(url);
  return [
    ...judgeAddress(address).map((accusation) => finding(accusation, text)),
    ...Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? judgeHeader(name, value, address.hostname) : [])),
  ];
}

export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

function judgeAddress(url: URL): readonly Accusation[] {
  const accused: Accusation[] = [];
  if (isMetadata(url.hostname))
    accused.push(accuse('http-metadata', `Asks the machine's own metadata service (${url.hostname}), which gives out credentials.`));
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    accused.push(accuse('http-scheme', `Sends what the agent does over ${url.protocol.replace(':', '')}, where others can read it.`));
  if (url.username !== '' || url.password !== '')
    accused.push(accuse('http-credentials', 'Holds a user name or a password in the address.'));
  const secret = [...url.searchParams].find(([key, value]) => value !== '' && (SECRET_KEY.test(camelToSnake(key)) || isSecret(value)));
  if (secret) accused.push(accuse('http-secret', `Holds a secret in the address (\`${secret[0]}\`), where every log keeps it.`));
  return accused;
}

function isMetadata(hostname: string): boolean {
  if (METADATA_NAMES.test(hostname) || METADATA_V4.test(hostname) || METADATA_V6.test(hostname) || DISGUISED.test(hostname)) return true;
  const inside = innerAddress(hostname);
  return inside !== undefined && METADATA_V4.test(inside);
}

/** The IPv4 address that an IPv6 address carries: mapped, compatible, NAT64 or 6to4. */
function innerAddress(hostname: string): string | undefined {
  const hex =
    /^\[(?:::ffff:(?:0:)?|::|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname) ??
    /^\[2002:([0-9a-f]{1,4}):([0-9a-f]{1,4}):.*\]$/.exec(hostname);
  if (!hex) return undefined;
  const [high, low] = [Number.parseInt(hex[1] ?? '0', 16), Number.parseInt(hex[2] ?? '0', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

const SECRET_VARIABLE = new RegExp(`^(?:${SECRET_NAMES.map((glob) => glob.replaceAll('*', '.*')).join('|')})$`, 'i');

function judgeHeader(name: string, value: string, host: string): readonly Finding[] {
  const variables = [...value.matchAll(/\$\{?(\w+)\}?/g)].map(([, variable = '']) => variable).filter((one) => SECRET_VARIABLE.test(one));
  const foreign = variables.filter((variable) => !isOwnOf(host, variable));
  const found = foreign.map((variable) => accuse('http-header-secret', `Names the variable \`${variable}\` in a header for ${host}.`));
  const literal = variables.length === 0 && isSecret(`${name}: ${value}`);
  if (literal) found.push(accuse('http-secret', `Holds a secret in the header \`${name}\`, in a file that others read.`));
  return found.map((accusation) => finding(accusation, `${name}: …`));
}

/** `GITHUB_TOKEN` is meant for a host of that name. */
function isOwnOf(host: string, variable: string): boolean {
  const [service = ''] = variable.toLowerCase().split('_');
  return service.length > 2 && host.split(/[.-]/).includes(service);
}

function isSecret(text: string): boolean {
  return redactText(text) !== text;
}

function camelToSnake(key: string): string {
  return key.replace(/([a-z])([A-Z])/g, '$1_$2');
}

function withoutSecrets(url: string): string {
  return redactText(url.replace(/\/\/[^@/]*@/, '//…@').replace(/\?.*$/s, '?…'));
}
