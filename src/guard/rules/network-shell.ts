/** Shells that somebody else types into: a shell or interpreter whose input or output is the network. */
import type { Accusation } from '../findings.ts';
import { type Effective, isForeign, type Program } from '../shell/machine.ts';
import { NET_TOOLS } from '../shell/output.ts';
import { isNetworkPath } from '../shell/redirects.ts';

export const NETWORK_SHELL: Accusation = {
  rule: 'network-shell',
  severity: 'catastrophic',
  message: 'Gives a shell to whoever is at the other end of a network connection.',
  hint: 'Remove it. To send data, use an http hook or `curl --data @-`.',
};

const SOCKET =
  /\bsocket\b|\bSocket\b|TCPSocket|TCPServer|IO::Socket|fsockopen|stream_socket_client|socket_create|\bnet\.(connect|createConnection|Socket|createServer)|require\(['"]net['"]\)|node:net|\/inet\/(tcp|udp)\//;
const ATTACH =
  /dup2|pty\.spawn|\bSTDIN\b[\s\S]{0,200}\bexec|open\s{0,8}\(?\s{0,8}STDIN|\.pipe\(|proc_open|fileno\(\)|\$stdin\.reopen|exec\b[\s\S]{0,200}<&|getline|io\.popen|fdopen/;
const START =
  /subprocess|os\.system|os\.popen|child_process|\bexec\w*\s*[("'`]|\bsystem\s*[("'`$]|\bgetline\b|\bspawn\w*\s*\(|shell_exec|passthru|popen|os\.execute|\/bin\/(ba|z|da|k)?sh|`/;

export function networkShell(command: Effective): readonly Accusation[] {
  const { name, argv, fds, program } = command;
  const onNetwork = isNetworkPath(fds.get(0)) || isNetworkPath(fds.get(1)) || isNetworkPath(fds.get(2));
  const interactive = program?.language === 'shell' && argv.some((word) => /^-[a-z]*i/.test(word));
  if (onNetwork && program && (program.from === 'stdin' || interactive || isNetworkPath(fds.get(0)))) return [NETWORK_SHELL];
  if (NET_TOOLS.has(name) && givesShell(name, argv)) return [NETWORK_SHELL];
  if (name === 'ztcp') return [NETWORK_SHELL];
  if (name === 'xterm' && argv.some((word) => /^--?display$/.test(word))) return [{ ...NETWORK_SHELL, severity: 'high' }];
  if (isForeign(program)) return inCode(program.text, program.from);
  return [];
}

/** A whole file may well use sockets and start programs; a one-liner that does both is what it looks like. */
export function inCode(text: string, from: Program['from']): readonly Accusation[] {
  if (!SOCKET.test(text)) return [];
  if (ATTACH.test(text) && START.test(text)) return from === 'file' && !/dup2|pty\.spawn/.test(text) ? [] : [NETWORK_SHELL];
  return from !== 'file' && START.test(text) ? [{ ...NETWORK_SHELL, severity: 'high' }] : [];
}

function givesShell(name: string, argv: readonly string[]): boolean {
  if (name === 'socat') return argv.some((word) => /^(exec|system|shell):/i.test(word));
  return argv.some((word, i) => {
    if (/^--(exec|sh-exec|lua-exec)\b/.test(word)) return true;
    if (!/^-[a-zA-Z]*[ec]/.test(word) || word.startsWith('--')) return false;
    const value = /[ec]$/.test(word) ? (argv[i + 1] ?? '') : word.replace(/^-[a-zA-Z]*?[ec]/, '');
    if (argv.slice(i + 1).some((other) => /^(\/\S*\/)?(ba|z|da|k|a)?sh$/.test(other))) return true;
    return /(^|[/\s"'])(ba|z|da|k|a)?sh\b|cmd(\.exe)?$|powershell|^\/|python|perl|\$/.test(value);
  });
}
