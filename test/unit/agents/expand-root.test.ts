import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expandRoot, ROOT_VARIABLE as ROOT } from '../../../src/agents/kit/plugin-root.ts';

test('a plain folder is put in as it stands, everywhere', () => {
  expect(expandRoot(`${ROOT}/a.sh "${ROOT}" '${ROOT}'`, '/opt/p-1')).toBe(`/opt/p-1/a.sh "/opt/p-1" '/opt/p-1'`);
  expect(expandRoot('echo $CLAUDE_PLUGIN_ROOT', '/opt/p')).toBe('echo $CLAUDE_PLUGIN_ROOT');
});

test('a dollar sign in the folder is not taken for a replacement pattern', () => {
  expect(expandRoot(`${ROOT}/a`, '/opt/$&')).toBe(`'/opt/$&'/a`);
});

describe('a real shell finds the script, however odd the folder and the command', () => {
  let base = '';
  const folders = ['with space', "with 'quote", 'with "double" $HOME `id` \\ !', 'semi;colon&(paren)'];
  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), 'root-'));
    for (const name of folders) {
      mkdirSync(join(base, name));
      writeFileSync(join(base, name, 'say.sh'), '#!/bin/sh\necho "said $1"\n');
      chmodSync(join(base, name, 'say.sh'), 0o755);
    }
  });
  afterAll(() => rmSync(base, { recursive: true }));

  const commands = [
    `${ROOT}/say.sh one`,
    `"${ROOT}/say.sh" one`,
    `'${ROOT}/say.sh' one`,
    `"${ROOT}"/say.sh one`,
    `cd ${ROOT} && ./say.sh one`,
    `echo "$("${ROOT}/say.sh" one)"`,
    `echo "$(${ROOT}/say.sh "one")"`,
    `(${ROOT}/say.sh one)`,
    `echo "(it's" >/dev/null; ${ROOT}/say.sh one`,
    `echo \\" \\' >/dev/null; ${ROOT}/say.sh one`,
    `X='a "b\\'; ${ROOT}/say.sh one`,
    `case one in one) ${ROOT}/say.sh one;; esac`,
    `echo \`${ROOT}/say.sh one\``,
  ];
  const cases = folders.flatMap((folder) => commands.map((command) => ({ folder, command })));
  test.each(cases)('$folder: $command', ({ folder, command }) => {
    const root = join(base, folder);
    const expanded = expandRoot(command, root);
    expect(execFileSync('sh', ['-c', expanded], { encoding: 'utf8', env: { ...process.env, CLAUDE_PLUGIN_ROOT: root } })).toBe(
      'said one\n',
    );
  });
});
