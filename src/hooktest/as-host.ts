/** Sends the event of a case through the path of an agent's own calls, and reads the answer as that agent does. */
import { isDeepStrictEqual } from 'node:util';
import type { OpenHookline } from '../api/create-hookline.ts';
import type { Host } from '../core/contracts/host.ts';
import type { DecisionKind } from '../core/decision/decision.ts';
import type { Outcome } from '../core/decision/outcome.ts';
import type { HookEvent } from '../core/event/event.ts';
import type { Environment } from '../core/values/environment.ts';
import type { JsonObject } from '../core/values/json.ts';
import { createHostAnswerer, type HostAnswer } from '../engine/answer-host.ts';
import { decisionIn } from './read-answer.ts';

export interface Answered {
  readonly outcome: Outcome;
  readonly answer: HostAnswer;
  /** The decision as the agent reads it; undefined if it cannot read the answer. */
  readonly read: DecisionKind | undefined;
  readonly ms: number;
}

/** An event in the format of the agent. */
export interface HostEvent {
  readonly name: string;
  readonly payload: JsonObject;
}

/** Returns the event in the format of the agent; undefined if the agent has no such event. */
export function eventOfHost({ dialect, entry }: Host, event: HookEvent): HostEvent | undefined {
  const { wire, profile } = dialect;
  const candidates = entry.events
    .filter((name) => profile.events[name]?.kinds.includes(event.kind))
    .map((name) => ({ name, payload: wire.encodeEvent(event, name) }));
  // Some agents have an event of their own for some tools.
  const isWhole = ({ name, payload }: HostEvent): boolean => {
    const { data } = wire.decodeEvent(name, payload);
    return data['tool'] === event.data['tool'] && isDeepStrictEqual(data['input'], event.data['input']);
  };
  return candidates.find(isWhole) ?? candidates[0];
}

/** @param environment the variables that the hooks see */
export async function answerAs(
  { engine }: OpenHookline,
  host: Host,
  hosts: readonly Host[],
  sent: HostEvent,
  event: HookEvent,
  environment: Environment,
): Promise<Answered | string> {
  const outcomes: Outcome[] = [];
  const judge: typeof engine.judge = async (one, how) => {
    const outcome = await engine.judge(one, how);
    outcomes.push(outcome);
    return outcome;
  };
  // Problems of other hook files are no part of the answer, and a person is there to be asked.
  const parts = { receive: engine.receive, record: engine.record, judge, diagnostics: [] };
  const answer = createHostAnswerer(parts, { hosts, ownHooks: true, isAttended: () => true });
  const start = performance.now();
  const given = await answer(host.id, JSON.stringify(sent.payload), sent.name, {}, environment);
  const ms = performance.now() - start;
  const [outcome] = outcomes.toSorted((a, b) => rank(b) - rank(a));
  if (!outcome) return given.stderr.trim() || given.stdout.trim() || `${host.title} does not send this event to hooks`;
  const rule = host.dialect.profile.events[sent.name];
  const { stdout, stderr, exit } = given;
  const reply = { kind: 'process', exit, stdout, stderr, output: `${stdout}${stderr}` } as const;
  return { outcome, answer: given, read: rule && decisionIn(reply, sent.name, rule, host.dialect, event), ms };
}

function rank({ decision }: Outcome): number {
  return RANK.indexOf(decision);
}

/** From the least to the most severe. */
export const RANK: readonly DecisionKind[] = ['pass', 'allow', 'ask', 'hold', 'deny'];
