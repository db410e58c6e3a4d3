/** Where something stands, as `file:line:column`; files below the working directory by their short name. */
import path from 'node:path';
import { harmless } from './text.ts';

export interface Where {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

export function placeText({ file, line, column }: Where): string {
  if (file === undefined) return '';
  return `${shortName(file)}${line === undefined ? '' : `:${line}`}${line === undefined || column === undefined ? '' : `:${column}`}`;
}

export function shortName(file: string): string {
  const relative = path.isAbsolute(file) ? path.relative(process.cwd(), file) : file;
  return harmless(relative === '' || relative.startsWith('..') ? file : relative).replaceAll('\n', '␊');
}
