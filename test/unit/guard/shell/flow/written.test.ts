/** A text is walked a second time only if it writes a file after a command that would have run it. The texts are only judged, never run. */
import { afterEach, expect, test, vi } from 'vitest';
import { guardCommand } from '../../../../../src/guard/guard.ts';
import { analyse } from '../../../../../src/guard/shell/analyse.ts';
import { WrittenFiles } from '../../../../../src/guard/shell/flow/written.ts';

const folders = { cwd: '/home/ada/shop', root: '/home/ada/shop', home: '/home/ada' };
afterEach(() => vi.restoreAllMocks());

/** A command that runs a file, and one that writes the file so that it deletes the home. */
const PAIRS: readonly (readonly [runs: string, writes: string])[] = [
  ['sh go.sh', "echo 'rm -rf ~' > go.sh"],
  ['. ./go.sh', "echo 'rm -rf ~' >> go.sh"],
  ['make', "printf 'all:\\n\\trm -rf ~\\n' > Makefile"],
  ['npm test', `echo '{"scripts":{"test":"rm -rf ~"}}' > package.json`],
  ['git commit -m x', "echo 'rm -rf ~' > .git/hooks/pre-commit"],
  ['pytest -q', `echo 'import shutil; shutil.rmtree("/home/ada")' > conftest.py`],
  ['just', "printf 'all:\\n  rm -rf ~\\n' > justfile"],
];
const LOOPS = ['for i in 1 2; do %r; %w; done', 'while :; do\n%r\n%w\ndone', 'f() { %r; }\n%w\nf', 'trap "%r" EXIT; %w'];

test.each(PAIRS)('what runs first and is written later is found: %s', (runs, writes) => {
  for (const loop of LOOPS) {
    if (loop.includes('"') && runs.includes('"')) continue;
    const text = loop.replace('%r', () => runs).replace('%w', () => writes);
    expect([text, guardCommand(text, folders).decision]).not.toEqual([text, 'none']);
  }
});

const READERS = [
  'ls -l',
  'grep -c a list',
  'sed s/a/b/ list',
  'git diff --stat',
  'git log -1',
  'python3 check.py',
  'jq . a.json',
  'echo hi',
];
const WRITERS = ['echo a >> case.log', 'echo a > run.sh', 'printf x >> conf.json', "sed -i '1i a' notes.txt", 'tee -a build.log < a'];

test('no other text is walked twice', () => {
  const again = vi.spyOn(WrittenFiles.prototype, 'forSecondWalk');
  for (const reads of READERS) for (const writes of WRITERS) analyse(`f() { ${reads}; ${writes}; }\n${reads}\n${writes}\nf\n${writes}\n`);
  expect(again).not.toHaveBeenCalled();
  analyse('sh go.sh; echo ls > go.sh');
  expect(again).toHaveBeenCalledOnce();
});
