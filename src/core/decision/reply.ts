/** What comes back from a handler: a raw reply, uninterpreted, or a fault: nothing usable came back. */
import type { Verdict } from './decision.ts';

export type Reply =
  | {
      readonly kind: 'process';
      /** null when a signal ended it. */
      readonly exit: number | null;
      readonly stdout: string;
      readonly stderr: string;
      /** stdout and stderr as written, interleaved; only where the profile asks for it (`capture: 'joined'`). */
      readonly output?: string;
      /** Streams that were cut at the limit. */
      readonly cut?: readonly ('stdout' | 'stderr')[];
      /** Not started by this process itself. */
      readonly started?: 'helper';
    }
  | { readonly kind: 'http'; readonly status: number; readonly body: string; readonly cut?: boolean }
  | { readonly kind: 'value'; readonly value: unknown }
  /** What a judge in this process says; the event's grants limit it like any other answer. */
  | { readonly kind: 'verdict'; readonly verdict: Verdict };

export type FaultKind =
  | 'oversize'
  | 'unavailable'
  | 'timeout'
  | 'spawn'
  | 'signal'
  | 'exit'
  | 'network'
  | 'status'
  | 'malformed'
  | 'threw'
  | 'cancelled'
  | 'depth';

export interface Fault {
  readonly kind: 'fault';
  readonly fault: FaultKind;
  /** A clause without a full stop: `did not answer within 1000 ms`. */
  readonly detail: string;
  /** The exit code, where there was one. */
  readonly exit?: number;
  /** What the hook said although it could not be asked properly. Only a deny in it counts. */
  readonly reply?: Reply;
  /** What it said although it failed, in a format where that counts. Where the fault denies, it does not. */
  readonly said?: Verdict;
  /** Not started by this process itself. */
  readonly started?: 'helper';
}

export function isFault(answer: Reply | Fault): answer is Fault {
  return answer.kind === 'fault';
}

export function fault(kind: FaultKind, detail: string, extra?: { readonly exit?: number; readonly reply?: Reply }): Fault {
  return { kind: 'fault', fault: kind, detail, ...extra };
}
