/**
 * Effects on the network: data that leaves the machine, shells that have a connection as their input or output, and connections that a
 * shell opens.
 */

import { codeReaders } from '../shell/code-readers.ts';
import { isNetworkPath } from '../shell/expand/redirects.ts';
import { type Code, codeOf } from '../shell/flow/code-of.ts';
import { attachedTo, NET_TOOLS } from '../shell/flow/downloads.ts';
import type { Sending } from '../shell/flow/sends.ts';
import { type Flavour, flavourOf } from '../shell/foreign/flavour.ts';
import type { EffectiveCommand } from '../shell/machine.ts';
import { CREDENTIAL, DECODED, isDynamic, KEYS, PART, PRIVATE, SECRET } from '../shell/marks.ts';
import { type Effect, type EffectReader, effect } from './effect.ts';

const ORIGINS: readonly (readonly [mark: string, name: string])[] = [
  [SECRET, 'secret'],
  [PRIVATE, 'private'],
  [PART, 'private'],
  [KEYS, 'keys'],
  [CREDENTIAL, 'variable'],
  [DECODED, 'decoded'],
];
const LOOPBACK = /^(localhost|127\.[\d.]+|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal|.*\.localhost)$/i;

/** Commands that print an archive. */
const PACKERS = /^(?:(?:g|bsd)?tar|zip|7z[az]?|cpio|pax|git|rar)$/;

/** Reports every text or file that a command sends over the network, with its origin. */
export const networkSends: EffectReader = ({ name, flow, feeder }) =>
  (flow?.sends ?? []).flatMap((sending) => sendEffect(name, PACKERS.test(feeder), sending));

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

function sendEffect(by: string, packed: boolean, { host, how, text, file, at }: Sending): readonly Effect[] {
  const what = ORIGINS.filter(([mark]) => text.includes(mark)).map(([, name]) => name);
  // An address or a header matters only if it carries data.
  if (what.length === 0 && /^(beside|header|name)$/.test(how)) return [];
  if (file !== undefined && file !== '-') what.push('file');
  else if (what.length === 0) what.push(isDynamic(text) ? 'unknown' : 'text');
  return [effect('net.send', { what, host, how, command: by, file: file ?? '', local: isLoopback(host), packed }, at)];
}

const SHELL =
  /(^|[\s/"'=:,])((ba|z|da|k|a|c|tc|fi|pwsh|power)?sh|pwsh|powershell|cmd(\.exe)?|python[\d.]*|perl|ruby|php|node|lua)(?=$|[\s"',])/i;
/** Commands that compile a file and run it. */
const COMPILERS = new Set('go v crystal dart java kotlin kotlinc scala gcc cc clang tcc rustc nim zig swift csc mcs'.split(' '));

/** Reports shells and interpreters on a network connection, and connections that a shell opens. */
export const network: EffectReader = (command) => {
  const { name, argv, fds } = command;
  const opened = name === 'exec' || name === '' ? [...fds.entries()].find(([fd, to]) => fd > 2 && isNetworkPath(to)) : undefined;
  const open = opened === undefined || argv.length > 1 ? [] : [effect('net.open', openedFacts(opened[1]))];
  return [...open, ...shellEffects(command)];
};

function openedFacts(path: string): Effect['facts'] {
  const host = path.split('/')[3] ?? '';
  return { host, local: isLoopback(host) };
}

function shellEffects(command: EffectiveCommand): readonly Effect[] {
  const { name, argv, fds, program, flow } = command;
  const onNetwork = isNetworkPath(fds.get(0)) || isNetworkPath(fds.get(1)) || isNetworkPath(fds.get(2));
  const interactive = program?.language === 'shell' && argv.some((word) => /^-[a-z]*i/.test(word));
  if (onNetwork && program && (program.from === 'stdin' || interactive || isNetworkPath(fds.get(0))))
    return [shellEffect('descriptors', true)];
  if (name === 'ztcp') return [shellEffect('module', true)];
  if (name === 'xterm' && argv.some((word) => /^--?display$/.test(word))) return [shellEffect('display', false)];
  if (NET_TOOLS.has(name)) return attachedShell(command);
  const code = codeOf(command);
  if (code !== undefined && program?.from === 'file') return shellInFile(code);
  if (code !== undefined) return shellInCode(code.text, flavourOf(code.name, code.text));
  if (!COMPILERS.has(name)) return [];
  return (flow?.reads ?? []).flatMap(({ held }) => shellInCode(held, 'c'));
}

/** Returns a network shell if a short text uses sockets and starts programs. */
function shellInCode(text: string, flavour: Flavour | 'c'): readonly Effect[] {
  const found = codeReaders().shellOnSocket(text, flavour);
  return found === undefined ? [] : [shellEffect('code', found === 'attached')];
}

/** A whole file often uses sockets and starts programs for good reasons, so the connection itself must reach the shell. */
function shellInFile({ text, name }: Code): readonly Effect[] {
  return codeReaders()
    .reachedIn(text, flavourOf(name, text))
    .filter(({ what }) => what === 'shell')
    .map(({ at }) => effect('net.shell', { how: 'code', certain: true }, at));
}

function attachedShell({ name, argv }: EffectiveCommand): readonly Effect[] {
  const codes = attachedTo(name, argv);
  // Some tools select the shell with an option of their own.
  const named = /^(rcat|pwncat)$/.test(name) && argv.some((word) => SHELL.test(word));
  if (named || codes.some((code) => SHELL.test(code))) return [shellEffect('tool', true)];
  return codes.some(isDynamic) ? [shellEffect('tool', false)] : [];
}

function shellEffect(how: string, certain: boolean): Effect {
  return effect('net.shell', { how, certain });
}
