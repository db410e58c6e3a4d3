/** The bar that settles a ticket. A key that settles asks once more, and only while the end of the action is in view. */
import type { JSX, RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { TicketDetail } from '../../../src/ui/api.ts';
import { Refused, send } from '../data/request.ts';
import { me, now } from '../data/state.ts';
import { say } from '../parts/copy.ts';
import { Commands } from '../parts/empty.tsx';
import { Icon } from '../parts/icon.tsx';
import { useKeys } from '../parts/keys.ts';
import { Line, Passage } from '../parts/text.tsx';
import { exact, shortClock, span } from '../parts/time.ts';
import { editedInput } from './action.ts';

type Act = 'approve' | 'deny';

interface Props {
  readonly detail: TicketDetail;
  /** The text that is approved instead. */
  readonly edited: string | null;
  readonly shown: RefObject<HTMLElement | null>;
  readonly binds: readonly string[];
  readonly onSettled: () => void;
}

export function AnswerBar({ detail, edited, shown, binds, onSettled }: Props): JSX.Element {
  const { ticket } = detail;
  const noteField = useRef<HTMLInputElement>(null);
  const secretField = useRef<HTMLInputElement>(null);
  const [note, setNote] = useState('');
  const [secret, setSecret] = useState('');
  const [asks, setAsks] = useState<Act | null>(null);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const needsSecret = me.value?.needsPassphrase === true;
  const settle = async (act: Act): Promise<void> => {
    if (isSending) return;
    if (needsSecret && secret === '') {
      secretField.current?.focus();
      setProblem('Enter the passphrase first.');
      return;
    }
    setSending(true);
    setAsks(null);
    try {
      const edit = act === 'approve' && edited !== null ? { edit: editedInput(ticket.input, edited) } : {};
      const body = {
        digest: ticket.digest,
        ...(note.trim() !== '' && { note: note.trim() }),
        ...edit,
        ...(needsSecret && { passphrase: secret }),
      };
      await send(`POST`, `tickets/${encodeURIComponent(ticket.id)}/${act}`, body);
      say(act === 'approve' ? 'Approved. The agent goes on.' : 'Denied. The agent is told.');
      setProblem(null);
    } catch (error) {
      setProblem(problemText(error));
    }
    setSending(false);
    setSecret('');
    onSettled();
  };
  const ask = (act: Act): void => {
    if (!isEndInView(shown.current)) {
      shown.current?.scrollIntoView({ block: 'end' });
      say('Read the action to its end, then press the key again.');
      return;
    }
    setAsks(act);
  };
  const mayNot = me.value?.may !== 'settle';
  useKeys({
    a: () => (mayNot ? false : ask('approve')),
    d: () => (mayNot ? false : ask('deny')),
    n: () => noteField.current?.focus(),
    Enter: () => {
      if (asks === null) return false;
      void settle(asks);
      return true;
    },
    Escape: () => {
      if (asks === null) return false;
      setAsks(null);
      return true;
    },
  });
  if (mayNot) return <ReadOnly id={ticket.id} />;
  const approve = edited === null ? 'Approve once' : 'Approve the edited action';
  return (
    <div class="act">
      <div class="act-in">
        <input
          ref={noteField}
          aria-label="Note"
          placeholder="Say why (the agent reads it)"
          value={note}
          maxLength={2_000}
          onInput={(event) => setNote(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && noteField.current?.blur()}
        />
        {needsSecret && (
          <input
            ref={secretField}
            type="password"
            class="secret"
            aria-label="Passphrase"
            placeholder="Passphrase"
            autocomplete="off"
            value={secret}
            onInput={(event) => setSecret(event.currentTarget.value)}
          />
        )}
        <button type="button" class={`btn no ${asks === 'deny' ? 'asks' : ''}`} disabled={isSending} onClick={() => void settle('deny')}>
          {asks === 'deny' ? 'Deny? ' : 'Deny '}
          <span class="kbd" aria-hidden="true">
            {asks === 'deny' ? '↵' : 'D'}
          </span>
        </button>
        <button
          type="button"
          class={`btn pri ${asks === 'approve' ? 'asks' : ''}`}
          disabled={isSending}
          onClick={() => void settle('approve')}
        >
          {asks === 'approve' ? `${approve}? ` : `${approve} `}
          <span class="kbd" aria-hidden="true">
            {asks === 'approve' ? '↵' : 'A'}
          </span>
        </button>
      </div>
      {asks !== null && (
        <p class="act-asks" role="status">
          {asks === 'approve' ? `${approve}?` : 'Deny it?'} Enter does it, Escape does not.
        </p>
      )}
      {problem !== null && (
        <p class="act-problem deny" role="alert">
          <Passage text={problem} />
        </p>
      )}
      <div class="bind t3">
        <Icon name="shield" />
        <span class="bind-text">
          {(edited === null ? binds : ['All hooks judge the edited input again.', ...binds.slice(1)]).map((text) => (
            <Line key={text} text={`${text} `} />
          ))}
          <span title={exact(ticket.expiresAt)}>
            Ends at {shortClock(ticket.expiresAt)}, in {span(ticket.expiresAt - now.value)}.
          </span>
        </span>
      </div>
    </div>
  );
}

/** The whole box, or the end of one that is larger than the screen. */
function isEndInView(element: HTMLElement | null): boolean {
  const scroller = element?.closest('.scroll');
  if (!element || !scroller) return false;
  const [box, view] = [element.getBoundingClientRect(), scroller.getBoundingClientRect()];
  const fits = box.height <= view.height;
  return box.bottom <= view.bottom + 1 && (fits ? box.top >= view.top - 1 : box.bottom > view.top);
}

function problemText(error: unknown): string {
  if (error instanceof SyntaxError) return `The edited input is no valid JSON: ${error.message}.`;
  if (!(error instanceof Refused)) return error instanceof Error ? error.message : String(error);
  const { state, by } = error.body as { state?: string; by?: string | null };
  const winner = state !== undefined && state !== 'open' ? ` It is ${state}${by ? ` by ${by}` : ''}.` : '';
  return `${error.message}${winner}${error.hint ? ` ${error.hint}` : ''}`;
}

function ReadOnly({ id }: { id: string }): JSX.Element {
  return (
    <div class="act read-only" role="note">
      <p>
        <Icon name="shield" /> <b>This page can only look.</b> <Line text={me.value?.because ?? ''} />
      </p>
      <p class="t2">Answer in a terminal of your own, or open the dashboard from one:</p>
      <Commands lines={[`hookline approvals approve ${id}`, `hookline approvals deny ${id}`, 'hookline ui']} />
    </div>
  );
}
