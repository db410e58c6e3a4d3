/** The list of decisions without any: why, and what to do about it. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AgentsAnswer } from '../../../src/ui/api.ts';
import { hrefOf, type Query } from '../data/address.ts';
import { get } from '../data/request.ts';
import { me } from '../data/state.ts';
import { useData } from '../data/use.ts';
import { inWords } from '../parts/condition.ts';
import { copy } from '../parts/copy.ts';
import { Empty } from '../parts/empty.tsx';
import { Icon } from '../parts/icon.tsx';
import { Line, visible } from '../parts/text.tsx';
import { count } from '../parts/time.ts';

const MOST_FOUND = 1_000;
export function EmptyLive({ query }: { readonly query: Query }): JSX.Element {
  if (Object.keys(query).length > 0) return <NoMatch query={query} />;
  if ((me.value?.progress.head ?? 0) > 0 && (me.value?.progress.pos ?? 0) < (me.value?.progress.head ?? 0))
    return <Empty icon="clock" title="Reading the log" />;
  return (
    <Empty icon="live" title="Waiting for the first event">
      <p>Each decision about an action of an agent appears here, as it is made.</p>
      <Begin />
      {me.value?.canRecordAll && (
        <p class="t3 small">
          Events that no hook was asked about are not recorded. <code>log.record: "all"</code> in the settings shows these too.
        </p>
      )}
    </Empty>
  );
}

/** Two ways to see something: an agent of this machine, and one that needs no key. A page starts no program, so a person does. */
function Begin(): JSX.Element | null {
  const { data } = useData<AgentsAnswer>('agents');
  if (!data) return null;
  const { agents, tour } = data;
  const isInstalled = agents.some((agent) => agent.isInstalled);
  return (
    <>
      <section class="begin" aria-label="Your agent">
        <h3 class="h3">With your agent</h3>
        {agents.length === 0 ? (
          <p class="t2">
            No agent was found on this machine. Once one is there, <code>hookline install</code> connects it.
          </p>
        ) : (
          <Agents agents={agents} />
        )}
        {isInstalled && (
          <p class="t2">
            <CopyButton command="hookline doctor --canary" label="Copy the command of the check" /> sends a harmless event through each
            agent that asks Hookline.
          </p>
        )}
      </section>
      <section class="begin" aria-label="Without an agent">
        <h3 class="h3">Without an agent, a model or a key</h3>
        <p class="t2">
          Copy this command, and run it in a terminal. A scripted agent works in a scratch folder. The guard stops one of its commands, and
          you see here which one and why.
        </p>
        <p>
          <CopyButton command={tour} label="Copy the command of the tour" />
        </p>
      </section>
    </>
  );
}

function CopyButton({ command, label }: { command: string; label: string }): JSX.Element {
  return (
    <button type="button" class="btn" aria-label={`${label}: ${command}`} onClick={() => copy(command, 'the command')}>
      <code class="cut">{visible(command)}</code> <Icon name="copy" />
    </button>
  );
}

/** The agents on this machine. Those that do not ask Hookline have the command that changes it. */
function Agents({ agents }: { agents: AgentsAnswer['agents'] }): JSX.Element {
  return (
    <ul class="agents" aria-label="Agents on this machine">
      {agents.map(({ id, title, isInstalled, install }) => (
        <li key={id}>
          <Icon name={isInstalled ? 'check' : 'cross'} class={isInstalled ? 'allow' : 'deny'} />
          <b>{title}</b>
          <span class="t2">{isInstalled ? 'asks Hookline' : 'does not ask Hookline'}</span>
          {!isInstalled && <CopyButton command={install} label={`Copy the command that connects ${title}`} />}
        </li>
      ))}
    </ul>
  );
}

/** Names the condition without which most is found. */
function NoMatch({ query }: { query: Query }): JSX.Element {
  const [best, setBest] = useState<{ name: string; found: number } | null>(null);
  useEffect(() => {
    const names = Object.keys(query);
    void Promise.all(
      names.map(async (name) => {
        const { [name]: _, ...rest } = query;
        const { entries } = await get<{ entries: readonly unknown[] }>('entries', { ...rest, limit: MOST_FOUND });
        return { name, found: entries.length };
      }),
    ).then(
      (all) => setBest(all.filter(({ found }) => found > 0).sort((a, b) => b.found - a.found)[0] ?? null),
      () => {},
    );
  }, [query]);
  return (
    <Empty icon="search" title="Nothing fits this filter">
      <p>
        {Object.entries(query).map(([name, value], n) => {
          const [label, text] = inWords(name, value);
          return (
            <span key={name}>
              {n > 0 && ', '}
              {label}{' '}
              <b>
                <Line text={text} />
              </b>
            </span>
          );
        })}
      </p>
      {best && (
        <p>
          <a class="btn" href={hrefOf('live', null, { ...query, [best.name]: null })}>
            Without “{inWords(best.name, '')[0]}”: {best.found >= MOST_FOUND ? `more than ${count(MOST_FOUND)}` : count(best.found)}
          </a>
        </p>
      )}
      <p>
        <a class="link" href={hrefOf('live')}>
          Show everything
        </a>
      </p>
    </Empty>
  );
}
