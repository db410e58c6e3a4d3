/** Colour and width of the terminal, decided once. Colours only where a person looks: a TTY without NO_COLOR, or FORCE_COLOR. */
import { fstatSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { styleText } from 'node:util';
import { fit } from './text.ts';

export interface Style {
  readonly columns: number;
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

export function createStyle({ colour, columns }: { readonly colour: boolean; readonly columns: number }): Style {
  // The caller has looked at the terminal and at the environment; the function need not do so again.
  const paint =
    (format: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan') =>
    (text: string): string =>
      colour && text !== '' ? styleText(format, text, { validateStream: false }) : text;
  return {
    columns: Math.max(columns, NARROWEST),
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
    cyan: paint('cyan'),
  };
}

export function terminalStyle(env: NodeJS.ProcessEnv = process.env): Style {
  const columns = widthOfTerminal();
  return createStyle({ colour: wantsColour(env, columns !== undefined), columns: columns ?? (Number(env['COLUMNS']) || WIDTH_OF_A_FILE) });
}

/** Returns the text for people with no line that the terminal would break. In a file or a pipe every line stays whole, for `grep`. */
export function fitted(text: string, env: NodeJS.ProcessEnv = process.env): string {
  const columns = widthOfTerminal() ?? Number(env['COLUMNS']);
  return columns > 0 ? fit(text, Math.max(columns, NARROWEST)) : text;
}

/** FORCE_COLOR wins over everything but itself being 0; NO_COLOR counts if it is not empty. */
export function wantsColour(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  return isTerminal && env['TERM'] !== 'dumb';
}

const NARROWEST = 40;
const WIDTH_OF_A_FILE = 120;

/** Undefined if stdout is no terminal. Looks at the descriptor first: the stream object is slow to load. */
function widthOfTerminal(): number | undefined {
  try {
    const own = fstatSync(1);
    const sink = statSync(devNull, { throwIfNoEntry: false });
    if (!own.isCharacterDevice() || (own.ino === sink?.ino && own.dev === sink.dev)) return undefined;
  } catch {
    return undefined;
  }
  return process.stdout.isTTY ? process.stdout.columns || 80 : undefined;
}
