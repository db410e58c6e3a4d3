/**
 * The story of one decision, told from the log in plain sentences: what was about to happen, who was asked, what each said, why it ended
 * as it did, what a person did about it, and what can be done now. Says what is on record; never guesses.
 */
import type { AuditEntry } from './audit.ts';
import { explain } from './explain.ts';
import type { HookReport } from './outcome.ts';
import { type Recorded, readRecorded } from './recorded-outcome.ts';
import type { TicketRecord } from './store.ts';
import { beginning, changes, hookSentences, place, shorten } from './story-hooks.ts';
import { ticketSentences } from './story-ticket.ts';

export function story(entry: AuditEntry, ticket?: TicketRecord): readonly string[] {
  const outcome = readRecorded(entry);
  return [
    ...beginning(entry),
    ...hookSentences(outcome),
    ...changes(outcome),
    ...ending(outcome),
    ...ticketSentences(entry, ticket),
    ...outcome.diagnostics.filter(({ severity }) => severity !== 'info').map(({ message }) => `It was noted: ${stop(message)}`),
    ...advice(entry, outcome, ticket),
  ];
}

function ending(outcome: Recorded): string[] {
  const { decision, hooks, halt, approval } = outcome;
  const answer = stop(explain(outcome));
  const sentences = [`The answer: ${answer.slice(0, 1).toLowerCase()}${answer.slice(1)}`];
  if (approval === undefined) sentences.push(...why(outcome));
  if (decision === 'pass' && outcome.rewrite !== undefined && hooks.some((hook) => hook.decision === 'allow'))
    sentences.push('An allow did not count any more, because what it allowed was rewritten.');
  if (halt !== undefined) sentences.push(`The whole run was to stop: ${stop(halt)}`);
  return sentences;
}

/** What made the answer what it is, where that is more than the answer itself. */
function why({ decision, hooks }: Recorded): string[] {
  const wants = (...kinds: readonly (HookReport['decision'] | undefined)[]): readonly HookReport[] =>
    hooks.filter((hook) => hook.status !== 'skipped' && kinds.includes(hook.decision));
  if (decision === 'deny') {
    const denied = wants('deny');
    const [first] = denied;
    if (first?.status === 'faulted') return [`No hook said no: '${first.name}' could not be asked, and by its rules that denies.`];
    if (first) return [`One denial is enough: ${names(denied)} denied it, and nothing that another hook says undoes that.`];
    const asked = wants('ask', 'hold');
    if (asked.length > 0) return [`No hook said no: ${names(asked)} wanted a person to decide, and that could not be had.`];
    return ['No hook said no.'];
  }
  if (decision === 'hold' || decision === 'ask') {
    const asked = wants('ask', 'hold');
    return asked.length === 0 ? [] : [`${names(asked)} wanted a person to decide, and no hook denied it.`];
  }
  return [];
}

function advice(entry: AuditEntry, outcome: Recorded, ticket: TicketRecord | undefined): string[] {
  const { decision, hooks, approval } = outcome;
  const steps: string[] = [];
  if (ticket?.state === 'open') {
    steps.push(`What to do: \`hookline approvals show ${ticket.id}\` shows it; settle it with \`approve\` or \`deny\` in its place.`);
  } else if (decision === 'hold' && ticket?.state !== 'approved') {
    steps.push('What to do: fire the event again if it is still wanted; it gets a new ticket.');
  } else if (decision === 'deny' && approval === undefined) {
    for (const hook of hooks.filter((said) => said.decision === 'deny' && said.status !== 'skipped')) {
      const at = place(hook);
      steps.push(
        hook.status === 'faulted'
          ? `What to do: mend the hook in ${at}, so that it can be asked.`
          : `What to do: do what '${hook.name}' asks for, or look at the rule in ${at}.`,
      );
    }
  }
  if (hooks.some(({ skip }) => skip === 'untrusted'))
    steps.push('Hooks that nobody has trusted were not asked: `hookline trust add` shows them.');
  if (decision !== 'deny' && hooks.some((hook) => hook.status === 'faulted' && hook.decision !== 'deny'))
    steps.push('A hook that could not be asked did not stop this; with `strict` it would, where the event can be denied.');
  if (entry.masked.length > 0) steps.push(`Not shown, because it was masked before it was written: ${shorten(entry.masked.join(', '))}.`);
  return steps;
}

function names(hooks: readonly HookReport[]): string {
  const all = [...new Set(hooks.map(({ name }) => `'${name}'`))];
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

function stop(text: string): string {
  return /[.!?…)]$/.test(text.trimEnd()) ? text.trimEnd() : `${text.trimEnd()}.`;
}
