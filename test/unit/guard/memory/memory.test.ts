/** What a session wrote is known when it is run, whoever wrote it and however it is run. Nothing is run here. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { GuardVerdict } from '../../../../src/guard/guard.ts';
import { reasonFor } from '../../../../src/guard/judge-event.ts';
import { guardTool } from '../../../../src/guard/tools/guard-tool.ts';
import { openFindingNotes, processNotes } from '../../../../src/stores/finding-notes.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

/** A session in which each call is a process of its own. */
function session(workspace: Workspace = createWorkspace(), id = 's') {
  const { root, home } = workspace;
  const call = (tool: string, input: unknown): GuardVerdict =>
    guardTool(tool, input, { root, home, cwd: root, memory: openFindingNotes(workspace.at('~/.local/state'), root, id) });
  return {
    workspace,
    write: (file: string, content: string) => {
      const verdict = call('Write', { file_path: file, content });
      workspace.write({ [file]: content });
      return verdict;
    },
    call,
    run: (command: string) => call('Bash', { command }),
    folder: workspace.at('~/.local/state/hookline/guard-memory'),
  };
}

/** Harmful programs, by the name of their file and the command that runs it. */
const PROGRAMS: readonly (readonly [file: string, text: string, run: string])[] = [
  ['x.sh', 'set -e\nrm -rf "$HOME"\n', 'bash x.sh'],
  ['run', '#!/bin/sh\nrm -rf ~\n', './run'],
  ['x.py', 'import shutil, os\nshutil.rmtree(os.path.expanduser("~"))\n', 'python3 x.py'],
  [
    'x.mjs',
    "import { rmSync } from 'node:fs';\nimport { homedir } from 'node:os';\nrmSync(homedir(), { recursive: true });\n",
    'node x.mjs',
  ],
  ['Makefile', 'all:\n\trm -rf ~\n', 'make'],
  ['package.json', '{ "scripts": { "tidy": "rm -rf ~" } }\n', 'npm run tidy'],
  ['notes.txt', 'rm -rf ~\n', 'sh notes.txt'],
];

test.each(PROGRAMS)('%s is free to write, and known when it is run, from the disk or gone from it', (file, text, run) => {
  const { write, run: bash, workspace } = session();
  expect(bash(run).decision).toBe('none');
  expect(write(file, text).decision).toBe('none');
  expect([run, bash(run).decision]).toEqual([run, 'deny']);
  expect(bash(`cd / && cd "${workspace.root}" && ${run}`).decision).toBe('deny');
  rmSync(workspace.at(file));
  expect(bash(run).decision).toBe('deny');
});

test.each(PROGRAMS)('%s is known too if a command, an edit or a patch wrote it', (file, text, run) => {
  const heredoc = session();
  heredoc.run(`cat > ${file} <<'END'\n${text}END`);
  expect(heredoc.run(run).decision).not.toBe('none');
  const patch = session();
  const lines = text
    .split('\n')
    .slice(0, -1)
    .map((line) => `+${line}`);
  if (file !== 'package.json') {
    patch.call('apply_patch', { input: `*** Begin Patch\n*** Add File: ${file}\n${lines.join('\n')}\n*** End Patch` });
    expect(patch.run(run).decision).not.toBe('none');
    const edit = session();
    edit.call('Edit', { file_path: file, old_string: 'a', new_string: text });
    expect(edit.run(run).decision).not.toBe('none');
  }
});

/** Files that a tool looks for by itself, with the commands that run it. */
const LOOKED_FOR: readonly (readonly [file: string, harmful: string, harmless: string, runs: readonly string[]])[] = [
  ['justfile', 'x:\n  rm -rf ~\n', 'x:\n  ls\n', ['just x', 'just']],
  ['Taskfile.yml', 'tasks:\n  x:\n    cmds:\n      - rm -rf ~\n', 'tasks:\n  x:\n    cmds:\n      - ls\n', ['task x']],
  ['CMakeLists.txt', 'execute_process(COMMAND rm -rf $ENV{HOME})\n', 'project(a)\n', ['cmake .', 'cmake -B build']],
  ['main.go', 'func main() { os.RemoveAll("/home") }\n', 'func main() { os.Getwd() }\n', ['go run .', 'go run main.go']],
  ['a.c', 'int main() { return system("rm -rf ~"); }\n', 'int main() { return 0; }\n', ['gcc a.c -o a && ./a', 'clang a.c']],
  ['Rakefile', 'task(:x) { sh "rm -rf ~" }\n', 'task(:x) { puts 1 }\n', ['rake x', 'bundle exec rake']],
  ['conftest.py', 'import shutil; shutil.rmtree("/home")\n', 'import shutil\n', ['pytest', 'python3 -m pytest -q']],
  ['tests/test_a.py', 'import shutil\nshutil.rmtree("/home")\n', 'def test_a(): pass\n', ['pytest', 'uv run pytest -q']],
  ['src/a.test.ts', 'import fs from "fs"; fs.rmSync("/home", { recursive: true })\n', 'test()\n', ['npx vitest run', 'npm test']],
  ['vite.config.ts', 'import fs from "fs"; fs.rmSync("/home", { recursive: true })\n', 'export default {}\n', ['npx vite build']],
];

test.each(LOOKED_FOR)(
  '%s is known when a tool finds it by its name, in the same call and in later ones',
  (file, harmful, harmless, runs) => {
    for (const run of runs) {
      const [bad, good, once] = [session(), session(), session()];
      expect(bad.write(file, harmful).decision).toBe('none');
      expect([run, bad.run(run).decision]).not.toEqual([run, 'none']);
      expect(bad.run('git status && ls').decision).toBe('none');
      rmSync(bad.workspace.at(file));
      expect([run, bad.run(run).decision]).not.toEqual([run, 'none']);
      good.write(file, harmless);
      expect([run, good.run(run).decision]).toEqual([run, 'none']);
      const at = (text: string) => `mkdir -p src tests; cat > ${file} <<'END'\n${text}END\n${run}`;
      expect([run, once.run(at(harmful)).decision]).not.toEqual([run, 'none']);
      expect([run, session().run(at(harmless)).decision]).toEqual([run, 'none']);
    }
  },
);

test('a copy, a link and a moved file have the findings of the file, in the same call and in later ones', () => {
  for (const verb of ['cp', 'mv', 'ln -s']) {
    const one = session();
    one.write('x.sh', 'rm -rf ~\n');
    expect([verb, one.run(`${verb} x.sh y.sh && bash y.sh`).decision]).toEqual([verb, 'deny']);
    const two = session();
    two.write('x.sh', 'rm -rf ~\n');
    two.run(`${verb} x.sh y.sh`);
    expect([verb, two.run('bash y.sh').decision]).toEqual([verb, 'deny']);
  }
});

test('a text that was replaced by an unknown one is asked about, and one that was rewritten is judged anew', () => {
  const { write, run, workspace } = session();
  write('x.sh', 'rm -rf ~\n');
  workspace.write({ 'x.sh': 'echo replaced\n' });
  expect(run('bash x.sh').decision).toBe('ask');
  write('x.sh', 'echo clean\n');
  expect(run('bash x.sh').decision).toBe('none');
  write('x.sh', 'rm -rf ~\n');
  expect(run('bash x.sh').decision).toBe('deny');
});

test('ordinary scripts leave nothing behind', () => {
  const { write, run, folder } = session();
  for (const [file, text, command] of [
    ['a.sh', '#!/bin/bash\nset -e\ncd "$(dirname "$0")"\nnpm ci\nrm -rf dist\n"$@"\n', 'bash a.sh'],
    ['a.py', 'import sys, json\nprint(json.load(open(sys.argv[1])))\n', 'python3 a.py x'],
    ['README.md', 'Run `npm ci`.\n', 'cat README.md'],
  ] as const) {
    write(file, text);
    expect([file, run(command).decision]).toEqual([file, 'none']);
  }
  expect(() => readdirSync(folder)).toThrow(/ENOENT/);
});

test('another session and another file know nothing of it', () => {
  const workspace = createWorkspace();
  session(workspace, 'one').write('x.sh', 'rm -rf ~\n');
  expect(session(workspace, 'two').run('bash x.sh').decision).toBe('none');
  expect(session(workspace, 'one').run('bash other.sh').decision).toBe('none');
  expect(session(workspace, 'one').run('cat x.sh').decision).toBe('none');
});

test('the reason names the file and the line, and the memory has no text of the file', () => {
  const { write, run, folder } = session();
  write('x.sh', 'TOKEN=topsecret\n\nrm -rf ~/very-private\nrm -rf ~\n');
  const reason = reasonFor(run('bash x.sh')) ?? '';
  expect(reason).toMatch(/x\.sh, which this session wrote\. Its line 4 /);
  const [name = ''] = readdirSync(folder);
  const kept = readFileSync(path.join(folder, name), 'utf8');
  expect(kept).toContain('x.sh');
  expect(kept).not.toMatch(/topsecret|very-private|rm -rf/);
  expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
});

test('memory that is full asks about every file that is run, and about nothing else', () => {
  const { write, run, folder } = session();
  write('x.sh', 'rm -rf ~\n');
  const [name = ''] = readdirSync(folder);
  writeFileSync(path.join(folder, name), `${JSON.stringify(['/a', null, []])}\n`.repeat(20_000));
  expect(run('bash other.sh')).toMatchObject({ decision: 'ask', findings: [{ rule: 'memory' }] });
  expect(run('ls -l').decision).toBe('none');
  expect(write('y.sh', 'rm -rf ~\n')).toMatchObject({ decision: 'ask', findings: [{ rule: 'memory' }] });
  expect(write('z.sh', 'echo fine\n').decision).toBe('none');
});

test('memory that cannot be read, or that is no memory, asks', () => {
  const { write, run, folder } = session();
  write('x.sh', 'rm -rf ~\n');
  const [name = ''] = readdirSync(folder);
  writeFileSync(path.join(folder, name), 'not a note\n');
  expect(run('bash other.sh')).toMatchObject({ decision: 'ask', findings: [{ rule: 'memory' }] });
  rmSync(path.join(folder, name));
  mkdirSync(path.join(folder, name));
  expect(run('bash other.sh').decision).toBe('ask');
  expect(write('y.sh', 'rm -rf ~\n').decision).toBe('ask');
  chmodSync(folder, 0o700);
});

test('callers without a session have a memory of their process, which is bounded', () => {
  const notes = processNotes();
  for (let i = 0; i < 2000; i++) expect(notes.add('[]')).toBeUndefined();
  expect(notes.add('[]')).toMatch(/full/);
  expect(notes.read().isFull).toBe(true);
});

test('memory only tightens: with an empty memory every verdict is the same', () => {
  const workspace = createWorkspace();
  const { root, home } = workspace;
  for (const [file, , run] of PROGRAMS) {
    const options = { root, home, cwd: root };
    const bare = guardTool('Bash', { command: run }, options);
    expect([file, guardTool('Bash', { command: run }, { ...options, memory: processNotes() })]).toEqual([file, bare]);
  }
});

test.each([
  ['one edit completes a command', [['x.sh', 'HERE', 'rm -rf ~']], 'if true; then\n  HERE\nfi\n'],
  [
    'an edit removes the quotes around it',
    [
      ['x.sh', "echo '", ''],
      ['x.sh', "~'", '~'],
    ],
    "echo 'rm -rf ~'\n",
  ],
  ['an edit changes the folder', [['x.sh', '/tmp/work', '$HOME']], 'dir=/tmp/work\nrm -rf "$dir"\n'],
] as const)('%s: the resulting file counts', (_, edits, text) => {
  const { call, run, workspace } = session();
  workspace.write({ 'x.sh': text });
  expect(run('bash x.sh').decision).toBe('none');
  for (const [file_path, old_string, new_string] of edits) {
    expect(call('Edit', { file_path, old_string, new_string }).decision).toBe('none');
    workspace.write({ 'x.sh': readFileSync(workspace.at('x.sh'), 'utf8').replace(old_string, new_string) });
  }
  expect(run('bash x.sh').decision).toBe('deny');
});

/** Ways to hand over the same patch. */
const PATCHED: Readonly<Record<string, (hunks: readonly string[]) => readonly [tool: string, input: unknown]>> = {
  'a tool gets the envelope of agents': (hunks) => [
    'apply_patch',
    { input: `*** Begin Patch\n*** Update File: x.sh\n${hunks.join('')}*** End Patch` },
  ],
  'a tool gets a diff': (hunks) => ['patch_file', { patch: `--- a/x.sh\n+++ b/x.sh\n${hunks.join('')}` }],
  'git applies a diff': (hunks) => ['Bash', { command: `git apply <<'END'\n--- a/x.sh\n+++ b/x.sh\n${hunks.join('')}END` }],
  'patch applies a diff': (hunks) => ['Bash', { command: `patch -p1 <<'END'\n--- a/x.sh\n+++ b/x.sh\n${hunks.join('')}END` }],
};

test.each(Object.entries(PATCHED))('%s: the resulting file counts', (_, patch) => {
  const { workspace, call, run } = session();
  workspace.write({ 'x.sh': 'dir=/tmp/work\nmkdir -p "$dir"\n\necho a\nrm -rf "$dir"\n' });
  expect(call(...patch(['@@ -1,2 +1,2 @@\n-dir=/tmp/work\n+dir=$HOME\n mkdir -p "$dir"\n'])).decision).toBe('none');
  expect(run('bash x.sh').decision).not.toBe('none');
  const harmless = session();
  harmless.workspace.write({ 'x.sh': 'dir=/tmp/work\nmkdir -p "$dir"\n\necho a\nrm -rf "$dir"\n' });
  harmless.call(...patch(['@@ -1,2 +1,2 @@\n-dir=/tmp/work\n+dir=/tmp/other\n mkdir -p "$dir"\n']));
  expect(harmless.run('bash x.sh').decision).toBe('none');
});

test.each(Object.entries(PATCHED))('%s: several parts are made one after the other', (_, patch) => {
  const { workspace, call, run } = session();
  workspace.write({ 'x.sh': 'a=1\n\nb=2\necho "$a $b"\n' });
  call(...patch(['@@ -1,3 +1,3 @@\n-a=1\n+a="rm -rf"\n\n b=2\n', '@@ -3,2 +3,2 @@\n-b=2\n-echo "$a $b"\n+b=~\n+$a $b\n']));
  expect(run('bash x.sh').decision).not.toBe('none');
});

test('several edits of one call are made one after the other', () => {
  const { call, run, workspace } = session();
  workspace.write({ 'x.sh': 'echo A B\n' });
  const edits = [
    { old_string: 'echo A', new_string: 'rm -rf C' },
    { old_string: 'C B', new_string: '~' },
  ];
  call('MultiEdit', { file_path: 'x.sh', edits });
  rmSync(workspace.at('x.sh'));
  expect(run('bash x.sh').decision).toBe('deny');
});

test('what a file of others did before is not the deed of an edit, and an edit does not clean what the session wrote', () => {
  const { call, run, write, workspace } = session();
  workspace.write({ 'old.sh': '# a\nrm -rf ~\n' });
  call('Edit', { file_path: 'old.sh', old_string: '# a', new_string: '# b' });
  workspace.write({ 'old.sh': '# b\nrm -rf ~\n' });
  expect(run('bash old.sh').decision).toBe('none');
  write('new.sh', '# a\nrm -rf ~\n');
  call('Edit', { file_path: 'new.sh', old_string: '# a', new_string: '# b' });
  workspace.write({ 'new.sh': '# b\nrm -rf ~\n' });
  expect(run('bash new.sh').decision).toBe('deny');
});
