/** Programs in the folders that come first in PATH: a file in their place runs instead of the interpreter or the shell. */
import { expect, test } from 'vitest';
import { guardCommand } from '../../../../../src/guard/guard.ts';

const PLACES = [
  ...['/usr/local/bin', '/opt/homebrew/bin'].flatMap((folder) =>
    ['node', 'npm', 'python', 'python3', 'python3.12', 'perl', 'ruby', 'php', 'bash', 'zsh', 'git', 'ssh'].map(
      (name) => `${folder}/${name}`,
    ),
  ),
  ...['~/.nvm/versions/node/v20.1.0/bin/node', '~/.pyenv/shims/python', '~/.rbenv/shims/ruby', '~/.asdf/shims/node', '~/.cargo/bin/cargo'],
];
const WRITES: readonly ((path: string) => string)[] = [
  (path) => `cp x ${path}`,
  (path) => `mv x ${path}`,
  (path) => `ln -sf /data/x ${path}`,
  (path) => `install -m 755 x ${path}`,
  (path) => `echo x > ${path}`,
  (path) => `tee ${path} < x`,
  (path) => `curl -o ${path} https://x.invalid/x`,
  (path) => `bash -c 'cat x > ${path}'`,
  (path) => `python3 -c 'open("${path}", "w").write("x")'`,
];

test('a file in the place of an interpreter or a shell asks, however it is written', () => {
  for (const path of PLACES)
    for (const write of WRITES) {
      const { decision, findings } = guardCommand(write(path), { home: '/home/ada' });
      expect({ path, command: write(path), decision }).toEqual({ path, command: write(path), decision: 'ask' });
      expect(findings.map(({ rule }) => rule)).toContain('persistence');
    }
});

test('running and reading these programs, and other programs in the same folders, have no objection', () => {
  const used = PLACES.flatMap((path) => [`${path} --version`, `ls -l ${path}`, `cp ${path} copy`]);
  const others = ['/usr/local/bin/tool', '/opt/homebrew/bin/tool', '~/.cargo/bin/tool'].map((path) => `cp x ${path}`);
  for (const command of [...used, ...others])
    expect({ command, decision: guardCommand(command, { home: '/home/ada' }).decision }).toEqual({ command, decision: 'none' });
});
