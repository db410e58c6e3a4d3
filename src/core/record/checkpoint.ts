/**
 * A signed statement about the log: at this time its last entry was this one. A log that lacks that entry was shortened. A statement that was
 * sent away proves this even against a process that can change everything on this machine.
 */
import { canonicalJson } from '../values/digest.ts';

export interface Checkpoint {
  /** The id of the state folder whose key signs. */
  readonly origin: string;
  /** The store, without its password. */
  readonly store: string;
  readonly seq: number;
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The public key (Ed25519, SPKI in base64). */
  readonly key: string;
  /** Of all other fields, in base64. */
  readonly signature: string;
}

/** Returns the text that is signed. */
export function checkpointText({
  signature: _,
  ...stated
}: Checkpoint | (Omit<Checkpoint, 'signature'> & { readonly signature?: string })): string {
  return canonicalJson(stated);
}
