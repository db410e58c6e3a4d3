/**
 * Finds files whose content becomes code or the name of code: `sh < x`, `cat x | sh`, `eval "$(cat x)"`, `xargs -a x sh`. Each file that a
 * command reads is replaced by a word of its own, and the text is analysed once more. The words that then run show which files are code.
 */
import { type AnalyseOptions, type Analysis, analyse } from '../../shell/analyse.ts';
import type { EffectiveCommand } from '../../shell/machine.ts';
import { isDynamic } from '../../shell/marks.ts';
import { type Language, languageRunBy } from './literals.ts';
import { isFile, textOf } from './lookup.ts';

const MOST_FILES = 40;
const MOST_LISTED = 64 * 1024;

export interface Fed {
  /** The files whose content runs, with the way in which it runs. */
  readonly code: readonly { readonly path: string; readonly how: 'shell' | 'import'; readonly language?: Language }[];
  /** The files that hold names of further files or programs. */
  readonly lists: readonly string[];
  /** The analysis with the files filled in. */
  readonly analysis: Analysis;
}

/** Returns the files that a command reads: its operands and its standard input, by the key that the analysis uses for them. */
export function filesRead(
  commands: readonly EffectiveCommand[],
  resolve: (path: string, cwd: string) => readonly string[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { argv, fds, cwd } of commands) {
    const input = fds.get(0);
    const words = [...argv.slice(1).map((word) => word.replace(/^--?[\w-]+=/, '')), ...(input === undefined ? [] : [input])];
    for (const word of words) {
      if (found.size >= MOST_FILES) return found;
      if (word === '' || word.startsWith('-') || word.length > 400 || isDynamic(word) || isDynamic(cwd) || /[\n\0]/.test(word)) continue;
      const path = resolve(word, cwd).find(isFile);
      if (path !== undefined) found.set(/^[/~]/.test(word) || cwd === '' ? word : `${cwd}/${word}`, path);
    }
  }
  return found;
}

export function findFed(text: string, read: ReadonlyMap<string, string>, options: AnalyseOptions): Fed | undefined {
  if (read.size === 0) return undefined;
  const keys = [...read.keys()];
  const words = keys.map((_, index) => `hookline${index}probe`);
  const probed = analyse(text, { ...options, files: Object.fromEntries(keys.map((key, index) => [key, words[index] ?? ''])) });
  const has = (test: (command: EffectiveCommand, word: string) => boolean): readonly string[] =>
    keys.filter((_, index) => probed.commands.some((command) => test(command, words[index] ?? '')));
  const run = has(
    ({ argv, program }, word) => argv[0] === word || (program?.language === 'shell' && program.text?.includes(word) === true),
  );
  const foreign = has(
    ({ program }, word) => program !== undefined && program.language !== 'shell' && program.text?.includes(word) === true,
  );
  const listed = has(
    ({ argv, program, name }, word) =>
      namesOf(name, argv, program?.path).some((one) => one.includes(word) && one !== word) || program?.path === word,
  );
  const languageFor = (key: string): { readonly language?: Language } => {
    const word = words[keys.indexOf(key)] ?? '';
    const language = languageRunBy(
      probed.commands.find(({ program }) => program?.language !== 'shell' && program?.text?.includes(word))?.name ?? '',
    );
    return language ? { language } : {};
  };
  const code = [
    ...run.map((key) => ({ path: read.get(key) ?? '', how: 'shell' as const })),
    ...foreign.map((key) => ({ path: read.get(key) ?? '', how: 'import' as const, ...languageFor(key) })),
  ];
  const lists = listed.filter((key) => !run.includes(key));
  const contents = lists.flatMap((key) => {
    const body = textOf(read.get(key) ?? '');
    return body === undefined || body.length > MOST_LISTED ? [] : [[key, body] as const];
  });
  const analysis =
    contents.length === 0
      ? probed
      : analyse(text, {
          ...options,
          files: { ...Object.fromEntries(keys.map((key, index) => [key, words[index] ?? ''])), ...Object.fromEntries(contents) },
        });
  return { code, lists: lists.map((key) => read.get(key) ?? ''), analysis };
}

function namesOf(name: string, argv: readonly string[], path: string | undefined): readonly string[] {
  return [argv[0] ?? '', path ?? '', name === 'source' || name === '.' ? (argv[1] ?? '') : ''];
}
