/** Prints the pinned tools of guarded servers, and new or changed ones as differences. */
import { type Definition, FIRST, type Pin, type PinFile } from '../../mcp/proxy/pins.ts';
import { diffLines, unified } from '../print/line-diff.ts';
import type { Style } from '../print/style.ts';
import { harmless, oneLine, plural } from '../print/text.ts';

/** Prints one line for each server. */
export function renderPins(files: readonly PinFile[], style: Style): string {
  if (files.length === 0) return 'No MCP server was guarded yet. `hookline mcp proxy -- COMMAND` guards one.\n';
  return `${files.map((file) => `${headOf(file, style)}\n    ${style.dim(oneLine(file.command))}\n    ${style.dim(oneLine(file.root))}`).join('\n')}\n`;
}

function headOf({ id, server, pins, waiting, broken }: PinFile, style: Style): string {
  const state = broken === undefined ? `${plural(pins?.size ?? 0, 'tool')} pinned` : style.red(`cannot be read: ${broken}`);
  const waits = waiting.size === 0 ? '' : `, ${style.yellow(`${plural(waiting.size, 'tool')} waiting`)}`;
  return `${style.bold(oneLine(server))}  ${style.dim(id)}  ${state}${waits}`;
}

/** Prints every tool of a server: what is pinned, then what waits. */
export function renderPinFile(file: PinFile, style: Style): string {
  const pinned = [...(file.pins ?? [])].map(
    ([name, { at, by, definition }]) =>
      `  ${style.bold(oneLine(name))}  ${style.dim(`pinned on ${at.slice(0, 10)}, ${by === FIRST ? 'in the first list' : `accepted by ${oneLine(by)}`}`)}\n${linesOf(
        definition,
      )
        .map((line) => `    ${harmless(line)}`)
        .join('\n')}`,
  );
  const waiting = [...file.waiting].map(([name, one]) => renderTool(name, one, file.pins?.get(name), style).trimEnd());
  const next = waiting.length === 0 ? [] : [`${style.cyan('next:')} \`hookline mcp pins accept ${file.id}\` asks about each of them.`];
  const parts = [
    headOf(file, style),
    ...pinned,
    ...(waiting.length === 0 ? [] : [style.bold('Waiting for a person')]),
    ...waiting,
    ...next,
  ];
  return `${parts.join('\n')}\n`;
}

/** Prints a tool that waits: its whole definition, or the difference from the pinned one. */
export function renderTool(name: string, { definition }: Definition, pin: Pin | undefined, style: Style): string {
  const after = linesOf(definition).join('\n');
  const lines = pin ? unified(diffLines(linesOf(pin.definition).join('\n'), after)) : after.split('\n').map((line) => `+${line}`);
  const what = pin ? `changed since ${pin.at.slice(0, 10)}` : 'new';
  return `  ${style.bold(oneLine(name))}  ${style.yellow(what)}\n${lines.map((line) => `    ${paint(line, style)}`).join('\n')}\n`;
}

export function renderAccepted(accepted: number, of: number, style: Style): string {
  return `${style.bold(`${accepted} of ${plural(of, 'tool')} accepted.`)}\n`;
}

/** The description, which a model reads, is shown as it reads it; the rest is JSON. */
function linesOf({ name: _, description, ...rest }: Definition['definition']): readonly string[] {
  const text = typeof description === 'string' ? description.split('\n') : [];
  return [...text, ...JSON.stringify(rest, null, 2).split('\n')];
}

function paint(line: string, style: Style): string {
  const shown = harmless(line);
  if (line.startsWith('@@')) return style.cyan(shown);
  return line.startsWith('-') ? style.red(shown) : line.startsWith('+') ? style.green(shown) : shown;
}
