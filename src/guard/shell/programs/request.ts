/** Parses the words of `curl` and `wget`: the addresses, the sent data and the files for the response. */

export interface Body {
  /** A text that is sent unchanged. */
  readonly text?: string;
  /** A file with the sent content. `-` is standard input. */
  readonly file?: string;
  /** Whether it is part of the address or a header, where a credential for this host belongs. */
  readonly beside?: boolean;
}

export interface Request {
  readonly urls: readonly string[];
  readonly bodies: readonly Body[];
  /** Files for the response. `-` is standard output. Undefined: the address names the file. */
  readonly outputs: readonly (string | undefined)[];
  readonly folder: string;
}

type Use = 'at' | 'text' | 'encoded' | 'form' | 'file' | 'header' | 'url' | 'output' | 'folder' | 'other';

const CURL: Readonly<Record<string, Use>> = {
  data: 'at',
  'data-ascii': 'at',
  'data-binary': 'at',
  json: 'at',
  'data-raw': 'text',
  'data-urlencode': 'encoded',
  'url-query': 'encoded',
  form: 'form',
  'form-string': 'text',
  'upload-file': 'file',
  header: 'header',
  user: 'header',
  cookie: 'header',
  referer: 'header',
  'user-agent': 'header',
  url: 'url',
  output: 'output',
  'output-dir': 'folder',
};
const CURL_SHORT: Readonly<Record<string, string>> = {
  d: 'data',
  F: 'form',
  T: 'upload-file',
  H: 'header',
  u: 'user',
  b: 'cookie',
  e: 'referer',
  A: 'user-agent',
  o: 'output',
};
/** Other options that take the next word. */
const CURL_VALUED = new Set(
  (
    'request cookie-jar dump-header write-out proxy proxy-user config range cert key cacert capath max-time connect-timeout retry retry-delay ' +
    'retry-max-time limit-rate max-redirs resolve connect-to interface ciphers tlsv1 tls-max proto noproxy unix-socket continue-at quote time-cond ' +
    'trace trace-ascii stderr speed-limit speed-time max-filesize local-port dns-servers aws-sigv4 oauth2-bearer netrc-file pubkey create-file-mode ' +
    'ftp-port telnet-option preproxy socks5 socks5-hostname socks4 pass cert-type key-type engine mail-from mail-rcpt parallel-max rate'
  ).split(' '),
);
const CURL_LETTERS = 'cCDEhKmPQrtUwxXyYz';

export function requestOf(argv: readonly string[]): Request {
  const state: State = { urls: [], bodies: [], outputs: [], folder: '' };
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (!/^-./.test(word) || word === '--') {
      if (word !== '--') take(state, 'url', word);
    } else if (word.startsWith('--')) at += longOption(state, word.slice(2), argv[at + 1]);
    else {
      for (let i = 1; i < word.length; i++) {
        const letter = word[i] ?? '';
        const name = CURL_SHORT[letter];
        if (letter === 'O') state.outputs.push(undefined);
        if (name === undefined && !CURL_LETTERS.includes(letter)) continue;
        const attached = word.slice(i + 1);
        take(state, name === undefined ? 'other' : (CURL[name] ?? 'other'), attached === '' ? (argv[++at] ?? '') : attached);
        break;
      }
    }
  }
  return state;
}

interface State {
  readonly urls: string[];
  readonly bodies: Body[];
  readonly outputs: (string | undefined)[];
  folder: string;
}

/** Reads a long option and returns how many further words it takes. A prefix that fits one option is enough. */
function longOption(state: State, word: string, next: string | undefined): 0 | 1 {
  const [written = '', value] = word.split(/=(.*)/s);
  const name = Object.hasOwn(CURL, written) || CURL_VALUED.has(written) ? written : (optionByPrefix(written) ?? written);
  if (/^remote-name(-all)?$/.test(name)) state.outputs.push(undefined);
  if (!Object.hasOwn(CURL, name)) return CURL_VALUED.has(name) && value === undefined ? 1 : 0;
  take(state, CURL[name] ?? 'other', value ?? next ?? '');
  return value === undefined ? 1 : 0;
}

function optionByPrefix(written: string): string | undefined {
  return written.length < 3 ? undefined : Object.keys(CURL).find((name) => name.startsWith(written));
}

function take(state: State, use: Use, value: string): void {
  const at = value.startsWith('@') ? { file: value.slice(1) } : { text: value };
  if (use === 'at') state.bodies.push(at);
  else if (use === 'text') state.bodies.push({ text: value });
  else if (use === 'encoded') {
    const file = /^[^=@]*@(.+)$/s.exec(value)?.[1];
    state.bodies.push(file === undefined ? { text: value } : { file });
  } else if (use === 'form') {
    const file = /^[^=]*=[@<]([^;]+)/.exec(value)?.[1];
    state.bodies.push(file === undefined ? { text: value } : { file: file.replace(/^"(.*)"$/, '$1') });
  } else if (use === 'file') state.bodies.push({ file: value === '.' ? '-' : value });
  else if (use === 'header') state.bodies.push(value.startsWith('@') ? at : { text: value, beside: true });
  else if (use === 'url') {
    state.urls.push(value);
    state.bodies.push({ text: value, beside: true });
  } else if (use === 'output') state.outputs.push(value);
  else if (use === 'folder') state.folder = value;
}

const WGET_VALUED = 'aBDeilnoPQRtTUwXAI';

export function wgetOf(argv: readonly string[]): Request {
  const state: State = { urls: [], bodies: [], outputs: [], folder: '' };
  const option = (name: string, value: string): void => {
    if (name === 'post-file' || name === 'body-file') state.bodies.push({ file: value });
    else if (name === 'post-data' || name === 'body-data') state.bodies.push({ text: value });
    else if (name === 'header') state.bodies.push({ text: value, beside: true });
    else if (name === 'output-document') state.outputs.push(value);
    else if (name === 'directory-prefix') state.folder = value;
  };
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word.startsWith('--') && word.length > 2) {
      const [written = '', value] = word.slice(2).split(/=(.*)/s);
      const name = WGET_LONG.find((long) => long === written) ?? WGET_LONG.find((long) => written.length > 4 && long.startsWith(written));
      if (name !== undefined) option(name, value ?? argv[++at] ?? '');
    } else if (/^-./.test(word)) {
      for (let i = 1; i < word.length; i++) {
        const letter = word[i] ?? '';
        if (letter !== 'O' && letter !== 'P' && !WGET_VALUED.includes(letter)) continue;
        // `-nv` and `-nc` are one option with two letters.
        if (letter === 'n') {
          i++;
          continue;
        }
        const value = word.slice(i + 1) || (argv[++at] ?? '');
        option({ O: 'output-document', P: 'directory-prefix' }[letter] ?? '', value);
        break;
      }
    } else if (word !== '--') take(state, 'url', word);
  }
  return state;
}

const WGET_LONG: readonly string[] = [
  'post-file',
  'post-data',
  'body-file',
  'body-data',
  'header',
  'output-document',
  'output-file',
  'append-output',
  'directory-prefix',
  'input-file',
  'user-agent',
  'referer',
  'execute',
  'tries',
  'timeout',
  'method',
];

/** Returns whether all addresses are files on this machine. */
export function isLocalOnly({ urls }: Request): boolean {
  return urls.length > 0 && urls.every((url) => /^file:/i.test(url));
}

/** Returns the host of an address. Empty: unknown. */
export function hostOf(url: string): string {
  const host = /^(?:[a-z][\w+.-]*:\/\/)?(?:[^/@\s]*@)?(\[[\da-f:.]+\]|[^/:?#\s]+)/i.exec(url)?.[1] ?? '';
  return host.toLowerCase();
}
