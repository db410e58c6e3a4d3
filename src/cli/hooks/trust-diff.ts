/** Computes the changes of a hook since it was trusted: its definition and each of its files, as far as the trusted version is stored. */

import type { SnapshotFile } from '../../trust/hook-digest.ts';
import type { KeptHashes, KeptTexts } from '../../trust/kept-texts.ts';
import { diffLines, unified } from '../print/line-diff.ts';
import type { Style } from '../print/style.ts';
import { harmless, oneLine, placeText } from '../print/text.ts';
import type { Reviewed } from './trust-review.ts';

/** Prints the changes of a hook as `diff -u` does. */
export function renderDiff({ name, dialect, file, since, changes }: HookDiff, style: Style): string {
  const head = `${style.bold(oneLine(name))}  ${style.dim(`${dialect}  ${placeText({ file })}  trusted on ${since.slice(0, 10)}`)}`;
  const parts = changes.flatMap(({ what, how, diff }) => [
    `  ${style.bold(oneLine(what))} ${how}`,
    ...(diff
      ? diff.map((line) => `    ${paint(line, style)}`)
      : [style.dim('    The trusted version or the current one is not stored as text.')]),
  ]);
  return `${[head, ...parts].join('\n')}\n`;
}

function paint(line: string, style: Style): string {
  const shown = harmless(line).replaceAll('\n', '␊');
  if (line.startsWith('@@')) return style.cyan(shown);
  return line.startsWith('-') ? style.red(shown) : line.startsWith('+') ? style.green(shown) : shown;
}

export interface HookDiff {
  readonly name: string;
  readonly dialect: string;
  readonly file: string;
  /** The trusted version and the current one. */
  readonly trusted: string;
  readonly digest: string;
  readonly since: string;
  readonly changes: readonly Change[];
}

export interface Change {
  /** `definition`, or a path relative to the hook's folder. */
  readonly what: string;
  readonly how: 'changed' | 'added' | 'removed';
  /** The output of `diff -u`; absent if one of the two texts is not available. */
  readonly diff?: readonly string[];
}

/** Returns undefined if the hook was not changed. */
export function diffOf({ review, snapshot, last }: Reviewed, texts: KeptTexts): HookDiff | undefined {
  if (!last) return undefined;
  const { name, dialect, source, digest } = review;
  const before = last.kept ? texts.read(last.kept.definition) : undefined;
  const definition = before === snapshot.definition ? [] : [changeOf('definition', before, snapshot.definition)];
  const changes = [...definition, ...fileChanges(last.kept, snapshot.files, texts)];
  return { name, dialect, file: source.file, trusted: last.digest, digest, since: last.at, changes };
}

function fileChanges(kept: KeptHashes | undefined, now: readonly SnapshotFile[], texts: KeptTexts): Change[] {
  if (!kept) return [];
  const before = new Map(kept.files.map(({ name, hash }) => [name, hash]));
  const changed = now.flatMap((file): Change[] => {
    const old = before.get(file.name);
    before.delete(file.name);
    if (old === file.hash) return [];
    return old === undefined
      ? [{ ...changeOf(file.name, '', file.text), how: 'added' }]
      : [changeOf(file.name, texts.read(old), file.text)];
  });
  return [...changed, ...[...before].map(([name, hash]): Change => ({ ...changeOf(name, texts.read(hash), ''), how: 'removed' }))];
}

function changeOf(what: string, before: string | undefined, after: string | undefined): Change {
  const diff = before === undefined || after === undefined ? undefined : unified(diffLines(before, after));
  return { what, how: 'changed', ...(diff && { diff }) };
}
