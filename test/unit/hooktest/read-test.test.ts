import { describe, expect, test } from 'vitest';
import { DIALECTS, HOSTS } from '../../../src/builtins.ts';
import { readTestFile } from '../../../src/hooktest/read-test.ts';

const read = (text: string) =>
  readTestFile(
    '/p/gate.hooktest.yaml',
    text,
    DIALECTS,
    HOSTS.map(({ id }) => id),
  );
const said = (text: string) =>
  read(text).diagnostics.map(({ line, column, message, hint }) => ({ at: `${line}:${column}`, message, hint }));
const one = (lines: string) => `cases:\n  - event: tool.before\n${lines}`;

describe('a file of tests', () => {
  test('has the hosts of the file, unless a case has its own', () => {
    const { cases } = read(
      'hosts: [codex]\ncases:\n  - event: tool.before\n    expect: { decision: deny }\n  - event: tool.before\n    hosts: []\n    expect: { clean: true }\n',
    );
    expect(cases.map(({ hosts, name }) => ({ hosts, name }))).toEqual([
      { hosts: ['codex'], name: 'case 1' },
      { hosts: [], name: 'case 2' },
    ]);
  });

  test('takes an event in the words of a dialect, by any of its names', () => {
    const { cases, diagnostics } = read(
      'cases:\n  - event: PreToolUse\n    as: claude-code\n    payload: { tool_name: Bash }\n    expect: { decision: pass }\n',
    );
    expect(diagnostics).toEqual([]);
    expect(cases[0]?.event).toMatchObject({
      name: 'PreToolUse',
      dialect: 'claude-code',
      isCanonical: false,
      payload: { tool_name: 'Bash' },
    });
  });

  test('reads a text between slashes as a pattern', () => {
    const { cases } = read(one('    expect: { reason: /no FORCE/i, context: [plain] }\n'));
    expect(cases[0]?.expect.reason?.pattern?.test('No force.')).toBe(true);
    expect(cases[0]?.expect.context).toEqual([{ source: 'plain' }]);
  });

  test('that is empty says so', () => {
    expect(said('')).toEqual([{ at: '1:1', message: 'The file has no cases.', hint: 'Write `cases:` with a list.' }]);
    expect(said('cases: []\n')[0]?.message).toBe('`cases` is empty.');
    expect(said('hook: gate\n')[0]).toMatchObject({ at: '1:1', message: '`cases` is missing.' });
  });

  test('with a case that could not fail is an error', () => {
    expect(said(one(''))[0]).toMatchObject({ at: '2:5', message: '`expect` is missing, so the case could not fail.' });
    expect(said(one('    expect: {}\n'))[0]).toMatchObject({ at: '3:13', message: '`expect` is empty, so the case could not fail.' });
  });

  test.each([
    [
      'an unknown key',
      one('    expects: {}\n    expect: { decision: deny }\n'),
      '3:5',
      'A case has no key `expects`.',
      'Did you mean `expect`?',
    ],
    ['an unknown decision', one('    expect: { decision: denny }\n'), '3:25', '`decision` cannot be `denny`.', 'Did you mean `deny`?'],
    ['an unknown fault', one('    expect: { faults: [timeot] }\n'), '3:15', 'There is no fault `timeot`.', 'Did you mean `timeout`?'],
    [
      'an unknown agent',
      `hosts: [codx]\n${one('    expect: { decision: deny }\n')}`,
      '1:1',
      'There is no agent `codx`.',
      'Did you mean `codex`?',
    ],
    [
      'an unknown event',
      'cases:\n  - event: tool.befor\n    expect: { decision: deny }\n',
      '2:12',
      'There is no event kind `tool.befor`.',
      'Did you mean `tool.before`?',
    ],
    ['a pattern that is none', one('    expect: { reason: /(/ }\n'), '3:23', undefined, 'Fix the pattern.'],
    [
      'an input without a tool',
      one('    input: { command: ls }\n    expect: { decision: deny }\n'),
      '2:5',
      '`input` needs `tool`.',
      undefined,
    ],
    [
      'an answer of an agent that is not asked',
      one('    expect: { answers: { codex: { exit: 0 } } }\n'),
      '2:5',
      '`answers` names codex, but the case does not run as it.',
      undefined,
    ],
    ['text that is not YAML', 'cases: [\n', undefined, undefined, undefined],
  ])('with %s is an error at its place', (_, text, at, message, hint) => {
    const [problem] = said(text);
    expect(problem).toBeDefined();
    if (at !== undefined) expect(problem?.at).toBe(at);
    if (message !== undefined) expect(problem?.message).toBe(message);
    if (hint !== undefined) expect(problem?.hint).toBe(hint);
  });

  test('with an event of a dialect that lacks `as` is told to add it', () => {
    expect(said('cases:\n  - event: PreToolUse\n    expect: { decision: deny }\n')[0]?.hint).toMatch(/: add `as: [a-z-]+`\.$/);
  });
});
