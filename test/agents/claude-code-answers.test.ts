// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is a placeholder of the format
/** What an answer of a hook means to Claude Code, it means to the engine: `PreToolUse` and `PostToolUse`, row by row. */
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/index.ts';
import { type Heard, heardAfter } from './claude-code.ts';
import { type Groups, marksIn, marksOf, tellTruth } from './claude-code-truth.ts';

const LIMIT = { timeout: 180_000 };

/** What a hook came to. */
interface View {
  readonly decision: 'pass' | 'allow' | 'ask' | 'deny';
  /** The command that was to run in the end, by the word that it leaves behind. */
  readonly runs: string;
  readonly hears: readonly string[];
}

interface Row {
  readonly script: string;
  readonly handler?: object;
  readonly means: Partial<View>;
  /** Where we are stricter on purpose. */
  readonly ours?: Partial<View>;
}

const json = (value: object): string => `printf '%s' '${JSON.stringify(value)}'`;
const before = (output: object): string => json({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } });
const deny = (why: string): string => before({ permissionDecision: 'deny', permissionDecisionReason: why });
const becomes = (word: string): object => ({ updatedInput: { command: `touch ran-${word}`, description: 'For a test.' } });
const BLOCK = { onFailure: 'block' };

const BEFORE: Readonly<Record<string, Row>> = {
  silent: { script: 'exit 0', means: {} },
  words: { script: 'echo CTX-words', means: {} },
  deny: { script: deny('WHY-deny'), means: { decision: 'deny', hears: ['WHY-deny'] } },
  'deny-without-reason': { script: before({ permissionDecision: 'deny' }), means: { decision: 'deny' } },
  allow: { script: before({ permissionDecision: 'allow', permissionDecisionReason: 'fine' }), means: { decision: 'allow' } },
  ask: {
    script: before({ permissionDecision: 'ask', permissionDecisionReason: 'WHY-ask' }),
    means: { decision: 'ask', hears: ['WHY-ask'] },
  },
  'exit-two': { script: 'echo WHY-exit-two >&2; exit 2', means: { decision: 'deny', hears: ['WHY-exit-two'] } },
  'exit-two-silent': { script: 'exit 2', means: { decision: 'deny' } },
  'exit-two-allow': {
    script: `${before({ permissionDecision: 'allow' })}; echo WHY-stderr >&2; exit 2`,
    means: { decision: 'deny', hears: ['WHY-stderr'] },
  },
  'exit-two-json': { script: `${deny('WHY-json')}; echo WHY-stderr >&2; exit 2`, means: { decision: 'deny', hears: ['WHY-json'] } },
  'exit-two-context': {
    script: `${before({ additionalContext: 'CTX-two' })}; echo WHY-two >&2; exit 2`,
    means: { decision: 'deny', hears: ['CTX-two', 'WHY-two'] },
  },
  'exit-two-nonsense': { script: `${before({ permissionDecision: 'block' })}; exit 2`, means: { decision: 'deny' } },
  'exit-one': { script: 'echo WHY-exit-one >&2; exit 1', means: {} },
  'exit-one-closed': { script: 'echo WHY-closed >&2; exit 1', handler: BLOCK, means: { decision: 'deny', hears: ['WHY-closed'] } },
  'exit-one-deny': { script: `${deny('WHY-one')}; exit 1`, means: { decision: 'deny', hears: ['WHY-one'] } },
  'exit-one-block': {
    script: `${json({ decision: 'block', reason: 'WHY-one' })}; exit 1`,
    means: { decision: 'deny', hears: ['WHY-one'] },
  },
  'exit-one-allow': { script: `${before({ permissionDecision: 'allow' })}; exit 1`, means: { decision: 'allow' } },
  'exit-one-ask': {
    script: `${before({ permissionDecision: 'ask', permissionDecisionReason: 'WHY-one' })}; exit 1`,
    means: { decision: 'ask', hears: ['WHY-one'] },
  },
  'exit-one-context': { script: `${before({ additionalContext: 'CTX-one' })}; exit 1`, means: { hears: ['CTX-one'] } },
  'exit-one-rewrite': { script: `${before(becomes('one'))}; exit 1`, means: { runs: 'one' } },
  'exit-one-allow-closed': { script: `${before({ permissionDecision: 'allow' })}; exit 1`, handler: BLOCK, means: { decision: 'deny' } },
  'exit-one-context-closed': { script: `${before({ additionalContext: 'CTX-one' })}; exit 1`, handler: BLOCK, means: { decision: 'deny' } },
  'block-of-old': { script: json({ decision: 'block', reason: 'WHY-old' }), means: { decision: 'deny', hears: ['WHY-old'] } },
  'approve-of-old': { script: json({ decision: 'approve' }), means: { decision: 'allow' } },
  'block-and-allow': {
    script: json({
      decision: 'block',
      reason: 'WHY-both',
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' },
    }),
    means: { decision: 'deny', hears: ['WHY-both'] },
  },
  'approve-and-deny': {
    script: json({
      decision: 'approve',
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'WHY-both' },
    }),
    means: { decision: 'deny', hears: ['WHY-both'] },
  },
  'broken-json': { script: `printf '{"decision": '`, means: {} },
  'broken-json-closed': { script: `printf '{"decision": '`, handler: BLOCK, means: {}, ours: { decision: 'deny' } },
  'noise-before': { script: `echo noise; ${deny('WHY-noise')}`, means: {} },
  'noise-after': { script: `${deny('WHY-noise')}; echo; echo noise`, means: {} },
  'space-around': { script: `echo; ${deny('WHY-space')}; echo`, means: { decision: 'deny', hears: ['WHY-space'] } },
  number: { script: 'printf 42', handler: BLOCK, means: {} },
  'too-late': { script: 'sleep 9; exit 2', handler: { timeout: 1 }, means: {} },
  'too-late-closed': { script: 'sleep 9', handler: { timeout: 1, ...BLOCK }, means: { decision: 'deny' } },
  killed: { script: 'kill -9 $$', means: {} },
  'killed-closed': { script: 'kill -9 $$', handler: BLOCK, means: { decision: 'deny' } },
  'name-of-another': { script: json({ hookSpecificOutput: { hookEventName: 'Stop', permissionDecision: 'deny' } }), means: {} },
  'no-name': { script: json({ hookSpecificOutput: { permissionDecision: 'allow' } }), means: {} },
  'no-name-closed': { script: json({ hookSpecificOutput: { permissionDecision: 'allow' } }), handler: BLOCK, means: { decision: 'deny' } },
  'unknown-decision': { script: json({ decision: 'deny', reason: 'WHY-unknown' }), means: {} },
  'unknown-permission-closed': { script: before({ permissionDecision: 'block' }), handler: BLOCK, means: { decision: 'deny' } },
  'null-reason': { script: json({ decision: 'block', reason: null }), means: {} },
  'null-permission-closed': { script: before({ permissionDecision: null }), handler: BLOCK, means: { decision: 'deny' } },
  'null-context-closed': { script: before({ additionalContext: null }), handler: BLOCK, means: { decision: 'deny' } },
  'null-output': { script: json({ hookSpecificOutput: null, decision: 'block' }), means: {} },
  'number-as-reason': { script: before({ permissionDecision: 'deny', permissionDecisionReason: 5 }), means: {} },
  'text-as-flag': { script: json({ continue: 'false', decision: 'block' }), means: {} },
  'unknown-key': { script: json({ more: 1, decision: 'block', reason: 'WHY-more' }), means: { decision: 'deny', hears: ['WHY-more'] } },
  'top-level': { script: json({ permissionDecision: 'deny', permissionDecisionReason: 'WHY-top' }), means: {} },
  rewrite: { script: before(becomes('other')), means: { runs: 'other' } },
  'rewrite-allowed': { script: before({ permissionDecision: 'allow', ...becomes('third') }), means: { decision: 'allow', runs: 'third' } },
  'rewrite-by-text': { script: before({ updatedInput: 'touch ran-text' }), means: {} },
  context: { script: before({ additionalContext: 'CTX-context' }), means: { hears: ['CTX-context'] } },
  'deny-with-context': {
    script: before({ permissionDecision: 'deny', permissionDecisionReason: 'WHY-deny', additionalContext: 'CTX-deny' }),
    means: { decision: 'deny', hears: ['CTX-deny', 'WHY-deny'] },
  },
  'in-the-background': { script: 'exit 2', handler: { async: true }, means: {} },
  'goes-to-the-background': { script: `${json({ async: true })}; exit 0`, means: {} },
  'exec-form': {
    script: '[ "$1" = "\\$HOME" ] || exit 0; echo WHY-exec >&2; exit 2',
    handler: { command: 'sh', args: ['${CLAUDE_PROJECT_DIR}/says/exec-form.sh', '$HOME'] },
    means: { decision: 'deny', hears: ['WHY-exec'] },
  },
};

const after = (output: object): string => json({ hookSpecificOutput: { hookEventName: 'PostToolUse', ...output } });
const printed = (stdout: string): object => ({ updatedToolOutput: { stdout, stderr: '', interrupted: false, isImage: false } });

const AFTER: Readonly<
  Record<string, { readonly script: string; readonly handler?: object; readonly hears: readonly string[]; readonly replaced?: true }>
> = {
  silent: { script: 'exit 0', hears: [] },
  words: { script: 'echo CTX-words', hears: [] },
  block: { script: json({ decision: 'block', reason: 'WHY-block' }), hears: ['WHY-block'] },
  'exit-two': { script: 'echo WHY-two >&2; exit 2', hears: ['WHY-two'] },
  'exit-one': { script: 'echo WHY-one >&2; exit 1', hears: [] },
  'exit-one-closed': { script: 'echo WHY-one >&2; exit 1', handler: BLOCK, hears: ['WHY-one'] },
  'exit-one-context': { script: `${after({ additionalContext: 'CTX-one' })}; exit 1`, hears: ['CTX-one'] },
  context: { script: after({ additionalContext: 'CTX-context' }), hears: ['CTX-context'] },
  replaced: { script: after(printed('new')), hears: [], replaced: true },
  'replaced-by-null': { script: after({ updatedToolOutput: null }), hears: [] },
  'exit-two-replaced': { script: `${after(printed('new'))}; echo WHY-two >&2; exit 2`, hears: ['WHY-two'], replaced: true },
};

describe('what a hook answers means the same to Claude Code and to the engine', () => {
  test('before a tool runs', LIMIT, async () => {
    const ids = Object.keys(BEFORE);
    const { session, replay } = await tellTruth({
      hooks: { PreToolUse: groupsOf(BEFORE, 'touch ran-') },
      files: scriptsOf(BEFORE),
      turns: ids.map((id) => ({ call: 'Bash', input: { command: `touch ran-${id}`, description: 'For a test.' } })),
      options: [],
    });
    const theirs = Object.entries(BEFORE).map(([id, row], index) => [id, viewOf(id, row, heardAfter(session, index), session.has)]);
    const views = await replay();
    const ours = ids.map((id, index) => [id, engineView(id, views[index]?.outcome)]);
    const expected = (id: string, row: Partial<View>): View => ({ decision: 'pass', runs: id, hears: [], ...row });
    expect(Object.fromEntries(theirs)).toEqual(mapRows(BEFORE, (id, { means }) => expected(id, means)));
    expect(Object.fromEntries(ours)).toEqual(mapRows(BEFORE, (id, { means, ours: stricter }) => expected(id, { ...means, ...stricter })));
  });

  test('after a tool has run', LIMIT, async () => {
    const ids = Object.keys(AFTER);
    const { session, replay } = await tellTruth({
      hooks: { PostToolUse: groupsOf(AFTER, 'echo original ') },
      files: scriptsOf(AFTER),
      turns: ids.map((id) => ({ call: 'Bash', input: { command: `echo original ${id}`, description: 'For a test.' } })),
    });
    const theirs = ids.map((id, index) => {
      const { result, beside } = heardAfter(session, index);
      return [id, { hears: marksIn(beside), replaced: !result.includes('original') }];
    });
    const views = await replay();
    const ours = ids.map((id, index) => {
      const outcome = views[index]?.outcome;
      const replaced = outcome?.hooks.some(({ effects }) => effects?.includes('replace'));
      return [id, { hears: outcome && marksOf(outcome), replaced }];
    });
    const expected = mapRows(AFTER, (_, { hears, replaced = false }) => ({ hears, replaced }));
    expect(Object.fromEntries(theirs)).toEqual(expected);
    expect(Object.fromEntries(ours)).toEqual(expected);
  });
});

type Rows = Readonly<Record<string, { readonly script: string; readonly handler?: object }>>;

/** One hook for each row, which its own command alone starts. */
function groupsOf(rows: Rows, command: string): Groups {
  const hooks = Object.entries(rows).map(([id, { handler }]) => ({
    type: 'command',
    command: `sh "$CLAUDE_PROJECT_DIR"/says/${id}.sh`,
    if: `Bash(${command}${id})`,
    ...handler,
  }));
  return [{ matcher: 'Bash', hooks }];
}

function scriptsOf(rows: Rows): Record<string, string> {
  return Object.fromEntries(Object.entries(rows).map(([id, { script }]) => [`says/${id}.sh`, `${script}\n`]));
}

function mapRows<R, V>(rows: Readonly<Record<string, R>>, to: (id: string, row: R) => V): Record<string, V> {
  return Object.fromEntries(Object.entries(rows).map(([id, row]) => [id, to(id, row)]));
}

/** Nothing is allowed in this session, so that no opinion, consent, a question and a refusal each end differently. */
function viewOf(id: string, { means }: Row, { failed, result, beside }: Heard, has: (name: string) => boolean): View {
  const hears = marksIn(`${result}\n${beside}`);
  if (!failed) return { decision: 'allow', runs: [id, means.runs].find((word) => has(`ran-${word}`)) ?? 'nothing', hears };
  if (result.startsWith('PreToolUse:Bash hook error:')) return { decision: 'deny', runs: id, hears };
  const waits = /ran-([\w-]+)' needs approval/.exec(result)?.[1];
  return waits === undefined ? { decision: 'ask', runs: id, hears } : { decision: 'pass', runs: waits, hears };
}

function engineView(id: string, outcome: Outcome | undefined): View | undefined {
  if (!outcome) return undefined;
  const { decision, rewrite } = outcome;
  const rewritten = typeof rewrite === 'object' && rewrite !== null && 'command' in rewrite ? rewrite['command'] : undefined;
  const runs = typeof rewritten === 'string' && decision !== 'deny' ? rewritten.replace('touch ran-', '') : id;
  // Where nobody else asks, what a person should decide is held for one.
  return { decision: decision === 'hold' ? 'ask' : decision, runs, hears: marksOf(outcome) };
}
