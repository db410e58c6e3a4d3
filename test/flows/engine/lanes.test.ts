/** The laws between lanes and within one. */
import { describe, expect, test } from 'vitest';
import { allow, ask, callLog, deny, event, hold, hook, inputMatching, rewrite, smallDialect, smallEngine } from './small-engine.ts';

describe('between lanes', () => {
  test('a deny is never undone, the lanes after it are skipped, and the trace says so', async () => {
    const { calls, says } = callLog();
    const engine = smallEngine([hook('a/no', says('a', deny('not that'))), hook('b/yes', says('b', allow())), hook('c/yes', says('c'))]);
    const outcome = await engine.fire(event('tool.before'));
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'not that' });
    expect(calls).toEqual(['a ls']);
    expect(outcome.hooks).toMatchObject([
      { name: 'a/no', status: 'answered', decision: 'deny' },
      { name: 'b/yes', status: 'skipped', skip: 'after a deny by a/no' },
      { name: 'c/yes', status: 'skipped', skip: 'after a deny by a/no' },
    ]);
  });

  test('a hold does not stop the other lanes: nobody is asked about what another hook denies', async () => {
    const engine = smallEngine([hook('a/wait', () => hold()), hook('b/no', () => deny('never'))]);
    const outcome = await engine.fire(event('tool.before'));
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'never' });
    expect(outcome.ticket).toBeUndefined();
  });

  test('two lanes that hold share one ticket, and the outcome names both', async () => {
    const engine = smallEngine([hook('a/wait', () => hold('one')), hook('b/wait', () => hold('two'))]);
    const outcome = await engine.fire(event('tool.before'));
    expect(outcome.decision).toBe('hold');
    expect(outcome.ticket?.id).toBeTypeOf('string');
    expect(outcome.hooks.filter(({ decision }) => decision === 'hold').map(({ name }) => name)).toEqual(['a/wait', 'b/wait']);
    expect(await engine.resume(outcome.ticket?.id ?? '', { approve: true })).toMatchObject({ decision: 'allow' });
  });

  test('a later lane judges the rewritten input, and the trace shows what it was shown', async () => {
    const { calls, says } = callLog();
    const engine = smallEngine([hook('a/mend', says('a', rewrite('ls -l'))), hook('b/see', says('b'))]);
    const outcome = await engine.fire(event('tool.before'));
    expect(calls).toEqual(['a ls', 'b ls -l']);
    expect(outcome.rewrite).toEqual({ command: 'ls -l' });
    expect(outcome.hooks[0]).not.toHaveProperty('input');
    expect(outcome.hooks[1]).toMatchObject({ input: { command: 'ls -l' } });
  });

  test.each(['piped', 'original'] as const)('hooks still to come are chosen by the rewritten input (inputs %s)', async (inputs) => {
    const { calls, says } = callLog();
    const hooks = [
      hook('a/mend', says('a', rewrite('sudo ls'))),
      hook('b/sudo', says('sudo', deny()), { when: inputMatching('^sudo ') }),
      hook('b/plain', says('plain'), { when: inputMatching('^ls$') }),
    ];
    const outcome = await smallEngine(hooks, { dialects: [smallDialect('a', { inputs }), smallDialect('b')] }).fire(event('tool.before'));
    expect(calls).toEqual(['a ls', 'sudo sudo ls']);
    expect(outcome.decision).toBe('deny');
  });

  test('an allow is bound to the input it endorsed: a later rewrite makes it no opinion', async () => {
    const engine = smallEngine([hook('a/yes', allow), hook('b/mend', () => rewrite('rm -rf /'))]);
    expect(await engine.fire(event('tool.before'))).toMatchObject({ decision: 'pass', rewrite: { command: 'rm -rf /' } });
    const other = smallEngine([hook('a/mend', () => rewrite('rm x')), hook('b/yes', allow)]);
    expect(await other.fire(event('tool.before'))).toMatchObject({ decision: 'allow', rewrite: { command: 'rm x' } });
  });

  test('managed hooks come last, whatever their dialect, and see what would really run', async () => {
    const { calls, says } = callLog();
    const managed = { source: { file: '(managed)', scope: 'managed' } } as const;
    const engine = smallEngine([
      hook('a/boss', says('boss'), managed),
      hook('a/own', says('own')),
      hook('c/mend', says('mend', rewrite('curl'))),
    ]);
    await engine.fire(event('tool.before'));
    expect(calls).toEqual(['own ls', 'mend ls', 'boss curl']);
  });

  test('the order of lanes is the order of the dialects, not of the hooks', async () => {
    const { calls, says } = callLog();
    await smallEngine([hook('c/1', says('c')), hook('a/1', says('a')), hook('b/1', says('b'))]).fire(event('tool.before'));
    expect(calls).toEqual(['a ls', 'b ls', 'c ls']);
  });

  test('what lanes say to the agent and the user adds up', async () => {
    const say = (text: string) => () => ({
      decision: { kind: 'pass' as const },
      effects: [{ kind: 'context', text } as const, { kind: 'notice', text: `${text}!` } as const],
    });
    const outcome = await smallEngine([hook('a/1', say('one')), hook('b/1', say('two'))]).fire(event('tool.before'));
    expect(outcome).toMatchObject({ decision: 'pass', context: ['one', 'two'], notices: ['one!', 'two!'] });
  });
});

describe('within a lane', () => {
  test('the first deny ends it', async () => {
    const { calls, says } = callLog();
    const engine = smallEngine([hook('a/1', says('1', deny('first'))), hook('a/2', says('2', deny('second')))]);
    const outcome = await engine.fire(event('tool.before'));
    expect(calls).toEqual(['1 ls']);
    expect(outcome.reason).toBe('first');
    expect(outcome.hooks[1]).toMatchObject({ status: 'skipped', skip: 'after a deny by a/1' });
  });

  test('a higher priority runs first where the dialect has priorities, else the order is as declared', async () => {
    const run = async (order: 'priority' | 'declared'): Promise<string[]> => {
      const { calls, says } = callLog();
      const hooks = [1, 9, 9, 5].map((priority, i) => hook(`a/${i}`, says(String(i)), { priority }));
      await smallEngine(hooks, { dialects: [smallDialect('a', { order })] }).fire(event('tool.before', { tool: 'Bash' }));
      return calls;
    };
    expect(await run('priority')).toEqual(['1', '2', '3', '0']);
    expect(await run('declared')).toEqual(['0', '1', '2', '3']);
  });

  test('a later hook sees what an earlier one left only where inputs are piped', async () => {
    const run = async (inputs: 'piped' | 'original'): Promise<string[]> => {
      const { calls, says } = callLog();
      const hooks = [hook('a/1', says('1', rewrite('x'))), hook('a/2', says('2'))];
      await smallEngine(hooks, { dialects: [smallDialect('a', { inputs })] }).fire(event('tool.before'));
      return calls;
    };
    expect(await run('piped')).toEqual(['1 ls', '2 x']);
    expect(await run('original')).toEqual(['1 ls', '2 ls']);
  });

  test('hooks that run in parallel are asked at once and reported in order', async () => {
    let waiting = 0;
    let release: () => void = () => {};
    const all = new Promise<void>((resolve) => {
      release = resolve;
    });
    const meet = async (): Promise<undefined> => {
      if (++waiting === 3) release();
      await all;
    };
    const hooks = [1, 2, 3].map((i) => hook(`a/${i}`, meet, { event: 'together' }));
    const outcome = await smallEngine(hooks).fire(event('tool.error'));
    expect(outcome.hooks.map(({ name, status }) => `${name} ${status}`)).toEqual(['a/1 answered', 'a/2 answered', 'a/3 answered']);
  });

  test('a disabled hook is not asked, and is shown', async () => {
    const { calls, says } = callLog();
    const outcome = await smallEngine([hook('a/off', says('off', deny()), { enabled: false })]).fire(event('tool.before'));
    expect(calls).toEqual([]);
    expect(outcome).toMatchObject({ decision: 'pass', hooks: [{ status: 'skipped', skip: 'disabled' }] });
  });

  test('a disabled hook between two that run in parallel is not asked either', async () => {
    const { calls, says } = callLog();
    const hooks = [1, 2, 3].map((i) => hook(`a/${i}`, says(String(i)), { event: 'together', enabled: i !== 2 }));
    await smallEngine(hooks).fire(event('tool.error', { tool: 'Bash' }));
    expect(calls.toSorted()).toEqual(['1', '3']);
  });
});

describe('what an event permits', () => {
  test('a hook that says more than its event grants is not heard there, with a warning', async () => {
    const outcome = await smallEngine([hook('a/w', () => deny('too late'), { event: 'watch' })]).fire(event('tool.after'));
    expect(outcome).toMatchObject({ decision: 'pass', reason: null, diagnostics: [{ severity: 'warning', code: 'not-granted' }] });
  });

  test('a rewrite that is not of the kind the event carries changes nothing, with a warning', async () => {
    const text = { decision: { kind: 'pass' as const }, effects: [{ kind: 'rewrite' as const, value: 'a text' }] };
    const outcome = await smallEngine([hook('a/r', () => text)]).fire(event('tool.before'));
    expect(outcome.diagnostics).toMatchObject([{ severity: 'warning', code: 'unfit-rewrite' }]);
    expect(outcome).not.toHaveProperty('rewrite');
  });

  test('an allow beside a rewrite that does not count still endorses the input as it is', async () => {
    const engine = smallEngine([
      hook('a/yes', allow),
      hook('a/r', () => ({ decision: { kind: 'pass' }, effects: [{ kind: 'rewrite', value: 7 }] })),
    ]);
    expect((await engine.fire(event('tool.before'))).decision).toBe('allow');
  });

  test('where nobody can answer, an ask is a deny that says so; where somebody can, it is held', async () => {
    const denied = await smallEngine([hook('a/ask', () => ask('really?'))], { settings: { canSettle: false } }).fire(event('tool.before'));
    expect(denied.decision).toBe('deny');
    expect(denied.reason).toMatch(/^really\? .*no person can answer/);
    const held = await smallEngine([hook('a/ask', () => ask('really?'))]).fire(event('tool.before'));
    expect(held).toMatchObject({ decision: 'hold', reason: 'really?' });
    expect(held.ticket).toBeDefined();
  });
});

test('of hooks that run together, one that is off or in the background is not asked with them', async () => {
  const { calls, says } = callLog();
  const together = { event: 'together' };
  const engine = smallEngine([
    hook('a/one', says('one'), together),
    hook('a/off', says('off'), { ...together, enabled: false }),
    hook('a/back', says('back'), { ...together, detach: true }),
    hook('a/two', says('two'), together),
  ]);
  const { hooks } = await engine.fire(event('tool.error'));
  expect(calls.slice(0, 2)).toEqual(['one ls', 'two ls']);
  expect(calls).not.toContain('off ls');
  expect(hooks.find(({ name }) => name === 'a/back')).toMatchObject({ status: 'detached' });
});

test('hooks of another lane do not start with those that run together', async () => {
  const steps: string[] = [];
  const waits = (name: string) => async () => {
    steps.push(`${name} starts`);
    await new Promise((resolve) => setImmediate(resolve));
    steps.push(`${name} ends`);
    return undefined;
  };
  const names = ['a/one', 'a/two', 'b/one'];
  await smallEngine(names.map((name) => hook(name, waits(name), { event: 'together' }))).fire(event('tool.error'));
  expect(steps).toEqual(['a/one starts', 'a/two starts', 'a/one ends', 'a/two ends', 'b/one starts', 'b/one ends']);
});
