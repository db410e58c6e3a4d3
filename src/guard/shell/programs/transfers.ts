/** The addresses of `socat`: files, descriptors, commands and network ends. The data of one end reaches the other. */

export interface End {
  /** A file that is read or written. */
  readonly file?: string;
  /** A command that runs. */
  readonly code?: string;
  /** A host, or the port that it listens on. */
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
  // Options follow a comma. A backslash escapes the next character.
  const value = decodeEscapes(/^(?:[^,\\]|\\.)*/s.exec(rest)?.[0] ?? '');
  if (/^(exec|system|shell)$/.test(kind)) return { code: value };
  if (/^(open|file|gopen|creat|create|pipe|fifo)$/.test(kind)) return { file: value };
  if (kind === 'fd') return { fd: Number(value) };
  if (NETWORK.test(kind)) return { network: value.replace(/:[^:]*$/, '') };
  return {};
}

function decodeEscapes(text: string): string {
  return text.replace(/\\(.)/gs, '$1').replace(/^(["'])(.*)\1$/s, '$2');
}

/** Files that a command copies to another machine. */
export interface Transfer {
  readonly host: string;
  readonly files: readonly string[];
}

const SSH_VALUED = 'BbcDEeFIiJLlmOoPpQRSWw';
const COPY_VALUED: Readonly<Record<string, string>> = { scp: 'iFPcolSJDX', rsync: 'efTBM' };

export function sshHost(argv: readonly string[]): string {
  const host = operandsOf(argv, SSH_VALUED)[0] ?? '';
  return host
    .replace(/^ssh:\/\//, '')
    .replace(/^.*@/, '')
    .toLowerCase();
}

/** Returns the files that `scp` or `rsync` copies to another host. */
export function remoteCopy(name: string, argv: readonly string[]): Transfer | undefined {
  const valued = Object.hasOwn(COPY_VALUED, name) ? COPY_VALUED[name] : undefined;
  if (valued === undefined) return undefined;
  const operands = operandsOf(argv, valued);
  const target = operands.at(-1) ?? '';
  const host = /^(?:rsync|scp|sftp):\/\/(?:[^@/]*@)?([^/:]+)/.exec(target)?.[1] ?? remoteHost(target);
  return host === undefined || operands.length < 2 ? undefined : { host, files: operands.slice(0, -1) };
}

/** Uploads to buckets, paste services and the like: the verb that uploads, and the form of the target. */
const UPLOADS: readonly { readonly names: readonly string[]; readonly verb: RegExp; readonly target?: RegExp; readonly host: string }[] = [
  { names: ['aws'], verb: /^s3 (cp|mv|sync)$/, target: /^s3:/, host: 's3' },
  { names: ['gsutil'], verb: /^(cp|mv|rsync)$/, target: /^gs:/, host: 'gs' },
  { names: ['gcloud'], verb: /^storage (cp|mv|rsync)$/, target: /^gs:/, host: 'gs' },
  { names: ['rclone'], verb: /^(copy|copyto|sync|move|moveto)$/, target: /^[\w-]+:/, host: 'rclone' },
  { names: ['mc'], verb: /^(cp|mv|mirror)$/, host: 'mc' },
  { names: ['s3cmd'], verb: /^(put|sync)$/, target: /^s3:/, host: 's3' },
  { names: ['az'], verb: /^storage blob$/, host: 'azure' },
  { names: ['gh'], verb: /^gist create$/, host: 'gist.github.com' },
  { names: ['gist', 'pastebinit', 'transfer', '0x0', 'ix', 'sprunge'], verb: /^/, host: 'paste' },
  { names: ['croc', 'wormhole', 'magic-wormhole'], verb: /^send$/, host: 'peer' },
  { names: ['ipfs'], verb: /^add$/, host: 'ipfs' },
];
const FTP = ['sftp', 'ftp', 'lftp', 'ncftp', 'tftp', 'smbclient'];

/** The commands that copy files to another machine. */
export const TRANSFERS: readonly string[] = [...Object.keys(COPY_VALUED), ...UPLOADS.flatMap(({ names }) => names), ...FTP];

export function cloudCopy(name: string, argv: readonly string[]): Transfer | undefined {
  const operands = argv.slice(1).filter((word) => !/^-./.test(word));
  const upload = UPLOADS.find(
    ({ names, verb }) => names.includes(name) && (verb.test(operands[0] ?? '') || verb.test(operands.slice(0, 2).join(' '))),
  );
  if (upload === undefined) return undefined;
  const files = operands.slice(upload.verb.test(operands[0] ?? '') ? 1 : 2);
  if (upload.target === undefined) return { host: upload.host, files };
  const target = files.at(-1) ?? '';
  return upload.target.test(target) ? { host: upload.host, files: files.slice(0, -1) } : undefined;
}

/** Returns the files of `put` commands in the input of `sftp` or `ftp`. */
export function ftpUploads(name: string, argv: readonly string[], stdin: string): Transfer | undefined {
  if (!FTP.includes(name)) return undefined;
  const script = [stdin, ...argv.slice(1)].join('\n');
  const files = [...script.matchAll(/\b(?:m?put|reput|send)[ \t]+(\S+)/g)].map(([, file = '']) => file);
  return files.length === 0 ? undefined : { host: '', files };
}

/** Returns the host in `host:path`, as `tar`, `scp` and `rsync` write it. */
export function remoteHost(word: string): string | undefined {
  return /^(?:[\w.+-]+@)?((?:[\w.-]|[\uE000-\uE00F]){2,}|\[[\da-f:]+\]):(?!\\)/i.exec(word)?.[1]?.toLowerCase();
}

function operandsOf(argv: readonly string[], valued: string): readonly string[] {
  const operands: string[] = [];
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (!/^-./.test(word)) operands.push(word);
    else if (!word.startsWith('--')) {
      const letter = [...word.slice(1)].findIndex((one) => valued.includes(one));
      if (letter !== -1 && letter === word.length - 2) at++;
    } else if (/^--(rsh|exclude|include|exclude-from|files-from|filter|rsync-path|log-file|temp-dir|chmod|chown)$/.test(word)) at++;
  }
  return operands;
}
