/**
 * The line that an agent runs to call Hookline: writes it and recognises it. Only lines exactly as Hookline writes them are recognised. A line
 * that a user wrapped in something else is the user's, and is never changed or removed.
 */

/** How an entry reaches Hookline: by a program, or by a request to an address. */
export type Reach =
  | {
      readonly via: 'command';
      readonly program: readonly string[];
      /** The record of the installation: a path, or `account` in a file that others share. */
      readonly installed?: string;
    }
  | {
      readonly via: 'http';
      readonly base: string;
      readonly headers: Readonly<Record<string, string>>;
      /** For events that are not asked by http. */
      readonly program: readonly string[];
      readonly installed?: string;
      /** The user accepts that the agent continues without a check while no server answers. */
      readonly failOpen: boolean;
    };

/** Hookline's entry, read back from a file. */
export interface OwnLine {
  readonly via: 'command' | 'http';
  readonly host: string;
  readonly event?: string;
  /** The program and the words before `hook`; empty for an address. */
  readonly program: readonly string[];
  readonly installed?: string;
  /** As it is written. */
  readonly text: string;
}

export function lineFor(reach: Reach, host: string, event: string, platform: string): string {
  if (reach.via === 'http') return `${reach.base}${ROUTE}${host}/${encodeURIComponent(event)}`;
  const record = reach.installed === undefined ? [] : ['--installed', reach.installed];
  const words = [...reach.program, ...(isClient(reach.program) ? [] : ['hook']), ...record, host, event];
  return words.map((word) => quoted(word, platform)).join(' ');
}

/** Returns the line for an event that can be denied. If the shell cannot run the program, the line exits with 2, and the agent blocks. */
export function blockingLine(line: string, platform: string): string {
  // PowerShell, which some agents use on Windows, has no such operator in the version that Windows comes with.
  return platform === 'win32' ? line : `${line}${OR_BLOCK}`;
}

/** Undefined if this is not Hookline's line. */
export function readLine(text: string): OwnLine | undefined {
  const address = ADDRESS.exec(text);
  if (address) {
    const [, host = '', event] = address;
    return { via: 'http', host, program: [], text, ...(event !== undefined && { event: decoded(event) }) };
  }
  const words = wordsOf(text.endsWith(OR_BLOCK) ? text.slice(0, -OR_BLOCK.length) : text);
  if (!words) return undefined;
  const at = words.findIndex((word) => PROGRAM.test(baseName(word)));
  const program = words.slice(0, at + 1);
  if (at < 0 || !isRunner(words.slice(0, at), isClient(program))) return undefined;
  const rest = words.slice(at + 1);
  if (!isClient(program) && rest.shift() !== 'hook') return undefined;
  const installed = rest[0] === '--installed' ? rest.splice(0, 2)[1] : undefined;
  const [host, event, ...more] = rest;
  if (host === undefined || more.length > 0 || ![host, event ?? ''].every((word) => /^[\w.:-]*$/.test(word))) return undefined;
  return { via: 'command', host, program, text, ...(event !== undefined && { event }), ...(installed !== undefined && { installed }) };
}

/** For a POSIX shell; on Windows in the form that its shells have in common. */
export function quoted(word: string, platform: string): string {
  if (platform === 'win32') {
    const forward = word.replaceAll('\\', '/');
    return PLAIN.test(forward) ? forward : `"${forward}"`;
  }
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

const OR_BLOCK = ' || exit 2';
const ROUTE = '/v1/hook/';
const ADDRESS = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?\/v1\/hook\/([\w-]+)(?:\/([\w.%:-]+))?$/;
const PLAIN = /^[\w@%+=:,./-]+$/;
const PROGRAM = /^hookline(?:-hook)?(?:\.js|\.cmd|\.exe|\.sh)?$/;
const NODE = /^node(?:\.exe)?$/;

/** Whether these words precede the program in a line of Hookline: nothing, the Node that runs it, or the bash that runs the client. */
function isRunner(words: readonly string[], runsClient: boolean): boolean {
  const [runner = '', ...options] = words;
  if (words.length < 2) return words.length === 0 || NODE.test(baseName(runner));
  return runsClient && baseName(runner) === 'bash' && options.join(' ') === '-p';
}

function isClient(program: readonly string[]): boolean {
  return /^hookline-hook(?:\.\w+)?$/.test(baseName(program.at(-1) ?? ''));
}

function baseName(word: string): string {
  return word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The words of a line without any shell syntax but quotes; undefined if there is more to it. */
function wordsOf(line: string): string[] | undefined {
  const words: string[] = [];
  let rest = line.trim();
  while (rest !== '') {
    const [all, body = ''] = WORD.exec(rest) ?? [];
    if (all === undefined) return undefined;
    words.push(body.replace(PART, (part) => (/^['"]/.test(part) ? part.slice(1, -1) : part.replace(/^\\/, ''))));
    rest = rest.slice(all.length);
  }
  return words;
}

const PART = /'[^']*'|"[^"$`]*"|\\'/g;
const WORD = /^((?:'[^']*'|"[^"$`]*"|\\'|[\w@%+=:,./~-])+)(?:\s+|$)/;
