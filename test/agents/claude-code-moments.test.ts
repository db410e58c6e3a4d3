/** What hooks can do at the other moments of a session, and over http, in Claude Code and in the engine. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { claudeCode } from './claude-code.ts';
import { marksIn, marksOf, type Scene, tellTruth } from './claude-code-truth.ts';
import type { Turn } from './model/turn.ts';

const LIMIT = { timeout: 180_000 };
const RUN: Turn = claudeCode().shell('touch ran');
const run = (command: string, more: object = {}): object => ({ type: 'command', command, ...more });
const json = (value: object): string => `printf '%s' '${JSON.stringify(value)}'`;
const output = (event: string, value: object): string => json({ hookSpecificOutput: { hookEventName: event, ...value } });
const BLOCK = { onFailure: 'block' };

test('what goes into the context at the start and with a prompt is the same', LIMIT, async () => {
  const { session, replay } = await tellTruth({
    hooks: {
      SessionStart: [
        {
          hooks: [
            run('echo CTX-start-words'),
            run(output('SessionStart', { additionalContext: 'CTX-start-json' })),
            run(`${output('SessionStart', { additionalContext: 'CTX-start-failed' })}; exit 1`),
            run('echo CTX-start-failed-words; exit 1'),
            run('echo CTX-start-stderr >&2; exit 2'),
            run(output('SessionStart', { additionalContext: null })),
            run(json({ continue: false, stopReason: 'CTX-start-halt' })),
          ],
        },
      ],
      // A matcher is not looked at here.
      UserPromptSubmit: [{ matcher: 'none', hooks: [run('echo CTX-prompt-words'), run(`printf '"CTX-prompt-text"'`), run('exit 1')] }],
    },
    turns: [RUN],
  });
  const expected = ['CTX-prompt-text', 'CTX-prompt-words', 'CTX-start-failed', 'CTX-start-json', 'CTX-start-words'];
  expect(marksIn((session.heard[0] ?? '').replaceAll('\\n', '\n')), session.output).toEqual(expected);
  expect((await replay()).flatMap(({ outcome }) => marksOf(outcome)).sort()).toEqual(expected);
  expect(session.has('ran')).toBe(true);
});

test.each<[string, object, boolean]>([
  ['a block', run(json({ decision: 'block', reason: 'WHY-prompt' })), true],
  ['exit 2', run('echo WHY-prompt >&2; exit 2'), true],
  ['exit 1', run('echo WHY-prompt >&2; exit 1'), false],
  ['exit 1 that fails closed', run('echo WHY-prompt >&2; exit 1', BLOCK), true],
])('a prompt after %s', LIMIT, async (_, hook, refused) => {
  const { session, replay } = await tellTruth({ hooks: { UserPromptSubmit: [{ hooks: [hook] }] }, turns: [RUN] });
  expect([session.has('ran'), marksIn(session.output).includes('WHY-prompt')], session.output).toEqual([!refused, refused]);
  expect((await replay()).map(({ outcome }) => outcome.decision)).toEqual([refused ? 'deny' : 'pass']);
});

const FIRST_TIME = `grep -q '"stop_hook_active":true' && exit 0;`;
test.each<[string, object, boolean]>([
  ['a block', run(`${FIRST_TIME} ${json({ decision: 'block', reason: 'WHY-stop' })}`), true],
  ['exit 2', run(`${FIRST_TIME} echo WHY-stop >&2; exit 2`), true],
  ['context', run(`${FIRST_TIME} ${output('Stop', { additionalContext: 'WHY-stop' })}`), true],
  ['exit 1 that would fail closed', run(`${FIRST_TIME} echo WHY-stop >&2; exit 1`, BLOCK), false],
])('an agent that wants to stop, after %s', LIMIT, async (_, hook, goesOn) => {
  const { session, replay } = await tellTruth({ hooks: { Stop: [{ hooks: [hook] }] }, turns: [{ say: 'I am done.' }, RUN] });
  expect([session.has('ran'), session.heard[1]?.includes('WHY-stop') ?? false], session.output).toEqual([goesOn, goesOn]);
  const [first] = await replay();
  expect([first?.outcome.decision, first && marksOf(first.outcome)]).toEqual(goesOn ? ['deny', ['WHY-stop']] : ['pass', []]);
});

test.each<[string, Scene['hooks'], boolean, object]>([
  [
    'before a tool',
    { PreToolUse: [{ hooks: [run(json({ continue: false, stopReason: 'enough' }))] }] },
    true,
    { halt: 'enough', decision: 'pass' },
  ],
  [
    'after a tool',
    { PostToolUse: [{ hooks: [run(json({ continue: false, stopReason: 'enough' }))] }] },
    true,
    { halt: 'enough', decision: 'pass' },
  ],
  ['with a prompt', { UserPromptSubmit: [{ hooks: [run(json({ continue: false, stopReason: 'enough' }))] }] }, false, { halt: 'enough' }],
  ['with `defer`', { PreToolUse: [{ hooks: [run(output('PreToolUse', { permissionDecision: 'defer' }))] }] }, false, { decision: 'hold' }],
])('a run that is stopped %s', LIMIT, async (_, hooks, ran, ours) => {
  const { session, replay } = await tellTruth({ hooks, turns: [RUN, claudeCode().shell('touch ran-on')] });
  expect([session.has('ran'), session.has('ran-on')], session.output).toEqual([ran, false]);
  expect((await replay()).map(({ outcome }) => outcome)).toMatchObject([ours]);
});

/** What a server answers: status and body. */
const DENY = JSON.stringify({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'WHY-http' },
});
const ANSWERS: Readonly<Record<string, readonly [number, string]>> = {
  deny: [200, DENY],
  'deny-as-403': [403, DENY],
  broken: [500, 'oops'],
  moved: [302, ''],
  empty: [200, ''],
  'no-content': [204, ''],
  words: [200, 'fine'],
  half: [200, '{"decision":'],
};

test('over http, in Claude Code and in the engine, only a 2xx with JSON says something, and the rest fails', LIMIT, async () => {
  const server = createServer((request, response) => {
    const [status, body] = ANSWERS[(request.url ?? '').slice(1)] ?? [404, ''];
    response.writeHead(status, { 'content-type': 'application/json', location: '/deny' }).end(status === 204 ? undefined : body);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const ids = [...Object.keys(ANSWERS), 'refused'].flatMap((id) => [id, `${id}-closed`]);
  const hooks = ids.map((id) => {
    const url = id.startsWith('refused') ? 'http://127.0.0.1:1/' : `${base}${id.replace('-closed', '')}`;
    return { type: 'http', url, if: `Bash(touch ran-${id})`, ...(id.endsWith('-closed') && BLOCK) };
  });
  const turns = ids.map((id) => claudeCode().shell(`touch ran-${id}`));
  const { session, replay } = await tellTruth({ hooks: { PreToolUse: [{ hooks }] }, turns });
  const fails = ['deny-as-403', 'broken', 'moved', 'words', 'half', 'refused'].map((id) => `${id}-closed`);
  const expected = Object.fromEntries(ids.map((id) => [id, !['deny', 'deny-closed', ...fails].includes(id)]));
  expect(Object.fromEntries(ids.map((id) => [id, session.has(`ran-${id}`)])), session.output).toEqual(expected);
  const outcomes = await replay();
  expect(Object.fromEntries(ids.map((id, index) => [id, outcomes[index]?.outcome.decision === 'pass']))).toEqual(expected);
});
