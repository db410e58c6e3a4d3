/** The addresses of `socat`: files, descriptors, commands, and ends of the network. What one end gives, the other gets. */
export interface End {
  /** A file that is read or written. */
  readonly file?: string;
  /** A command that is run. */
  readonly code?: string;
  /** A host, or the port that is listened on. */
  readonly network?: string;
  readonly fd?: number;
  readonly stdio?: boolean;
}

const VALUED = 'dltTbpLWsS';
const NETWORK =
  /^(tcp|tcp4|tcp6|udp|udp4|udp6|sctp|openssl|ssl|socks4|socks4a|socks5|proxy|dccp|ip|ip4|ip6|tls|websocket)(-(connect|listen|l|sendto|datagram|recv|recvfrom))?$/;

export function socatOf(argv: readonly string[]): readonly End[] {
  const ends: End[] = [];
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (/^-[a-zA-Z]+/.test(word)) {
      if (/^-[a-zA-Z]$/.test(word) && VALUED.includes(word[1] ?? '') && /^[\d.]+$/.test(argv[at + 1] ?? '')) at++;
    } else for (const address of word.split('!!')) ends.push(endOf(address));
  }
  return ends;
}

function endOf(address: string): End {
  if (address === '-' || /^std(io|in|out)/i.test(address)) return { stdio: true };
  if (/^[/.~]/.test(address)) return { file: address.split(',')[0] ?? '' };
  const [, type = '', rest = ''] = /^([\w-]+)(?::(.*))?$/s.exec(address) ?? [];
  const kind = type.toLowerCase();
  // Options follow a comma; a backslash keeps the next character as it is.
  const value = unescaped(/^(?:[^,\\]|\\.)*/s.exec(rest)?.[0] ?? '');
  if (/^(exec|system|shell)$/.test(kind)) return { code: value };
  if (/^(open|file|gopen|creat|create|pipe|fifo)$/.test(kind)) return { file: value };
  if (kind === 'fd') return { fd: Number(value) };
  if (NETWORK.test(kind)) return { network: value.replace(/:[^:]*$/, '') };
  return {};
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, '$1').replace(/^(["'])(.*)\1$/s, '$2');
}
