/** The hooks: problems first, then the chosen one, then all of them. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { HooksAnswer } from '../../../src/ui/api.ts';
import { address, go, hrefOf, replace } from '../data/address.ts';
import { calmly, now } from '../data/state.ts';
import { useData, useStream } from '../data/use.ts';
import { Commands, Empty, Failure } from '../parts/empty.tsx';
import { useKeys } from '../parts/keys.ts';
import { isPhone } from '../parts/media.ts';
import { TextFilter } from '../parts/text-filter.tsx';
import { plural, took } from '../parts/time.ts';
import { Top } from '../parts/top.tsx';
import { ChosenHook } from './chosen-hook.tsx';
import { type HookLine, linesOf } from './hook-lines.ts';
import { HookTable } from './hook-table.tsx';
import { Problems } from './problems.tsx';

const HOUR = 3_600_000;
const HOOK_RANGES = {
  day: { label: 'Last day', ms: 24 * HOUR, by: 'hour' },
  week: { label: 'Last 7 days', ms: 168 * HOUR, by: 'hour' },
  month: { label: 'Last 30 days', ms: 720 * HOUR, by: 'day' },
} as const;

const CALM_MS = 5_000;

export function Hooks(): JSX.Element {
  const { id, query } = address.value;
  const name = Object.hasOwn(HOOK_RANGES, query['range'] ?? '') ? (query['range'] as keyof typeof HOOK_RANGES) : 'week';
  const range = HOOK_RANGES[name];
  const until = Math.ceil(now.value / HOUR) * HOUR;
  const answer = useData<HooksAnswer>('hooks', { since: until - range.ms, until });
  const again = useMemo(() => calmly(answer.again, CALM_MS), [answer.again]);
  useStream('entry', again);
  useStream('folds', again);
  useStream('problem', answer.again);
  const lines = useMemo(() => (answer.data ? linesOf(answer.data) : []), [answer.data]);
  const text = (query['text'] ?? '').toLowerCase();
  const shown = lines.filter(({ name: title, file, dialect }) => `${title}\n${file}\n${dialect}`.toLowerCase().includes(text));
  const first = answer.data?.problems.find(({ state }) => state === 'open')?.hook?.id;
  // A wide screen has room for the hook of the first problem.
  const shownId = id ?? (isPhone.value ? null : (first ?? null));
  const chosen = lines.find((line) => line.id === shownId);
  const index = shown.findIndex((line) => line.id === id);
  const choose = (line: HookLine | undefined): void => {
    if (line) replace(hrefOf('hooks', line.id, query));
  };
  useKeys({
    j: () => choose(shown[Math.min(shown.length - 1, index + 1)]),
    ArrowDown: () => choose(shown[Math.min(shown.length - 1, index + 1)]),
    k: () => choose(shown[Math.max(0, index - 1)]),
    ArrowUp: () => choose(shown[Math.max(0, index - 1)]),
    Enter: () => {
      if (!chosen) return false;
      go(hrefOf('live', null, { hook: chosen.id }));
      return true;
    },
    Escape: () => {
      if (id === null) return false;
      replace(hrefOf('hooks', null, query));
      return true;
    },
  });
  const open = answer.data?.problems.filter(({ state }) => state === 'open') ?? [];
  return (
    <>
      <Top title="Hooks">
        <TextFilter hint="Filter by name, file, format" />
        <span class="grow" />
        <select
          class="btn"
          aria-label="Time"
          value={name}
          onChange={(event) => go(hrefOf('hooks', id, { ...query, range: event.currentTarget.value }))}
        >
          {Object.entries(HOOK_RANGES).map(([key, { label }]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </select>
      </Top>
      <div class="body">
        {answer.error && !answer.data && <Failure error={answer.error} again={answer.again} />}
        {answer.data && lines.length === 0 && <NoHooks />}
        {answer.data && lines.length > 0 && (
          <>
            {answer.data.problems.length > 0 && <Problems problems={answer.data.problems} onChanged={answer.again} />}
            {open.length === 0 && <AllWell lines={lines} />}
            {id !== null && !chosen && <p class="notice">This hook was not asked in this time.</p>}
            {chosen && <ChosenHook line={chosen} problems={answer.data.problems} since={until - range.ms} until={until} by={range.by} />}
            <HookTable lines={shown} chosen={shownId} hrefOf={(line) => hrefOf('hooks', line.id, query)} />
          </>
        )}
      </div>
    </>
  );
}

function AllWell({ lines }: { lines: readonly HookLine[] }): JSX.Element {
  const slowest = Math.max(0, ...lines.map(({ figures }) => figures?.p95 ?? 0));
  const stopped = lines.filter(({ state }) => state === 'error' || state === 'untrusted').length;
  return (
    <p class="well">
      <i class="led" />
      {plural(lines.length, 'hook')}, none failing{slowest > 0 ? `, slowest p95 about ${took(slowest)}` : ''}
      {stopped > 0 ? `; ${plural(stopped, 'does not run', 'do not run')}` : ''}.
    </p>
  );
}

const FIVE_LINES = [
  'mkdir -p .agents/hooks/no-force-push/scripts && cd .agents/hooks/no-force-push',
  "printf -- '---\\nname: no-force-push\\ndescription: No forced pushes.\\ntrigger: before_tool_call\\n---\\n' > HOOK.md",
  "printf '#!/bin/sh\\ngrep -q -- --force && exit 2; exit 0\\n' > scripts/run",
  'chmod +x scripts/run',
  'hookline check && hookline trust add',
];

function NoHooks(): JSX.Element {
  return (
    <Empty icon="hook" title="There are no hooks yet">
      <p>Five lines make one:</p>
      <Commands lines={FIVE_LINES} />
      <p>Or turn on the guard, which knows what commands do:</p>
      <Commands lines={['hookline install --guard']} />
    </Empty>
  );
}
