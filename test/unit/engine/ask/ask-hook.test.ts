/** The call that a handler receives, and the report of its reply. */
import { expect, test } from 'vitest';
import type { Call, Handler } from '../../../../src/core/contracts/handler.ts';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import { type Fault, fault, type Reply } from '../../../../src/core/decision/reply.ts';
import type { Admission, EngineSettings, FireOptions, NotAdmitted, Ports } from '../../../../src/engine/ports.ts';
import { event, hook, rewrite, smallDialect, smallEngine } from '../../../flows/engine/small-engine.ts';

const NO_REPLY: Reply = { kind: 'value', value: undefined };
const PLACED = { source: { file: '/f', line: 3, column: 5, scope: 'user' } } as const;

/** One hook whose handler gives these answers, and the calls it got. */
function asked(
  answers: readonly (Reply | Fault | Promise<Reply | Fault>)[],
  more: Partial<Hook> = {},
  rest: { settings?: Partial<EngineSettings>; ports?: Partial<Ports>; handler?: Partial<Handler> } = {},
) {
  const calls: Call[] = [];
  const handler: Handler = {
    type: 'noting',
    inFiles: false,
    describe: () => ({ does: 'judge' }),
    handle(call) {
      calls.push(call);
      return answers[calls.length - 1] ?? NO_REPLY;
    },
    ...rest.handler,
  };
  const { run: _, ...plain } = hook('a/one', () => undefined, { handler: { type: 'noting', config: {} }, ...more });
  const exit = [{ exit: [0, 3], means: { say: 'pass' } }];
  const dialect = smallDialect('a');
  const reading = {
    ...dialect,
    profile: { ...dialect.profile, read: { exit, status: [{ status: 'other', means: { say: 'pass' } }] } },
  } as never;
  const handlers = new Map([['noting', handler]]);
  const engine = smallEngine([plain], {
    dialects: [reading],
    ports: { handlers, ...rest.ports },
    ...(rest.settings && { settings: rest.settings }),
  });
  return { calls, engine, fire: (options?: FireOptions) => engine.fire(event('tool.before'), options) };
}

test('a handler is told the hook, the payload, the folder, the limits and how deep it is', async () => {
  const { calls, fire } = asked([], { timeoutMs: 77 }, { ports: { ancestorMark: (id) => `mark of ${id}` } });
  const { signal } = new AbortController();
  await fire({ signal });
  expect(calls).toMatchObject([
    {
      hook: { id: 'a/one' },
      payload: { tool: 'Bash' },
      event: { kind: 'tool.before' },
      cwd: '/',
      timeoutMs: 77,
      nesting: { depth: 1, hooks: ['mark of a/one'] },
      signal,
    },
  ]);
  expect(calls[0]).not.toHaveProperty('variables');
  expect(calls[0]).not.toHaveProperty('environment');
});

test('the folder and the facts of a hook go before those of the session, and the environment is that of the caller', async () => {
  const { calls, fire } = asked([], { cwd: '/own', facts: { ROOT: 'project', SESSION: 'session' } });
  await fire({ environment: { A: '1' } });
  expect(calls).toMatchObject([{ cwd: '/own', variables: { ROOT: '/project', SESSION: 's1' }, environment: { A: '1' } }]);
});

test('a function is as deep as its engine: it starts nothing by itself', async () => {
  const nestings: unknown[] = [];
  const nesting = { depth: 2, hooks: ['x'] };
  const handler: Handler = {
    type: 'function',
    inFiles: false,
    describe: () => ({ does: 'judge' }),
    handle: (call) => {
      nestings.push(call.nesting);
      return NO_REPLY;
    },
  };
  await smallEngine([hook('a/one', () => undefined)], {
    ports: { handlers: new Map([['function', handler]]) },
    settings: { nesting },
  }).fire(event('tool.before'));
  expect(nestings).toEqual([nesting]);
});

test('the exit code and the starter of a process are reported, those of nothing else', async () => {
  const report = async (answer: Reply | Fault) => (await asked([answer]).fire()).hooks[0];
  const done = { kind: 'process', exit: 3, stdout: '', stderr: '' } as const;
  expect(await report(done)).toMatchObject({ status: 'answered', decision: 'pass', exit: 3 });
  expect(await report(done)).not.toHaveProperty('started');
  expect(await report({ ...done, started: 'helper' })).toMatchObject({ started: 'helper' });
  expect(await report({ kind: 'http', status: 200, body: '' })).not.toHaveProperty('exit');
  expect(await report(NO_REPLY)).not.toHaveProperty('exit');
  const ended = await report({ ...done, exit: null });
  expect(ended).toMatchObject({ status: 'faulted', fault: { kind: 'signal' } });
  expect(ended).not.toHaveProperty('exit');
  expect(await report(fault('exit', 'failed', { exit: 9 }))).toMatchObject({
    status: 'faulted',
    fault: { kind: 'exit', detail: 'failed' },
    exit: 9,
  });
  expect(await report(fault('timeout', 'late'))).not.toHaveProperty('exit');
});

test('a late answer counts like one at once', async () => {
  const done = { kind: 'process', exit: 3, stdout: '', stderr: '' } as const;
  expect((await asked([Promise.resolve(done)]).fire()).hooks).toMatchObject([{ status: 'answered', exit: 3, ms: expect.any(Number) }]);
});

test('how long it took is measured by the clock, in milliseconds with three digits', async () => {
  let now = 0;
  const clock = { iso: () => '', now: () => 0, tick: () => (now += 1.23456) };
  expect((await asked([], {}, { ports: { clock } }).fire()).hooks).toMatchObject([{ ms: 1.235 }]);
});

test.each([
  ['stdout', { kind: 'process', exit: 0, stdout: '', stderr: '', cut: ['stdout'] }],
  ['stderr', { kind: 'process', exit: 0, stdout: '', stderr: '', cut: ['stderr'] }],
  ['body', { kind: 'http', status: 200, body: '', cut: true }],
  ['stdout', fault('oversize', 'too long', { reply: { kind: 'process', exit: 0, stdout: '', stderr: '', cut: ['stdout'] } })],
] as readonly [string, Reply | Fault][])('a %s that was cut is told, with the hook and its place', async (stream, answer) => {
  const { diagnostics } = await asked([answer], PLACED).fire();
  expect(diagnostics).toMatchObject([
    { severity: 'warning', code: 'output-cut', file: '/f', line: 3, column: 5, hint: expect.stringMatching(/\w/) },
  ]);
  for (const part of [stream, '`a/one`']) expect(diagnostics[0]?.message).toContain(part);
});

test('an answer that was not cut is told of with nothing', async () => {
  for (const answer of [
    NO_REPLY,
    { kind: 'http', status: 200, body: '', cut: false },
    { kind: 'process', exit: 0, stdout: '', stderr: '' },
  ])
    expect((await asked([answer as Reply]).fire()).diagnostics).toEqual([]);
});

test('a part that the event does not grant is told with each word, the event and the place', async () => {
  const said = { decision: { kind: 'deny', reason: 'no' }, effects: [{ kind: 'context', text: 'x' }] } as const;
  const watching = hook('a/watch', () => said, { ...PLACED, event: 'watch' });
  const { decision, diagnostics, hooks } = await smallEngine([watching]).fire(event('tool.after'));
  expect([decision, hooks[0]?.decision]).toEqual(['pass', 'pass']);
  expect(diagnostics).toMatchObject([
    { severity: 'warning', code: 'not-granted', file: '/f', line: 3, column: 5, hint: expect.stringMatching(/\w/) },
  ]);
  for (const part of ['`a/watch`', '`deny`, `context`', 'watch']) expect(diagnostics[0]?.message).toContain(part);
});

test('a place without a line has none', async () => {
  const said = { decision: { kind: 'deny', reason: 'no' }, effects: [] } as const;
  const [told] = (await smallEngine([hook('a/watch', () => said, { event: 'watch' })]).fire(event('tool.after'))).diagnostics;
  expect([Object.hasOwn(told ?? {}, 'line'), Object.hasOwn(told ?? {}, 'column')]).toEqual([false, false]);
});

test('a rewrite that does not fit is dropped with a warning that names what is wanted, and the rest is heard', async () => {
  const said = {
    decision: { kind: 'pass' },
    effects: [
      { kind: 'rewrite', value: 'text' },
      { kind: 'notice', text: 'n' },
    ],
  } as const;
  const outcome = await smallEngine([hook('a/one', () => said, PLACED)]).fire(event('tool.before'));
  expect(outcome).toMatchObject({ notices: ['n'], hooks: [{ effects: ['notice'] }] });
  expect(outcome).not.toHaveProperty('rewrite');
  expect(outcome.diagnostics).toMatchObject([
    { severity: 'warning', code: 'unfit-rewrite', file: '/f', line: 3, hint: expect.stringContaining('gate') },
  ]);
  for (const part of ['`a/one`', 'a map']) expect(outcome.diagnostics[0]?.message).toContain(part);
});

test('what a hook said and did is in its report, and nothing that it did not', async () => {
  const reports = async (verdict: object) =>
    (await smallEngine([hook('a/one', () => verdict as never)]).fire(event('tool.before'))).hooks[0];
  expect(await reports({ decision: { kind: 'deny', reason: 'no' }, effects: [] })).toMatchObject({ decision: 'deny', reason: 'no' });
  expect(await reports({ decision: { kind: 'deny', reason: 'no' }, effects: [] })).not.toHaveProperty('effects');
  expect(await reports({ decision: { kind: 'allow' }, effects: [] })).not.toHaveProperty('reason');
  expect(await reports(rewrite('x'))).toMatchObject({ decision: 'pass', effects: ['rewrite'] });
  expect(await reports(rewrite('x'))).not.toHaveProperty('input');
});

test('a fault denies if the engine, the hook or its handler is strict, and not otherwise', async () => {
  const broken = [fault('threw', 'broke')];
  const decision = async (...args: Parameters<typeof asked>) => (await asked(...args).fire()).decision;
  expect(await decision(broken)).toBe('pass');
  expect(await decision(broken, {}, { settings: { strict: true } })).toBe('deny');
  expect(await decision(broken, { strict: true })).toBe('deny');
  expect(await decision(broken, {}, { handler: { strict: true } })).toBe('deny');
  expect((await asked(broken, { strict: true }).fire()).hooks).toMatchObject([
    { status: 'faulted', decision: 'deny', reason: expect.stringContaining('broke'), fault: { kind: 'threw', detail: 'broke' } },
  ]);
});

test('what a hook said although it failed counts where the fault does not deny', async () => {
  const said = { ...fault('exit', 'failed'), verdict: { decision: { kind: 'pass' }, effects: [{ kind: 'notice', text: 'n' }] } } as Fault;
  expect(await asked([said]).fire()).toMatchObject({ decision: 'pass', notices: ['n'] });
  expect(await asked([said], { strict: true }).fire()).toMatchObject({ decision: 'deny', notices: [] });
});

test('a caller that has given up is not kept waiting: no handler is asked, and the fault is named', async () => {
  const { calls, fire } = asked([]);
  const { hooks, decision } = await fire({ signal: AbortSignal.abort() });
  expect([calls, decision]).toEqual([[], 'deny']);
  expect(hooks).toMatchObject([{ status: 'faulted', fault: { kind: 'cancelled', detail: expect.stringMatching(/\w/) } }]);
});

test('a handler that is not registered is a fault that names its type', async () => {
  const { hooks } = await asked([], { handler: { type: 'none', config: {} } }).fire();
  expect(hooks).toMatchObject([{ fault: { kind: 'unavailable', detail: expect.stringContaining('`none`') } }]);
});

const NO: NotAdmitted = { admitted: false, cause: 'untrusted', skipReason: 'untrusted', fix: 'Trust it.', diagnostics: [] };

/** An engine whose admissions are these, one after another, and how often it asked. */
function admitting(...admissions: Admission[]) {
  const folders: string[] = [];
  const admit = (_: Hook, cwd: string): Promise<Admission> | Admission => {
    folders.push(cwd);
    const found = admissions[folders.length - 1] ?? NO;
    return folders.length % 2 === 0 ? found : Promise.resolve(found);
  };
  return { folders, ...asked([], {}, { ports: { admit } }) };
}

test('a yes, and a no of the audit, are remembered; any other no is asked for again', async () => {
  const yes = admitting({ admitted: true });
  for (const _ of [1, 2, 3]) expect((await yes.fire()).hooks).toMatchObject([{ status: 'answered' }]);
  expect(yes.folders).toEqual(['/']);
  const audit = admitting({ ...NO, cause: 'audit', skipReason: 'bad' });
  for (const _ of [1, 2]) expect((await audit.fire()).hooks).toMatchObject([{ status: 'skipped', skip: 'bad' }]);
  expect(audit.folders).toEqual(['/']);
  const later = admitting(NO, NO, { admitted: true });
  expect([(await later.fire()).hooks[0]?.skip, (await later.fire()).hooks[0]?.skip]).toEqual(['untrusted', 'untrusted']);
  expect([(await later.fire()).hooks[0]?.status, later.folders.length, later.calls.length]).toEqual(['answered', 3, 1]);
});

test('a hook that is trusted by its bytes is looked at before each run, in the folder of the session', async () => {
  const looks: string[] = [];
  const again = (cwd: string): Admission => {
    looks.push(cwd);
    return looks.length === 1 ? { admitted: true } : NO;
  };
  const { fire, calls } = admitting({ admitted: true, again });
  expect((await fire()).hooks[0]?.status).toBe('answered');
  expect((await fire()).hooks[0]?.status).toBe('answered');
  expect((await fire()).hooks[0]).toMatchObject({ status: 'skipped', skip: 'untrusted' });
  expect([looks, calls.length]).toEqual([['/', '/'], 2]);
});

test('what is told once in a session is told if the port says that it is the first time, and always without a port', async () => {
  const once = { severity: 'warning', code: 'untrusted-hook', message: 'm' } as const;
  const found = { ...NO, once, diagnostics: [{ severity: 'info', code: 'x', message: 'y' }] } as const;
  const codes = async (isFirstTime?: Ports['isFirstTime']) =>
    (await asked([], {}, { ports: { admit: () => found, ...(isFirstTime && { isFirstTime }) } }).fire()).diagnostics.map(
      ({ code }) => code,
    );
  expect(await codes()).toEqual(['x', 'untrusted-hook']);
  expect(await codes(() => true)).toEqual(['x', 'untrusted-hook']);
  expect(await codes(() => false)).toEqual(['x']);
  const keys: string[] = [];
  await codes((session, what) => keys.push(`${session} ${what}`) > 0);
  expect(keys).toEqual(['s1 untrusted-hook a/one']);
});

test('a required hook that may not run denies what it would have judged, by its own entry or by its name', async () => {
  const ports = { admit: () => NO };
  expect((await asked([], {}, { ports }).fire()).decision).toBe('pass');
  const own = await asked([], { required: true }, { ports }).fire();
  expect(own).toMatchObject({ decision: 'deny', hooks: [{ status: 'skipped', skip: 'untrusted', decision: 'deny' }] });
  for (const part of ['`a/one`', 'untrusted', 'Trust it.']) expect(own.reason).toContain(part);
  for (const [name, decision] of [
    ['a/one', 'deny'],
    ['a/other', 'pass'],
  ] as const) {
    const { engine, fire } = asked([], {}, { ports });
    const { run: _, ...plain } = hook('a/one', () => undefined, { handler: { type: 'noting', config: {} } });
    engine.use([plain], { required: new Set([name]), missing: [] });
    expect((await fire()).decision).toBe(decision);
  }
});

test.each<[string, Partial<Hook>, FireOptions]>([
  ['nothing of its own', {}, {}],
  ['a folder of its own', { cwd: '/own' }, {}],
  ['facts', { facts: { ROOT: 'project', TOOL: { payload: 'tool' } } }, {}],
  ['the environment of the caller', {}, { environment: { A: '1' } }],
  ['the signal of the caller', {}, { signal: new AbortController().signal }],
])('a function that is asked alone gets the same call as one among others: %s', async (_, more, options) => {
  const calls: Call[] = [];
  const handler: Handler = {
    type: 'function',
    inFiles: false,
    describe: () => ({ does: 'judge' }),
    handle: (call) => {
      calls.push(call);
      return NO_REPLY;
    },
  };
  const ports = { handlers: new Map([['function', handler]]) };
  const one = hook('a/one', () => undefined, more);
  const alone = smallEngine([one], { ports });
  const together = smallEngine([one, hook('a/two', () => undefined)], { ports });
  await alone.fire(event('tool.before'), options);
  await together.fire(event('tool.before'), options);
  const [own, shared] = calls as [Call, Call];
  expect({ ...own, signal: 0 }).toStrictEqual({ ...shared, signal: 0 });
  expect(own.signal).toBe(options.signal ?? alone.closing);
  expect(shared.signal).toBe(options.signal ?? together.closing);
});
