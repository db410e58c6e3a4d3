/** Checks the guard: the rules of its settings, and the packs that the project shows to need. */
import { guardContext } from '../../api/guard-context.ts';
import type { ListedHook } from '../../api/hookline.ts';
import type { GuardSettings } from '../../core/contracts/guard-settings.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { evidenceIn } from '../../guard/rules/evidence.ts';

export interface GuardPlaces {
  readonly root: string;
  readonly home: string;
  readonly configFolder: string;
  readonly stateFolder: string;
}

/** @param given The home that the caller names. */
export async function examineGuard(
  given: string | undefined,
  settings: GuardSettings | undefined,
  places: GuardPlaces,
  hooks: readonly ListedHook[],
): Promise<readonly Diagnostic[]> {
  const { diagnostics, settings: sum } = await guardContext(given === undefined ? {} : { home: given }, settings, places);
  const isUsed = hooks.some(({ handler, state }) => handler === 'guard' && state === 'active');
  const shown = isUsed ? evidenceIn(places.root, places.home).packs.filter(({ pack }) => !sum.packs.includes(pack)) : [];
  return [...diagnostics, ...shown.map(({ pack, by }) => shownPack(pack, by))];
}

function shownPack(pack: string, by: string): Diagnostic {
  const message = `The project has ${by}, so the guard's pack \`${pack}\` is on, and a person is asked.`;
  return { severity: 'info', code: 'pack-on', message, hint: `Choose the pack to deny instead: \`guard.packs\` in your settings.` };
}
