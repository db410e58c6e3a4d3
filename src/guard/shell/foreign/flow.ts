/** The data that code in another language reads and sends. A program that does both with the same secret is one flow. */
import type { FlowCommand } from '../flow/flow.ts';
import type { NamedFile } from '../flow/reads.ts';
import { privateIn, secretIn } from '../flow/secret-path.ts';
import type { Sending } from '../flow/sends.ts';
import { isForeign } from '../machine.ts';
import { originsOf, PRIVATE, SECRET } from '../marks.ts';
import { hostOf } from '../programs/request.ts';
import { readPaths, shellTexts } from './index.ts';
import { reachedIn } from './reach.ts';
import { flavourOf } from './tokens.ts';

const SENDS =
  /\bfetch\s{0,4}\(|https?\.request|https?\.(get|post)\b|requests\.\w|httpx\.|urlopen|Net::HTTP|\bLWP\b|HTTP::Tiny|\bsocket\b|TCPSocket|fsockopen|stream_socket_client|net\.(connect|createConnection)|http::geturl|Invoke-(WebRequest|RestMethod)|\biwr\b|\birm\b|axios|curl_(init|exec)|XMLHttpRequest|WebSocket|smtplib|ftplib|paramiko|file_get_contents\(\s{0,4}['"]https?:|\/inet\/(tcp|udp)\/|WebClient/;
const WHOLE_ENVIRONMENT =
  /\bos\.environ\b(?!\s{0,4}[[.])|\bprocess\.env\b(?!\s{0,4}[[.])|\bENV\.(to_h|inspect|to_a)|%ENV\b|\bgetenv\(\s{0,4}\)|\$_ENV\b|Get-ChildItem\s+env:/;
/** Interpreters that take their code after a word or an option and that are not in the list of interpreters. */
const BY_OPTION: ReadonlySet<string> = new Set('pwsh powershell tsx ts-node groovy elixir swift scala r'.split(' '));

export interface Code {
  readonly text: string;
  readonly name: string;
}

export function codeOf({ name, argv, program }: FlowCommand): Code | undefined {
  if (isForeign(program)) return { text: program.text, name };
  if (name === 'deno' && argv[1] === 'eval') return { text: argv.slice(2).find((word) => !word.startsWith('-')) ?? '', name };
  if (!BY_OPTION.has(name)) return undefined;
  const at = argv.findIndex((word) => /^(-c|-e|-command|--eval|--print|-p)$/i.test(word));
  return at === -1 ? undefined : { text: argv.slice(at + 1).join(' '), name };
}

/** Returns whether code downloads data. */
export function fetches(text: string): boolean {
  return SENDS.test(text);
}

export function codeFlow(command: FlowCommand): { readonly reads: readonly NamedFile[] } {
  const code = codeOf(command);
  if (code === undefined) return { reads: [] };
  return { reads: readPaths(code.text, code.name).map((path) => ({ path, how: 'operand' })) };
}

export function codeSends(command: FlowCommand, origins: string): readonly Sending[] {
  const code = codeOf(command);
  if (code === undefined || !SENDS.test(code.text)) return [];
  // A whole file can read one thing and send another, so the secret itself must reach the statement that sends.
  if (command.program?.from === 'file')
    return reachedIn(code.text, flavourOf(code.name, code.text))
      .filter(({ what }) => what === 'send')
      .map(({ at }) => ({ host: '', how: 'body', text: SECRET, at }));
  const whole = WHOLE_ENVIRONMENT.test(code.text) ? PRIVATE : '';
  const ran = shellTexts(code.text, code.name).flatMap((text) => text.split(/[\s"']+/));
  const named = ran.map((word) => (secretIn(word) === undefined ? (privateIn(word) === 'file' ? PRIVATE : '') : SECRET)).join('');
  const host = hostOf(/https?:\/\/[^\s"'`)]{1,200}/i.exec(code.text)?.[0] ?? '');
  return [{ host, how: 'stream', text: originsOf(origins + whole + named) }];
}
