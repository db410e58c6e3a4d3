/** The shell code in a `sed` script: its `e` command, and the flag that runs what a substitution has made. */

const MOST_CODES = 16;
/** `e command`, after an address or none. */
const RUNS = /(?:^|[;{}\n])[ \t]{0,8}(?:\d{1,9}|\$|\/[^/\n]{0,200}\/)?[ \t]{0,8}e[ \t]+([^\n]+)/g;
/** `s/…/…/e`, with any separator that is not a letter. */
const MAKES = /(?:^|[;{}\n\d$/ \t])s([/|,#:@!%])([^\n]*)/g;

export function sedCode(argv: readonly string[]): readonly string[] {
  return scripts(argv)
    .flatMap((script) => [...Array.from(script.matchAll(RUNS), (match) => match[1] ?? ''), ...made(script)])
    .slice(0, MOST_CODES);
}

function made(script: string): readonly string[] {
  return Array.from(script.matchAll(MAKES)).flatMap((match) => {
    const [separator = '/', rest = ''] = match.slice(1);
    const [, replacement = '', flags = ''] = parts(rest, separator);
    return /^[gipmIM\d]*e/.test(flags) ? [replacement.replace(/\\(.)/g, '$1')] : [];
  });
}

/** Cut at a separator that is not escaped. */
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
