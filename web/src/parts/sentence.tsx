/** A decision in a sentence that names the hook: `no-force-push denied it: …`. */
import type { ComponentChildren, JSX } from 'preact';
import type { EntryDetail } from '../../../src/ui/api.ts';
import { Line, Passage } from './text.tsx';
import { type Verdict, verdictOf } from './verdict.tsx';

type Report = EntryDetail['hooks'][number];

/** Returns the hooks that the decision follows from. */
export function decidingHooks({ entry, hooks }: Pick<EntryDetail, 'entry' | 'hooks'>): readonly Report[] {
  const verdict = verdictOf(entry);
  if (verdict === 'fault') return hooks.filter(({ status }) => status === 'faulted');
  if (verdict === 'rewrite') return hooks.filter(({ effects }) => effects?.includes('rewrite'));
  if (verdict === 'pass') return [];
  const decided = hooks.filter(({ decision }) => decision === entry.decision);
  return decided.length > 0 ? decided : hooks.filter(({ status }) => status === 'faulted').slice(0, 1);
}

/** The verdict of one hook, for its sign. */
export function verdictOfReport({ status, decision, effects }: Report): Verdict {
  if (status === 'skipped') return 'skip';
  if (status === 'faulted') return 'fault';
  if (decision === 'deny' || decision === 'hold' || decision === 'ask') return decision;
  if (effects?.includes('rewrite')) return 'rewrite';
  return decision === 'allow' ? 'allow' : 'pass';
}

const ACTIONS: Partial<Record<Verdict, string>> = {
  deny: 'denied it',
  alarm: 'denied it, and it ran',
  hold: 'wants a person to decide',
  ask: 'asks a person',
  fault: 'could not be asked',
  rewrite: 'rewrote it',
  allow: 'allowed it',
};

/** A reason without the words that its sentence already has: the guard begins with its own name. */
export function plainReason(reason: string): string {
  return reason.replace(/^Denied by the guard: ./, (lead) => lead.slice(-1).toUpperCase());
}

export function Sentence({ detail }: { readonly detail: EntryDetail }): JSX.Element {
  const { entry } = detail;
  const verdict = verdictOf(entry);
  const [first, ...others] = decidingHooks(detail);
  const why = first?.fault?.detail ?? first?.reason ?? entry.reason;
  const who: ComponentChildren = first ? (
    <>
      <b>
        <Line text={first.name} />
      </b>
      {others.length > 0 && ` and ${others.length} more`}
    </>
  ) : (
    'Hookline'
  );
  const action = ACTIONS[verdict];
  if (entry.sort === 'act') return <p class="sentence">{entry.reason ? <Passage text={entry.reason} /> : <Line text={entry.what} />}</p>;
  if (action === undefined) return <p class="sentence">{entry.asked > 0 ? 'No hook objected.' : 'No hook was asked.'}</p>;
  return (
    <p class="sentence">
      {who} {action}
      {why ? (
        <>
          {': '}
          <Passage text={plainReason(why)} />
        </>
      ) : (
        '.'
      )}
      {verdict === 'fault' && (
        <span class="t2">
          {' '}
          {entry.decision === 'deny' ? 'So the action was denied.' : 'By its format a failure passes, so the action went on.'}
        </span>
      )}
    </p>
  );
}

/** What a hook answered, in a few words. */
export function replyText({ status, decision, reason, fault, skip, effects, wouldHave }: Report): string {
  if (status === 'skipped') return `Not asked: ${skip ?? 'it was skipped'}`;
  if (status === 'detached') return 'Runs in the background';
  if (fault) return `Could not be asked (${fault.kind}): ${fault.detail}`;
  if (wouldHave) return `In shadow, would have answered: ${wouldHave.decision}${wouldHave.reason ? `, “${wouldHave.reason}”` : ''}`;
  if (reason) return `“${reason}”`;
  if (effects?.includes('rewrite')) return 'Rewrote the input';
  if (effects?.includes('context')) return 'Added context';
  return decision === 'allow' ? 'Allowed it' : decision === 'deny' ? 'Denied it' : decision === 'hold' ? 'Wants a person' : 'No opinion';
}
