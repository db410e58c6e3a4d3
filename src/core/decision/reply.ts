/** The result of a handler: a raw reply that is not interpreted yet, or a fault if nothing usable came back. */
import type { JudgeNote } from '../contracts/judge.ts';
import type { Verdict } from './decision.ts';

export type Reply =
  | {
      readonly kind: 'process';
      /** Null if a signal ended it. */
      readonly exit: number | null;
      readonly stdout: string;
      readonly stderr: string;
      /** Stdout and stderr as written, interleaved; only if the profile asks for it (`capture: 'joined'`). */
      readonly output?: string;
      /** Streams that were cut at the limit. */
      readonly cut?: readonly ('stdout' | 'stderr')[];
      /** Another process started it. */
      readonly started?: 'helper';
    }
  | { readonly kind: 'http'; readonly status: number; readonly body: string; readonly cut?: boolean }
  | {
      readonly kind: 'value';
      readonly value: unknown;
      readonly judged?: JudgeNote;
      /** The output of the process that returned the value. It has no meaning of its own. */
      readonly output?: { readonly stdout: string; readonly stderr: string; readonly cut?: readonly ('stdout' | 'stderr')[] };
    }
  /** The verdict of a judge in this process. The event's grants limit it like any other answer. The `note` is recorded with the outcome. */
  | { readonly kind: 'verdict'; readonly verdict: Verdict; readonly note?: string };

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
  | 'depth'
  | 'changed';

export interface Fault {
  readonly kind: 'fault';
  readonly fault: FaultKind;
  /** A clause without a full stop: `did not answer within 1000 ms`. */
  readonly detail: string;
  /** The exit code, if there was one. */
  readonly exit?: number;
  /** The reply of a hook that could not be asked properly. Only a deny in it counts. */
  readonly reply?: Reply;
  /** The reply of a hook that failed, in a format where such a reply counts. It does not count if the fault denies. */
  readonly verdict?: Verdict;
  /** The kind whose policy decides, if it is not this one: a function that times out counts as one that throws. */
  readonly countsAs?: FaultKind;
  /** The format itself lets this output pass, so only strict mode or the user's settings deny because of it. */
  readonly lenient?: true;
  /** The cost of a judge that gave no verdict. */
  readonly judged?: JudgeNote;
  /** Another process started it. */
  readonly started?: 'helper';
}

export function isFault(answer: Reply | Fault): answer is Fault {
  return answer.kind === 'fault';
}

/**
 * Returns the fault of a hook whose files changed while it ran. It is unknown which code answered, so not even a denial of it counts. If it
 * failed as well, both are told.
 * @param what the change, as a clause
 */
export function changedFault(what: string, answer: Reply | Fault): Fault {
  const also = isFault(answer) ? ` (it also failed: ${answer.detail})` : '';
  const fix =
    'Review it with `hookline trust diff`. If the hook writes this file itself, name the file in `trust.ignores` of your settings';
  const exit = answer.kind === 'process' && answer.exit !== null ? answer.exit : isFault(answer) ? answer.exit : undefined;
  const started = 'started' in answer ? answer.started : undefined;
  const detail = `${what}${also}, so its answer counts for nothing. ${fix}`;
  return { kind: 'fault', fault: 'changed', detail, ...(exit !== undefined && { exit }), ...(started && { started }) };
}

export function fault(kind: FaultKind, detail: string, extra?: { readonly exit?: number; readonly reply?: Reply }): Fault {
  return { kind: 'fault', fault: kind, detail, ...extra };
}
