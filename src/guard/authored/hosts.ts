/** The hosts that a command or a tool names, for rules about hosts. Nothing else asks for them. */
import { type Effect, effect } from '../effects/effect.ts';
import { spend } from '../limits.ts';
import type { EffectiveCommand } from '../shell/machine.ts';

const ADDRESS = /\b[a-z][a-z0-9+.-]{0,30}:\/\/(?:[^\s/@'"`]{0,200}@)?(\[[\da-f:]+\]|[^\s/:@'"`?#\\)\]}>,;]{1,253})/gi;
/** Programs whose words can be hosts without a scheme. */
const NETWORKED: ReadonlySet<string> = new Set(
  `curl wget wget2 http https xh ssh scp sftp rsync mosh telnet nc ncat netcat socat ftp lftp ping dig host nslookup whois git openssl psql mysql
  mongosh redis-cli nmap kubectl helm docker`.split(/\s+/),
);
const NAMED = /^(?:[^\s@/]{1,200}@)?(\[[\da-f:]+\]|[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*)\.?(?=$|[:/])/i;
const MOST_TEXT = 64 * 1024;

export function hostsOfCommand({ name, argv, program, stdin }: EffectiveCommand): readonly Effect[] {
  const texts = [...argv, program?.from === 'argument' ? '' : (program?.text ?? ''), program === undefined ? '' : stdin];
  const found = new Set(texts.flatMap(hostsInText));
  if (NETWORKED.has(name)) {
    for (const word of argv.slice(1)) {
      const host = NAMED.exec(word.replace(/^-{1,2}[\w-]+=/, ''))?.[1];
      if (host !== undefined) found.add(host.toLowerCase());
    }
  }
  return [...found].map((host) => effect('net.connect', { host, command: name }));
}

/** Returns the hosts of the addresses in a text. */
export function hostsInText(text: string): readonly string[] {
  if (!text.includes('://')) return [];
  spend(text.length / 256);
  return [...text.slice(0, MOST_TEXT).matchAll(ADDRESS)].map((match) => (match[1] ?? '').toLowerCase().replace(/\.$/, ''));
}
