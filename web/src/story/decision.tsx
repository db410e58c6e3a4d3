/** One decision as a story, from top to bottom. */
import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { EntryDetail } from '../../../src/ui/api.ts';
import { address, conditions, go, hrefOf } from '../data/address.ts';
import { useData } from '../data/use.ts';
import { copy, copyLink } from '../parts/copy.ts';
import { Failure } from '../parts/empty.tsx';
import { fileChanges } from '../parts/file-changes.ts';
import { FileDiffs } from '../parts/file-diffs.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { useKeys } from '../parts/keys.ts';
import { agentOf, folderName, hostName } from '../parts/names.ts';
import { decidingHooks, Sentence } from '../parts/sentence.tsx';
import { Command, Line, Passage } from '../parts/text.tsx';
import { clock, exact, plural, took } from '../parts/time.ts';
import { Top } from '../parts/top.tsx';
import { Sign, TONES, type Verdict, verdictOf } from '../parts/verdict.tsx';
import { Act } from './act.tsx';
import { Aside } from './aside.tsx';
import { FollowedBy } from './followed-by.tsx';
import { ToTicket } from './to-ticket.tsx';
import { Waterfall } from './waterfall.tsx';

const OUTCOMES: Readonly<Record<Verdict, string>> = {
  alarm: 'was denied, and ran',
  deny: 'was denied',
  hold: 'was held for a person',
  ask: 'was left to a person',
  fault: 'went on, but a hook could not be asked',
  rewrite: 'was rewritten',
  allow: 'was allowed',
  pass: 'passed',
  skip: 'passed',
  act: '',
  unknown: 'cannot be read',
};

export function Decision({ id }: { readonly id: string }): JSX.Element {
  const query = conditions(address.value.query);
  const { data, error, again } = useData<EntryDetail>(`entries/${encodeURIComponent(id)}`, query);
  const to = (next: string | null | undefined): boolean => {
    if (next) go(hrefOf('decision', next, query));
    return Boolean(next);
  };
  const sentences = (): void => {
    if (data) copy(data.story.join('\n'), 'it as sentences');
  };
  useKeys({
    Escape: () => go(hrefOf('live', null, { ...query, entry: id })),
    '[': () => to(data?.neighbours.newer),
    ']': () => to(data?.neighbours.older),
    k: () => to(data?.neighbours.newer),
    j: () => to(data?.neighbours.older),
    y: () => copyLink(),
    w: sentences,
  });
  return (
    <>
      <Top
        title={
          <span class="crumb">
            <a href={hrefOf('live', null, { ...query, entry: id })}>Live</a>
            <span aria-hidden="true">/</span>
            {data && (
              <a class="hide-m" href={hrefOf('sessions', data.entry.session)}>
                <Line text={data.title ?? folderName(data.entry.project)} />
              </a>
            )}
            {data && (
              <span class="hide-m" aria-hidden="true">
                /
              </span>
            )}
            <b class="num">{data ? clock(data.entry.at) : '…'}</b>
          </span>
        }
      >
        <span class="grow" />
        <Step
          href={data?.neighbours.newer ? hrefOf('decision', data.neighbours.newer, query) : null}
          label="Newer decision in this filter"
          icon="left"
        />
        <Step
          href={data?.neighbours.older ? hrefOf('decision', data.neighbours.older, query) : null}
          label="Older decision in this filter"
          icon="right"
        />
        <button type="button" class="btn ghost hide-m" onClick={sentences}>
          <Icon name="copy" /> Copy as sentences
        </button>
        <button type="button" class="btn hide-m" onClick={copyLink}>
          <Icon name="link" /> Copy link
        </button>
      </Top>
      <div class="body">
        {error && <Failure error={error} again={again} />}
        {data && (data.entry.sort === 'act' ? <Act detail={data} /> : <Story detail={data} />)}
      </div>
    </>
  );
}

function Step({ href, label, icon }: { href: string | null; label: string; icon: IconName }): JSX.Element {
  return href === null ? (
    <button type="button" class="btn ghost square" aria-label={label} disabled>
      <Icon name={icon} />
    </button>
  ) : (
    <a class="btn ghost square" href={href} aria-label={label}>
      <Icon name={icon} />
    </a>
  );
}

function Story({ detail }: { detail: EntryDetail }): JSX.Element {
  const { entry, hooks, command, marks, told, followed, record } = detail;
  const verdict = verdictOf(entry);
  const tone = TONES[verdict];
  const agent = `${agentOf(entry.user, entry.host)}${entry.agent ? `, subagent ${entry.agent},` : ''}`;
  const unmatched = Number((record.outcome as { unmatched?: number } | null)?.unmatched ?? 0);
  const isBefore = entry.kind.endsWith('.before');
  const changes = useMemo(() => fileChanges(record.data['input'] ?? null), [record]);
  return (
    <div class="story">
      <div class="tell">
        {entry.isAlarm && (
          <div class="alarm" role="alert">
            <Icon name="alert" />
            <div>
              <b>It was denied, and the agent reports that it ran.</b>
              <p>
                The agent did not follow the denial. Look at what it changed, and run <code>hookline doctor</code> to see whether the agent
                enforces hooks.
              </p>
            </div>
          </div>
        )}
        <div class="verdict">
          <Sign of={verdict} class="large" />
          <div>
            <h2>
              <code>
                <Line text={shortened(command ?? changes[0]?.path ?? entry.what)} />
              </code>{' '}
              {OUTCOMES[verdict]}
            </h2>
            <p>
              <Line text={agent} /> {isBefore ? (changes.length > 0 ? 'wanted to change it in' : 'wanted to run it in') : 'was at work in'}{' '}
              <b>
                <Line text={folderName(entry.project)} />
              </b>
              . {verdict === 'deny' && isBefore && entry.sort === 'event' ? 'No run was reported: nothing ran.' : ''}
            </p>
            {/* On a phone the answer is below the hooks, and out of sight. */}
            <div class="only-m verdict-why">
              <Sentence detail={detail} />
            </div>
          </div>
        </div>
        <ol class="steps">
          <Part
            icon="agent"
            title={
              isBefore
                ? `${hostName(entry.host)} was about to use ${entry.tool ?? 'a tool'}`
                : `${hostName(entry.host)} reported ${entry.kind}`
            }
            side={<time title={exact(entry.at)}>{clock(entry.at)}</time>}
          >
            {changes.length === 0 ? (
              <Command text={command ?? dataText(record.data) ?? entry.what} marks={command === null ? [] : marks} tone={tone} />
            ) : (
              <>
                <FileDiffs changes={changes} />
                <details class="raw">
                  <summary>The input, word for word</summary>
                  <Command text={dataText(record.data) ?? entry.what} />
                </details>
              </>
            )}
          </Part>
          <Part icon="hook" title={askedText(entry.asked, entry.asked + entry.skipped)} side={took(entry.ms)}>
            {hooks.length > 0 && <Waterfall hooks={hooks} total={entry.ms} />}
            {unmatched > 0 && <p class="t3 after">{plural(unmatched, 'other hook is', 'other hooks are')} for other events or tools.</p>}
          </Part>
          <Part
            icon={verdict === 'deny' || verdict === 'alarm' ? 'cross' : verdict === 'hold' ? 'pause' : 'check'}
            tone={tone}
            title={answerTitle(verdict)}
          >
            <Sentence detail={detail} />
            {verdict === 'deny' && decidingHooks(detail).length > 0 && (
              <p class="t3">One denial is enough: nothing that another hook answers undoes it.</p>
            )}
            <ToTicket detail={detail} />
          </Part>
          {told && (
            <Part icon="speech" title="The agent was told">
              <blockquote class="say">
                <Passage text={told} />
              </blockquote>
            </Part>
          )}
          {followed.length > 0 && (
            <Part icon="branch" title={verdict === 'deny' || verdict === 'alarm' ? 'Then it did this instead' : 'Then it did this'}>
              <FollowedBy entry={entry} followed={followed} />
            </Part>
          )}
        </ol>
      </div>
      <Aside detail={detail} />
    </div>
  );
}

function Part({
  icon,
  title,
  side,
  tone = '',
  children,
}: {
  icon: IconName;
  title: string;
  side?: ComponentChildren;
  tone?: string;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <li class="step">
      <span class={`dot ${tone}`}>
        <Icon name={icon} />
      </span>
      <h3>
        <Line text={title} />
        {side !== undefined && <span class="side-note num">{side}</span>}
      </h3>
      {children}
    </li>
  );
}

const LONGEST_TITLE = 120;

function shortened(text: string): string {
  const [first = ''] = text.trim().split('\n');
  return first.length > LONGEST_TITLE ? `${first.slice(0, LONGEST_TITLE)}…` : first === text.trim() ? first : `${first} …`;
}

function askedText(asked: number, all: number): string {
  if (asked === 0) return 'No hook was asked';
  if (asked === all) return `${plural(asked, 'hook was', 'hooks were')} asked`;
  return `${asked} of ${plural(all, 'hook')} ${asked === 1 ? 'was' : 'were'} asked`;
}

function answerTitle(verdict: Verdict): string {
  if (verdict === 'deny' || verdict === 'alarm') return 'The answer was: denied';
  if (verdict === 'hold' || verdict === 'ask') return 'The answer was: a person decides';
  if (verdict === 'rewrite') return 'The answer was: yes, with another input';
  if (verdict === 'allow') return 'The answer was: allowed';
  return 'No objection';
}

/** The input of the tool, or the whole payload, for an event without a command. */
function dataText(data: EntryDetail['record']['data']): string | null {
  const shown = data['input'] ?? data;
  return shown === null || Object.keys(shown).length === 0 ? null : JSON.stringify(shown, null, 2);
}
