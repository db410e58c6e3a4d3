/**
 * Answers a host as its own hook would: its payload in, its words and exit code out. Whatever goes wrong on the way is a deny in the host's
 * words where the event can be denied, and never silence.
 */
import { HOSTS } from '../builtins.ts';
import type { SaidOnce } from '../config/said-once.ts';
import type { Environment } from '../core/environment.ts';
import type { Host } from '../core/host.ts';
import { type HostWords, noOpinion, protects, refusal, withLines } from '../core/host-words.ts';
import type { JsonObject } from '../core/json.ts';
import { readHostCall } from './host-call.ts';
import { type Asked, askFor } from './host-firing.ts';
import type { TwoEntries } from './two-entries.ts';

export type HostAnswer = HostWords;

export interface HostAnswerOptions {
  /** Ask the hooks of the host's own format as well, although the host runs them itself. */
  readonly ownHooks?: boolean;
  readonly hosts?: readonly Host[];
  /** Whether something is said for the first time in a session (default: yes). */
  readonly isFirst?: SaidOnce;
  /** Whether another entry answers for a call (default: none does). */
  readonly entries?: TwoEntries;
}

/**
 * `payload`: as it came, or read already; `asked`: the event that the entry names; `environment`: that of whoever calls; `seen`: what hooks
 * see instead of the environment of this process. Never rejects.
 */
export type HostAnswerer = (
  hostId: string,
  payload: string | JsonObject,
  asked?: string,
  environment?: Environment,
  seen?: Environment,
) => Promise<HostAnswer>;

export function createHostAnswerer(hookline: Asked, options: HostAnswerOptions = {}): HostAnswerer {
  const hosts = options.hosts ?? HOSTS;
  return async (hostId, text, asked, environment = {}, seen) => {
    try {
      const call = readHostCall(hostId, text, asked, environment, hosts);
      return 'words' in call ? call.words : await askFor(hookline, call, options, seen);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return refuseHost(hostId, text, asked, environment, `Hookline itself failed: ${why}`, hosts);
    }
  };
}

/** The answer where there is none because of us: a deny where the event can be denied; elsewhere words, and nothing is held up. */
export function refuseHost(
  hostId: string,
  text: string | JsonObject,
  asked: string | undefined,
  environment: Environment,
  reason: string,
  hosts: readonly Host[] = HOSTS,
): HostAnswer {
  const call = readHostCall(hostId, text, asked, environment, hosts);
  if ('words' in call) return call.words;
  const [event = ''] = call.events;
  const rule = call.host.speaks.profile.events[event];
  if (rule && protects(rule)) return refusal(call.host, event, reason);
  return withLines(call.host, event, noOpinion(call.host, event), [reason]);
}
