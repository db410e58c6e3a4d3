/** The rows of each list: what each shows in a line, and what opens if it is chosen. */
import path from 'node:path';
import type { FoldedItem, HookFigures, LaneState } from '../../../views/views.ts';
import { paintLeft } from '../../decisions/print-tickets.ts';
import type { Style } from '../../print/style.ts';
import { plural } from '../../print/text.ts';
import { span, timeOfDay } from '../../print/time.ts';
import { type MarkName, markOf } from '../mark-of.ts';
import { time } from '../print-stats.ts';
import type { Cell } from './cells.ts';
import type { SessionAtWork, Top, WaitingAction } from './read-top.ts';
import type { Pane, Target } from './state.ts';

export interface Row {
  readonly key: string;
  readonly target: Target;
  cells(style: Style, now: number): readonly Cell[];
}

export function rowsOf(top: Top): Readonly<Record<Pane, readonly Row[]>> {
  return {
    waiting: top.waiting.map(waitingRow),
    sessions: top.sessions.map(sessionRow),
    decisions: top.decisions.map(decisionRow),
    hooks: top.hooks.map(hookRow),
  };
}

function waitingRow({ id, what, reason, project, expiresAt }: WaitingAction): Row {
  return {
    key: id,
    target: { kind: 'ticket', id },
    cells: (style, now) => [
      { text: `${span(expiresAt - now)} left`, width: 11, paint: (text) => paintLeft(expiresAt - now, text, style) },
      { text: path.basename(project), width: 14, from: 100, paint: style.dim },
      { text: what },
      { text: reason, from: 60, paint: style.yellow },
    ],
  };
}

const STATES: Readonly<Record<LaneState, keyof Pick<Style, 'yellow' | 'red' | 'green' | 'dim'>>> = {
  ...{ waits: 'yellow', refused: 'red', works: 'green', idle: 'dim' },
};

function sessionRow({ id, state, refused, depth, host, project, title, entries, denied, lastAt }: SessionAtWork): Row {
  const says = state === 'refused' ? `refused ${refused}×` : state;
  const counts = `${plural(entries, 'event')}, ${denied} denied`;
  return {
    key: id,
    target: { kind: 'session', id },
    cells: (style, now) => [
      { text: `${'  '.repeat(Math.min(depth, 4))}${says}`, width: 11, paint: style[STATES[state]] },
      { text: host, width: 12, from: 80 },
      { text: path.basename(project), width: 14, from: 60, paint: style.dim },
      { text: title ?? id },
      { text: `${span(now - lastAt)} ago`, width: 10, from: 90, paint: style.dim },
      { text: counts, width: 22, from: 70 },
    ],
  };
}

const COLOURS: Readonly<Record<MarkName, keyof Pick<Style, 'red' | 'yellow' | 'cyan' | 'green'>>> = {
  ...{ deny: 'red', hold: 'yellow', fault: 'yellow', rewrite: 'cyan', allow: 'green' },
};

function decisionRow(item: FoldedItem): Row {
  if ('fold' in item) {
    const { session, count, firstPos, lastPos, lastAt, tools } = item.fold;
    const named = Object.entries(tools).map(([tool, times]) => `${tool} ${times}`);
    const text = `${plural(count, 'pass', 'passes')}${named.length === 0 ? '' : `: ${named.join(', ')}`}`;
    return {
      // Named by its oldest entry, because it grows at the other end.
      key: `fold ${firstPos}`,
      target: { kind: 'fold', id: session, firstPos, lastPos },
      cells: (style) => [
        { text: timeOfDay(lastAt), width: 8, paint: style.dim },
        { text, paint: style.dim },
      ],
    };
  }
  const { entry } = item;
  const { id, pos, at, kind, tool, what, reason, isAlarm } = entry;
  const [name, glyph, word] = markOf(entry);
  return {
    key: `${pos}`,
    target: { kind: 'decision', id },
    cells: (style) => [
      { text: timeOfDay(at), width: 8, paint: style.dim },
      { text: `${glyph} ${word}`, width: 20, from: 100, paint: style[COLOURS[name]] },
      { text: glyph, width: 1, below: 100, paint: style[COLOURS[name]] },
      { text: tool ?? kind, width: 12, from: 50 },
      { text: isAlarm ? `It was denied, and it ran: ${what}` : what },
      { text: reason ?? '', from: 60, paint: style.dim },
    ],
  };
}

function hookRow({ id, name, asked, denied, faulted, p95 }: HookFigures): Row {
  return {
    key: id,
    target: { kind: 'hook', id },
    cells: (style) => [
      { text: name, ...(faulted > 0 && { paint: style.yellow }) },
      { text: `asked ${asked}`, width: 11, from: 60 },
      { text: `denied ${denied}`, width: 11, from: 48, ...(denied > 0 && { paint: style.red }) },
      { text: `failed ${faulted}`, width: 11, from: 36, ...(faulted > 0 && { paint: style.yellow }) },
      { text: `p95 ${time(p95)}`, width: 11, from: 24 },
    ],
  };
}
