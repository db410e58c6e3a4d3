/**
 * The language of a program that a tool runs. The tool's input or name states it, or a `#!` line in the program. The guard reads such a program
 * as the command line that would run it. A program in an unknown language is read in several languages, because none of them may be missed.
 */
import { flavourOf } from '../shell/foreign/flavour.ts';

export type Language =
  | 'shell'
  | 'powershell'
  | 'python'
  | 'js'
  | 'ruby'
  | 'perl'
  | 'php'
  | 'lua'
  | 'r'
  | 'julia'
  | 'applescript'
  | 'sql'
  | 'unknown';

/** A program, or a part of one. */
export interface ToolText {
  readonly text: string;
  readonly language: Language;
}

/** One way to read a program, as shell code. */
export interface Reading {
  readonly command: string;
  /** `sure`: this is what runs. `possible`: it may be. `unlikely`: the program looks like another language. */
  readonly how: 'sure' | 'possible' | 'unlikely';
}

const RUNNERS: Readonly<Record<Exclude<Language, 'shell' | 'unknown'>, string>> = {
  powershell: 'pwsh -Command',
  python: 'python3 -c',
  js: 'node -e',
  ruby: 'ruby -e',
  perl: 'perl -e',
  php: 'php -r',
  lua: 'lua -e',
  r: 'rscript -e',
  julia: 'julia -e',
  applescript: 'osascript -e',
  // The client is not known, so the reader of statements has a name for it.
  sql: 'sql-tool',
};

const NAMES: ReadonlyMap<string, Language> = new Map(
  (
    [
      ['powershell', 'powershell pwsh ps1'],
      ['python', 'python py ipython jupyter ipykernel pyodide'],
      ['js', 'javascript js node nodejs typescript ts tsx deno bun'],
      ['ruby', 'ruby irb'],
      ['perl', 'perl'],
      ['php', 'php'],
      ['lua', 'lua luajit'],
      ['r', 'r rscript'],
      ['julia', 'julia'],
      ['applescript', 'applescript osascript'],
      ['sql', 'sql'],
      ['shell', 'shell bash sh zsh fish ksh dash ash'],
    ] as const
  ).flatMap(([language, names]) => names.split(' ').map((name): [string, Language] => [name, language])),
);

/** Returns the language that one of the words names, or undefined. The first one counts. */
export function languageNamed(words: readonly string[]): Language | undefined {
  return words.map((word) => NAMES.get(word)).find((language) => language !== undefined);
}

/** Returns the language that a value states: `python3.12`, `/usr/bin/pwsh` or `powershell.exe`. A value that is no known name is unknown. */
export function languageStated(value: string): Language {
  const name = value.trim().toLowerCase().split(/[\\/]/).at(-1) ?? '';
  return NAMES.get(name.replace(/\.exe$/, '').replace(/[\d.]+$/, '')) ?? 'unknown';
}

/** Returns the language of a `#!` line, or undefined. */
export function languageOfShebang(text: string): Language | undefined {
  const [, program = '', first] = /^#!\s*(\S+)(?:\s+(?:-S\s+)?(\S+))?/.exec(text) ?? [];
  if (program === '') return undefined;
  return languageStated(/(?:^|\/)env$/.test(program) ? (first ?? '') : program);
}

export function readingsOf({ text, language }: ToolText): readonly Reading[] {
  if (language === 'shell') return [{ command: text, how: 'sure' }];
  if (language !== 'unknown') return [{ command: `${RUNNERS[language]} ${quote(text)}`, how: 'sure' }];
  const how = flavourOf('', text) === 'other' ? 'possible' : 'unlikely';
  return [
    { command: text, how },
    { command: `${RUNNERS.python} ${quote(text)}`, how: 'possible' },
    { command: `${RUNNERS.js} ${quote(text)}`, how: 'possible' },
  ];
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
