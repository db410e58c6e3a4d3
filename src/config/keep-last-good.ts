/** A hook that was good and whose file is now broken stays as it was, loudly, until it is mended or removed. Pure. */
import type { Diagnostic } from '../core/diagnostic.ts';
import { type HookSource, type LoadedHooks, TOO_MANY } from './load-hooks.ts';

export function keepLastGood(
  previous: readonly HookSource[],
  next: LoadedHooks,
): { readonly hooks: readonly HookSource[]; readonly diagnostics: readonly Diagnostic[] } {
  const broken = brokenFiles(next);
  const present = new Set(next.hooks.map(({ hook }) => hook.id));
  const kept = previous.filter(({ hook, origin }) => !present.has(hook.id) && (broken.has(hook.source.file) || broken.has(origin)));
  if (kept.length === 0) return { hooks: next.hooks, diagnostics: next.diagnostics };
  return { hooks: insert(previous, next.hooks, new Set(kept)), diagnostics: [...next.diagnostics, ...kept.map(sayKept)] };
}

/** Files that are still there and have an error of their own; being one too many is not the file's fault. */
function brokenFiles({ files, diagnostics }: LoadedHooks): Set<string> {
  const there = new Set(files);
  const broken = new Set<string>();
  for (const { severity, code, file } of diagnostics) {
    if (severity === 'error' && code !== TOO_MANY && file !== undefined && there.has(file)) broken.add(file);
  }
  return broken;
}

/** Each kept hook follows the one it used to follow. */
function insert(previous: readonly HookSource[], next: readonly HookSource[], kept: ReadonlySet<HookSource>): HookSource[] {
  const present = new Set(next.map(({ hook }) => hook.id));
  const after = new Map<string, HookSource[]>();
  let anchor = '';
  for (const source of previous) {
    if (present.has(source.hook.id)) anchor = source.hook.id;
    else if (kept.has(source)) after.set(anchor, [...(after.get(anchor) ?? []), source]);
  }
  return [...(after.get('') ?? []), ...next.flatMap((source) => [source, ...(after.get(source.hook.id) ?? [])])];
}

function sayKept({ hook }: HookSource): Diagnostic {
  return {
    severity: 'warning',
    code: 'kept-last-good',
    file: hook.source.file,
    message: `\`${hook.name}\` is broken now; its last good version stays in force.`,
    hint: 'Mend the file, or remove the hook.',
  };
}
