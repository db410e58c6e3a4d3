/** A line of ours is read back as what it was made of, runs as it was meant, and nothing else is taken for one. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineFor, quoted, readLine } from '../../../../src/core/contracts/entry-line.ts';

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
  '',
])('`%s` is not a line of ours', (line) => {
  expect(readLine(line)).toBeUndefined();
});

test.each([
  'hookline hook codex',
  'node /usr/lib/hookline.js hook codex Stop',
  `'/opt/my tools/node' "/opt/my tools/hookline" hook codex Stop`,
  'hookline-hook codex',
])('`%s` is one', (line) => {
  expect(readLine(line)?.host).toBe('codex');
});
