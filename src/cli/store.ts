/** Opens the store for one task of a command and closes it in every case. Loads no hooks. */
import { createClock } from '../api/clock.ts';
import { checkOptions, resolvePlaces } from '../api/options.ts';
import { createPersistence, type Persistence } from '../api/persistence.ts';
import { DIALECTS } from '../builtins.ts';
import type { Store } from '../core/contracts/store.ts';
import { redactText } from '../core/values/redact.ts';
import { createBackground } from '../engine/ask/background.ts';
import { readSettings } from '../load/settings/settings.ts';
import { type Arguments, optionValue } from './arguments.ts';

export async function withStore<T>(args: Arguments, work: (store: Store) => Promise<T>): Promise<T> {
  const keeping = await openKeeping(args);
  try {
    return await work(await keeping.store());
  } finally {
    await keeping.close(0);
  }
}

/** Opens the same store with its notifiers. The caller closes it. */
export async function openKeeping(args: Arguments): Promise<Persistence> {
  const home = optionValue(args, 'home');
  const options = { store: optionValue(args, 'store') ?? 'default', ...(home !== undefined && { home }) };
  checkOptions(options);
  const places = resolvePlaces(options);
  const ids = DIALECTS.map(({ id }) => id);
  const { settings } = await readSettings(places.configFolder, ids);
  const clock = createClock();
  // No hooks are loaded, so none run in the background.
  const background = createBackground(clock);
  return createPersistence(options, settings, { places, clock, handlers: new Map(), background, lockMs: PERSON_LOCK_MS });
}

/** A person would rather wait than try again. */
const PERSON_LOCK_MS = 5000;

/**
 * Returns the options that a suggested command needs to reach the same store. A value with a password, or one that needs quoting, is left
 * out.
 */
export function sameStore(args: Arguments): string {
  return ['store', 'home']
    .flatMap((name) => {
      const value = optionValue(args, name);
      return value !== undefined && /^[\w@%+=:,./~-]+$/.test(value) && redactText(value) === value ? [` --${name} ${value}`] : [];
    })
    .join('');
}
