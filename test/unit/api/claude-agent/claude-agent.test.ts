import { expect, expectTypeOf, test } from 'vitest';
import {
  CommandHook,
  ExecutionContext,
  FnHook,
  fnHook,
  type Hook,
  HookContext,
  HookEvent,
  type HookFault,
  HookInput,
  HookManager,
  HookOutput,
  type HookResult,
  type Json,
} from '../../../../src/api/claude-agent/hook-manager.ts';

const context = new HookContext('s-1');
const BASH = HookInput.preToolUse('s-1', 'Bash', { command: 'ls -l' });

function watched(): { manager: HookManager; faults: HookFault[] } {
  const faults: HookFault[] = [];
  return { manager: new HookManager({ onFault: (fault) => faults.push(fault) }), faults };
}

/** What comes of hooks with these answers, in this order, on one event. */
async function merged(...answers: HookResult[]): Promise<HookOutput> {
  const manager = new HookManager();
  answers.forEach((answer, i) => {
    manager.register(fnHook(`h${i}`, ['PreToolUse'], () => answer, { priority: -i }));
  });
  return manager.execute('PreToolUse', BASH, context);
}

const INPUTS: Record<HookEvent, HookInput> = {
  PreToolUse: BASH,
  PostToolUse: HookInput.postToolUse('s-1', 'Bash', { output: 'x' }),
  PostToolUseFailure: HookInput.postToolUseFailure('s-1', 'Bash', 'boom'),
  UserPromptSubmit: HookInput.userPromptSubmit('s-1', 'hi'),
  Stop: HookInput.stop('s-1'),
  SubagentStart: HookInput.subagentStart('s-1', 'a1', 'explore', 'look'),
  SubagentStop: HookInput.subagentStop('s-1', 'a1', false, 'lost'),
  PreCompact: HookInput.preCompact('s-1'),
  SessionStart: HookInput.sessionStart('s-1'),
  SessionEnd: HookInput.sessionEnd('s-1'),
};
const BLOCKING: readonly HookEvent[] = ['PreToolUse', 'UserPromptSubmit', 'SubagentStart', 'SessionStart'];
const EVENTS = Object.keys(INPUTS) as HookEvent[];

test.each(EVENTS)('the input of %s knows its event, tool and subagent', (event) => {
  const input = INPUTS[event];
  expect(input.eventType()).toBe(event);
  expect(HookEvent[event]).toBe(event);
  expect(input.sessionId).toBe('s-1');
  expect(input.timestamp).toBeInstanceOf(Date);
  expect(input.toolName()).toBe(event.includes('ToolUse') ? 'Bash' : undefined);
  expect(input.subagentId()).toBe(event.includes('Subagent') ? 'a1' : undefined);
  expect(input.toolInput()).toEqual(event === 'PreToolUse' ? { command: 'ls -l' } : undefined);
});

test('an input carries the data of its event, and metadata if it is given some', () => {
  expect(INPUTS.SubagentStop.data).toEqual({ event: 'SubagentStop', subagentId: 'a1', success: false, error: 'lost' });
  expect(HookInput.subagentStop('s', 'a1', true, null).data).toEqual({ event: 'SubagentStop', subagentId: 'a1', success: true });
  expect(BASH.metadata).toBeUndefined();
  expect(BASH.withMetadata({ a: 1 })).toMatchObject({ metadata: { a: 1 }, data: BASH.data, timestamp: BASH.timestamp });
});

const FULL = {
  continue_execution: false,
  stop_reason: 'no',
  suppress_logging: true,
  system_message: 'm',
  updated_input: { a: 1 },
  additional_context: 'c1\nc2',
};

test('an output is never changed by its builders, which have two names each', () => {
  const plain = HookOutput.block('no');
  const full = plain.withSystemMessage('m').withContext('c1').withContext('c2').withUpdatedInput({ a: 1 }).withSuppressedLogging();
  const same = plain.systemMessage('m').context('c1').context('c2').updatedInput({ a: 1 }).suppressLogging();
  expect(JSON.parse(JSON.stringify([full, same]))).toEqual([FULL, FULL]);
  expect([plain.continueExecution, plain.stopReason, plain.additionalContext]).toEqual([false, 'no', undefined]);
  expect(JSON.parse(JSON.stringify(plain))).toMatchObject({ system_message: null, suppress_logging: false });
});

test('an output that is spread, or changed by hand, still says what it said', async () => {
  expect(await merged({ ...HookOutput.block('no') })).toMatchObject({ continueExecution: false, stopReason: 'no' });
  expect(await merged({ ...HookOutput.allow().systemMessage('m'), additionalContext: 'c' })).toMatchObject({
    systemMessage: 'm',
    additionalContext: 'c',
  });
});

test('the data of every event is asked for its tool input, and still shows its fields to older programs', () => {
  for (const event of EVENTS) {
    expect(INPUTS[event].data.toolInput()).toEqual(event === 'PreToolUse' ? { command: 'ls -l' } : undefined);
  }
  expect((BASH.data.toolInput as unknown as { command: string }).command).toBe('ls -l');
  expect(JSON.parse(JSON.stringify(BASH)).data).toEqual({ event: 'PreToolUse', toolName: 'Bash', toolInput: { command: 'ls -l' } });
});

test.each(EVENTS)('the payload of %s becomes the same input again', (event) => {
  const input = INPUTS[event].withMetadata({ a: 1 });
  const again = HookInput.ofPayload(input.payload());
  expect(again).toMatchObject({ sessionId: 's-1', timestamp: input.timestamp, metadata: { a: 1 } });
  expect(JSON.stringify(again.data)).toBe(JSON.stringify(input.data));
});

test('an input of another event is refused, because its hooks would judge the wrong data', async () => {
  for (const event of EVENTS) {
    const other = EVENTS.find((one) => one !== event) as HookEvent;
    await expect(new HookManager().execute(event, INPUTS[other], context)).rejects.toMatchObject({ code: 'bad-payload' });
  }
});

test('a function is a hook, and `registerArc` registers as `register` does', async () => {
  const manager = new HookManager();
  const handle = manager.registerArc(new FnHook('f', ['PreToolUse'], () => HookOutput.block('no'), { toolMatcher: /Bash/ }));
  expect((await manager.execute('PreToolUse', BASH, context)).stopReason).toBe('no');
  handle[Symbol.dispose]();
  expect((await manager.execute('PreToolUse', BASH, context)).continueExecution).toBe(true);
});

test('a tool fires hooks through its context, and nothing objects if it has none', async () => {
  const seen: unknown[] = [];
  const manager = new HookManager();
  manager.register(
    fnHook('monitor', ['SubagentStart'], ({ data }, { sessionId, cwd }) => {
      seen.push([data.subagentType, sessionId, cwd]);
      return HookOutput.block('too many');
    }),
  );
  const start = HookInput.subagentStart('s-1', 'a1', 'explore', 'look');
  const bare = new ExecutionContext('security', { cwd: '/w' });
  expect((await bare.fireHook('SubagentStart', start)).continueExecution).toBe(true);
  const output = await bare.hooks(manager, 's-1').fireHook('SubagentStart', start);
  expect([output.stopReason, seen]).toEqual(['too many', [['explore', 's-1', '/w']]]);
});

test('outputs merge by the table of the document', async () => {
  const output = await merged(
    HookOutput.allow().withSystemMessage('m1').withUpdatedInput({ n: 1 }).withContext('c1').withSuppressedLogging(),
    { ...HookOutput.allow(), systemMessage: 'm2', updatedInput: { n: 2 } },
    { additionalContext: 'c2' },
    undefined,
    null,
  );
  expect(output).toBeInstanceOf(HookOutput);
  expect({ ...output }).toEqual({
    continueExecution: true,
    suppressLogging: true,
    systemMessage: 'm2',
    updatedInput: { n: 2 },
    additionalContext: 'c1\nc2',
  });
});

test('with nothing said the optional fields are absent', async () => {
  expect(Object.keys(await merged(undefined, HookOutput.allow()))).toEqual(['continueExecution', 'suppressLogging']);
  expect({ ...(await new HookManager().execute('Stop', HookInput.stop('s'), context)) }).toEqual({
    continueExecution: true,
    suppressLogging: false,
  });
});

test('the first block ends the run and keeps what was said before', async () => {
  const output = await merged({ additionalContext: 'c' }, HookOutput.block('no'), HookOutput.block('later').withContext('never'));
  expect(output).toMatchObject({ continueExecution: false, stopReason: 'no', additionalContext: 'c' });
});

test('higher priority runs first, and equals in the order they were registered', async () => {
  const ran: string[] = [];
  const manager = new HookManager();
  for (const [name, priority] of [
    ['a', 0],
    ['b', 5],
    ['c', undefined],
    ['d', 5],
    ['e', -1],
  ] as const) {
    manager.register({ name, events: ['Stop'], ...(priority !== undefined && { priority }), execute: () => void ran.push(name) });
  }
  await manager.execute('Stop', HookInput.stop('s'), context);
  expect(ran.join('')).toBe('bdace');
});

test('a matcher is searched for in the tool, every time anew, and does not filter events without one', async () => {
  const ran: string[] = [];
  const manager = new HookManager();
  manager.register(
    fnHook('g', ['PreToolUse', 'Stop'], (input) => void ran.push(input.toolName() ?? 'none'), { toolMatcher: /Write|Edit/g }),
  );
  for (const tool of ['WriteFile', 'WriteFile', 'Bash', 'Edit'])
    await manager.execute('PreToolUse', HookInput.preToolUse('s', tool, {}), context);
  await manager.execute('Stop', HookInput.stop('s'), context);
  expect(ran).toEqual(['WriteFile', 'WriteFile', 'Edit', 'none']);
});

test('each hook sees the original input, whatever the one before it did to its own', async () => {
  const seen: unknown[] = [];
  const manager = new HookManager();
  const scribble = (input: HookInput<'PreToolUse'>) => {
    seen.push(structuredClone(input.toolInput()));
    (input.data.toolInput() as { command: string }).command = 'changed';
    return HookOutput.allow().withUpdatedInput({ command: 'rewritten' });
  };
  manager.register(fnHook('a', ['PreToolUse'], scribble));
  manager.register(fnHook('b', ['PreToolUse'], scribble));
  await manager.execute('PreToolUse', BASH, context);
  expect([...seen, BASH.toolInput()]).toEqual([{ command: 'ls -l' }, { command: 'ls -l' }, { command: 'ls -l' }]);
});

test.each(EVENTS)('on %s a hook that fails blocks where it could have, and is reported everywhere', async (event) => {
  const failures: readonly [HookFault['kind'], Hook['execute']][] = [
    [
      'threw',
      () => {
        throw new Error('nope');
      },
    ],
    ['threw', () => Promise.reject('nope')],
    ['timeout', () => new Promise(() => {})],
    // What JavaScript can return and TypeScript forbids.
    ['malformed', () => 'no' as unknown as HookResult],
    ['malformed', () => ({ continueExecution: 'no' }) as unknown as HookResult],
  ];
  for (const [kind, execute] of failures) {
    const { manager, faults } = watched();
    const ran: string[] = [];
    manager.register({ name: 'gate', events: [event], timeoutSecs: 0.02, execute });
    manager.register({ name: 'next', events: [event], execute: () => void ran.push('next') });
    const output = await manager.execute(event, INPUTS[event], context);
    const blocks = BLOCKING.includes(event);
    expect(output.continueExecution).toBe(!blocks);
    expect(ran).toEqual(blocks ? [] : ['next']);
    if (blocks) expect(output.stopReason).toMatch(/^Hook 'gate' \w+/);
    expect(faults).toMatchObject([{ hook: 'gate', event, kind }]);
  }
});

test.each(EVENTS)('on %s a block counts only if the event can be blocked', async (event) => {
  const { manager, faults } = watched();
  manager.register({ name: 'gate', events: [event], execute: () => HookOutput.block('no').withContext('c') });
  const output = await manager.execute(event, INPUTS[event], context);
  const blocks = BLOCKING.includes(event);
  expect(output).toMatchObject({ continueExecution: !blocks, additionalContext: 'c' });
  expect(output.stopReason).toBe(blocks ? 'no' : undefined);
  expect(faults.map(({ kind }) => kind)).toEqual(blocks ? [] : ['not-permitted']);
});

test('an answer in snake_case is understood, not taken for consent', async () => {
  expect(await merged({ continue_execution: false, stop_reason: 'no' } as HookResult)).toMatchObject({
    continueExecution: false,
    stopReason: 'no',
  });
});

test('a listener that throws does not decide what runs', async () => {
  const manager = new HookManager({
    onFault: () => {
      throw new Error('listener');
    },
  });
  manager.register(fnHook('a', ['PreToolUse'], () => Promise.reject(new Error('nope'))));
  expect(await manager.execute('PreToolUse', BASH, context)).toMatchObject({
    continueExecution: false,
    stopReason: "Hook 'a' failed: nope",
  });
});

test('a hook is told when its time is up or the caller gave up, and not when it has answered', async () => {
  const signals: AbortSignal[] = [];
  const stuck = (_: HookInput, { signal }: HookContext) => {
    signals.push(signal);
    return new Promise<undefined>(() => {});
  };
  const slow = new HookManager();
  slow.register(fnHook('slow', ['Stop'], stuck, { timeoutSecs: 0.02 }));
  await slow.execute('Stop', HookInput.stop('s'), context);

  const controller = new AbortController();
  const { manager, faults } = watched();
  manager.register(fnHook('stuck', ['PreToolUse'], stuck));
  const running = manager.execute('PreToolUse', BASH, new HookContext('s', { signal: controller.signal }));
  controller.abort();
  expect(await running).toMatchObject({ continueExecution: false });
  expect(await manager.execute('PreToolUse', BASH, new HookContext('s', { signal: controller.signal }))).toMatchObject({
    continueExecution: false,
  });
  expect(faults.map(({ kind }) => kind)).toEqual(['cancelled', 'cancelled']);

  const quick = new HookManager();
  quick.register(fnHook('quick', ['Stop'], (_, { signal }) => void signals.push(signal)));
  await quick.execute('Stop', HookInput.stop('s'), context);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
});

test('a hook gets the context it was executed with', async () => {
  const seen: HookContext[] = [];
  const manager = new HookManager();
  manager.register(fnHook('a', ['Stop'], (_, given) => void seen.push(given)));
  await manager.execute('Stop', HookInput.stop('s'), new HookContext('s-7', { cwd: '/w', env: { A: '1' } }));
  expect(seen).toMatchObject([{ sessionId: 's-7', cwd: '/w', env: { A: '1' } }]);
});

test('a hook that was taken out is not asked again', async () => {
  const ran: string[] = [];
  const manager = new HookManager();
  const handle = manager.register(fnHook('a', ['Stop'], () => void ran.push('a')));
  await manager.execute('Stop', HookInput.stop('s'), context);
  handle[Symbol.dispose]();
  handle[Symbol.dispose]();
  await manager.execute('Stop', HookInput.stop('s'), context);
  expect(ran).toEqual(['a']);
});

test.each([
  ['a name', { events: ['Stop'], execute: () => {} }],
  ['an event', { name: 'x', events: [], execute: () => {} }],
  ['a known event', { name: 'x', events: ['stop'], execute: () => {} }],
  ['a function', { name: 'x', events: ['Stop'] }],
  ['a timeout', { name: 'x', events: ['Stop'], execute: () => {}, timeoutSecs: 0 }],
  ['a priority', { name: 'x', events: ['Stop'], execute: () => {}, priority: Number.NaN }],
])('a hook without %s is refused when it is registered', (_, hook) => {
  expect(() => new HookManager().register(hook as unknown as Hook)).toThrow(expect.objectContaining({ code: 'bad-option' }));
});

test('one registration is taken out once, however often its handle is used', async () => {
  const ran: string[] = [];
  const manager = new HookManager();
  const hook = fnHook('a', ['Stop'], () => void ran.push('a'));
  const [handle] = [manager.register(hook), manager.register(hook)];
  handle?.[Symbol.dispose]();
  handle?.[Symbol.dispose]();
  await manager.execute('Stop', HookInput.stop('s'), context);
  expect(ran).toEqual(['a']);
});

test('an event nobody knows is refused, not let through', async () => {
  const misspelt = 'preToolUse' as unknown as 'PreToolUse';
  await expect(new HookManager().execute(misspelt, BASH, context)).rejects.toMatchObject({ code: 'unknown-event' });
});

test('misuse does not compile', () => {
  const manager = new HookManager();
  // Only compiled, never called: the tests above say what happens at run time.
  const misuse = () => {
    // @ts-expect-error an input of another event
    manager.execute('PreToolUse', HookInput.stop('s'), context);
    // @ts-expect-error no such event
    manager.execute('preToolUse', BASH, context);
    // @ts-expect-error no such event
    manager.register({ name: 'x', events: ['Nope'], execute: () => HookOutput.allow() });
    // @ts-expect-error an answer that is no output
    fnHook('x', ['Stop'], () => 'ok');
    // @ts-expect-error a block needs a reason
    HookOutput.block();
    // @ts-expect-error a command hook has a command
    new CommandHook({ name: 'x', events: ['Stop'] });
    // @ts-expect-error a builder needs its message
    HookOutput.allow().systemMessage();
  };
  expect(misuse).toBeTypeOf('function');
  fnHook('x', ['PreToolUse'], (input) => {
    expectTypeOf(input.data.toolName).toEqualTypeOf<string>();
    expectTypeOf(input.data.toolInput()).toEqualTypeOf<Json>();
    return HookOutput.allow();
  });
});
