import { describe, expect, test } from 'vitest';
import type { HookReport } from '../../../../src/core/decision/outcome.ts';
import type { LogEntry } from '../../../../src/core/record/decision-record.ts';
import type { Json } from '../../../../src/core/values/json.ts';
import { explainEntry } from '../../../../src/engine/record/why.ts';
import { asked, entry, held, hook, settled, ticket, told } from './entries.ts';

test('it begins with what was about to happen, and names the hooks in the order they were asked', () => {
  const [first, ...rest] = explainEntry(entry({}, { hooks: [hook, { ...hook, name: 'second' }], unmatched: 3 }));
  expect(first).toBe('At 2026-01-31T12:00:00.000Z, in session s1 of /app, the agent was about to use Bash: {"command":"deploy"}.');
  expect(rest).toEqual([
    "First, hook 'gate' (agenthooks, .agents/hooks/gate/HOOK.md:2) had no objection (it took 12 ms).",
    "Then hook 'second' (agenthooks, .agents/hooks/gate/HOOK.md:2) had no objection (it took 12 ms).",
    '3 other hooks did not apply.',
    'The answer: none of the 2 hooks that were asked objects.',
  ]);
});

test('a denial is told with the hook that said it and where to look', () => {
  const text = told(
    entry({ decision: 'deny', reason: 'not on Fridays' }, { hooks: [{ ...hook, decision: 'deny', reason: 'not on Fridays' }] }),
  );
  expect(text).toContain('The answer: denied: not on Fridays.');
  expect(text).toContain("One denial is enough: 'gate' denied it");
  expect(text).toContain('check the rule in .agents/hooks/gate/HOOK.md:2');
});

test('a hook that could not be asked is never told as one that said no', () => {
  const fault: HookReport = {
    ...hook,
    status: 'faulted',
    decision: 'deny',
    fault: { kind: 'timeout', detail: 'did not answer within 1000 ms' },
  };
  const text = told(entry({ decision: 'deny', reason: "Hook 'gate' timed out." }, { hooks: [fault] }));
  expect(text).toContain("No hook denied it itself. 'gate' could not be asked, and by its rules that denies.");
  expect(text).toContain('fix the hook');
  expect(text).not.toContain('One denial');
  expect(told(entry({}, { hooks: [{ ...fault, decision: 'pass' }] }))).toContain('A hook that failed has not judged this. With `strict`');
});

test('what was rewritten, what was said to whom, and what was masked is part of it', () => {
  const text = told(
    entry(
      { masked: ['/data/input/token'] },
      {
        hooks: [
          { ...hook, decision: 'allow', effects: ['rewrite'] },
          { ...hook, name: 'untrusted', status: 'skipped', skip: 'untrusted' },
        ],
        rewrite: { command: 'deploy --dry-run' },
        context: ['be careful'],
        notices: ['changed to a dry run'],
        diagnostics: [{ severity: 'warning', code: 'x', message: 'Something is odd' }],
      },
    ),
  );
  for (const part of [
    'It rewrote the input as well.',
    'The input was rewritten to: {"command":"deploy --dry-run"}',
    "1 text went into the agent's context.",
    'The user was told: changed to a dry run',
    'the input it allowed was rewritten',
    'It was reported: Something is odd.',
    "Hook 'untrusted' (agenthooks, .agents/hooks/gate/HOOK.md:2) was not asked: untrusted",
    'hookline trust add',
    '/data/input/token',
  ])
    expect(text).toContain(part);
});

test('the story names who gave the agent its context', () => {
  const contextSources = [{ name: 'first', also: [{ name: 'second' }, 1] }, { name: 'first' }, null];
  expect(told(entry({}, { context: ['a\nb', 'c'], contextSources }))).toContain(
    "2 texts went into the agent's context, given by 'first', 'second'.",
  );
});

test('whatever the log holds, there is a story', () => {
  for (const outcome of [
    null,
    [],
    'text',
    { hooks: [null, 1, { name: 'x' }, { name: 'y', status: 'answered', source: 3, effects: 1 }], diagnostics: [{}] },
  ])
    expect(explainEntry(entry({ outcome: outcome as Json })).length).toBeGreaterThan(1);
});

describe('the sentences on what changed', () => {
  test('name a replacement, and only where there is one', () => {
    const replaced = told(entry({ kind: 'tool.after' }, { hooks: [hook], replace: 'key: ***' }));
    expect(replaced).toContain('The agent was shown this instead of the result: key: ***');
    expect(told(entry({}, { hooks: [hook] }))).not.toContain('instead of the result');
  });

  test('name what was rewritten by the key of the event, and say `would have been` where nothing ran', () => {
    const rewrite = 'shorter';
    expect(told(entry({ kind: 'prompt.submit' }, { rewrite }))).toContain('The prompt was rewritten to: shorter');
    expect(told(entry({ kind: 'session.start' }, { rewrite }))).toContain('The input was rewritten to: shorter');
    expect(told(entry({ decision: 'allow' }, { rewrite }))).toContain('The input was rewritten to: shorter');
    for (const decision of ['deny', 'hold', 'ask'] as const)
      expect(told(entry({ decision, reason: 'no' }, { rewrite }))).toContain('The input would have been rewritten to: shorter');
  });

  test('tell of an allow that no longer counts only where a hook allowed and another rewrote', () => {
    const lost = 'An allow no longer counted';
    const allowed: HookReport = { ...hook, decision: 'allow' };
    expect(told(entry({}, { hooks: [hook, allowed], rewrite: {} }))).toContain(lost);
    expect(told(entry({}, { hooks: [hook], rewrite: {} }))).not.toContain(lost);
    expect(told(entry({}, { hooks: [allowed] }))).not.toContain(lost);
    expect(told(entry({ decision: 'allow' }, { hooks: [allowed], rewrite: {} }))).not.toContain(lost);
  });

  test('say that the hook that decides rewrote too, and not that of one that only rewrote', () => {
    const also = 'It rewrote the input as well.';
    expect(told(entry({}, { hooks: [{ ...hook, effects: ['rewrite'] }] }))).not.toContain(also);
    expect(told(entry({}, { hooks: [{ ...hook, decision: 'allow', effects: ['notice'] }] }))).not.toContain(also);
  });

  test('say which input a hook was shown if others had rewritten it', () => {
    expect(told(entry({}, { hooks: [{ ...hook, input: { command: 'ls' } }] }))).toContain(
      'It was shown an input that other hooks had rewritten: {"command":"ls"}',
    );
    expect(told(entry({}, { hooks: [hook] }))).not.toContain('It was shown');
  });
});

describe('the sentences on hooks', () => {
  const sentences = (hooks: readonly HookReport[], unmatched = 0) => {
    const all = explainEntry(entry({}, { hooks, unmatched }));
    return all.slice(
      1,
      all.findIndex((text) => text.startsWith('The answer')),
    );
  };

  test('say whether there was none at all or none that applied', () => {
    expect(sentences([])).toEqual(['There was no hook to ask.']);
    expect(sentences([], 1)).toEqual(['No hook was asked.', '1 other hook did not apply.']);
  });

  test('count only hooks that were asked as first and next', () => {
    const at = '(agenthooks, .agents/hooks/gate/HOOK.md:2)';
    const skippedHook: HookReport = { ...hook, status: 'skipped', skip: 'it is off.' };
    expect(sentences([skippedHook, { ...hook, status: 'faulted' }, { ...hook, status: 'detached' }, hook])).toEqual([
      `Hook 'gate' ${at} was not asked: it is off (it took 12 ms).`,
      `First, hook 'gate' ${at} could not be asked (it took 12 ms).`,
      `Hook 'gate' ${at} runs in the background; its answer changes nothing (it took 12 ms).`,
      `Then hook 'gate' ${at} had no objection (it took 12 ms).`,
    ]);
  });

  test('give short times with one decimal, long ones in whole milliseconds, and unknown ones not at all', () => {
    const times = [9.96, 1.24, 10.4, undefined].map((ms) => {
      const { ms: _, ...timeless } = hook;
      return sentences([ms === undefined ? timeless : { ...hook, ms }])[0]?.split('objection')[1];
    });
    expect(times).toEqual([' (it took 10 ms).', ' (it took 1.2 ms).', ' (it took 10 ms).', '.']);
  });

  test('name the file alone where the line is unknown', () => {
    expect(sentences([{ ...hook, source: { file: 'hooks.json', scope: 'user' } }])[0]).toContain('(agenthooks, hooks.json) had');
  });
});

describe('the reason of a result', () => {
  const denies = (more: Partial<HookReport> = {}): HookReport => ({ ...hook, decision: 'deny', ...more });

  test('names all who denied, each once', () => {
    const hooks = [denies(), denies({ name: 'b' }), denies({ name: 'b' }), denies({ name: 'c' }), denies({ name: 'd', status: 'skipped' })];
    const text = told(entry({ decision: 'deny', reason: 'no' }, { hooks }));
    expect(text).toContain("One denial is enough: 'gate', 'b' and 'c' denied it, and no other hook can undo that.");
    expect(text).not.toContain("do what 'd' asks for");
  });

  test('names who asked for a person, whether one could be asked or not', () => {
    const hooks = [hook, asked, { ...hook, name: 'b', decision: 'hold' as const }];
    for (const decision of ['ask', 'hold'] as const)
      expect(told(entry({ decision, reason: 'Sure?' }, { hooks }))).toContain(
        "'gate' and 'b' asked for a person to decide, and no hook denied it.",
      );
    expect(told(entry({ decision: 'deny', reason: 'Sure?' }, { hooks }))).toContain(
      "No hook denied it itself. 'gate' and 'b' asked for a person to decide, but no person could be asked.",
    );
    expect(told(entry({ decision: 'ask', reason: 'Sure?' }, { hooks: [hook] }))).not.toContain('asked for a person to decide');
    expect(told(entry({}, { hooks }))).not.toContain('asked for a person to decide');
  });

  test('is that no hook denied where only Hookline did', () => {
    expect(explainEntry(entry({ decision: 'deny', reason: 'The log is full.' }))).toContain('No hook denied it itself.');
  });

  test('is not given where a person settled it', () => {
    const approval = { ticket: 't1', state: 'denied', by: 'ana', note: null, at: '' };
    const text = told(entry({ decision: 'deny', reason: 'ana said no' }, { hooks: [denies()], approval }));
    expect(text).not.toContain('One denial');
    expect(text).not.toContain('Next step');
  });

  test('includes why the whole run was to stop', () => {
    expect(told(entry({}, { halt: 'Enough' }))).toContain('The whole run was to stop: Enough.');
    expect(told(entry({}, {}))).not.toContain('The whole run');
  });
});

describe('the advice', () => {
  const fault: HookReport = { ...hook, status: 'faulted', decision: 'pass', fault: { kind: 'timeout', detail: 'slow' } };
  const strict = 'With `strict`, or';

  test('mentions strict where at least one hook could not be asked and the action went on', () => {
    expect(told(entry({}, { hooks: [hook, fault] }))).toContain(strict);
    expect(told(entry({}, { hooks: [hook] }))).not.toContain(strict);
    expect(told(entry({ decision: 'deny', reason: 'no' }, { hooks: [fault] }))).not.toContain(strict);
    expect(told(entry({}, { hooks: [{ ...fault, decision: 'deny' }] }))).not.toContain(strict);
  });

  test('mentions trust and masked parts only where they matter', () => {
    const text = told(entry({}, { hooks: [hook, { ...hook, status: 'skipped', skip: 'disabled' }] }));
    expect(text).not.toContain('trust add');
    expect(text).not.toContain('Not shown');
    expect(told(entry({ masked: ['/a', '/b'] }))).toContain('masked before it was written: /a, /b.');
  });

  test('for a held action depends on its ticket', () => {
    const again = 'fire the event again for a new ticket';
    expect(told(held, { ...ticket, ...settled, state: 'approved' })).not.toContain(again);
    expect(told(held, ticket)).not.toContain(again);
    expect(told(held)).toContain(again);
    expect(told(entry({}, { hooks: [hook] }))).not.toContain('Next step');
  });
});

test('a note of the log is told if it is a warning or an error, with a full stop', () => {
  const diagnostics = [
    { severity: 'info', code: 'a', message: 'Fine' },
    { severity: 'warning', code: 'b', message: 'Odd!' },
    { severity: 'error', code: 'c', message: 'Broken. Quite ' },
  ];
  const reported = explainEntry(entry({}, { diagnostics })).filter((text) => text.startsWith('It was reported'));
  expect(reported).toEqual(['It was reported: Odd!', 'It was reported: Broken. Quite.']);
});

test.each([
  ['tool.after', 'the agent had used Bash'],
  ['tool.error', 'the use of Bash had failed'],
  ['permission.request', 'the agent asked for permission to use Bash'],
  ['prompt.submit', 'a prompt was submitted'],
  ['prompt.build', 'a prompt was built'],
  ['stop.before', 'the agent was about to stop'],
  ['session.start', 'the session started'],
  ['session.end', 'the session ended'],
  ['subagent.before', 'a subagent was about to start'],
  ['subagent.after', 'a subagent had ended'],
  ['message.received', 'a message came in'],
  ['message.sending', 'a message was about to be sent'],
  ['compact.before', 'the conversation was about to be compacted'],
  ['cron.delivery', 'the event `cron.delivery` was fired'],
] as const)('an entry of %s begins with what happened', (kind, what) => {
  const [first] = explainEntry(entry({ kind, data: { tool: 'Bash' } }));
  expect(first).toBe(`At 2026-01-31T12:00:00.000Z, in session s1 of /app, ${what}.`);
});

test('the first sentence shows the subject on one line, cut where it is long, and ends with one full stop', () => {
  const first = (parts: Partial<LogEntry>) => explainEntry(entry(parts))[0]?.split('/app, ')[1];
  expect(first({ kind: 'prompt.submit', data: { prompt: 'Go on.' } })).toBe('a prompt was submitted: Go on.');
  expect(first({ kind: 'prompt.submit', data: { prompt: 'Go on' } })).toBe('a prompt was submitted: Go on.');
  expect(first({ kind: 'prompt.submit', data: { prompt: 'x'.repeat(400) } })).toBe(`a prompt was submitted: ${'x'.repeat(400)}.`);
  expect(first({ kind: 'prompt.submit', data: { prompt: `${'x'.repeat(399)} y` } })).toBe(`a prompt was submitted: ${'x'.repeat(399)}….`);
  expect(first({ kind: 'session.end', data: { tool: 'Bash', why: 'done' } })).toBe('the session ended: {"why":"done"}.');
  expect(first({ tool: null })).toBe('the agent was about to use a tool: {"command":"deploy"}.');
});
