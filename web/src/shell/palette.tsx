/** Goes anywhere by a few letters: screens, sessions, hooks, tickets, filters. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { HooksAnswer, SessionsAnswer, TicketsAnswer } from '../../../src/ui/api.ts';
import { go, hrefOf } from '../data/address.ts';
import { get } from '../data/request.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { folderName } from '../parts/names.ts';
import { Line } from '../parts/text.tsx';
import { Dialog } from './dialog.tsx';
import { toggleTheme } from './theme.ts';

interface Goal {
  readonly icon: IconName;
  readonly text: string;
  readonly more: string;
  readonly act: () => void;
}

const MOST_SHOWN = 9;

const to = (icon: IconName, text: string, href: string, more = ''): Goal => ({ icon, text, more, act: () => go(href) });

const FIXED: readonly Goal[] = [
  to('live', 'Live', hrefOf('live'), 'g l'),
  to('inbox', 'Approvals', hrefOf('approvals'), 'g a'),
  to('sessions', 'Sessions', hrefOf('sessions'), 'g s'),
  to('hook', 'Hooks', hrefOf('hooks'), 'g h'),
  to('log', 'Log', hrefOf('log'), 'g o'),
  to('question', 'What if', hrefOf('what-if'), 'g w'),
  to('cross', 'Everything that was denied', hrefOf('live', null, { decision: 'deny' })),
  to('pause', 'Everything that was held', hrefOf('live', null, { decision: 'hold,ask' })),
  to('bolt', 'Everything with faults', hrefOf('live', null, { fault: '1' })),
  { icon: 'theme', text: 'Light or dark', more: 't', act: toggleTheme },
];

export function Palette({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const [typed, setTyped] = useState('');
  const [spot, setSpot] = useState(0);
  const [found, setFound] = useState<readonly Goal[]>([]);
  useEffect(() => {
    const until = Date.now();
    const asked = [
      get<TicketsAnswer>('tickets', { state: 'open', limit: 50 }).then(({ tickets }) =>
        tickets.map(({ id, what, root }) => to('inbox', what, hrefOf('approvals', id), folderName(root))),
      ),
      get<SessionsAnswer>('sessions', { limit: 200 }).then(({ sessions }) =>
        sessions.map(({ id, title, project }) => to('sessions', title ?? id, hrefOf('sessions', id), folderName(project))),
      ),
      get<HooksAnswer>('hooks', { since: until - 604_800_000, until }).then(({ hooks }) =>
        hooks.map(({ id, name, dialect }) => to('hook', name, hrefOf('hooks', id), dialect)),
      ),
    ];
    void Promise.allSettled(asked).then((all) => setFound(all.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))));
  }, []);
  const goals = useMemo(() => {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = ({ text, more }: Goal): boolean => words.every((word) => `${text} ${more}`.toLowerCase().includes(word));
    const search =
      typed.trim() === ''
        ? []
        : [to('search', `Look for “${typed.trim()}” in all decisions`, hrefOf('live', null, { text: typed.trim() }))];
    return [...[...FIXED, ...found].filter(fits).slice(0, MOST_SHOWN), ...search];
  }, [typed, found]);
  const at = Math.min(spot, goals.length - 1);
  const choose = (goal: Goal | undefined): void => {
    onClose();
    goal?.act();
  };
  return (
    <Dialog label="Go anywhere" class="palette" onClose={onClose}>
      <input
        aria-label="Go to"
        placeholder="Go to a screen, session, hook or ticket, or look for text"
        role="combobox"
        aria-expanded="true"
        aria-controls="goals"
        aria-activedescendant={goals.length > 0 ? `goal-${at}` : undefined}
        autocomplete="off"
        spellcheck={false}
        autoFocus
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setSpot(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setSpot(Math.min(goals.length - 1, at + 1));
          else if (event.key === 'ArrowUp') setSpot(Math.max(0, at - 1));
          else if (event.key === 'Enter') choose(goals[at]);
          else return;
          event.preventDefault();
        }}
      />
      <div id="goals" role="listbox" aria-label="Goals">
        {goals.map((goal, n) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: the field above has the focus.
          <div key={`${goal.text}${n}`} id={`goal-${n}`} role="option" aria-selected={n === at} class="goal" onClick={() => choose(goal)}>
            <Icon name={goal.icon} />
            <Line class="cut" text={goal.text} />
            <Line class="t3" text={goal.more} />
          </div>
        ))}
      </div>
    </Dialog>
  );
}
