/** Sentences on what happened and why. The terminal, the outcome and the tests use the same ones. */

import type { Hook } from '../contracts/hook.ts';
import type { DecisionKind, Effect } from './decision.ts';
import type { HookReport, Outcome, ShadowVerdict } from './outcome.ts';
import type { Fault, FaultKind } from './reply.ts';

const FAULT_WORDS: Record<FaultKind, string> = {
  oversize: 'could not be shown the whole event',
  unavailable: 'cannot be asked',
  timeout: 'timed out',
  spawn: 'could not be started',
  signal: 'died',
  exit: 'failed',
  network: 'could not be reached',
  status: 'failed',
  malformed: 'gave an answer that cannot be read',
  threw: 'threw',
  cancelled: 'was cancelled',
  depth: 'is nested too deep',
  changed: 'was changed while it ran',
};

/** Returns the reason for a deny that follows from a fault. It says that the hook could not be asked, because the hook itself did not deny. */
export function describeFault(hook: Hook, { fault, detail }: Fault): string {
  return `Hook '${hook.name}' ${FAULT_WORDS[fault]}: ${asSentence(detail)}`;
}

/** Returns the text with a full stop, unless it ends a sentence itself. Reasons come from authors of hooks, who write both. */
export function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Returns one line on what a hook did in a firing. */
export function explainHook(report: HookReport): string {
  return report.wouldHave ? explainShadow(report, report.wouldHave) : explainCounted(report);
}

/** It changed nothing, so the sentence tells what it would have done. */
function explainShadow(report: HookReport, { decision, reason, effects = [] }: ShadowVerdict): string {
  const because = reason === undefined ? '' : `: ${reason}`;
  const would = SHADOW_WORDS[decision] ?? (effects.length === 0 ? 'had no objection' : `returned ${[...new Set(effects)].join(', ')}`);
  const failed = report.fault ? ` It ${FAULT_WORDS[report.fault.kind]}: ${report.fault.detail}` : '';
  return `is in shadow and would have ${would}${because}${failed}`;
}

const SHADOW_WORDS: Partial<Record<DecisionKind, string>> = {
  allow: 'allowed it',
  ask: 'asked a person',
  hold: 'suspended it',
  deny: 'denied it',
};

function explainCounted(report: HookReport): string {
  switch (report.status) {
    case 'skipped':
      return `was not asked: ${report.skip}`;
    case 'detached':
      return 'runs in the background; its answer changes nothing';
    case 'faulted':
      return explainFault(report);
    case 'answered':
      return explainAnswer(report);
  }
}

function explainFault({ fault, decision }: HookReport): string {
  if (!fault) return 'could not be asked';
  const comesTo =
    decision === 'deny'
      ? 'which denies'
      : asksPerson(decision)
        ? 'so a person is asked'
        : 'so it has not judged this, and the action passes';
  return `${FAULT_WORDS[fault.kind]}, ${comesTo}: ${fault.detail}`;
}

function asksPerson(decision: HookReport['decision']): boolean {
  return decision === 'ask' || decision === 'hold';
}

const EFFECT_WORDS: Record<Effect['kind'], string> = {
  rewrite: 'rewrote the input',
  context: 'added context',
  notice: 'told the user something',
  replace: 'replaced the result',
  continue: 'sends the agent back to work',
  halt: 'stops the run',
  quiet: 'asked for no logging',
};

function explainAnswer({ decision, reason, effects = [] }: HookReport): string {
  const because = reason === undefined ? '' : `: ${reason}`;
  const did = [...new Set(effects)].map((kind) => EFFECT_WORDS[kind]).join(', ');
  switch (decision) {
    case 'deny':
      return `denied it${because}`;
    case 'hold':
      return `suspended it until a person approves${because}`;
    case 'ask':
      return `wants a person to be asked${because}`;
    case 'allow':
      return `allowed it${because}`;
    default:
      return did === '' ? 'had no objection' : did;
  }
}

/** Returns a clause on the model that answered a hook and what that cost; undefined if no model did. */
export function explainJudge({ judge }: HookReport): string | undefined {
  if (judge === undefined) return undefined;
  const { model, cached, inputTokens, outputTokens, estimated, money, steps } = judge;
  if (cached) return `${model}, from the cache`;
  const about = estimated ? 'about ' : '';
  const cost = money === undefined ? '' : `, ${about}${money.toFixed(4)}`;
  const asked = steps === undefined ? '' : `, ${steps === 1 ? '1 step' : `${steps} steps`}`;
  return `${model}, ${about}${inputTokens} tokens in and ${outputTokens} out${cost}${asked}`;
}

/** Returns the reports of the hooks that failed and did not stop the action. None of them has agreed to it. */
export function failedHooks({ hooks }: Pick<Outcome, 'hooks'>): readonly HookReport[] {
  return hooks.filter(
    ({ status, decision, wouldHave }) =>
      status === 'faulted' && wouldHave === undefined && (decision === undefined || decision === 'pass' || decision === 'allow'),
  );
}

/** Returns how a hook failed in a few words: `exit 1`, `timed out`. */
export function faultInBrief({ fault, exit }: HookReport): string {
  if (exit !== undefined && (fault === undefined || fault.kind === 'exit')) return `exit ${exit}`;
  return fault ? FAULT_WORDS[fault.kind] : 'could not be asked';
}

/** Returns the hooks that failed, as `gate (exit 1), other (timed out)`. */
export function listFailed(failed: readonly HookReport[]): string {
  return failed.map((report) => `${report.name} (${faultInBrief(report)})`).join(', ');
}

/** Returns one or two sentences on the outcome of a firing. A hook that failed never counts as one that agreed. */
export function explain(outcome: Omit<Outcome, 'kind'>): string {
  const because = outcome.reason === null ? '' : `: ${outcome.reason}`;
  if (outcome.continue !== undefined) return `The agent continues working${because}`;
  switch (outcome.decision) {
    case 'deny':
      return `Denied${because}`;
    case 'hold':
      return `Held until a person approves ticket ${outcome.ticket?.id ?? '(none)'}${because}`;
    case 'ask':
      return `A person must be asked${because}`;
    case 'allow': {
      const failed = failedHooks(outcome);
      return failed.length === 0
        ? `Allowed${because}`
        : `${asSentence(`Allowed${because}`)} ${count(failed.length)} failed: ${listFailed(failed)}.`;
    }
    case 'pass':
      return explainPass(outcome);
  }
}

function explainPass(outcome: Omit<Outcome, 'kind'>): string {
  const ran = outcome.hooks.filter(({ status }) => status === 'answered' || status === 'faulted');
  const asked = ran.filter(({ wouldHave }) => wouldHave === undefined).length;
  const failed = failedHooks(outcome);
  if (asked === 0) return ran.length === 0 ? 'No hook was asked: nothing objects.' : 'Only hooks in shadow were asked: nothing objects.';
  if (failed.length === 0)
    return asked === 1 ? 'The one hook that was asked has no objection.' : `None of the ${asked} hooks that were asked objects.`;
  if (failed.length === asked)
    return asked === 1
      ? `The one hook that was asked failed, so no hook has judged this: ${listFailed(failed)}.`
      : `All ${asked} hooks that were asked failed, so no hook has judged this: ${listFailed(failed)}.`;
  const rest = asked - failed.length === 1 ? 'other one does' : 'others do';
  return `${failed.length} of the ${asked} hooks that were asked failed: ${listFailed(failed)}. The ${rest} not object.`;
}

function count(number: number): string {
  return number === 1 ? '1 hook' : `${number} hooks`;
}
