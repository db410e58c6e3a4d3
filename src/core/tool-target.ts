/**
 * What a tool's input acts on, as the patterns of permission rules see it: the commands of a shell line, a path, the host of an address.
 * A shell line that can't be told apart safely gives more parts rather than fewer: a rule that starts a guard must not miss.
 */
import { isObject, type Json } from './json.ts';

const PATHS = ['file_path', 'path', 'filePath', 'notebook_path', 'absolute_path'];

/** Undefined if the input names nothing of the kind. */
export function targetsOf(input: Json | undefined): readonly string[] | undefined {
  if (!isObject(input)) return undefined;
  const { command, url } = input;
  const line = Array.isArray(command) ? command.filter((word) => typeof word === 'string').join(' ') : command;
  if (typeof line === 'string') return commandsOf(line);
  const paths = PATHS.flatMap((key) => (typeof input[key] === 'string' ? [input[key]] : []));
  if (paths.length > 0) return paths;
  return typeof url === 'string' && URL.canParse(url) ? [`domain:${new URL(url).hostname}`, url] : undefined;
}

/** The line itself and every command in it, substitutions included, each without the variables set before it. */
export function commandsOf(line: string): readonly string[] {
  const aware = split(line, true);
  const parts = [line, ...(aware ?? split(line, false) ?? [])].map((part) => part.trim());
  return [...new Set(parts.flatMap((part) => [part, bare(part)]))].filter((part) => part !== '');
}

const ENDS = /^(?:&&|\|\||[;&|\n(){}`]|\$\(|<\(|>\()/;

/** Undefined if quotes are left open, or a text follows that is no command. Only single quotes keep a substitution from running. */
function split(line: string, quotes: boolean): readonly string[] | undefined {
  const parts: string[] = [];
  let part = '';
  let quote = '';
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i);
    const end = ENDS.exec(line.slice(i, i + 2))?.[0];
    const substitutes = end === '`' || end === '$(';
    if (quotes && char === '\\' && quote !== "'") part += char + line.charAt(++i);
    else if (quotes && quote === '' && line.startsWith('<<', i)) return undefined;
    else if (quotes && (quote === '' ? char === "'" || char === '"' : char === quote)) {
      quote = quote === '' ? char : '';
      part += char;
    } else if (end !== undefined && (quote === '' || (quote === '"' && substitutes))) {
      parts.push(part);
      part = '';
      i += end.length - 1;
      // What is in a substitution has quotes of its own: the rest is told apart without them.
      if (quote === '"') return undefined;
    } else part += char;
  }
  return quote === '' ? [...parts, part] : undefined;
}

/** Without the variables in front, and without quotes around its words. */
function bare(part: string): string {
  return part.replace(/^(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)\s+)+/, '').replace(/["'\\]/g, '');
}
