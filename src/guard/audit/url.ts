/**
 * Checks the request of an http hook: its target, its protocol and the data in it. Nothing is sent. The address is judged as it is written.
 */
import { SECRET_NAMES } from '../../core/values/environment.ts';
import { isObject, textOf } from '../../core/values/json.ts';
import { redactText } from '../../core/values/redact.ts';
import { type Finding, finding, type Violation } from '../findings.ts';
import { auditViolation } from './rules.ts';

const LOOPBACK = /^(localhost|[\w-]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])\.?$/;
const METADATA_NAMES = /^(metadata(\.(google|azure)\.internal|\.goog)?|instance-data(\.ec2\.internal)?)\.?$/;
/** Link-local addresses, and the metadata addresses of single cloud providers. */
const METADATA_V4 = /^(169\.254\.\d+\.\d+|100\.100\.100\.200|168\.63\.129\.16|192\.0\.0\.192)$/;
const METADATA_V6 = /^\[(fe[89ab][0-9a-f]:.*|fd00:ec2::254|fd20:ce::254)\]$/;
/** Host names that resolve to the address written in them. */
const DISGUISED = /(?:^|[.-])169[.-]254[.-]\d+[.-]\d+[.-].*\b(?:nip|sslip|xip)\.io\.?$|(?:^|[.-])a9fea9fe\.(?:nip|sslip|xip)\.io\.?$/;
const SECRET_KEY = /(^|[_-])(token|key|apikey|secret|password|passwd|pwd|auth|signature|sig|credentials?)$/i;

export function judgeRequest(config: unknown): readonly Finding[] {
  const url = isObject(config) ? textOf(config['url']) : undefined;
  if (url === undefined || !URL.canParse(url)) return [];
  const headers = isObject(config) && isObject(config['headers']) ? config['headers'] : {};
  const address = new URL(url);
  const text = withoutSecrets(url);
  return [
    ...judgeAddress(address).map((violation) => finding(violation, text)),
    ...Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? judgeHeader(name, value, address.hostname) : [])),
  ];
}

export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

function judgeAddress(url: URL): readonly Violation[] {
  const violations: Violation[] = [];
  if (isMetadata(url.hostname))
    violations.push(
      auditViolation(
        'http-metadata',
        `The hook sends a request to the machine's metadata service (${url.hostname}), which returns credentials.`,
      ),
    );
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    violations.push(
      auditViolation(
        'http-scheme',
        `The hook sends the agent's actions over ${url.protocol.replace(':', '')}, where others can read them.`,
      ),
    );
  if (url.username !== '' || url.password !== '')
    violations.push(auditViolation('http-credentials', 'The address contains a user name or a password.'));
  const secret = [...url.searchParams].find(([key, value]) => value !== '' && (SECRET_KEY.test(camelToSnake(key)) || isSecret(value)));
  if (secret)
    violations.push(auditViolation('http-secret', `The address contains a secret (\`${secret[0]}\`), and logs record addresses.`));
  return violations;
}

function isMetadata(hostname: string): boolean {
  if (METADATA_NAMES.test(hostname) || METADATA_V4.test(hostname) || METADATA_V6.test(hostname) || DISGUISED.test(hostname)) return true;
  const inside = innerAddress(hostname);
  return inside !== undefined && METADATA_V4.test(inside);
}

/** Returns the IPv4 address inside an IPv6 address: mapped, compatible, NAT64 or 6to4. */
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
  const found = foreign.map((variable) =>
    auditViolation('http-header-secret', `The hook sends the variable \`${variable}\` in a header to ${host}.`),
  );
  const literal = variables.length === 0 && isSecret(`${name}: ${value}`);
  if (literal) found.push(auditViolation('http-secret', `The header \`${name}\` contains a secret in a file that others can read.`));
  return found.map((violation) => finding(violation, `${name}: …`));
}

/** Returns whether a variable belongs to the host, for example `GITHUB_TOKEN` to `api.github.com`. */
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
