/** A line of ours is read back as what it was made of, runs as it was meant, and nothing else is taken for one. */
import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockingLine, lineFor, quoted, readLine } from '../../../../src/core/contracts/entry-line.ts';

const folder = fc.string({ unit: fc.constantFrom('a', ' ', "'", '"', '$', '&', '!', '%', 'ü', '(', ';', '.', '-') });

test('every line is read back, whatever the path is called', () => {
  fc.assert(
    fc.property(folder, fc.constantFrom('hookline', 'hookline.js', 'hookline-hook'), (name, program) => {
      const file = `/opt/${name}/${program}`;
      const line = lineFor({ via: 'command', program: [file] }, 'claude-code', 'PreToolUse', 'linux');
      expect(readLine(line)).toEqual({ via: 'command', host: 'claude-code', event: 'PreToolUse', program: [file], text: line });
    }),
  );
});

test('a line with its record, and one that blocks if its program is gone, are read back', () => {
  fc.assert(
    fc.property(folder, fc.constantFrom('hookline', 'hookline.js', 'hookline-hook'), (name, program) => {
      const reach = { via: 'command', program: [`/opt/${program}`], installed: `/home/${name}/installed` } as const;
      const line = lineFor(reach, 'codex', 'Stop', 'linux');
      for (const text of [line, blockingLine(line, 'linux')])
        expect(readLine(text)).toEqual({
          via: 'command',
          host: 'codex',
          event: 'Stop',
          program: reach.program,
          installed: reach.installed,
          text,
        });
    }),
  );
});

test('a line whose program cannot be started blocks', () => {
  const line = blockingLine(lineFor({ via: 'command', program: ['/gone/hookline-hook'] }, 'codex', 'PreToolUse', 'linux'), 'linux');
  expect(spawnSync('sh', ['-c', line]).status).toBe(2);
});

test('a shell hands over exactly the words that were meant', () => {
  fc.assert(
    fc.property(fc.array(folder, { minLength: 1, maxLength: 4 }), (words) => {
      const shown = execFileSync('sh', ['-c', `printf '%s\\n' ${words.map((word) => quoted(word, 'linux')).join(' ')}`], {
        encoding: 'utf8',
      });
      expect(shown).toBe(words.map((word) => `${word}\n`).join(''));
    }),
    { numRuns: 30 },
  );
});

test('on Windows a path has no backslashes and stands in double quotes', () => {
  expect(quoted('C:\\Program Files\\nodejs\\node.exe', 'win32')).toBe('"C:/Program Files/nodejs/node.exe"');
});

test('an address of this machine is read back', () => {
  const line = lineFor(
    { via: 'http', base: 'http://127.0.0.1:4680', headers: {}, program: ['hookline'], failOpen: false },
    'qwen',
    'PreToolUse',
    'linux',
  );
  expect(readLine(line)).toMatchObject({ via: 'http', host: 'qwen', event: 'PreToolUse' });
});

test.each([
  'hookline guard',
  'hookline hook',
  'hookline hook claude-code PreToolUse || true',
  'hookline hook claude-code; rm x',
  'echo hookline hook claude-code',
  'timeout 5 hookline hook claude-code',
  'hookline hook claude-code $EVENT',
  'hookline hook "$(host)"',
  'my-hookline hook claude-code',
  '/bin/hookline.py hook claude-code',
  'https://example.com/v1/hook/claude-code',
  'http://example.com/v1/hook/claude-code',
  '/bin/bash -p /usr/bin/hookline hook codex',
  '/bin/bash -c /usr/bin/hookline-hook codex',
  '/bin/zsh -p /usr/bin/hookline-hook codex',
  '',
])('`%s` is not a line of ours', (line) => {
  expect(readLine(line)).toBeUndefined();
});

test.each([
  'hookline hook codex',
  'node /usr/lib/hookline.js hook codex Stop',
  `'/opt/my tools/node' "/opt/my tools/hookline" hook codex Stop`,
  'hookline-hook codex',
  `/bin/bash -p '/opt/my tools/hookline-hook' --installed /h/installed codex Stop || exit 2`,
  'hookline-hook --installed account codex Stop || exit 2',
])('`%s` is one', (line) => {
  expect(readLine(line)?.host).toBe('codex');
});

test.each(['http://127.0.0.1/v1/hook/codex', 'http://localhost:80/v1/hook/codex/Stop', 'http://[::1]:4680/v1/hook/codex/Stop'])(
  '`%s` is an address of ours',
  (line) => {
    expect(readLine(line)).toMatchObject({ via: 'http', host: 'codex', program: [], text: line });
  },
);

test.each([
  'curl http://127.0.0.1/v1/hook/codex',
  'xhttp://127.0.0.1/v1/hook/codex',
  'http://127.0.0.1/v1/hook/codex/Stop/more',
  'http://127.0.0.1/v1/hook/codex/Stop?x=1',
  'http://127.0.0.1/v1/hook/codex/Stop && rm x',
  'http://127.0.0.1/v1/hook/',
  'http://127.0.0.1/v1/hook/codex/',
  'http://127.0.0.1:/v1/hook/codex',
  'http://127.0.0.1:80x/v1/hook/codex',
  'http://127.0.0.1.example.com/v1/hook/codex',
  'http://127a0b0c1/v1/hook/codex',
  'http://localhost.example.com/v1/hook/codex',
  'http://ann@localhost/v1/hook/codex',
  'http://localhost/v2/hook/codex',
  'http://localhost/x/v1/hook/codex',
  'https://localhost/v1/hook/codex',
])('`%s` is not an address of ours', (line) => {
  expect(readLine(line)).toBeUndefined();
});

test('the event in an address is read as it was meant, and as it is written if it has no meaning', () => {
  expect(readLine('http://localhost/v1/hook/codex/Pre%20Tool')?.event).toBe('Pre Tool');
  expect(readLine('http://localhost/v1/hook/codex/a.b:c-d_1')?.event).toBe('a.b:c-d_1');
  expect(readLine('http://localhost/v1/hook/codex/%')?.event).toBe('%');
  expect(readLine('http://localhost/v1/hook/codex')).not.toHaveProperty('event');
  const line = lineFor({ via: 'http', base: 'http://localhost', headers: {}, program: [], failOpen: false }, 'codex', 'a b/c', 'linux');
  expect(line).toBe('http://localhost/v1/hook/codex/a%20b%2Fc');
});

test.each([
  'mynode hookline hook codex',
  'node2 hookline hook codex',
  'nodeXexe hookline hook codex',
  'node --require x hookline hook codex',
  'node node hookline hook codex',
  'sh hookline hook codex',
  'hookline hookline hook codex',
  'hookline-hooks codex',
  'xhookline-hook codex',
  'hookline-hook.py codex',
  'hookline.js.bak hook codex',
  'hooklinejs hook codex',
  'hookline codex',
  'hookline hooks codex',
  'hookline hook codex Stop more',
  'hookline hook co/dex',
  'hookline hook codex St/op',
  'hookline hook codex "St op"',
  'hookline hook "co dex"',
  'hookline-hook',
  'hookline-hook codex Stop more',
  'hookline-hook --installed codex',
  'hookline hook codex Stop || exit 0',
  'hookline hook codex Stop || exit 2 || true',
  'hookline hook codex > x',
  'hookline hook codex | sh',
  'hookline hook codex & rm x',
  'hookline hook codex # x',
  'hookline hook codex `x`',
  'hookline hook codex "`x`"',
  'hookline hook codex *',
  '(hookline hook codex)',
  '! hookline hook codex',
  "hookline hook 'codex",
  'hookline hook "codex',
  'node',
  'hook codex',
  'X=1 hookline hook codex',
])('`%s` is not a line of ours either', (line) => {
  expect(readLine(line)).toBeUndefined();
});

test.each([
  ['hookline.js hook codex', ['hookline.js']],
  ['hookline.cmd hook codex', ['hookline.cmd']],
  ['hookline.exe hook codex', ['hookline.exe']],
  ['C:/x/hookline.sh hook codex', ['C:/x/hookline.sh']],
  ['hookline-hook.exe codex', ['hookline-hook.exe']],
  ['node.exe hookline.js hook codex', ['node.exe', 'hookline.js']],
  ['/usr/bin/node ~/x@1/hookline hook codex', ['/usr/bin/node', '~/x@1/hookline']],
  ['"C:\\Program Files\\hookline.exe" hook codex', ['C:\\Program Files\\hookline.exe']],
  ['  hookline   hook\tcodex  ', ['hookline']],
  [`'/it'\\''s/hookline' hook 'codex'`, ["/it's/hookline"]],
  [`/a"b c"'d e'/hookline hook codex`, ['/ab cd e/hookline']],
])('`%s` is run by its program', (line, program) => {
  expect(readLine(line)).toEqual({ via: 'command', host: 'codex', program, text: line });
});

test('the host and the event may have the signs that names have', () => {
  expect(readLine('hookline hook a-b.c:d_1 e-f.g:h_2')).toMatchObject({ host: 'a-b.c:d_1', event: 'e-f.g:h_2' });
});

test('a line names the subcommand, except for the client that is nothing else', () => {
  const line = (...program: string[]) => lineFor({ via: 'command', program }, 'codex', 'Stop', 'linux');
  expect(line('hookline')).toBe('hookline hook codex Stop');
  expect(line('node', '/x/hookline.js')).toBe('node /x/hookline.js hook codex Stop');
  expect(line('/x/hookline-hook')).toBe('/x/hookline-hook codex Stop');
  expect(line('C:\\x\\hookline-hook.exe')).toMatch(/ codex Stop$/);
  expect(line('C:\\x\\hookline-hook.exe')).not.toContain(' hook ');
  expect(line('/x/hookline-hook/hookline')).toBe('/x/hookline-hook/hookline hook codex Stop');
  expect(line('/x/hookline-hook.d/run')).toBe('/x/hookline-hook.d/run hook codex Stop');
  expect(line('my-hookline-hook')).toBe('my-hookline-hook hook codex Stop');
});

test.each(['plain', 'a@b%c+d=e:f,g.h/i-j_0', '/usr/bin/node'])('the plain word %s stays as it is', (word) => {
  expect([quoted(word, 'linux'), quoted(word, 'win32')]).toEqual([word, word]);
});

test.each(['', ' a', 'a ', 'a;', ';a', 'a$b', 'a\nb'])('any other word (%j) stands in quotes', (word) => {
  expect([quoted(word, 'linux'), quoted(word, 'win32')]).toEqual([`'${word}'`, `"${word}"`]);
});
