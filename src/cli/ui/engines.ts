/** Opens an engine of one project for one question, so that every answer is about the files as they are now. */
import { createHookline } from '../../api/create-hookline.ts';
import type { Hookline, ListedHook } from '../../api/hookline.ts';
import type { ConfiguredHook } from '../../ui/api.ts';
import { hookId } from '../../views/problem-shape.ts';
import type { Arguments } from '../arguments.ts';
import { engineOptions } from '../engine-options.ts';

/** The same command line, for another project. */
export function at(args: Arguments, root: string): Arguments {
  return { positionals: [], values: new Map([...args.values, ['root', [root]]]) };
}

export async function withEngine<T>(args: Arguments, root: string, work: (hookline: Hookline) => Promise<T>): Promise<T> {
  const hookline = await createHookline(engineOptions(at(args, root)));
  try {
    return await work(hookline);
  } finally {
    await hookline.close(0);
  }
}

/** A page may ask often, and hooks rarely change. */
const KEPT_MS = 3000;

/** Returns a function that lists the hooks of projects. A hook that several projects share is listed once. */
export function listConfigured(args: Arguments): (roots: readonly string[]) => Promise<readonly ConfiguredHook[]> {
  let kept: { readonly until: number; readonly key: string; readonly hooks: Promise<readonly ConfiguredHook[]> } | undefined;
  return (roots) => {
    const key = roots.join('\0');
    if (kept?.key !== key || performance.now() > kept.until)
      kept = { until: performance.now() + KEPT_MS, key, hooks: listAll(args, roots) };
    return kept.hooks;
  };
}

async function listAll(args: Arguments, roots: readonly string[]): Promise<readonly ConfiguredHook[]> {
  const found = new Map<string, ConfiguredHook>();
  for (const root of roots) {
    // A project that is gone has no hooks.
    const listed = await withEngine(args, root, (hookline) => hookline.list()).catch(() => undefined);
    for (const hook of listed?.hooks ?? []) {
      const one = configuredOf(hook, root);
      if (!found.has(one.id)) found.set(one.id, one);
    }
  }
  return [...found.values()];
}

function configuredOf({ name, dialect, event, source, state, trusted, enabled, fix }: ListedHook, root: string): ConfiguredHook {
  const { file, line, scope } = source;
  const runs = state === 'active';
  return {
    ...{ name, dialect, event, file, scope, root },
    line: line ?? null,
    id: hookId(dialect, event, name, file),
    state: runs ? 'active' : !trusted ? 'untrusted' : enabled ? 'error' : 'disabled',
    says: runs ? '' : [`It does not run: ${state}.`, fix ?? ''].join(' ').trim(),
  };
}
