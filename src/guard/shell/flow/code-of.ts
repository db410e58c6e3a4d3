/** The code in another language that a command runs, and whether it uses the network. */
import { isForeign } from '../machine.ts';
import type { FlowCommand } from './flow.ts';

const SENDS =
  /\bfetch\s{0,4}\(|https?\.request|https?\.(get|post)\b|requests\.\w|httpx\.|urlopen|Net::HTTP|\bLWP\b|HTTP::Tiny|\bsocket\b|TCPSocket|fsockopen|stream_socket_client|net\.(connect|createConnection)|http::geturl|Invoke-(WebRequest|RestMethod)|\biwr\b|\birm\b|axios|curl_(init|exec)|XMLHttpRequest|WebSocket|smtplib|ftplib|paramiko|file_get_contents\(\s{0,4}['"]https?:|\/inet\/(tcp|udp)\/|WebClient/;
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
