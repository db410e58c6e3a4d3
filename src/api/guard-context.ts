/**
 * The settings of an engine's guard: the caller's options and the user's settings, which add up. The environment cannot loosen them: if it
 * leads to other settings than those in the account's home, only their stricter values count, and their overrides do not.
 */

import { userInfo } from 'node:os';
import path from 'node:path';
import { addUp, type GuardSettings } from '../core/contracts/guard-settings.ts';
import type { GuardHandlerContext } from '../handlers/guard.ts';
import type { ResolvedPlaces } from '../load/find/places.ts';
import { readSettings } from '../load/settings/settings.ts';
import type { HooklineOptions } from './options.ts';

export async function guardContext(
  options: Pick<HooklineOptions, 'guard' | 'home'>,
  found: GuardSettings | undefined,
  { root, home, configFolder }: Pick<ResolvedPlaces, 'root' | 'home' | 'configFolder'>,
): Promise<GuardHandlerContext> {
  const settings = addUp(options.guard, options.home === undefined ? await ofAccount(found, configFolder) : found);
  return { settings, root, home };
}

async function ofAccount(found: GuardSettings | undefined, configFolder: string): Promise<GuardSettings> {
  const own = accountConfig();
  if (own === configFolder) return found ?? {};
  const settings = own === undefined ? undefined : (await readSettings(own)).settings.guard;
  return addUp(settings, { ...found, overrides: [] });
}

/** Found by the system's list of accounts, and not by `HOME`. */
function accountConfig(): string | undefined {
  try {
    return path.join(userInfo().homedir, '.config');
  } catch {
    return undefined;
  }
}
