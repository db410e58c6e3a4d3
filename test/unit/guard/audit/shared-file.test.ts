// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shells read them
/** A file that many hooks run is inspected once, as long as its text stays the same. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DIALECTS, describeHandler } from '../../../../src/builtins.ts';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import type * as judging from '../../../../src/guard/judge.ts';
import { auditHooks } from '../../../../src/trust/audit-hooks.ts';

const judged = vi.hoisted((): string[] => []);
vi.mock('../../../../src/guard/judge.ts', async (original) => {
  const actual = await original<typeof judging>();
  return {
    ...actual,
    judge: (text: string, options: judging.JudgeOptions) => {
      judged.push(Object.values(options.files ?? {})[0] ?? text);
      return actual.judge(text, options);
    },
  };
});

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'hookline-shared-')));
  mkdirSync(path.join(root, 'lib'));
  judged.length = 0;
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const hooks = (command: string): readonly Hook[] =>
  Array.from({ length: 50 }, (_, i) => ({
    id: `h${i}`,
    name: `h${i}`,
    dialect: 'claude-code',
    event: 'PreToolUse',
    when: [],
    handler: { type: 'command', config: { command: `${command} step-${i}` } },
    timeoutMs: 1000,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: path.join(root, 'settings.json'), scope: 'project' },
  }));
const auditAll = (all: readonly Hook[]) => auditHooks(all, root, { dialects: DIALECTS, describe: describeHandler });
const audit = (command: string) => auditAll(hooks(command));
const withVariables = (...each: readonly Record<string, string>[]): readonly Hook[] =>
  hooks('./run.sh').flatMap((hook, i) => (each[i] ? [{ ...hook, env: each[i] }] : []));
const times = (body: string): number => judged.filter((text) => text === body).length;

const FILES: readonly (readonly [name: string, command: string, body: string])[] = [
  ['run.sh', './run.sh', '#!/bin/bash\necho "$1"\n'],
  ['run.py', 'python3 run.py', 'import lib.part\nprint(1)\n'],
  ['run.js', 'node run.js', "require('./lib/part.js');\n"],
];

test.each(FILES)('50 hooks run %s, and it is inspected once', async (name, command, body) => {
  const part = name.endsWith('.js') ? 'module.exports = 1;\n' : 'x = 1\n';
  writeFileSync(path.join(root, 'lib', `part${path.extname(name)}`), part);
  writeFileSync(path.join(root, name), body, { mode: 0o755 });
  const audits = await audit(command);
  expect(audits).toHaveLength(50);
  expect(audits.every(({ files }) => files.includes(path.join(root, name)))).toBe(true);
  expect(times(body)).toBe(1);
  if (!name.endsWith('.sh')) expect(times(part)).toBe(1);
});

test.each(FILES)('%s is inspected again after a change, and what it does now counts', async (name, command, body) => {
  const file = path.join(root, name);
  writeFileSync(file, body, { mode: 0o755 });
  expect((await audit(command)).some(({ blocking }) => blocking.length > 0)).toBe(false);
  const bad = {
    '.sh': 'rm -rf ~\n',
    '.py': 'import os\nos.system("rm -rf ~")\n',
    '.js': "require('child_process').execSync('rm -rf ~');\n",
  };
  writeFileSync(file, body + bad[path.extname(name) as keyof typeof bad]);
  expect((await audit(command)).every(({ blocking }) => blocking.length > 0)).toBe(true);
  writeFileSync(file, body);
  expect((await audit(command)).some(({ blocking }) => blocking.length > 0)).toBe(false);
});

test('an import that appears later is followed, although the text of the file stays the same', async () => {
  writeFileSync(path.join(root, 'run.py'), 'import later\n');
  expect((await audit('python3 run.py'))[0]?.files).toEqual([path.join(root, 'run.py')]);
  writeFileSync(path.join(root, 'later.py'), 'x = 1\n');
  expect((await audit('python3 run.py'))[0]?.files).toContain(path.join(root, 'later.py'));
});

test('hooks with other variables share the result of a file that asks for none of them', async () => {
  const body = '#!/bin/sh\nMINE=1\necho "$MINE"\n';
  writeFileSync(path.join(root, 'run.sh'), body, { mode: 0o755 });
  await auditAll(withVariables({ A: '1' }, { A: '2' }, {}, { B: '1', MINE: '2' }));
  expect(times(body)).toBe(1);
});

test.each([
  ['by its name', 'rm -rf "$A"\n'],
  ['by a default', 'rm -rf "${A:-/tmp/x}"\n'],
  ['by another name', 'x=A\neval "rm -rf \\"\\$$x\\""\n'],
  ['in a function that is not called', 'f() { rm -rf "$A"; }\n'],
  ['after a branch that may set it', 'if test -n "$1"; then A=/tmp/y; fi\nrm -rf "$A"\n'],
  ['after a local variable', 'f() { local A=/tmp/z; }\nf\nrm -rf "$A"\n'],
])('a file that asks for a variable %s is judged by the value that each hook has', async (_, body) => {
  writeFileSync(path.join(root, 'run.sh'), `#!/bin/bash\n${body}`, { mode: 0o755 });
  const all = withVariables({ A: '/tmp/a' }, { A: '/' }, { A: '/tmp/a' }, { A: '/' });
  const together = await auditAll(all);
  expect(together.map(({ blocking }) => blocking.length > 0)).toEqual([false, true, false, true]);
});

test('a module that is found by a variable of one hook belongs to that hook alone', async () => {
  writeFileSync(path.join(root, 'run.sh'), '#!/usr/bin/env python3\nimport found\n', { mode: 0o755 });
  writeFileSync(path.join(root, 'lib', 'found.py'), 'x = 1\n');
  const audits = await auditAll(withVariables({}, { PYTHONPATH: 'lib' }, {}));
  expect(audits.map(({ files }) => files.includes(path.join(root, 'lib', 'found.py')))).toEqual([false, true, false]);
});

test('a name that means other files in the folder of another hook is looked up for each hook', async () => {
  writeFileSync(path.join(root, 'run.sh'), '#!/bin/sh\n. ./parts/*.sh\n', { mode: 0o755 });
  const folders = ['a', 'b'].map((name) => path.join(root, name));
  for (const folder of folders) {
    mkdirSync(path.join(folder, 'parts'), { recursive: true });
    writeFileSync(path.join(folder, 'parts', 'one.sh'), 'echo 1\n');
  }
  const all = hooks('./run.sh').slice(0, 2);
  const audits = await auditAll(all.map((hook, i) => ({ ...hook, folder: folders[i] ?? '' })));
  const ofFolder = (i: number) => audits[i]?.files.filter((file) => file.endsWith('one.sh'));
  expect([ofFolder(0), ofFolder(1)]).toEqual(folders.map((folder) => [path.join(folder, 'parts', 'one.sh')]));
});
