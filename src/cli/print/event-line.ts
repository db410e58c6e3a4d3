/** Prints the subject of an event on one line, and the changes of a rewrite. Everything is redacted first. */
import { isObject, type Json } from '../../core/values/json.ts';
import { redact } from '../../core/values/redact.ts';
import type { Request } from '../input/fire-request.ts';
import type { Style } from './style.ts';
import { cutWords, oneLine, widthOf } from './text.ts';

export function headline({ kind, data, native }: Request, style: Style): string {
  const { tool, ...rest } = data;
  const named = native ? `${native.dialect ?? native.as} ${native.event}` : '';
  const lead = [kind, named === '' ? '' : `(${named})`, typeof tool === 'string' ? oneLine(tool) : ''].filter((part) => part !== '');
  const body = typeof tool === 'string' ? (rest['input'] ?? {}) : data;
  const room = style.columns - lead.reduce((sum, part) => sum + widthOf(part) + 2, 0);
  const [first = '', ...others] = lead;
  return `${[style.bold(first), ...others, style.dim(cutWords(preview(body), Math.max(20, room)))].join('  ').trimEnd()}\n`;
}

/** Prints the values before and after, key by key for a map. Unchanged keys are left out. */
export function rewriteLines(title: string, before: Json | undefined, after: Json | undefined, style: Style): string {
  if (after === undefined) return '';
  const lines = [style.dim(`  ${title}`)];
  const line = (sign: '-' | '+', key: string, value: Json): void => {
    const text = cutWords(`    ${sign} ${key === '' ? '' : `${oneLine(key)}: `}${preview(value)}`, style.columns);
    lines.push(sign === '-' ? style.red(text) : style.green(text));
  };
  const old = before === undefined ? undefined : redact(before).value;
  const now = redact(after).value;
  if (!isObject(old) || !isObject(now)) {
    if (old !== undefined) line('-', '', old);
    line('+', '', now);
    return `${lines.join('\n')}\n`;
  }
  const original = isObject(before) && isObject(after) ? { before, after } : undefined;
  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    // Compares the real values, because two masked secrets look the same.
    if (JSON.stringify(original?.before[key]) === JSON.stringify(original?.after[key])) continue;
    const [was, is] = [old[key], now[key]];
    if (was !== undefined) line('-', key, was);
    if (is !== undefined) line('+', key, is);
  }
  return `${lines.join('\n')}\n`;
}

/** Returns redacted JSON on one line, or the text itself. */
export function preview(value: Json): string {
  const { value: shown } = redact(value);
  if (typeof shown === 'string') return oneLine(shown);
  const text = JSON.stringify(shown);
  return text === '{}' ? '' : oneLine(text);
}
