/**
 * The data that a command sends over the network, with the host. A text carries the marks of its origin, and the effect readers interpret
 * them.
 */

import { codeReaders } from '../code-readers.ts';
import { isNetworkPath } from '../expand/redirects.ts';
import { isDynamic, KEYS, originsOf } from '../marks.ts';
import { hostOf, isLocalOnly, type Request, requestOf, wgetOf } from '../programs/request.ts';
import { tarOf } from '../programs/tar.ts';
import { cloudCopy, ftpUploads, remoteCopy, remoteHost, socatOf, sshHost, TRANSFERS } from '../programs/transfers.ts';
import { codeOf } from './code-of.ts';
import type { FlowCommand } from './flow.ts';
import { contentOf, isAll } from './secret-path.ts';
import type { WrittenFiles } from './written.ts';

export interface Sending {
  /** Lower case. Empty: unknown. */
  readonly host: string;
  /** `body` and `file` are the payload of a request, `beside` its address and headers, `header` a header that is made for
   * credentials, and `stream` all piped input. */
  readonly how: 'body' | 'file' | 'beside' | 'header' | 'stream' | 'name';
  /** The sent text with its marks. */
  readonly text: string;
  /** The file with the sent text. */
  readonly file?: string;
  /** Position of the statement that sends it, in code of another language. */
  readonly at?: number;
}

const STREAMS = new Set('nc ncat netcat nc.traditional nc.openbsd telnet pwncat websocat cryptcat'.split(' '));
/** Tools that resolve a name. The name reaches the server that answers. */
const RESOLVERS = new Set('dig nslookup host drill ping ping6 kdig resolvectl getent'.split(' '));
const CREDENTIALS = /^\s*(authorization|proxy-authorization|x-api-key|api-key|private-token|x-auth-token|cookie)\s*:/i;
const HTTPIE = new Set('http https xh xhs httpie'.split(' '));
const MAIL = new Set('mail mailx mutt sendmail msmtp swaks'.split(' '));
const TAR = new Set(['tar', 'gtar', 'bsdtar']);
/** All commands that send by themselves. Others only do it by a descriptor or as code. */
const SENDERS: ReadonlySet<string> = new Set([
  ...['curl', 'wget', 'wget2', 'openssl', 'ssh', 'autossh', 'socat'],
  ...[...STREAMS, ...RESOLVERS, ...HTTPIE, ...MAIL, ...TAR, ...TRANSFERS],
]);

export function sendsOf(command: FlowCommand, origins: string, files: WrittenFiles): readonly Sending[] {
  const { argv, stdin, fds } = command;
  const open = [fds.get(1), fds.get(2)].find(isNetworkPath);
  const streamed: readonly Sending[] =
    open === undefined
      ? []
      : [{ host: hostIn(open), how: 'stream', text: origins + originsOf(stdin) + argv.slice(1).filter(isDynamic).join(' ') }];
  return [
    ...streamed,
    ...(codeOf(command) === undefined ? [] : codeReaders().codeSends(command, origins)),
    ...byTool(command, origins, files),
  ];
}

function byTool(command: FlowCommand, origins: string, files: WrittenFiles): readonly Sending[] {
  const { name, argv, stdin, fds, env, cwd } = command;
  if (!SENDERS.has(name)) return [];
  const held = (file: string): string =>
    file === '-' || file === '/dev/stdin' ? stdin : (contentOf(file, cwd, files) ?? (isAll(file, cwd) ? KEYS : ''));
  const stream = (host: string): readonly Sending[] => [{ host, how: 'stream', text: origins + stdin }];
  if (name === 'curl') return requestSends(requestOf(argv), held);
  if (/^wget2?$/.test(name)) return requestSends(wgetOf(argv), held);
  if (STREAMS.has(name)) return argv.some((word) => /^-[a-zA-Z]*z/.test(word)) ? [] : stream(hostOf(firstOperand(argv)));
  if (name === 'openssl') return argv[1] === 's_client' ? stream(hostOf(argv[argv.indexOf('-connect') + 1] ?? '')) : [];
  if (name === 'ssh' || name === 'autossh') return stream(sshHost(argv));
  if (MAIL.has(name)) return /[\uE004]/.test(stdin + origins) ? stream('') : [];
  if (name === 'socat') return socatSends(command, held, origins);
  if (TAR.has(name)) {
    const { creates, archive = '' } = tarOf(argv, env);
    const end = isNetworkPath(openedBy(archive, fds)) ? hostIn(openedBy(archive, fds) ?? '') : remoteHost(archive);
    return creates && end !== undefined ? [{ host: end, how: 'stream', text: origins }] : [];
  }
  if (RESOLVERS.has(name)) return argv.slice(1).map((text) => ({ host: '', how: 'name', text }));
  if (HTTPIE.has(name)) return httpieSends(argv, stdin, held);
  const sent = remoteCopy(name, argv) ?? cloudCopy(name, argv) ?? ftpUploads(name, argv, stdin);
  return sent === undefined ? [] : sent.files.map((file) => ({ host: sent.host, how: 'file', text: held(file), file }));
}

function requestSends(request: Request, held: (file: string) => string): readonly Sending[] {
  if (isLocalOnly(request)) return [];
  const host = hostOf(request.urls.at(-1) ?? '');
  return request.bodies.map(({ text, file, beside }): Sending => {
    if (file === undefined) return { host, how: beside ? (CREDENTIALS.test(text ?? '') ? 'header' : 'beside') : 'body', text: text ?? '' };
    return { host, how: 'file', text: held(file), file };
  });
}

/** Returns the data of all `socat` ends if one end is the network, or a command that uses it. */
function socatSends({ argv, stdin, fds }: FlowCommand, held: (file: string) => string, origins: string): readonly Sending[] {
  const ends = socatOf(argv);
  const host = ends.map((end) => {
    if (end.network !== undefined) return end.network;
    if (end.fd !== undefined && isNetworkPath(fds.get(end.fd))) return hostIn(fds.get(end.fd) ?? '');
    return /\b(curl|wget|nc|ncat|netcat|ssh|openssl|telnet)\b/.test(end.code ?? '') ? '' : undefined;
  });
  const to = host.find((one) => one !== undefined);
  if (to === undefined) return [];
  const given = ends.map(({ file, stdio, code }) => {
    if (file !== undefined) return held(file);
    if (stdio) return stdin;
    // The words of the command are checked for file names like those of any other command.
    return (code ?? '')
      .split(/[\s"']+/)
      .map(held)
      .join('');
  });
  return [{ host: to, how: 'stream', text: origins + originsOf(given.join('')) }];
}

/** Parses `http POST host field=value field=@file @file < file`. */
function httpieSends(argv: readonly string[], stdin: string, held: (file: string) => string): readonly Sending[] {
  const operands = argv.slice(1).filter((word) => !/^-./.test(word));
  const at = /^[A-Z]+$/.test(operands[0] ?? '') ? 1 : 0;
  const host = hostOf(operands[at] ?? '');
  const items = operands.slice(at + 1).map((text): Sending => {
    const file = /^[\w.-]*(?::?=)?@(.+)$/s.exec(text)?.[1];
    return file === undefined ? { host, how: 'body', text } : { host, how: 'file', text: held(file), file };
  });
  return [...items, { host, how: 'stream', text: stdin }, { host, how: 'beside', text: operands[at] ?? '' }];
}

function firstOperand(argv: readonly string[]): string {
  return argv.slice(1).find((word) => !word.startsWith('-')) ?? '';
}

/** Returns the target of the descriptor in `/dev/fd/3` or `/proc/self/fd/3`. */
function openedBy(path: string, fds: ReadonlyMap<number, string>): string | undefined {
  const fd = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path)?.[1];
  return fd === undefined ? (path === '-' ? fds.get(1) : path) : fds.get(Number(fd));
}

function hostIn(path: string): string {
  return path.split('/')[3]?.toLowerCase() ?? '';
}
