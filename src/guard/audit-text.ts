/** What is audited in hooks that run no command: the address of a request, and texts that a model or a person reads. */

import { isObject } from '../core/json.ts';
import { type Accusation, type Finding, finding } from './findings.ts';
import { hiddenText } from './judge.ts';

const METADATA_HOSTS =
  /^(169\.254\.\d+\.\d+|metadata\.google\.internal\.?|metadata\.goog|instance-data\.?|100\.100\.100\.200|\[fd00:ec2::254\]|\[fe80:.*\]|\[::ffff:a9fe:[0-9a-f:]+\])$/;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export function judgeUrl(text: string): readonly Finding[] {
  const say = (rule: string, severity: Accusation['severity'], message: string, hint: string) =>
    finding({ rule, severity, message, hint }, withoutPassword(text));
  if (!URL.canParse(text)) return [];
  const url = new URL(text);
  const findings: Finding[] = [];
  if (METADATA_HOSTS.test(url.hostname))
    findings.push(
      say(
        'http-metadata',
        'high',
        `Asks the machine's own metadata service (${url.hostname}), which gives out credentials.`,
        'Ask a server of your own.',
      ),
    );
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname)))
    findings.push(
      say(
        'http-scheme',
        'medium',
        `Sends what the agent does over ${url.protocol.replace(':', '')}, where others can read it.`,
        'Use https.',
      ),
    );
  if (url.username !== '' || url.password !== '')
    findings.push(
      say(
        'http-credentials',
        'medium',
        'Holds a user name or a password in the address.',
        'Send it in a header that is filled from the environment.',
      ),
    );
  return findings;
}

/** Hidden characters in any text of a handler's config. */
export function hiddenInConfig(config: unknown, depth = 0): readonly Finding[] {
  if (typeof config === 'string') return hiddenText(config);
  if (depth > 16) return [];
  if (Array.isArray(config)) return config.flatMap((item) => hiddenInConfig(item, depth + 1));
  return isObject(config) ? Object.values(config).flatMap((item) => hiddenInConfig(item, depth + 1)) : [];
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//…@');
}
