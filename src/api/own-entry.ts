/** Our own entries in the files of agents: found like any hook there, and no hook. */
import type { Hook } from '../core/hook.ts';
import { textOf } from '../core/json.ts';
import { readLine } from '../install/entry-line.ts';

export function isOwnEntry({ handler: { config } }: Hook): boolean {
  const line = textOf(config['command']) ?? textOf(config['url']);
  return line?.includes('hook') === true && readLine(line) !== undefined;
}
