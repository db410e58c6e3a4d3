/**
 * The settings of an engine's guard: the caller's options, the user's settings, the machine's policy and the project's settings, which add up.
 * Those of the project are only ever stricter. The environment cannot loosen them: if it
 * leads to other settings than those in the account's home, only their stricter values count, and their overrides do not.
 */

import { existsSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { DIALECTS } from '../builtins.ts';
import { addUp, type GuardSettings, lockedDown } from '../core/contracts/guard-settings.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { NAMELESS_SESSION } from '../engine/receive/events.ts';
import type { GuardHandlerContext } from '../handlers/guard.ts';
import type { ResolvedPlaces } from '../load/find/places.ts';
import { readPolicy } from '../load/settings/policy.ts';
import { projectSettingsFile } from '../load/settings/project-file.ts';
import { readSettings } from '../load/settings/settings.ts';
import { openFindingNotes, processNotes } from '../stores/finding-notes.ts';
import type { HooklineOptions } from './options.ts';

/** The settings of a guard, and every problem of the files that they come from. */
export interface GuardContext extends Required<Omit<GuardHandlerContext, 'elsewhere'>> {
  readonly settings: Required<GuardSettings>;
  readonly diagnostics: readonly Diagnostic[];
}

export async function guardContext(
  options: Pick<HooklineOptions, 'guard' | 'home' | 'policy'>,
  found: GuardSettings | undefined,
  { root, home, configFolder, stateFolder }: Pick<ResolvedPlaces, 'root' | 'home' | 'configFolder' | 'stateFolder'>,
): Promise<GuardContext> {
  const loaded = await readPolicy(
    options.policy,
    DIALECTS.map(({ id }) => id),
  );
  const broken = loaded.broken && { broken: [loaded.broken.message] };
  const user = options.home === undefined ? await ofAccount(found, configFolder) : found;
  const stamps = createStamps();
  const read = (settings: GuardSettings = {}): Promise<ReadGuard> => readRuleFiles(settings, stamps);
  const [given, own, managed] = await Promise.all([read(options.guard), read(user), read({ ...loaded.policy.guard, ...broken })]);
  const above = addUp(given.settings, own.settings, lockedDown(managed.settings));
  const project = await ofProject(root, above, stamps);
  const nameless = processNotes();
  return {
    ...{ settings: addUp(above, project.settings), root, home, isCurrent: stamps.areCurrent },
    memoryOf: (session) => (session === NAMELESS_SESSION ? nameless : openFindingNotes(stateFolder, root, session)),
    diagnostics: [given, own, managed, project].flatMap(({ diagnostics }) => diagnostics),
  };
}

interface ReadGuard {
  readonly settings: GuardSettings;
  readonly diagnostics: readonly Diagnostic[];
}

/** Hardly any settings name files of rules, so their reader is loaded on demand. */
async function readRuleFiles(settings: GuardSettings, stamps: Stamps): Promise<ReadGuard> {
  const { ruleFiles = [] } = settings;
  for (const file of ruleFiles) stamps.add(file);
  return ruleFiles.length === 0 ? { settings, diagnostics: [] } : (await import('../load/settings/authored.ts')).withRuleFiles(settings);
}

async function ofProject(root: string, above: GuardSettings, stamps: Stamps): Promise<ReadGuard> {
  const file = projectSettingsFile(root);
  stamps.add(file);
  if (!existsSync(file)) return { settings: {}, diagnostics: [] };
  const { guard, diagnostics } = await (await import('../load/settings/project.ts')).readProjectGuard(root, above);
  const read = await readRuleFiles(guard, stamps);
  return { settings: read.settings, diagnostics: [...diagnostics, ...read.diagnostics] };
}

/** The state of files before they were read, also of those that are missing. */
interface Stamps {
  add(file: string): void;
  readonly areCurrent: () => boolean;
}

function createStamps(): Stamps {
  const seen = new Map<string, string>();
  return {
    add: (file) => seen.set(file, stampOf(file)),
    areCurrent: () => [...seen].every(([file, stamp]) => stampOf(file) === stamp),
  };
}

function stampOf(file: string): string {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found ? `${found.mtimeMs} ${found.size} ${found.ino}` : '';
  } catch {
    // A folder on the way may not be entered. The reader reports that.
    return '';
  }
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
