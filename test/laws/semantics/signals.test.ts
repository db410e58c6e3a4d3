/** What every hook system makes of every way a command can end: one row per signal, one column per dialect, run with real commands. */
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../src/index.ts';
import { NATIVE, TOOL_EVENTS } from '../../support/native-hooks.ts';
import { createWorkspace } from '../../support/workspace.ts';

/** `decision`, or `decision fault`; `later`: runs in the background, and nobody waits for it. */
type Cell = string;

interface Row {
  readonly signal: string;
  readonly command: string;
  readonly seconds?: number;
  readonly strict?: boolean;
  /** In the order of `DIALECTS`. */
  readonly before: readonly Cell[];
  readonly after: readonly Cell[];
}

const DIALECTS = ['skillkit', 'claude-agent', 'agenthooks', 'hooktoml', 'arawn'] as const;
const allPass = ['pass', 'pass', 'pass', 'pass', 'pass'];
const quiet = ['pass', 'pass', 'pass', 'later', 'pass'];
/** Agenthooks starts a script, which is there: the code is its own. */
const notStarted = ['pass spawn', 'deny spawn', 'pass exit', 'deny spawn', 'pass spawn'];
const noted = (fault: string) => [`pass ${fault}`, `pass ${fault}`, `pass ${fault}`, 'later', `pass ${fault}`];

const ROWS: readonly Row[] = [
  { signal: 'exit 0', command: 'exit 0', before: allPass, after: quiet },
  {
    signal: 'exit 0 with text',
    command: 'echo fine',
    before: allPass,
    after: quiet,
  },
  {
    signal: 'exit 0 with half of a JSON',
    command: `printf '{"decision": "de'`,
    before: ['pass', 'pass malformed', 'pass malformed', 'pass malformed', 'pass'],
    after: ['pass', 'pass', 'pass malformed', 'later', 'pass'],
  },
  { signal: 'exit 0 with an empty line', command: 'echo', before: allPass, after: quiet },
  { signal: 'exit 1', command: 'exit 1', before: ['pass exit', 'deny', 'pass exit', 'deny', 'deny'], after: noted('exit') },
  {
    signal: 'exit 2',
    command: 'echo no >&2; exit 2',
    before: ['deny', 'deny', 'deny', 'deny', 'deny'],
    after: ['pass', 'pass exit', 'deny', 'later', 'pass exit'],
  },
  { signal: 'exit 3', command: 'exit 3', before: ['pass exit', 'deny', 'pass exit', 'deny', 'deny'], after: noted('exit') },
  {
    signal: 'exit 126',
    command: 'exit 126',
    before: notStarted,
    after: ['pass spawn', 'pass spawn', 'pass exit', 'later', 'pass spawn'],
  },
  {
    signal: 'exit 127',
    command: 'exit 127',
    before: notStarted,
    after: ['pass spawn', 'pass spawn', 'pass exit', 'later', 'pass spawn'],
  },
  {
    signal: 'a program that is not there',
    command: 'exec /nonexistent/program',
    before: notStarted,
    after: ['pass spawn', 'pass spawn', 'pass exit', 'later', 'pass spawn'],
  },
  { signal: 'exit 255', command: 'exit 255', before: ['pass exit', 'deny', 'pass exit', 'deny', 'deny'], after: noted('exit') },
  {
    signal: 'SIGKILL',
    command: 'kill -9 $$',
    before: ['pass signal', 'deny signal', 'pass signal', 'deny signal', 'pass signal'],
    after: noted('signal'),
  },
  {
    signal: 'SIGTERM',
    command: 'kill -15 $$',
    before: ['pass signal', 'deny signal', 'pass signal', 'deny signal', 'pass signal'],
    after: noted('signal'),
  },
  {
    signal: 'a timeout',
    command: 'sleep 30',
    seconds: 1,
    before: ['pass timeout', 'deny timeout', 'pass timeout', 'deny timeout', 'pass timeout'],
    after: noted('timeout'),
  },
  {
    signal: 'a deny on stdout and exit 2',
    command: `printf '{"decision": "allow"}'; exit 2`,
    before: ['deny', 'deny', 'deny', 'deny', 'deny'],
    after: ['pass', 'pass exit', 'deny', 'later', 'pass exit'],
  },
  {
    signal: 'exit 1 under strict',
    strict: true,
    command: 'exit 1',
    before: ['deny exit', 'deny', 'deny exit', 'deny', 'deny'],
    after: ['pass exit', 'pass exit', 'deny exit', 'later', 'pass exit'],
  },
  {
    signal: 'SIGKILL under strict',
    strict: true,
    command: 'kill -9 $$',
    before: ['deny signal', 'deny signal', 'deny signal', 'deny signal', 'deny signal'],
    after: ['pass signal', 'pass signal', 'deny signal', 'later', 'pass signal'],
  },
  {
    signal: 'a program that is not there, under strict',
    strict: true,
    command: 'exec /nonexistent/program',
    before: ['deny spawn', 'deny spawn', 'deny exit', 'deny spawn', 'deny spawn'],
    after: ['pass spawn', 'pass spawn', 'deny exit', 'later', 'pass spawn'],
  },
  {
    signal: 'a timeout under strict',
    strict: true,
    command: 'sleep 30',
    seconds: 1,
    before: ['deny timeout', 'deny timeout', 'deny timeout', 'deny timeout', 'deny timeout'],
    after: ['pass timeout', 'pass timeout', 'deny timeout', 'later', 'pass timeout'],
  },
];

describe.each(ROWS)('$signal', ({ command, seconds, strict = false, before, after }) => {
  test.each(DIALECTS.map((dialect, i) => ({ dialect, expected: before[i] })))(
    'before a tool in $dialect: $expected',
    async ({ dialect, expected }) => {
      expect(await cellOf(dialect, 'before')).toBe(expected);
    },
  );
  test.each(DIALECTS.map((dialect, i) => ({ dialect, expected: after[i] })))(
    'after a tool in $dialect: $expected',
    async ({ dialect, expected }) => {
      expect(await cellOf(dialect, 'after')).toBe(expected);
    },
  );

  async function cellOf(dialect: string, when: 'before' | 'after'): Promise<Cell> {
    const event = TOOL_EVENTS[dialect]?.[when] ?? '';
    const files = NATIVE[dialect]?.({ event, command, ...(seconds !== undefined && { seconds }) }) ?? {};
    const hookline = await createWorkspace(files).open({ only: [dialect], strict });
    const tool = { tool: 'Bash', input: { command: 'ls' } };
    return asCell(
      when === 'before' ? await hookline.fire('tool.before', tool) : await hookline.fire('tool.after', { ...tool, result: 'ok' }),
    );
  }
});

function asCell({ decision, hooks }: Outcome): Cell {
  const [hook, ...more] = hooks;
  if (!hook || more.length > 0) return `${hooks.length} hooks`;
  if (hook.status === 'detached') return decision === 'pass' ? 'later' : `later ${decision}`;
  return hook.fault ? `${decision} ${hook.fault.kind}` : decision;
}
