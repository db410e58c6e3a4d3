/** Loads the engine when the first one is created, so that a program that imports the library starts as fast as without it. */
import type { Hookline } from './hookline.ts';
import type { HooklineOptions } from './options.ts';

/** Loads the hooks of a project and its user and returns an engine for them. */
export async function createHookline(options?: HooklineOptions): Promise<Hookline> {
  return (await import('./create-hookline.ts')).createHookline(options);
}
