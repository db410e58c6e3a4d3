/**
 * Rewrites a text of PowerShell in which names and texts are computed or defined: texts in brackets, formats, aliases, functions, tables of
 * options, and methods of .NET for which there is a cmdlet. A name that stays computed is unknown.
 */

const QUOTED = String.raw`(?:'[^'\n]*'|"[^"\n]*")`;
const FORMATTED = new RegExp(String.raw`(${QUOTED})\s*-f\s*(${QUOTED}(?:\s*,\s*${QUOTED}){0,9})`, 'gi');
const ADDED = new RegExp(String.raw`\(\s*((?:${QUOTED}|~)(?:\s*\+\s*(?:${QUOTED}|~|\$HOME\b|[A-Za-z]:\\[^\s)]*|/[^\s)+]*))+)\s*\)`, 'gi');
const JOINED = new RegExp(String.raw`\(?\s*@?\(?\s*(${QUOTED}(?:\s*,\s*${QUOTED}){1,31})\s*\)?\s*-join\s*(${QUOTED})\s*\)?`, 'gi');
const CALLED = /[&.]\s*\(\s*(['"])([\w.-]+)\1\s*\)/g;
const ALIAS =
  /(?:^|[;\n{|])\s*(?:set-alias|new-alias|sal|nal)\s+(?:-name\s+)?['"]?([\w-]+)['"]?\s+(?:-value\s+)?['"]?([\w-]+)['"]?[^;\n|}]*/gi;
const FUNCTION = /(?:^|[;\n])\s*function\s+([\w-]+)\s*(?:\([^()]*\))?\s*\{((?:[^{}]|\{[^{}]*\})*)\}/gi;
const TABLE = /\$(\w+)\s*=\s*@\{([^{}]*)\}/g;
const FILES = /\[(?:System\.)?IO\.Directory\]::(?:Enumerate|Get)(?:Files|Directories|FileSystemEntries)\(\s*([^,()]+)[^()]*\)/gi;
const DELETED = /\[(?:System\.)?IO\.(?:File|Directory)\]::Delete\(\s*(\$_[\w.]*|\uE000(?!:)[\w.]*)[^()]*\)/gi;
const INVOKED = /\$ExecutionContext\.InvokeCommand\.(?:InvokeScript|NewScriptBlock)\(\s*/gi;
/** A text that a pipe passes to a program that runs it. */
const PIPED = new RegExp(
  String.raw`(^|[;\n{(])\s*(${QUOTED})\s*\|\s*(?:&\s*)?(iex|invoke-expression|bash|sh|zsh|cmd|powershell|pwsh)\b(?!\s+-?\w)`,
  'gi',
);
const MOST_FUNCTIONS = 32;

/** Whether a text can need this at all, because most do not. */
const COMPUTES =
  /-f\s|\+|-join|alias|\bsal\b|\bnal\b|function|@\{|\]::|ExecutionContext|[&.]\s*\(|['"]\s*\|\s*(?:&\s*)?(?:iex|invoke-|bash|sh|zsh|cmd|powershell|pwsh)/i;

export function folded(text: string): string {
  if (!COMPUTES.test(text)) return text;
  let plain = text
    .replace(FORMATTED, (_, format: string, values: string) => formatted(format, values))
    .replace(JOINED, (_, values: string, between: string) => `'${partsOf(values).join(bare(between))}'`)
    .replace(
      ADDED,
      (_, sum: string) =>
        `'${sum
          .split(/\s*\+\s*/)
          .map(bare)
          .join('')}'`,
    )
    .replace(CALLED, ' $2')
    .replace(INVOKED, '; iex (')
    .replace(/\biex\s*\(\s*('[^'\n]*'|"[^"\n]*")\s*\)/gi, 'iex $1')
    .replace(/\binvoke-expression\s*\(\s*('[^'\n]*'|"[^"\n]*")\s*\)/gi, 'iex $1')
    .replace(FILES, 'Get-ChildItem $1 -Recurse')
    .replace(DELETED, 'Remove-Item $1')
    .replace(PIPED, (_, before: string, code: string, program: string) =>
      /^i/i.test(program) ? `${before} iex ${code}` : `${before} ${program} ${/^cmd$/i.test(program) ? '/c' : '-c'} ${code}`,
    );
  for (const [whole, name = '', body = ''] of [...plain.matchAll(TABLE)].slice(0, MOST_FUNCTIONS))
    plain = plain.replace(whole, '').replaceAll(new RegExp(String.raw`@${name}\b`, 'g'), () => optionsOf(body));
  for (const [whole, name = '', target = ''] of [...plain.matchAll(ALIAS)].slice(0, MOST_FUNCTIONS))
    plain = plain.replace(whole, '').replaceAll(callOf(name), (_, before: string) => `${before}${target}`);
  for (const [whole, name = '', body = ''] of [...plain.matchAll(FUNCTION)].slice(0, MOST_FUNCTIONS))
    plain = plain
      .replace(whole, () => `\n${body}`)
      .replaceAll(
        new RegExp(String.raw`${callOf(name).source}([^;\n|}]*)`, 'gi'),
        (_, before: string, args: string) => `${before}${body.replace(/[@$]args\b(?:\[\d\])?/gi, () => args.trim())}`,
      );
  return plain;
}

/** A name where a statement starts. */
function callOf(name: string): RegExp {
  return new RegExp(String.raw`((?:^|[;\n|{(])\s*)${name}(?![\w-])`, 'gi');
}

function bare(part: string): string {
  return part.trim().replace(/^(['"])(.*)\1$/s, '$2');
}

function partsOf(values: string): readonly string[] {
  return Array.from(values.matchAll(new RegExp(QUOTED, 'g')), ([value]) => bare(value));
}

function formatted(format: string, values: string): string {
  const parts = partsOf(values);
  return `'${bare(format).replace(/\{(\d)[^{}]*\}/g, (_, at: string) => parts[Number(at)] ?? '')}'`;
}

/** `@{ Path = '~'; Recurse = $true }` as the options of a command. */
function optionsOf(body: string): string {
  return body
    .split(/[;\n]/)
    .map((entry) => /^\s*(\w+)\s*=\s*(.+?)\s*$/s.exec(entry))
    .flatMap((match) =>
      match === null || /^\$false$/i.test(match[2] ?? '')
        ? []
        : [/^\$true$/i.test(match[2] ?? '') ? `-${match[1]}` : `-${match[1]} ${match[2]}`],
    )
    .join(' ');
}
