/** Data from the network: the commands that print it, and the files they store it in. */

import type { Program } from '../machine.ts';
import { namesIn } from '../names.ts';
import { isLocalOnly, type Request, requestOf, wgetOf } from '../programs/request.ts';
import { remoteHost, socatOf } from '../programs/transfers.ts';
import { codeOf, fetches } from './code-of.ts';

export const DOWNLOADERS: ReadonlySet<string> = new Set(
  'curl wget wget2 fetch aria2c lynx links w3m http https xh httpie ftp tftp axel'.split(' '),
);
export const NET_TOOLS: ReadonlySet<string> = new Set(
  'nc ncat netcat nc.traditional nc.openbsd telnet socat pwncat rcat websocat cryptcat'.split(' '),
);

/** Returns whether a command prints data from another machine. */
export function isNetwork(name: string, args: readonly string[], program?: Program): boolean {
  if (name === 'curl' || name === 'wget' || name === 'wget2') {
    const request = requestIn(name, ['', ...args]);
    return !(request && isLocalOnly(request)) && !args.every((word) => /^(--version|--help|-V|-h)$/.test(word));
  }
  if (DOWNLOADERS.has(name)) return true;
  if (NET_TOOLS.has(name)) return !onlyProbes(name, args);
  if (name === 'openssl') return args[0] === 's_client';
  if (name === 'aws' || name === 'gsutil') return /^(s3 cp s3:\/\/\S+ -|cat gs:)/.test(args.join(' '));
  const code = program && codeOf({ name, argv: ['', ...args], stdin: '', fds: new Map(), env: {}, cwd: '', program });
  return code !== undefined && fetches(code.text);
}

/** Returns whether a command only checks the port. `nc -z` does, and prints nothing. */
export function onlyProbes(name: string, args: readonly string[]): boolean {
  return name !== 'socat' && args.some((word) => /^-[a-zA-Z]*z[a-zA-Z]*$/.test(word));
}

/** Returns the code that a tool attaches to a connection: `nc -e`, `ncat --sh-exec`, `socat EXEC:`. */
export function attachedTo(name: string, argv: readonly string[]): readonly string[] {
  if (name === 'socat') return socatOf(argv).flatMap(({ code }) => (code === undefined ? [] : [code]));
  if (name === 'websocat')
    return argv.flatMap((word, i) =>
      /^(?:cmd|sh-c|exec):/.test(word) ? [[word.replace(/^[\w-]+:/, ''), ...argv.slice(i + 1)].join(' ').replace('--exec-args', '')] : [],
    );
  return argv.flatMap((word, i) => {
    const long = /^--(?:sh-)?exec(?:=(.*))?$/s.exec(word);
    if (long) return [long[1] ?? argv[i + 1] ?? ''];
    const short = /^-[a-zA-Z0-9]*?[ec](.*)$/s.exec(word);
    if (!short || word.startsWith('--')) return [];
    const attached = short[1] ?? '';
    // In `-lvpe 80 sh` the port comes first.
    return attached === '' || /^[a-z]+$/i.test(attached) ? [argv.slice(i + 1).find((other) => !/^[\d-]/.test(other)) ?? ''] : [attached];
  });
}

/** Programs that copy out of a store of objects. */
const STORES = namesIn('aws gsutil gcloud rclone');

/** Returns the object that such a program copies, and the file or the folder that it becomes. */
function copiedObject(argv: readonly string[]): readonly [object: string, to: string] | undefined {
  const verb = argv.findIndex((word) => /^(?:cp|copy(?:url|to)?)$/.test(word));
  const from = verb === -1 ? -1 : argv.findIndex((word, i) => i > verb && /^(?:s3|gs|https?):\/\//.test(word));
  const [object, to] = [argv[from], argv[from + 1]];
  return object === undefined || to === undefined || /^(?:-|$)/.test(to) ? undefined : [object, to];
}

/** Returns the files that a download is stored in. Undefined: it is printed, or there is no download. */
export function downloadTargets(name: string, argv: readonly string[]): readonly string[] | undefined {
  if (name === 'scp' || name === 'rsync') {
    const operands = argv.slice(1).filter((word) => !/^-./.test(word));
    const target = operands.at(-1) ?? '';
    if (operands.length < 2 || remoteHost(target) !== undefined || remoteHost(operands[0] ?? '') === undefined) return undefined;
    const folder = target === '.' ? '' : `${target.replace(/\/$/, '')}/`;
    return [...(target === '.' ? [] : [target]), ...operands.slice(0, -1).map((from) => folder + lastPart(from))];
  }
  const copied = STORES.has(name) ? copiedObject(argv) : undefined;
  // The target can be a file or its folder.
  if (copied !== undefined) return [copied[1], lastPart(copied[0])];
  const request = requestIn(name, argv);
  if (request === undefined && DOWNLOADERS.has(name)) {
    const at = argv.findIndex((word) => /^(?:-o|--out|--output)$/.test(word));
    if (at !== -1) return argv[at + 1] === '-' ? undefined : [argv[at + 1] ?? ''];
    // Without an option these two store a file under the name that the address has.
    const urls = /^(?:aria2c|axel)$/.test(name)
      ? argv.slice(1).filter((word) => /^[a-z]+:\/\/|^[\w-]+(?:\.[\w-]+)+\/[^.]/i.test(word))
      : [];
    return urls.length === 0 ? undefined : urls.map((url) => lastPart(url.replace(/[?#].*$/s, '')));
  }
  if (request === undefined) return undefined;
  const named = request.urls.map((url) => lastPart(url.replace(/[?#].*$/s, '').replace(/^[a-z]+:\/\/[^/]*$/i, '')) || 'index.html');
  const outputs = request.outputs.length === 0 && name !== 'curl' ? [undefined] : request.outputs;
  if (outputs.length === 0 || outputs.includes('-')) return undefined;
  const folder = request.folder === '' ? '' : `${request.folder.replace(/\/$/, '')}/`;
  return outputs.flatMap((output) => (output === undefined ? named : [output])).map((path) => (/^[/~]/.test(path) ? path : folder + path));
}

export function requestIn(name: string, argv: readonly string[]): Request | undefined {
  return name === 'curl' ? requestOf(argv) : name === 'wget' || name === 'wget2' ? wgetOf(argv) : undefined;
}

function lastPart(path: string): string {
  return path.slice(path.search(/[^/:]*$/));
}
