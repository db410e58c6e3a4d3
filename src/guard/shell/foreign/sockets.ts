/** Code that uses sockets and starts programs: probably a shell for another machine. */
import type { Flavour } from './flavour.ts';

const SOCKET =
  /\bsocket\b|\bSocket\b|TCPSocket|TCPServer|TCPClient|IO::Socket|fsockopen|stream_socket_client|socket_create|\bnet\.(connect|createConnection|Socket|createServer|Dial|Listen)|require\(['"]net['"]\)|node:net|Deno\.connect|\/inet\/(tcp|udp)\//;
const ATTACH =
  /dup2|pty\.spawn|\bSTDIN\b[\s\S]{0,200}\bexec|open\s{0,8}\(?\s{0,8}STDIN|\.pipe\(|proc_open|fileno\(\)|\$stdin\.reopen|exec\b[\s\S]{0,200}<&|getline|io\.popen|fdopen|\.Std(in|out)\s{0,4}=|getOutputStream/;
const START =
  /subprocess|os\.system|os\.popen|child_process|\bexec\w*\s*[("'`$]|\bsystem\s*[("'`$]|\bgetline\b|\bspawn\w*\s*\(|shell_exec|passthru|popen|os\.execute|exec\.Command|ProcessBuilder|getRuntime|Process\.Start|Invoke-Expression|\biex\b|\/bin\/(ba|z|da|k)?sh|`/;
/** In these languages a backtick starts no program, and `socket` is a common name. `left`: comments and documentation, which are not read. */
const PLAINER: Readonly<Partial<Record<Flavour | 'c', { readonly socket: RegExp; readonly left: RegExp }>>> = {
  js: {
    socket:
      /\bnet\.(?:connect|createConnection|Socket|createServer)|(?:\brequire|\bimport|\bfrom|getBuiltinModule)\s*\(?\s*["'`](?:node:)?(?:net|tls)["'`]|\b(?:Deno|Bun)\.connect|\b(?:process|binding)\b.*\btcp_wrap/,
    left: /^\s*\/\/.*$|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/|`/gm,
  },
  c: { socket: SOCKET, left: /\/\/.*$|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/|`/gm },
  python: {
    socket: /\bimport\b[^\n;]*\bsocket\b|\bsocket\.\w*(?:socket|create_)\w*|\bfrom\s+socket\b|["']socket["']|\bopen_connection\b/,
    left: /^\s*#.*$|^\s*[rbu]?(?:"""[\s\S]*?"""|'''[\s\S]*?''')|`/gm,
  },
};
/** A host in quotes: an address, or a name next to a port. */
const HOSTS =
  /["']((?:\d{1,3}\.){3}\d{1,3}|localhost|\[?::1?\]?)["']|["']([\w.-]*)["']\s*,\s*(?:\d|int\b|port\b)|(?:\d|port)\s*,\s*["']([\w.-]+)["']|\bhost(?:name)?["']?\s*[:=]\s*["']([\w.-]*)["']/gi;

/** Returns whether a short text uses sockets and starts programs, and whether it attaches one to the other. */
export function shellOnSocket(text: string, flavour: Flavour | 'c'): 'attached' | 'possible' | undefined {
  const plainer = PLAINER[flavour];
  const code = plainer === undefined ? text : text.replace(plainer.left, '');
  if (!(plainer?.socket ?? SOCKET).test(code) || !START.test(code)) return undefined;
  const attaches = ATTACH.test(code);
  if (attaches) return 'attached';
  return staysHere(code) ? undefined : 'possible';
}

/** Returns whether all hosts that a text names are this machine. Scripts that start a server ask its port whether it is up. */
function staysHere(code: string): boolean {
  const hosts = Array.from(code.matchAll(HOSTS), ([, address, before, after, named]) => address ?? before ?? after ?? named ?? '');
  return (
    hosts.length > 0 &&
    hosts.every((host) => /^(?:localhost|127\.[\d.]+|\[?::1\]?)$/.test(host)) &&
    !/0\.0\.0\.0|\.(?:listen|bind|accept)\s*\(/.test(code)
  );
}
