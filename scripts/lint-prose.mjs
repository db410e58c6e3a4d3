#!/usr/bin/env node
/**
 * Checks the house style in everything a person reads: Markdown, comments, and texts of five words or more in the code.
 *
 *   node scripts/lint-prose.mjs [--warnings] [path…]
 *
 * A path is a file or a folder, relative or absolute; without one the whole repository is read. Code, links and short strings are
 * skipped. Exit 1 if there is an error, 64 if a path does not exist. Long sentences are warnings and never fail.
 */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const WHOLE = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'docs',
  'examples',
  'src',
  'scripts',
  'bin',
];
const SKIPPED = new Set(['node_modules', 'dist', 'fixtures', 'compiled.ts', 'lint-prose.mjs', 'lint-prose.test.ts', '.git']);
const LONGEST_SENTENCE = 30;
const FEWEST_WORDS = 5;

/** Words that this house does not use, and the words to use instead. `\s+` matches a line break, so a phrase may span two lines. */
export const RULES = [
  [/\bcan\s+not\b/gi, '`cannot`'],
  [/\bbeside\b/gi, '`in addition to`, `next to` or `besides`'],
  [/\bnobody\b/gi, '`no hook`, `no process` or `no person`'],
  [/\bas\s+ever\b/gi, '`as usual`'],
  [/\bof\s+ours\b/gi, "`Hookline's`"],
  [/\bmend(?:s|ed|ing)?\b/gi, '`fix`'],
  [/\bstands?\s+in\b/gi, '`is in` or `replaces`'],
  [/\bput\s+to\b/gi, '`sent to` or `run for`'],
  [
    /\bputs?\s+(?:it|them|each|one|an?|the|this|every)(?:\s+[\w'-]+){0,3}?\s+to\s+(?:the|a|its|all|every)\b/gi,
    '`sends … to` or `runs … for`',
  ],
  [/\b(?:a|the|its|one|every|no)\s+no(?=[.,;:!?)]|\s+(?:and|or|is|was|that|from|by|of|counts|for)\b|\s*$)/gim, '`a denial`'],
  [/\bwish(?:es|ed)?\b/gi, '`asks`, `wants` or `holds`'],
  [/\bin\s+(?:its|their|(?:the|an?|that|each)\s+[\w-]+['’]s?|the)\s+(?:own\s+)?words\b/gi, '`in its format` or `in its response`'],
  [/\b(?:host|agent|dialect|format|handler|hook)(?:s?['’]s?)\s+(?:own\s+)?words\b/gi, '`format` or `response`'],
  [/\b(?:has|have|had|with)\s+(?:no|other)\s+words\b/gi, '`cannot express`'],
  [/\bsaid\b/gi, '`reported`, `printed` or `returned`'],
  [
    /\bgoes\b(?!\s+(?:to|into|through|from|wrong|past|up|down|beyond|over|ahead|first|back\s+to)\b)/gi,
    '`exits`, `is removed` or `continues`',
  ],
];

/** Sentences that hide their subject. A question may start with these words. */
const HIDDEN_SUBJECT = /^(?:What|Who|Whoever|All\s+that)\b/;

/** Marks text that is not prose. A mask has the length of the text it replaces, so offsets stay valid. */
const BREAK = '\u0001';
/** Marks a word that was code. */
const CODE = '¤';

const filled = (text, filler) => filler.repeat(text.length);
const spaced = (text) => text.replace(/[^\n]/g, ' ');

/** Returns Markdown as text of the same length in which everything but prose is masked. */
export function proseOfMarkdown(source) {
  return [
    source
      .replace(/\r/g, ' ')
      .replace(/^---\n[\s\S]*?\n---$/m, (all, at) => (at === 0 ? filled(all, BREAK) : all))
      .replace(/^([ \t]*)(`{3,}|~{3,})[\s\S]*?(?:^[ \t]*\2[`~]*[ \t]*$|$(?![\s\S]))/gm, (all) => filled(all, BREAK))
      .replace(/<!--[\s\S]*?-->/g, (all) => filled(all, BREAK))
      .replace(/(`+)(?!`)[^\n]*?(?:\n[^\n]+?)??\1(?!`)/g, (all) => filled(all, CODE))
      .replace(/\]\([^)\n]*\)/g, spaced)
      .replace(/https?:\/\/[^\s)>]+/g, (all) => filled(all, CODE))
      .replace(/^[ \t]*#{1,6}[^\n]*\n?/gm, (all) => `${BREAK}${all.slice(1).replace(/\n$/, BREAK)}`)
      .replace(/^([ \t]*)(?:[-*+]|\d+[.)])[ \t]/gm, (all) => filled(all, BREAK))
      .replace(/^[ \t]*>/gm, spaced)
      .replace(/^[ \t]*\|[^\n]*\n?/gm, (row) => row.replace(/[|\n]/g, BREAK))
      .replace(/[*_[\]!]+(?=[\w"'¤(]|\s|$|[.,;:])/g, spaced),
  ];
}

/** Returns the comments that start with `#`, as in shell and YAML. */
export function proseOfHashComments(source) {
  return [
    source
      .split('\n')
      .map((line) => (/^\s*#(?!!)/.test(line) ? hideCode(line.replace('#', ' ')) : filled(line, BREAK)))
      .join('\n'),
  ];
}

/** Returns the comments and texts of a TypeScript or JavaScript file. A text within a `${…}` is returned on its own. */
export function proseOfCode(source) {
  const out = source.split('');
  const texts = [out];
  readCode(source, 0, out, texts, false);
  return texts.map((text) => text.join(''));
}

/** Reads code from `from` and masks it; `inTemplate` stops at the brace that closes a `${`. Returns where it stopped. */
function readCode(source, from, out, texts, inTemplate) {
  let at = from;
  let depth = 0;
  let before = '';
  while (at < source.length) {
    const char = source[at];
    const two = source.slice(at, at + 2);
    if (two === '//' || two === '/*') at = readComment(source, at, out);
    else if (char === "'" || char === '"') {
      at = readString(source, at, out);
      before = char;
    } else if (char === '`') {
      at = readTemplate(source, at, out, texts);
      before = char;
    } else if (char === '/' && mayStartPattern(before)) {
      const end = endOfPattern(source, at);
      mask(out, at, end, BREAK);
      at = end;
      before = '/x';
    } else {
      if (char === '{') depth += 1;
      if (char === '}') {
        if (inTemplate && depth === 0) return at;
        depth -= 1;
      }
      if (!/\s/.test(char)) {
        before = /\w/.test(char) && /\w$/.test(before) && /\w/.test(source[at - 1] ?? '') ? before + char : char;
        out[at] = BREAK;
      }
      at += 1;
    }
  }
  return at;
}

/** Whether a slash starts a pattern: it does if no value can end before it. */
function mayStartPattern(before) {
  return (
    before === '' || /^[(,=:[!&|?{};+\-*%<>~^]$/.test(before) || /^(?:return|typeof|case|in|of|do|else|await|yield|void)$/.test(before)
  );
}

function endOfPattern(source, from) {
  let inClass = false;
  for (let at = from + 1; at < source.length && source[at] !== '\n'; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === '[') inClass = true;
    else if (source[at] === ']') inClass = false;
    else if (source[at] === '/' && !inClass) return at + 1;
  }
  return from + 1;
}

function readComment(source, from, out) {
  const isLine = source[from + 1] === '/';
  const close = isLine ? source.indexOf('\n', from) : source.indexOf('*/', from + 2) + 2;
  const end = close < (isLine ? 0 : 2) ? source.length : close;
  const text = source.slice(from, end);
  const isTool = /^(?:\/\/|\/\*)\s*(?:biome-ignore|@ts-|#region|#endregion)/.test(text);
  const prose = isLine
    ? text.replace(/^\/\/+/, spaced)
    : text
        .replace(/^\/\*+|\*+\/$/g, spaced)
        .replace(/^[ \t]*\*/gm, spaced)
        .replace(/@\w+[^\n]*?(?=\s)/g, (tag) => filled(tag, BREAK));
  write(out, from, isTool ? filled(text, BREAK) : hideCode(prose));
  return end;
}

function readString(source, from, out) {
  const quote = source[from];
  let at = from + 1;
  while (at < source.length && source[at] !== quote && source[at] !== '\n') at += source[at] === '\\' ? 2 : 1;
  const end = Math.min(at + 1, source.length);
  mask(out, from, end, BREAK);
  const text = source.slice(from + 1, end - 1);
  if (isProse(text))
    write(out, from + 1, hideCode(text.replace(/\\n/g, BREAK.repeat(2)).replace(/\\(?=['"`])/g, '')).padEnd(text.length, BREAK));
  return end;
}

function readTemplate(source, from, out, texts) {
  let at = from + 1;
  let text = '';
  while (at < source.length && source[at] !== '`') {
    if (source[at] === '\\') {
      text += source[at + 1] === '`' ? ' `' : '  ';
      at += 2;
    } else if (source.startsWith('${', at)) {
      const nested = Array.from({ length: source.length }, (_, index) => (index < at ? BREAK : source[index]));
      const end = readCode(source, at + 2, nested, texts, true);
      mask(nested, at, at + 2, BREAK);
      mask(nested, end, source.length, BREAK);
      texts.push(nested);
      text += CODE.repeat(Math.min(end + 1, source.length) - at);
      at = end + 1;
    } else {
      text += source[at];
      at += 1;
    }
  }
  const end = Math.min(at + 1, source.length);
  mask(out, from, end, BREAK);
  if (isProse(text)) write(out, from + 1, hideCode(text));
  return end;
}

const hideCode = (text) => text.replace(/`[^`\n]*`/g, (all) => filled(all, CODE)).replace(/https?:\/\/\S+/g, (all) => filled(all, CODE));
const isProse = (text) => (text.match(/(?<![\w/-])[A-Za-z][a-z']*(?![\w/=-])/g) ?? []).length >= FEWEST_WORDS;

function write(out, from, text) {
  for (let at = 0; at < text.length; at += 1) out[from + at] = text[at];
}

function mask(out, from, end, filler) {
  for (let at = from; at < end; at += 1) if (out[at] !== '\n') out[at] = filler;
}

/** Returns the findings in one text, in order: `{ line, column, words, write, severity }`. */
export function lintProse(source, extension) {
  const found = proseOf(source, extension).flatMap((prose) => [...wordsToReplace(prose), ...sentencesToRewrite(prose)]);
  return found
    .sort((one, other) => one.at - other.at || other.words.length - one.words.length)
    .filter(
      (finding, index, all) =>
        !all.slice(0, index).some((one) => one.severity === finding.severity && finding.at < one.at + one.words.length),
    )
    .map(({ at, ...finding }) => {
      const above = source.slice(0, at).split('\n');
      return { line: above.length, column: (above.at(-1)?.length ?? 0) + 1, ...finding };
    });
}

function proseOf(source, extension) {
  if (extension === '.md') return proseOfMarkdown(source);
  if (extension === '.sh' || extension === '.yaml' || extension === '.yml') return proseOfHashComments(source);
  return proseOfCode(source);
}

function* wordsToReplace(prose) {
  for (const [pattern, write] of RULES)
    for (const match of prose.matchAll(pattern)) yield { at: match.index, words: match[0].replace(/\s+/g, ' '), write, severity: 'error' };
}

function* sentencesToRewrite(prose) {
  for (const block of prose.matchAll(new RegExp(`(?:(?!\\n[ \\t]*\\n)[^${BREAK}])+`, 'g'))) {
    for (const sentence of block[0].matchAll(/\S(?:[^.!?]|[.!?](?![\s"')\]]))*[.!?]*["')\]]*/g)) {
      const words = sentence[0].split(/\s+/).filter((word) => /[\w¤]/.test(word));
      const at = block.index + sentence.index;
      const start = /^["'(\s]*/.exec(sentence[0])?.[0].length ?? 0;
      const subject = HIDDEN_SUBJECT.exec(sentence[0].slice(start));
      if (subject && words.length > 2 && !sentence[0].trimEnd().endsWith('?'))
        yield {
          at: at + start,
          words: subject[0].replace(/\s+/g, ' '),
          write: 'a sentence that starts with its subject',
          severity: 'error',
        };
      if (words.length > LONGEST_SENTENCE)
        yield {
          at,
          words: `${words.slice(0, 4).join(' ')} …`,
          write: `shorter sentences: this one has ${words.length} words`,
          severity: 'warning',
        };
    }
  }
}

/** Yields every file below the given paths that may contain prose. */
function* filesBelow(path) {
  if (SKIPPED.has(path.split(/[\\/]/).at(-1))) return;
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path).sort()) yield* filesBelow(join(path, name));
  } else if (kindOf(path)) yield path;
}

function kindOf(path) {
  const extension = extname(path);
  if (['.md', '.ts', '.mjs', '.js', '.cjs', '.sh', '.yaml', '.yml'].includes(extension)) return extension;
  return /[\\/]bin[\\/]hookline-hook$/.test(path) ? '.sh' : null;
}

function main(args) {
  const withWarnings = args.includes('--warnings');
  const named = args.filter((arg) => arg !== '--warnings');
  const unknown = named.find((arg) => arg.startsWith('-') || !existsSync(arg));
  if (unknown !== undefined) {
    console.error(`${unknown}: no such file, folder or option. Usage: lint-prose.mjs [--warnings] [path…]`);
    return 64;
  }
  const starts =
    named.length > 0 ? named.map((arg) => resolve(arg)) : WHOLE.map((name) => join(ROOT, name)).filter((path) => existsSync(path));
  const count = { error: 0, warning: 0 };
  for (const file of starts.flatMap((start) => [...filesBelow(start)])) {
    for (const { line, column, words, write, severity } of lintProse(readFileSync(file, 'utf8'), kindOf(file))) {
      count[severity] += 1;
      if (severity === 'error' || withWarnings)
        console.log(`${relative(process.cwd(), file)}:${line}:${column} ${severity}: “${words}”. Write ${write}.`);
    }
  }
  console.log(
    `${count.error} to rewrite, ${count.warning} long sentence${count.warning === 1 ? '' : 's'}${withWarnings ? '' : ' (--warnings shows them)'}.`,
  );
  return count.error > 0 ? 1 : 0;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
