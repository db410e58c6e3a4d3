import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runsAnyProgram } from '../../../../src/guard/scope/any-program.ts';
import { simpleCommand } from '../../../../src/guard/scope/simple-command.ts';

describe('one simple command', () => {
  test.each<[string, readonly string[]]>([
    ['npm run test', ['npm', 'run', 'test']],
    ['  npm  run\ttest --x  ', ['npm', 'run', 'test', '--x']],
    ['"npm" run \'test\'', ['npm', 'run', 'test']],
    ['n\'p\'m run te"st"', ['npm', 'run', 'test']],
    ['npm run "test it"', ['npm', 'run', 'test it']],
    ['git commit -m "fix(core): a & b; c > d | e #1"', ['git', 'commit', '-m', 'fix(core): a & b; c > d | e #1']],
    ["grep '$x' a.txt", ['grep', '$x', 'a.txt']],
    ['npm run test --reporter=dot', ['npm', 'run', 'test', '--reporter=dot']],
    ['npm run test ""', ['npm', 'run', 'test', '']],
    ['npm run test größe', ['npm', 'run', 'test', 'größe']],
  ])('%j has its words', (text, words) => expect(simpleCommand(text, true)).toEqual(words));

  test.each([
    ...[
      'npm run test; rm -rf /',
      'npm run test & rm x',
      'npm run test && rm x',
      'npm run test || rm x',
      'npm run test | sh',
      'npm run test &',
    ],
    ...['npm run test$(x)', 'npm run test `x`', 'npm run "test$(x)"', 'npm run "test `x`"', 'npm run test <(x)', 'npm run test >(x)'],
    ...['npm run test > x', 'npm run test 2>x', 'npm run test < x', 'npm run test << E', 'npm run test &> x', 'npm run test>x'],
    ...[
      'npm run test\nrm x',
      'npm run test\r\nrm x',
      'npm run test\rrm x',
      'npm run test \\\nrm x',
      'npm run "test\nrm x"',
      'npm run test\0rm',
    ],
    ...['FOO=1 npm run test', 'npm=1', 'PATH=. npm run test', '"FOO"=1 npm', '=npm run test', 'npm =run test'],
    ...[
      'npm run $X',
      ['npm run $', '{X}'].join(''),
      'npm run "$X"',
      'npm run *',
      'npm run te?t',
      'npm run [t]est',
      'npm run {test,x}',
      'npm run ~/x',
    ],
    ...['npm run test # rm', '#npm run test', '!npm run test', '! npm run test', 'npm run "test!"', 'npm run test!!'],
    ...['time npm run test', 'if npm', '{ npm run test; }', '(npm run test)', '[[ npm ]]', 'coproc npm run test', 'function npm'],
    ...['npm run te\\st', "npm run 'te\\st'", "npm run $'test'", 'npm run $"test"', 'npm run "test', "npm run 'test", 'npm run test"'],
    ...[
      'npm\u00a0run test',
      'npm run\u2003test',
      'npm run\u200btest',
      'npm run test\u2028rm',
      'npm run test\u202erm',
      'npm run test\u0085rm x',
      'npm run test\u000brm',
      'npm run test\n',
      'npm run test\u00a0',
      '\ufeffnpm run test',
    ],
    ...['', '   ', '""', "'' run", '%PATH% run', 'npm run ^& x'],
  ])('%j is none', (text) => expect(simpleCommand(text, true)).toBe(undefined));

  test('where shells disagree about quotes, a quoted character counts as a bare one', () => {
    expect(simpleCommand("npm run test '& del x'", false)).toBe(undefined);
    expect(simpleCommand('npm run test "a|b"', false)).toBe(undefined);
    expect(simpleCommand('npm run "test it"', false)).toEqual(['npm', 'run', 'test it']);
  });

  test('whatever stands around it, a bare operator is never part of one', () => {
    const operators = [
      '|',
      '&',
      ';',
      '<',
      '>',
      '(',
      ')',
      '$',
      '`',
      '\n',
      '\\',
      '\r',
      '{',
      '}',
      '*',
      '?',
      '[',
      '~',
      '#',
      '!',
      '\0',
      '\u2028',
    ];
    const plain = fc.stringMatching(/^[a-z0-9 ./=-]{0,12}$/);
    fc.assert(
      fc.property(plain, fc.constantFrom(...operators), plain, (before, operator, after) => {
        expect(simpleCommand(`npm run test ${before}${operator}${after}`, true)).toBe(undefined);
      }),
      { numRuns: 2000 },
    );
  });

  test('any text either has no words, or the shell itself comes to the same words', () => {
    const texts = fc.sample(
      fc.array(
        fc.constantFrom('npm', ' ', '"', "'", 'a', '=', '$x', ';', '&', '#', '\t', '--b', '{a,b}', '~', '*', '.', 'é', '\\', '!', '>'),
        {
          minLength: 1,
          maxLength: 9,
        },
      ),
      10_000,
    );
    const accepted = [...new Set(texts.map((parts) => parts.join('')))].flatMap((text) => {
      const words = simpleCommand(text, true);
      return words ? [{ text, words }] : [];
    });
    expect(accepted.length).toBeGreaterThan(50);
    const script = accepted.map(({ text }) => `words ${text}\n`).join('');
    const printed = execFileSync('sh', ['-c', `words() { for w in "$@"; do printf '%s\\037' "$w"; done; printf '\\036'; }\n${script}`], {
      encoding: 'utf8',
    });
    const read = printed
      .split('\u001e')
      .slice(0, -1)
      .map((line) => line.split('\u001f').slice(0, -1));
    expect(read).toEqual(accepted.map(({ words }) => words));
  });
});

describe('a prefix limits something only if it names what runs', () => {
  test.each([
    ...['sh', 'bash', 'bash -c', 'python3', 'python', 'node', 'deno', 'ruby', 'perl', 'pwsh', 'awk', '/bin/sh', '/usr/bin/env', 'FISH'],
    ...['env', 'sudo', 'sudo npm', 'xargs', 'parallel', 'find', 'nohup npm', 'timeout 5', 'time', 'nice npm', 'watch npm', 'ssh', 'strace'],
    ...[
      'npx',
      'npx vitest',
      'npm',
      'npm exec',
      'npm x',
      'pnpm dlx',
      'yarn exec',
      'uv run',
      'poetry run',
      'bundle exec',
      'docker',
      'docker run',
    ],
    ...[
      'docker compose exec',
      'kubectl exec',
      'git',
      'git bisect',
      'git submodule',
      'make',
      'tar',
      'vim',
      'eval',
      'exec',
      'source',
      'command',
      'sed',
      'nc',
    ],
    // An option after these words names the program that runs the tests: `-exec`, `--config`.
    ...['go test', 'cargo test'],
  ])('`%s` names nothing', (words) => expect(runsAnyProgram(words.split(' '))).toBe(true));

  test.each([
    'npm run',
    'npm run test',
    'npm test',
    'git commit',
    'git status',
    'docker build',
    'docker compose up',
    'pytest',
    'ls',
    './gradlew',
    'kubectl get',
  ])('`%s` names it', (words) => expect(runsAnyProgram(words.split(' '))).toBe(false));
});
