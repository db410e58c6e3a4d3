/** Code of other languages: not parsed, only searched for a closed list of calls whose arguments are written out. */

const CALLS =
  /\b(?:os\.system|os\.popen|commands\.getoutput|subprocess\.\w+|execSync|spawnSync|exec|spawn|system|popen|shell_exec|passthru|proc_open|Process\.spawn|do shell script)\s*\(?\s*/g;
const DELETES = /\b(?:shutil\.rmtree|rmtree|rm_rf|rm_r|remove_dir_all|rmSync|rmdirSync|rimraf|promises\.rm|fs\.rm)\s*\(?\s*/g;
const MOST_CALLS = 64;

/** The shell commands that the code runs: plain strings, and lists of strings as one command. */
export function shellTexts(code: string): readonly string[] {
  const texts: string[] = [];
  for (const rest of after(CALLS, code)) {
    const list = /^\[([^\]]{0,2000})\]/.exec(rest)?.[1] ?? /^(["'])[\w./-]+\1\s*,\s*\[([^\]]{0,2000})\]/.exec(rest)?.[0] ?? undefined;
    if (list !== undefined) texts.push(strings(list).map(quote).join(' '));
    else {
      const words = leading(rest);
      if (words.length > 0) texts.push(words.length === 1 ? (words[0] ?? '') : words.map(quote).join(' '));
    }
  }
  for (const match of code.matchAll(
    /`([^`]{1,2000})`|%x[({]([^)}]{1,2000})[)}]|"([^"]{1,500})"\s*\|&?\s*getline|\|&?\s*"([^"]{1,500})"/g,
  )) {
    const text = match.slice(1).find((group) => group !== undefined);
    if (text !== undefined && texts.length < MOST_CALLS) texts.push(text);
  }
  return texts;
}

/** The paths that the code deletes with all below them. */
export function deletedPaths(code: string): readonly string[] {
  return after(DELETES, code).flatMap((rest) =>
    leading(rest)
      .slice(0, 1)
      .concat(/^(?:os\.path\.expanduser|Path\.home|os\.homedir)\s*\(/.test(rest) ? ['~'] : []),
  );
}

function after(calls: RegExp, code: string): readonly string[] {
  return [...code.matchAll(calls)]
    .slice(0, MOST_CALLS)
    .map((match) => code.slice(match.index + match[0].length, match.index + match[0].length + 2500));
}

/** The string literals at the start of an argument list. */
function leading(rest: string): readonly string[] {
  const head = /^(?:[rbuf]{0,2}(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*(?:,\s*)?)+/.exec(rest)?.[0];
  return head === undefined ? [] : strings(head);
}

function strings(text: string): readonly string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/g)].map((match) => unescaped(match[1] ?? match[2] ?? ''));
}

function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{2})|([0-7]{3})|(["'\\]))/g,
    (_, hex?: string, octal?: string, plain?: string) =>
      plain ?? String.fromCharCode(hex === undefined ? Number.parseInt(octal ?? '0', 8) : Number.parseInt(hex, 16)),
  );
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
