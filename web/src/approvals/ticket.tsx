/** One ticket on one screen: exactly what would run, why it waits, and what came before. */
import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { TicketDetail } from '../../../src/ui/api.ts';
import { hrefOf } from '../data/address.ts';
import { now } from '../data/state.ts';
import { useData, useStream } from '../data/use.ts';
import { DiffView } from '../parts/diff-view.tsx';
import { Failure } from '../parts/empty.tsx';
import { fileChanges } from '../parts/file-changes.ts';
import { FileDiffs } from '../parts/file-diffs.tsx';
import { Icon } from '../parts/icon.tsx';
import { useKeys } from '../parts/keys.ts';
import { agentOf, folderName } from '../parts/names.ts';
import { replyText, verdictOfReport } from '../parts/sentence.tsx';
import { Line, Passage, visible } from '../parts/text.tsx';
import { clock, exact, shortClock, span } from '../parts/time.ts';
import { Sign, VerdictWord, verdictOf, wordFor } from '../parts/verdict.tsx';
import { Short, shortOf } from '../story/followed-by.tsx';
import { actionText, editedInput } from './action.ts';
import { AnswerBar } from './answer-bar.tsx';

export function TicketScreen({ id }: { readonly id: string }): JSX.Element {
  const { data, error, again } = useData<TicketDetail>(`tickets/${encodeURIComponent(id)}`);
  useStream('ticket', (ticket) => {
    if (ticket.id === id) again();
  });
  if (error && !data) return <Failure error={error} again={again} />;
  return data ? <Ticket detail={data} onSettled={again} /> : <div class="scroll" />;
}

function Ticket({ detail, onSettled }: { detail: TicketDetail; onSettled: () => void }): JSX.Element {
  const { ticket, before, asked, changedFiles, binds, editable } = detail;
  const action = actionText(ticket.input);
  const [edited, setEdited] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const isOpen = ticket.state === 'open';
  const edit = (): void => {
    if (!isOpen || !editable) return;
    setEdited(edited ?? action.text);
    setTimeout(() => field.current?.focus());
  };
  useKeys({
    e: edit,
    Escape: () => {
      if (edited === null) return false;
      setEdited(null);
      return true;
    },
  });
  const isChanged = edited !== null && edited !== action.text;
  const changes = useMemo(() => fileChanges(isChanged ? readable(ticket.input, edited) : ticket.input), [ticket, isChanged, edited]);
  return (
    <>
      <div class="scroll">
        <div class="wrap">
          <div class="tk-head">
            <p class="with-ic">
              {isOpen ? <VerdictWord of="hold" /> : <Settled state={ticket.state} />}
              <span class="t3 num" title={exact(ticket.openedAt)}>
                {isOpen
                  ? `since ${shortClock(ticket.openedAt)}, ${span(now.value - ticket.openedAt)}`
                  : `held at ${shortClock(ticket.openedAt)}`}
              </span>
            </p>
            <h2>
              <Line text={ticket.reason || `${ticket.tool ?? 'An action'} waits for a person`} />
            </h2>
            <p class="t2">
              <Line text={agentOf(ticket.user, ticket.host)} />
              {ticket.who && (
                <>
                  , on <Line text={ticket.who.machine.name} />
                </>
              )}
              , in{' '}
              <b>
                <Line text={folderName(ticket.root)} />
              </b>
              . {isOpen ? 'The action does not run until a person answers.' : settledText(detail)}
            </p>
          </div>
          {changes.length > 0 && (
            <section>
              <h3 class="h3">{isOpen ? 'Files that it would change' : 'Files that it is about'}</h3>
              <FileDiffs changes={changes} />
            </section>
          )}
          <div class="box" ref={box}>
            <header>
              <Icon name="agent" />
              <span>{isChanged ? 'This would run instead' : isOpen ? 'Exactly this would run' : 'It was about exactly this'}</span>
              {ticket.tool && <Line class="t3" text={ticket.tool} />}
              <span class="grow" />
              {isOpen && editable && edited === null && (
                <button type="button" class="btn ghost" onClick={edit}>
                  <Icon name="pen" /> Edit{' '}
                  <span class="kbd" aria-hidden="true">
                    E
                  </span>
                </button>
              )}
              {edited !== null && (
                <button type="button" class="btn ghost" onClick={() => setEdited(null)}>
                  Undo the edit
                </button>
              )}
            </header>
            {edited === null ? (
              <pre>
                <bdi>{visible(action.text)}</bdi>
                {Object.entries(action.rest).map(([name, value]) => (
                  <span key={name} class="line">
                    <span class="t3">{visible(name)}</span> {visible(typeof value === 'string' ? value : JSON.stringify(value))}
                  </span>
                ))}
                {ticket.cwd && (
                  <span class="line">
                    <span class="t3">in</span> <Line text={ticket.cwd} />
                  </span>
                )}
              </pre>
            ) : (
              <textarea
                ref={field}
                class="mono"
                aria-label="The input that would run instead"
                rows={Math.min(16, Math.max(2, edited.split('\n').length))}
                spellcheck={false}
                value={edited}
                onInput={(event) => setEdited(event.currentTarget.value)}
              />
            )}
            {isChanged && (
              <section class="box-diff" aria-label="Difference">
                <DiffView before={action.text} after={edited} />
              </section>
            )}
            {ticket.edit !== null && ticket.edit !== undefined && !isOpen && (
              <section class="box-diff" aria-label="How it was edited">
                <DiffView before={action.text} after={actionText(ticket.edit).text} />
              </section>
            )}
            {ticket.masked.length > 0 && (
              <p class="box-foot t3">
                Masked here: <Line text={ticket.masked.join(', ')} />
              </p>
            )}
          </div>
          <div class="cols">
            <section>
              <h3 class="h3">{isOpen ? 'Why it waits' : 'Why it waited'}</h3>
              {heldFirst(ticket.hooks).map((hook) => (
                <div class="rule" key={hook.id}>
                  <Sign of={verdictOfReport(hook)} />
                  <div>
                    <p>
                      <b>
                        <Line text={hook.name} />
                      </b>{' '}
                      <Line class="t3" text={hook.source.scope} />
                    </p>
                    <p class="t2">
                      <Passage text={hook.reason ?? replyText(hook)} />
                    </p>
                  </div>
                </div>
              ))}
              {ticket.waiting.length > 0 && (
                <p class="t3 small">
                  Asked after your approval: <Line text={ticket.waiting.join(', ')} />
                </p>
              )}
            </section>
            <section>
              <h3 class="h3">Before that, it did</h3>
              {before.length === 0 && <p class="t3">Nothing that was recorded.</p>}
              <ol class="trail">
                {before.map((entry) => (
                  <li key={entry.pos}>
                    <span class="num t3" title={exact(entry.at)}>
                      {clock(entry.at)}
                    </span>
                    <Sign of={verdictOf(entry)} />
                    <a class="cut" href={hrefOf('decision', entry.id)} aria-label={`${wordFor(entry)}: ${shortOf(entry)}`}>
                      <Short of={entry} />
                    </a>
                  </li>
                ))}
              </ol>
            </section>
          </div>
          {asked !== null && (
            <section>
              <h3 class="h3">The person had asked for</h3>
              <blockquote class="say">
                <Passage text={asked} />
              </blockquote>
            </section>
          )}
          {changedFiles.length > 0 && (
            <section>
              <h3 class="h3">Files that this session wrote</h3>
              <ul class="files">
                {changedFiles.map((file) => (
                  <li key={file}>
                    <Line class="mono" text={file} />
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      </div>
      {isOpen && <AnswerBar detail={detail} edited={isChanged ? edited : null} shown={box} binds={binds} onSettled={onSettled} />}
    </>
  );
}

/** The hooks that hold it come first, because they are the reason. */
function heldFirst(hooks: TicketDetail['ticket']['hooks']): TicketDetail['ticket']['hooks'] {
  const holds = ({ decision }: (typeof hooks)[number]): boolean => decision === 'hold' || decision === 'ask';
  return [...hooks.filter(holds), ...hooks.filter((hook) => !holds(hook))];
}

/** The edited input, or the given one while the text is no valid JSON. */
function readable(input: TicketDetail['ticket']['input'], text: string): TicketDetail['ticket']['input'] {
  try {
    return editedInput(input, text);
  } catch {
    return input;
  }
}

function Settled({ state }: { state: string }): JSX.Element {
  return (
    <span class={`v ${state === 'approved' ? 'allow' : 'deny'}`}>
      <Sign of={state === 'approved' ? 'allow' : 'deny'} />
      {state.replace(/^./, (letter) => letter.toUpperCase())}
    </span>
  );
}

function settledText({ ticket: { state, by, note, settledAt, releasedAt } }: TicketDetail): string {
  const who = by ? ` by ${visible(by)}` : '';
  const when = settledAt ? ` at ${clock(settledAt)}` : '';
  const why = note ? ` Note: ${visible(note)}` : '';
  const after =
    state !== 'approved' ? '' : releasedAt ? ` The agent took it up at ${clock(releasedAt)}.` : ' The agent has not taken it up yet.';
  return `It was ${state}${who}${when}.${after}${why}`;
}
