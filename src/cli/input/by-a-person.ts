/**
 * The gate of every act that needs a person. It finds out who acts, asks for the passphrase if there is one, and records each act, allowed or
 * refused. No other file decides what needs a person.
 */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { createIds, sha256 } from '../../api/clock.ts';
import { DIALECTS, STORES } from '../../builtins.ts';
import type { ActKind } from '../../core/record/decision-record.ts';
import type { Actor, Who } from '../../core/record/who.ts';
import type { JsonObject } from '../../core/values/json.ts';
import { type Act, actRecord } from '../../engine/record/act.ts';
import { resolveHome } from '../../load/find/home.ts';
import { readSettings, type Settings } from '../../load/settings/settings.ts';
import { type ActorFacts, findActor } from '../../people/actor.ts';
import { createIdentity } from '../../people/identity.ts';
import { isProtectedByLog, openSecret, type Secret, verifierFile } from '../../people/secret.ts';
import { storeName, storeUrl } from '../../stores/open-store.ts';
import { type Arguments, optionValue } from '../arguments.ts';
import { CommandError, EXIT } from '../command.ts';
import { problemOf } from '../failure.ts';
import { withStore } from '../store.ts';
import { askPassphrase, hasTerminal } from './passphrase.ts';
import { AGENT_MARKERS, AGENT_PROGRAMS } from './started-by.ts';

/**
 * The class of an act. It decides what the act needs if it is unclear who acts and no passphrase is set. `settling` needs `approvals.unattended` in the user's settings. `pausing`
 * needs a person. `installing` needs nothing, because it can be undone and is logged.
 */
export type Weight = 'settling' | 'pausing' | 'installing';

export interface GatedAct {
  readonly kind: ActKind;
  readonly weight: Weight;
  /** The words after `may not`: `approve an action`. */
  readonly does: string;
  readonly data: JsonObject;
  readonly root?: string;
  readonly ticket?: string;
}

export type Permission = Permitted | Refused;

export interface Permitted {
  readonly permitted: true;
  readonly actor: Actor;
  readonly who: Who;
  /** Writes the entry of the act. Rejects if the log cannot be written: the caller then does nothing, or says so. */
  record(says: string, data?: JsonObject, more?: Partial<Act>): Promise<void>;
}

export interface Refused {
  readonly permitted: false;
  readonly message: string;
  readonly hint: string;
}

/** The way in which an act comes: how it is found out who acts, and how they give the passphrase. */
export interface Way {
  /** Finds out who acts, by what this state folder knows. */
  find(stateFolder: string): Actor;
  /** Returns undefined if there is none. */
  passphrase(): string | undefined;
  /** How to give a passphrase that is missing. */
  readonly hint: string;
}

/** A command finds out who started it, and asks on its terminal. */
export const BY_COMMAND: Way = {
  find: (stateFolder) => findActor({ ...factsOf(hasTerminal(), 'cli'), stateFolder }),
  passphrase: () => askPassphrase('Passphrase of the approver: '),
  hint: 'Run the command in a terminal, where it can be asked.',
};

/** Returns what shows whether a person or an agent started this process. */
export function factsOf(isAtTerminal: boolean, via: string): Omit<ActorFacts, 'stateFolder'> {
  return { env: process.env, products: AGENT_PROGRAMS, markers: AGENT_MARKERS, hasTerminal: isAtTerminal, via };
}

/** Finds out whether the one who acts may do it, and records a refusal. Without a way, it is the one who gave this command. */
export async function askPerson(args: Arguments, act: GatedAct, way: Way = BY_COMMAND): Promise<Permission> {
  const scene = await readScene(args, act, way);
  const found = foundIn(scene);
  const record = (actor: Actor, allowed: boolean, says: string, data: JsonObject, more: Partial<Act>): Promise<void> =>
    writeAct(args, { ...scene.common, ...act, actor, allowed, says, data: { ...act.data, ...data }, ...more });
  const judged = await judge(args, act, found, scene, way);
  if ('actor' in judged) {
    const { actor } = judged;
    return { permitted: true, actor, who: scene.common.who, record: (says, data = {}, more = {}) => record(actor, true, says, data, more) };
  }
  const unlogged = await record(found, false, judged.message, {}, {}).then(
    () => '',
    (error: unknown) => ` The log does not show this: ${problemOf(error).message}`,
  );
  return { permitted: false, message: judged.message, hint: `${judged.hint}${unlogged}` };
}

/** The one who acts, why they may not do such an act, and whether they may with the passphrase. */
export interface Prospect {
  readonly actor: Actor;
  readonly refused: Pick<Refused, 'message' | 'hint'> | undefined;
  readonly needsPassphrase: boolean;
}

/** Finds out the same without a passphrase, and records nothing. */
export async function wouldPermit(args: Arguments, act: GatedAct, way: Way): Promise<Prospect> {
  const scene = await readScene(args, act, way);
  const actor = foundIn(scene);
  const demand = await demandOf(args, act, actor, scene);
  return { actor, refused: 'message' in demand ? demand : undefined, needsPassphrase: 'secret' in demand };
}

/** The same, for commands that end if it is refused. */
export async function requirePerson(args: Arguments, act: GatedAct): Promise<Permitted> {
  const permission = await askPerson(args, act);
  if (permission.permitted) return permission;
  const { message, hint } = permission;
  throw new CommandError({ exit: EXIT.negative, code: 'not-permitted', message, hint });
}

/** Writes the entry of an act that is done even if it cannot be logged. Returns a warning, or nothing. */
export async function recordOrWarn(recording: Promise<void>): Promise<string | undefined> {
  try {
    await recording;
    return undefined;
  } catch (error) {
    return `The log does not show this: ${problemOf(error).message}`;
  }
}

interface Scene {
  /** The finding for each state folder that concerns the act. */
  readonly actors: readonly Actor[];
  readonly secrets: readonly Secret[];
  readonly settings: Settings;
  /** Whether the store belongs to other folders than those of the settings. */
  readonly isForeign: boolean;
  readonly file: string;
  readonly common: Pick<Act, 'id' | 'at' | 'root'> & { readonly who: Who };
}

/** An agent that is found anywhere counts. */
function foundIn({ actors }: Scene): Actor {
  return actors.find(({ finding }) => finding === 'agent') ?? (actors[0] as Actor);
}

async function readScene(args: Arguments, { root = process.cwd() }: GatedAct, way: Way): Promise<Scene> {
  const { stateFolder, configFolder } = resolveHome({ home: optionValue(args, 'home') }, process.env);
  const ids = DIALECTS.map(({ id }) => id);
  const { settings } = await readSettings(configFolder, ids);
  const store = optionValue(args, 'store') ?? settings.store;
  const other = stateFolderOf(store);
  const folders = [stateFolder, ...(other === undefined || other === stateFolder ? [] : [other])];
  const { who } = createIdentity(stateFolder, root, () => performance.now(), storeName(store, stateFolder, STORES));
  return {
    actors: folders.map((folder) => way.find(folder)),
    secrets: folders.map(openSecret),
    settings,
    isForeign: folders.length > 1,
    file: verifierFile(stateFolder),
    common: { id: createIds()(), at: Date.now(), root, who: who() },
  };
}

/**
 * Returns the state folder that a store is in. A command that names a store of another home is bound by what that home knows: the
 * processes that asked, and the passphrase.
 */
function stateFolderOf(url: string | undefined): string | undefined {
  const file = /^sqlite:(.+)$/.exec(storeUrl(url ?? '', process.env) ?? '')?.[1];
  if (file === undefined) return undefined;
  try {
    const folder = path.dirname(realpathSync(path.resolve(file)));
    return path.basename(folder) === 'hookline' ? path.dirname(folder) : undefined;
  } catch {
    return undefined;
  }
}

type Judged = { readonly actor: Actor } | Pick<Refused, 'message' | 'hint'>;

const BY_A_PERSON = 'Run the command yourself, in your own terminal.';
const HOW =
  'Run it in a terminal that no agent and no editor has opened. `hookline approvals protect` sets a passphrase that permits it elsewhere.';
const HOW_AS_SCRIPT = 'A script needs `"approvals": { "unattended": true }` in your own settings.';

async function judge(args: Arguments, act: GatedAct, found: Actor, scene: Scene, way: Way): Promise<Judged> {
  const demand = await demandOf(args, act, found, scene);
  return 'secret' in demand ? withSecret(demand.secret, found, way) : demand;
}

/** Returns the answer as far as it depends on no passphrase, or the secret that decides. */
async function demandOf(
  args: Arguments,
  { does, weight, kind }: GatedAct,
  found: Actor,
  scene: Scene,
): Promise<Judged | { readonly secret: Secret }> {
  const why = found.evidence.join(' ');
  if (found.finding === 'agent') return { message: `An agent may not ${does}. ${why}`, hint: BY_A_PERSON };
  const secret = scene.secrets.find(({ isSet }) => isSet);
  const isWeighty = weight !== 'installing';
  if (secret && (isWeighty || found.finding === 'unclear')) return { secret };
  if (isWeighty && (await withStore(args, ({ log }) => isProtectedByLog(log, scene.common.who)))) {
    const message = `The log says that a passphrase protects this machine, but ${scene.file} is missing. So no person may ${does}.`;
    return { message, hint: 'Put the file back. If it is lost, move the store away and begin a new one; its open tickets are then void.' };
  }
  if (found.finding === 'person' || !isWeighty) return { actor: found };
  const unclear = `It is unclear whether a person wants to ${does}. ${why}`;
  if (weight === 'pausing') return { message: unclear, hint: kind === 'approvals.protected' ? BY_A_PERSON : HOW };
  if (scene.settings.approvals?.unattended === true && !scene.isForeign) return { actor: { ...found, by: 'unattended' } };
  return { message: unclear, hint: `${HOW} ${HOW_AS_SCRIPT}` };
}

async function withSecret(secret: Secret, found: Actor, way: Way): Promise<Judged> {
  const given = way.passphrase();
  if (given === undefined) {
    const why = found.finding === 'unclear' ? ` ${found.evidence.join(' ')}` : '';
    return { message: `A passphrase protects this machine, and none was given.${why}`, hint: way.hint };
  }
  if (await secret.fits(given)) return { actor: { ...found, by: 'secret' } };
  return { message: 'The passphrase is wrong.', hint: 'Try again. Each wrong one makes the next answer slower.' };
}

async function writeAct(args: Arguments, act: Act): Promise<void> {
  await withStore(args, async ({ log }) => log.append(actRecord(act, sha256), sha256));
}
