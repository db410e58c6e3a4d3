/** What has changed in a hook since it was trusted: its definition and each of its files, as far as what was trusted is kept. */
import type { SnapshotFile } from '../config/hook-digest.ts';
import type { Kept, KeptTexts } from '../config/trust-kept.ts';
import { diffLines, unified } from './line-diff.ts';
import type { Reviewed } from './trust-review.ts';

export interface HookDiff {
  readonly name: string;
  readonly dialect: string;
  readonly file: string;
  /** What was trusted, and what it is now. */
  readonly trusted: string;
  readonly digest: string;
  readonly since: string;
  readonly changes: readonly Change[];
}

export interface Change {
  /** `definition`, or a file as seen from the hook's folder. */
  readonly what: string;
  readonly how: 'changed' | 'added' | 'removed';
  /** As `diff -u` prints it; absent if one of the two texts is not at hand. */
  readonly diff?: readonly string[];
}

/** Undefined if the hook is not one that was changed. */
export function diffOf({ review, snapshot, last }: Reviewed, texts: KeptTexts): HookDiff | undefined {
  if (!last) return undefined;
  const { name, dialect, source, digest } = review;
  const before = last.kept ? texts.read(last.kept.definition) : undefined;
  const definition = before === snapshot.definition ? [] : [changeOf('definition', before, snapshot.definition)];
  const changes = [...definition, ...fileChanges(last.kept, snapshot.files, texts)];
  return { name, dialect, file: source.file, trusted: last.digest, digest, since: last.at, changes };
}

function fileChanges(kept: Kept | undefined, now: readonly SnapshotFile[], texts: KeptTexts): Change[] {
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
