/** What has changed in a hook, for a person: as `diff -u` shows it. */
import type { HookDiff } from '../trust-diff.ts';
import { placeText } from './place.ts';
import type { Style } from './style.ts';
import { harmless, oneLine } from './text.ts';

export function renderDiff({ name, dialect, file, since, changes }: HookDiff, style: Style): string {
  const head = `${style.bold(oneLine(name))}  ${style.dim(`${dialect}  ${placeText({ file })}  trusted on ${since.slice(0, 10)}`)}`;
  const parts = changes.flatMap(({ what, how, diff }) => [
    `  ${style.bold(oneLine(what))} ${how}`,
    ...(diff
      ? diff.map((line) => `    ${paint(line, style)}`)
      : [style.dim('    What was trusted, or what is there now, is not kept as text.')]),
  ]);
  return `${[head, ...parts].join('\n')}\n`;
}

function paint(line: string, style: Style): string {
  const shown = harmless(line).replaceAll('\n', '␊');
  if (line.startsWith('@@')) return style.cyan(shown);
  return line.startsWith('-') ? style.red(shown) : line.startsWith('+') ? style.green(shown) : shown;
}
