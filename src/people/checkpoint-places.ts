/** The places outside that take checkpoints: a file, a webhook, or the log of another store. */
import { appendFileSync } from 'node:fs';
import type { WebhookNotifierConfig } from '../core/contracts/notifier.ts';
import type { Store } from '../core/contracts/store.ts';
import type { Checkpoint } from '../core/record/checkpoint.ts';
import type { LogRecord } from '../core/record/decision-record.ts';
import type { Hash } from '../core/values/digest.ts';
import type { Away } from './checkpointing.ts';

export interface CheckpointPlaces {
  /** Each checkpoint becomes a line of this file. */
  readonly file?: string;
  readonly webhook?: Omit<WebhookNotifierConfig, 'type'>;
  /** The URL of a store: each checkpoint becomes an entry of its log. */
  readonly store?: string;
}

export interface OtherStore {
  open(url: string): Promise<Store>;
  entryOf(checkpoint: Checkpoint): LogRecord;
  readonly hash: Hash;
}

export function placesFor({ file, webhook, store }: CheckpointPlaces, other: OtherStore): readonly Away[] {
  return [
    ...(file === undefined ? [] : [{ name: 'file', send: (checkpoint: Checkpoint) => toFile(file, checkpoint) }]),
    ...(webhook === undefined
      ? []
      : [{ name: 'webhook', send: (checkpoint: Checkpoint, signal: AbortSignal) => toWebhook(webhook, checkpoint, signal) }]),
    ...(store === undefined ? [] : [{ name: 'store', send: (checkpoint: Checkpoint) => toStore(store, checkpoint, other) }]),
  ];
}

async function toFile(file: string, checkpoint: Checkpoint): Promise<undefined> {
  appendFileSync(file, `${JSON.stringify(checkpoint)}\n`, { mode: 0o600 });
}

async function toWebhook(
  config: Omit<WebhookNotifierConfig, 'type'>,
  checkpoint: Checkpoint,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { postSigned } = await import('./notifiers/webhook.ts');
  const { origin, seq, at } = checkpoint;
  const message = { id: `${origin}:${seq}`, type: 'log.checkpoint', timestamp: new Date(at).toISOString(), data: checkpoint };
  const answer = await postSigned({ type: 'webhook', ...config }, message, signal);
  return answer === 'sent' ? undefined : answer.failed;
}

async function toStore(url: string, checkpoint: Checkpoint, { open, entryOf, hash }: OtherStore): Promise<undefined> {
  const store = await open(url);
  try {
    await store.log.append(entryOf(checkpoint), hash);
  } finally {
    await store.close();
  }
}
