/** Opens the store for one task of a command and closes it in every case. Loads no hooks. */
import { createClock } from '../api/clock.ts';
import { checkOptions, resolvePlaces } from '../api/options.ts';
import { createPersistence, type Persistence } from '../api/persistence.ts';
import { DIALECTS } from '../builtins.ts';
import type { Store } from '../core/contracts/store.ts';
import { redactText } from '../core/values/redact.ts';
import { createBackground } from '../engine/ask/background.ts';
import { readSettings } from '../load/settings/settings.ts';
import { defaultStore, storeUrl } from '../stores/open-store.ts';
import type { OnProgress, Views } from '../views/views.ts';
import { type Arguments, hasFlag, optionValue } from './arguments.ts';

export async function withStore<T>(args: Arguments, work: (store: Store) => Promise<T>): Promise<T> {
  const keeping = await openKeeping(args);
  try {
    return await work(await keeping.store());
  } finally {
    await keeping.close(0);
  }
}

/** Opens the same store with its views, which have caught up with the log. */
export async function withViews<T>(args: Arguments, work: (views: Views, store: Store) => Promise<T>): Promise<T> {
  return withStore(args, async (store) => {
    const views = await openViewsOf(args, store);
    try {
      await views.catchUp(showProgress(hasFlag(args, 'json')));
      return await work(views, store);
    } finally {
      await views.close();
    }
  });
}

/** Returns the URL of the store that a command uses, as it is written. */
export async function usedStore(args: Arguments): Promise<string> {
  const { options, places, settings } = await readPlaces(args);
  const given = options.store === 'default' ? settings.store : options.store;
  return given ?? defaultStore(places.stateFolder);
}

/** Opens the views of an open store as they are. The caller closes them. */
export async function openViewsOf(args: Arguments, store: Store): Promise<Views> {
  // The store is open, so the variable is set.
  const url = storeUrl(await usedStore(args), process.env) ?? '';
  const { openViews } = await import('../views/open-views.ts');
  return openViews(url, store.log);
}

/** A person who waits longer than this wants to see why. */
const SHOWN_AFTER_MS = 500;

/** Returns a function that shows on a terminal how far the views are. The last call removes the line. */
function showProgress(isQuiet: boolean): OnProgress {
  const begun = performance.now();
  let isShown = false;
  return ({ pos, head }) => {
    if (isQuiet || process.stderr.isTTY !== true || performance.now() - begun < SHOWN_AFTER_MS) return;
    if (pos < head) process.stderr.write(`\rReading the log: ${pos} of ${head} entries …`);
    else if (isShown) process.stderr.write('\r\x1b[K');
    isShown = pos < head;
  };
}

async function readPlaces(args: Arguments) {
  const home = optionValue(args, 'home');
  const options = { store: optionValue(args, 'store') ?? 'default', ...(home !== undefined && { home }) };
  checkOptions(options);
  const places = resolvePlaces(options);
  const ids = DIALECTS.map(({ id }) => id);
  const { settings } = await readSettings(places.configFolder, ids);
  return { options, places, settings };
}

/** Opens the same store with its notifiers. The caller closes it. */
export async function openKeeping(args: Arguments): Promise<Persistence> {
  const { options, places, settings } = await readPlaces(args);
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
