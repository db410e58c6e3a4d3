/** The scripts of `sed`: the shell code that they run, and the lines that they insert into files. */
import { atMost } from '../../limits.ts';
import { isOpaque } from '../marks.ts';

const MOST_CODES = 64;
/** `e command`, with or without an address. */
const RUNS = /(?:^|[;{}\n])[ \t]{0,8}(?:\d{1,9}|\$|\/[^/\n]{0,200}\/)?[ \t]{0,8}e[ \t]+([^\n]+)/g;
/** `s/…/…/e`, with any separator that is not a letter. */
const MAKES = /(?:^|[;{}\n\d$/ \t])s([/|,#:@!%])([^\n]*)/g;

/** Returns the shell code in a `sed` script: its `e` command, and the flag that runs the result of a substitution. */
export function sedCode(argv: readonly string[], stdin: string): readonly string[] {
  const fed = argv.some((word, i) => /^(?:-\w*f|--file)$/.test(argv[i - 1] ?? '') && /^(?:-|\/dev\/stdin)$/.test(word));
  if (fed && isOpaque(stdin)) return [stdin];
  const found = [...scripts(argv), ...(fed ? [stdin] : [])].flatMap((script) => [
    ...Array.from(script.matchAll(RUNS), (match) => match[1] ?? ''),
    ...substitutionCode(script),
  ]);
  return atMost(found, MOST_CODES, 'the commands in a script of `sed`');
}

function substitutionCode(script: string): readonly string[] {
  return Array.from(script.matchAll(MAKES)).flatMap((match) => {
    const [separator = '/', rest = ''] = match.slice(1);
    const [, replacement = '', flags = ''] = parts(rest, separator);
    return /^[gipmIM\d]*e/.test(flags) ? [replacement.replace(/\\(.)/g, '$1')] : [];
  });
}

/** Splits at a separator that is not escaped. */
function parts(text: string, separator: string): readonly string[] {
  const all = [''];
  for (let at = 0; at < text.length && all.length < 4; at++) {
    const char = text[at] ?? '';
    if (char === separator) all.push('');
    else all[all.length - 1] += char === '\\' ? char + (text[++at] ?? '') : char;
  }
  return all;
}

function scripts(argv: readonly string[]): readonly string[] {
  const given: string[] = [];
  const operands: string[] = [];
  let [named, options] = [false, true];
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (options && word === '--') options = false;
    else if (options && /^(-[nErsuz]*e|--expression)$/.test(word)) given.push(argv[++at] ?? '');
    else if (options && word.startsWith('--expression=')) given.push(word.slice(13));
    else if (options && /^-[nErsuz]*e./.test(word)) given.push(word.replace(/^-[nErsuz]*e/, ''));
    else if (options && /^(-[nErsuz]*f|--file)/.test(word)) {
      named = true;
      if (/^(-\w*f|--file)$/.test(word)) at++;
    } else if (options && /^-./.test(word)) continue;
    else operands.push(word);
  }
  return given.length > 0 || named ? given : operands.slice(0, 1);
}

/** Characters that stand for others in a pattern of `sed`, or in a replacement. */
const SPECIAL = /[\\.[\]*^$+?(){}|]/;

/**
 * Returns a text after the substitutions of `sed`, or undefined if a pattern is more than plain text. A pattern is never run here, because it can
 * take any time.
 */
export function substituted(argv: readonly string[], text: string): string | undefined {
  let result = text;
  for (const match of scripts(argv).flatMap((script) => Array.from(script.matchAll(MAKES)))) {
    const [pattern = '', replacement = ''] = parts(match[2] ?? '', match[1] ?? '/');
    if (pattern === '' || SPECIAL.test(pattern) || /[\\&]/.test(replacement)) return undefined;
    result = result.replaceAll(pattern, () => replacement);
  }
  return result;
}

/** `1i text`, `$a\\text`, `/x/c text`. */
const INSERTS = /(?:^|[;{}\n])[ \t]{0,8}(?:\d{1,9}|\$|\/[^/\n]{0,200}\/)?[ \t]{0,8}[aic](?:\\\n?|[ \t])[ \t]{0,8}([^\n]+)/g;

/** Returns the files that `sed` edits in place, and the lines that it puts into them. */
export function sedEdits(argv: readonly string[]): { readonly files: readonly string[]; readonly lines: readonly string[] } {
  if (!argv.some((word) => /^(?:-[nErsuz]*i|--in-place)/.test(word))) return { files: [], lines: [] };
  const given = scripts(argv);
  const lines = given.flatMap((script) => [
    ...Array.from(script.matchAll(INSERTS), (match) => match[1] ?? ''),
    ...Array.from(script.matchAll(MAKES)).map((match) => (parts(match[2] ?? '', match[1] ?? '/')[1] ?? '').replace(/\\n/g, '\n')),
  ]);
  const operands = argv.slice(1).filter((word, i) => !/^-./.test(word) && !given.includes(word) && !/^-\w*[ef]$/.test(argv[i] ?? ''));
  return { files: operands, lines: lines.filter((line) => /\s/.test(line.trim())) };
}
