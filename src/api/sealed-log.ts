/** The ledger of an engine's store, with what proves the log to this machine: the key, the seal, and the checkpoints. */
import { STORES } from '../builtins.ts';
import type { Store } from '../core/contracts/store.ts';
import type { Checkpoint } from '../core/record/checkpoint.ts';
import type { Anchor } from '../core/record/decision-record.ts';
import type { Ledger } from '../core/record/ledger.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { unprovenApproval } from '../engine/decide/unproven.ts';
import type { Clock } from '../engine/ports.ts';
import { actRecord } from '../engine/record/act.ts';
import { createLedger } from '../engine/record/ledger.ts';
import type { Witness } from '../engine/record/verify-log.ts';
import type { ResolvedPlaces } from '../load/find/places.ts';
import type { CheckpointPlaces } from '../people/checkpoint-places.ts';
import { type Away, type Checkpointing, createCheckpointing, readSent } from '../people/checkpointing.ts';
import { createIdentity, type Identity } from '../people/identity.ts';
import { openCheckpointFile } from '../stores/checkpoints.ts';
import { isSigned, type LogKey, openLogKey } from '../stores/log-key.ts';
import { openStore, storeName } from '../stores/open-store.ts';
import { createIds, sha256 } from './clock.ts';

export interface SealedLog {
  readonly identity: Identity;
  readonly ledger: Ledger;
  /** Undefined if nothing outlives the process. */
  readonly checkpointing: Checkpointing | undefined;
  witness(): Witness | undefined;
  /** Signs the head and keeps the statement. Undefined if nothing outlives the process or there is no key. */
  state(head: Anchor): Checkpoint | undefined;
  /** The store, without its password; undefined if nothing outlives the process. */
  readonly store: string | undefined;
  /** Names the approvals that the log does not know, and the places that did not take the newest checkpoint. */
  doubts(store: Store): Promise<readonly Diagnostic[]>;
}

export interface SealedLogParts {
  readonly places: ResolvedPlaces;
  readonly clock: Clock;
  /** The URL of the store; undefined: the default one. */
  readonly url: string | undefined;
  readonly isLasting: boolean;
  readonly away: CheckpointPlaces | undefined;
  /** The store, if it is open. */
  store(): Store | undefined;
}

export function createSealedLog({ places, clock, url, isLasting, away = {}, store }: SealedLogParts): SealedLog {
  const { stateFolder, root } = places;
  const name = isLasting ? storeName(url, stateFolder, STORES) : undefined;
  const identity = createIdentity(isLasting ? stateFolder : null, root, () => clock.tick(), name);
  const newId = createIds();
  const common = { hash: sha256, who: () => identity.who(), root, newId, now: () => clock.now() };
  if (name === undefined)
    return {
      identity,
      ledger: createLedger({ ...common, seal: () => null }),
      checkpointing: undefined,
      witness: () => undefined,
      state: () => undefined,
      store: undefined,
      doubts: async () => [],
    };
  let key: LogKey | undefined;
  const keyOf = (make: boolean): LogKey | undefined => (key ??= openLogKey(stateFolder, identity.origin, make));
  const file = openCheckpointFile(stateFolder, sha256(name).slice(0, 16));
  const keep = (head: Anchor & { readonly at: number }): Checkpoint | undefined => {
    const checkpoint = keyOf(true)?.sign({ ...head, store: name });
    if (checkpoint) file.add(checkpoint);
    return checkpoint;
  };
  const checkpointing = createCheckpointing({
    clock,
    store,
    keep,
    away: () =>
      placesOf(away, stateFolder, ledger, (checkpoint) => {
        const { seq, store: of } = checkpoint;
        const says = `The log of ${of} ends with entry ${seq}.`;
        const data = { ...checkpoint };
        return actRecord(
          { id: newId(), at: clock.now(), kind: 'log.checkpoint', allowed: true, says, data, root, who: identity.who() },
          sha256,
        );
      }),
    sentFile: sentFileOf(file.file),
  });
  const ledger = createLedger({
    ...common,
    seal() {
      const own = keyOf(true);
      return own ? checkpointing.watch(own.seal) : null;
    },
  });
  return {
    identity,
    ledger,
    checkpointing,
    state: ({ seq, hash }) => keep({ seq, hash, at: clock.now() }),
    store: name,
    witness: () => ({
      // Looks for the key and makes none.
      ledger: { hash: sha256, entryOf: ledger.entryOf, proves: ledger.proves, seal: keyOf(false)?.seal ?? null },
      now: clock.now(),
      key: keyOf(false)?.publicKey,
      checkpoints: () => ({ file: file.file, ...file.read() }),
      isSigned,
    }),
    async doubts(open) {
      const { unprovenTickets } = await import('../engine/record/verify-log.ts');
      const unproven = await unprovenTickets(open, ledger, clock.now());
      return [...unproven.map(unprovenApproval), ...notSent(sentFileOf(file.file))];
    },
  };
}

function notSent(file: string): Diagnostic[] {
  return Object.entries(readSent(file)).flatMap(([place, { problem, at }]) => {
    if (problem === undefined) return [];
    const message = `The checkpoint of ${new Date(at).toISOString()} could not be sent away (${place}): ${problem}`;
    const hint = 'Check `log.checkpoints` in the settings. The next checkpoint is sent again.';
    return [{ severity: 'warning', code: 'checkpoint-not-sent', message, hint }];
  });
}

/** Returns the file that tells what became of the last tries to send a checkpoint away. */
export function sentFileOf(checkpoints: string): string {
  return checkpoints.replace(/\.jsonl$/, '.sent.json');
}

async function placesOf(
  away: CheckpointPlaces,
  stateFolder: string,
  ledger: Ledger,
  entryOf: (checkpoint: Checkpoint) => ReturnType<typeof actRecord>,
): Promise<readonly Away[]> {
  if (Object.keys(away).length === 0) return [];
  const { placesFor } = await import('../people/checkpoint-places.ts');
  return placesFor(away, { open: (url) => openStore(url, stateFolder, STORES, { ledger }), entryOf, hash: sha256 });
}
