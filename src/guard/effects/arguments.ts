/**
 * Reads the options and operands of a command as GNU tools do: options at any position before `--`, short options in clusters, long options
 * shortened to an unambiguous prefix. A tool that only prints help, or that rejects an ambiguous option, does nothing.
 */

export interface Syntax {
  /** Short options that take a value. */
  readonly valued?: string;
  /** Long options; `name=` takes a value. */
  readonly long?: readonly string[];
}

export interface Arguments {
  readonly operands: readonly string[];
  /** Whether the tool does nothing, because it prints help or its version, or rejects an ambiguous option. */
  readonly idle: boolean;
  /** Returns whether one of these options is given: one letter, or a long name. */
  has(...names: readonly string[]): boolean;
  /** Returns all values that were given with one of these options. */
  values(...names: readonly string[]): readonly string[];
}

export function readArguments(argv: readonly string[], { valued = '', long = [] }: Syntax = {}): Arguments {
  const given = new Map<string, string[]>();
  const operands: string[] = [];
  let unclear = false;
  const note = (name: string, value?: string): void => {
    const values = given.get(name) ?? [];
    if (value !== undefined) values.push(value);
    given.set(name, values);
  };
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--') {
      operands.push(...argv.slice(at + 1));
      break;
    }
    if (word.startsWith('--')) {
      const { name, takes, clear } = resolve(word.slice(2).replace(/=.*$/s, ''), long);
      unclear ||= !clear;
      if (word.includes('=')) note(name, word.slice(word.indexOf('=') + 1));
      else note(name, takes ? argv[++at] : undefined);
    } else if (/^-[^-]/.test(word)) at += cluster(word, argv[at + 1], valued, note);
    else operands.push(word);
  }
  return {
    operands,
    idle: unclear || given.has('help') || given.has('version'),
    has: (...names) => names.some((name) => given.has(name)),
    values: (...names) => names.flatMap((name) => given.get(name) ?? []),
  };
}

/** Returns whether the path is on another machine: `host:path`, `host::module` or `rsync://…`. */
export function isRemotePath(path: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(path) || /^[^/\\:]{2,}:/.test(path);
}

interface Resolved {
  readonly name: string;
  readonly takes: boolean;
  readonly clear: boolean;
}

function resolve(written: string, long: readonly string[]): Resolved {
  const known = [...long, 'help', 'version'];
  const exact = known.find((option) => option === written || option === `${written}=`);
  const fitting = exact === undefined ? known.filter((option) => option.startsWith(written)) : [exact];
  const [only] = fitting;
  if (only === undefined || written === '') return { name: written, takes: false, clear: true };
  return { name: only.replace('=', ''), takes: only.endsWith('='), clear: fitting.length === 1 };
}

/** Reads a cluster of short options and returns how many further words it takes. */
function cluster(word: string, next: string | undefined, valued: string, note: (name: string, value?: string) => void): 0 | 1 {
  for (let i = 1; i < word.length; i++) {
    const letter = word[i] ?? '';
    if (!valued.includes(letter)) {
      note(letter);
      continue;
    }
    const attached = word.slice(i + 1);
    note(letter, attached === '' ? next : attached);
    return attached === '' ? 1 : 0;
  }
  return 0;
}
