/** The prose linter fails on words that the house style replaces, and reads prose only. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';

const script = path.join(import.meta.dirname, '../../../scripts/lint-prose.mjs');
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Lints the given files as one folder; findings come back as `file:line:column severity: words`. */
function lint(files: Readonly<Record<string, string>>, ...options: string[]): { exit: number | null; findings: string[] } {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-prose-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const { status, stdout } = spawnSync(process.execPath, [script, ...options, folder], { cwd: folder, encoding: 'utf8' });
  const lines = stdout.trim().split('\n').slice(0, -1);
  return { exit: status, findings: lines.map((line) => line.replace(/[“”]/g, '').replace(/\. Write .*$/, '')) };
}

describe('words that the house style replaces', () => {
  test.each([
    ['A hook can not run here.', 'can not'],
    ['The file beside the hook is read.', 'beside'],
    ['Then nobody is asked.', 'nobody'],
    ['It is read as ever.', 'as ever'],
    ['An entry of ours is removed.', 'of ours'],
    ['The file is mended.', 'mended'],
    ['The line stands in the file.', 'stands in'],
    ['Each event is put to the hooks.', 'put to'],
    ['It puts one event to the hooks.', 'puts one event to the'],
    ['The hook returns a no.', 'a no'],
    ['A hook wishes for a person.', 'wishes'],
    ["The reply is in the host's words.", "in the host's words"],
    ['The error is said once.', 'said'],
    ['Then the agent goes on.', 'goes'],
  ])('%s', (sentence, words) => {
    expect(lint({ 'a.md': `${sentence}\n` }).findings).toEqual([expect.stringMatching(new RegExp(` error: ${words}$`))]);
  });

  test.each(['A deny goes to stderr.', 'The words of the command are split.', 'A hook has no effect here.', 'Put the file into place.'])(
    'ordinary English passes: %s',
    (sentence) => {
      expect(lint({ 'a.md': `${sentence}\n` })).toEqual({ exit: 0, findings: [] });
    },
  );

  test('a phrase may span two lines', () => {
    expect(lint({ 'a.md': 'A hook can\nnot run.\n' }).findings).toEqual(['a.md:1:8 error: can not']);
  });
});

describe('sentences without a subject', () => {
  test.each(['What could not be read is reported.', 'Who asks is told.', 'Whoever asks is told.', 'All that apply run at once.'])(
    '%s',
    (sentence) => {
      expect(lint({ 'a.md': `It runs. ${sentence}\n` }).findings).toEqual([expect.stringMatching(/^a\.md:1:10 error: /)]);
    },
  );

  test('a question may start with any word', () => {
    expect(lint({ 'a.md': '## What is a hook?\n\nWho may ask it? A hook answers.\n' })).toEqual({ exit: 0, findings: [] });
  });
});

describe('only prose is read', () => {
  test('Markdown without code, links and front matter', () => {
    const page = '---\nname: nobody\n---\nRun `nobody` at [this](nobody.md).\n\n```sh\nnobody beside\n```\n\n| `nobody` | text |\n';
    expect(lint({ 'a.md': page })).toEqual({ exit: 0, findings: [] });
  });

  test('comments and texts of five words or more, not names, patterns and short strings', () => {
    const code = [
      "const nobody = 'nobody'; // Nobody reads this.",
      'const pattern = /nobody "can not/;',
      '/** `nobody` is a user. */',
      "const message = 'The user nobody has no files here.';",
      'const text = `The user $' + "{nobody ? 'which nobody can be at all' : ''} can not be read.`;",
    ].join('\n');
    expect(lint({ 'a.ts': code }).findings).toEqual([
      'a.ts:1:29 error: Nobody',
      'a.ts:4:27 error: nobody',
      'a.ts:5:42 error: nobody',
      'a.ts:5:70 error: can not',
    ]);
  });

  test('comments of shell and YAML files', () => {
    expect(lint({ 'a.yaml': '# Nobody reads it.\nuser: nobody\n' }).findings).toEqual(['a.yaml:1:3 error: Nobody']);
  });

  test('dependencies, builds and fixtures are left out', () => {
    expect(lint({ 'node_modules/a.md': 'Nobody.', 'dist/a.js': '// Nobody.', 'test/fixtures/a.md': 'Nobody.' }).exit).toBe(0);
  });
});

test('a sentence of more than thirty words is a warning, which does not fail', () => {
  const files = { 'a.md': `It is ${'very '.repeat(40)}long. It is short.\n` };
  expect(lint(files)).toEqual({ exit: 0, findings: [] });
  expect(lint(files, '--warnings').findings).toEqual([expect.stringMatching(/^a\.md:1:1 warning: It is very very …$/)]);
});

test('a path that does not exist is wrong usage', () => {
  expect(spawnSync(process.execPath, [script, '/nowhere/at/all'], { encoding: 'utf8' }).status).toBe(64);
});

test('an error ends with exit 1', () => {
  expect(lint({ 'a.md': 'Nobody.' }).exit).toBe(1);
});
