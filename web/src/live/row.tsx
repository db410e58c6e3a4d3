/** One row of the list of decisions, and one of folded passes. */
import { Component, type JSX } from 'preact';
import type { ViewEntry } from '../../../src/ui/api.ts';
import { Badge } from '../parts/badge.tsx';
import { folderName } from '../parts/names.ts';
import { plainReason } from '../parts/sentence.tsx';
import { Line, lineOf } from '../parts/text.tsx';
import { count, narrowClock, plural } from '../parts/time.ts';
import { Sign, TONES, verdictOf, wordFor } from '../parts/verdict.tsx';
import type { Passes } from './entry-list.ts';

const SLOW_MS = 1_000;
const MOST_TOOLS = 4;
const MOST_TICKS = 14;

interface Props {
  readonly entry: ViewEntry;
  readonly href: string;
  readonly isChosen: boolean;
  readonly isNew: boolean;
  readonly isInner: boolean;
  readonly canFocus: boolean;
  readonly isNarrow: boolean;
  readonly onChoose: () => void;
}

/** A list that is scrolled changes its rows in each frame. A row that stays the same is not made again, and its parts are elements, not components. */
export class EntryRow extends Component<Props> {
  // The properties are the new ones even if the row is not made again.
  readonly #onClick = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.props.onChoose();
  };

  override shouldComponentUpdate(next: Props): boolean {
    const { onChoose: _, ...shown } = next;
    return Object.entries(shown).some(([name, value]) => this.props[name as keyof Props] !== value);
  }

  override render({ entry, href, isChosen, isNew, isInner, canFocus, isNarrow }: Props): JSX.Element {
    const verdict = verdictOf(entry);
    const iso = new Date(entry.at).toISOString();
    const project = folderName(entry.project);
    const isAct = entry.sort === 'act';
    const name = entry.tool ?? entry.kind;
    const { decider } = entry;
    const said = (entry.reason && plainReason(entry.reason)) ?? (verdict === 'fault' ? 'could not be asked' : null);
    const why = isAct ? (isNarrow ? project : '') : (said ?? (isNarrow ? (decider === null ? `${name} · ${project}` : project) : ''));
    return (
      <a
        class={`row${isNew ? ' new' : ''}${isInner ? ' inner' : ''}`}
        href={href}
        aria-current={isChosen ? 'true' : undefined}
        tabIndex={canFocus ? 0 : -1}
        onClick={this.#onClick}
      >
        <time class="num mono t2" dateTime={iso} title={iso}>
          {narrowClock(entry.at)}
        </time>
        <span class={`v ${TONES[verdict]}`}>
          {Sign({ of: verdict })}
          <span class="v-word">{wordFor(entry)}</span>
        </span>
        <span class="what">
          {!isAct && <bdi class="tool t2">{lineOf(name)}</bdi>}
          <bdi class={isAct ? 'cut t2' : 'cut mono'}>{lineOf(isAct ? (entry.reason ?? entry.kind) : entry.what)}</bdi>
        </span>
        <span class="cut t2 why">
          {decider !== null && <bdi class="t1">{lineOf(decider)}</bdi>}
          {decider !== null && why !== '' && ' · '}
          <bdi>{lineOf(why)}</bdi>
        </span>
        <span class="proj cut">
          {Badge({ of: project, isThing: true })}
          <bdi class="cut t2">{lineOf(project)}</bdi>
        </span>
        <span class={entry.ms >= SLOW_MS ? 'num ms hold b' : 'num ms t3'}>{count(Math.round(entry.ms))}</span>
      </a>
    );
  }
}

export function PassesRow({
  passes,
  isChosen,
  canFocus,
  onOpen,
}: {
  passes: Passes;
  isChosen: boolean;
  canFocus: boolean;
  onOpen: () => void;
}): JSX.Element {
  const tools = Object.entries(passes.tools).sort((a, b) => b[1] - a[1]);
  const named = tools.slice(0, MOST_TOOLS).map(([tool, times]) => `${tool} ×${times}`);
  return (
    <button
      type="button"
      class="fold"
      aria-current={isChosen ? 'true' : undefined}
      tabIndex={canFocus ? 0 : -1}
      onClick={onOpen}
      title="Show each of them (x)"
    >
      <svg class="fold-ticks" width={Math.min(passes.count, MOST_TICKS) * 5} height={9} aria-hidden="true">
        {Array.from({ length: Math.min(passes.count, MOST_TICKS) }, (_, n) => (
          <rect key={n} class="m-pass" x={n * 5} y={0} width={3} height={9} rx={1} />
        ))}
      </svg>
      <span>
        <b class="num">{count(passes.count)}</b> passed
      </span>
      <Line class="cut t3 fold-tools" text={[...named, ...(tools.length > MOST_TOOLS ? ['…'] : [])].join(', ')} />
      <span class="t3">{plural(passes.folds.length, 'session')}</span>
    </button>
  );
}
