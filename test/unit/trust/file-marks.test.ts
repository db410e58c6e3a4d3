/** Marks show every swap of a file on the way to it, also if everything is put back, and nothing else. */
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { markFiles } from '../../../src/trust/file-marks.ts';

let root: string;
const at = (name: string): string => path.join(root, name);
beforeEach(() => {
  root = path.join(realpathSync(mkdtempSync(path.join(tmpdir(), 'marks-'))), 'project');
  mkdirSync(at('a/b'), { recursive: true });
  writeFileSync(at('a/b/run.sh'), 'good');
  symlinkSync('run.sh', at('a/b/link'));
  symlinkSync('a', at('way'));
});
afterEach(() => rmSync(path.dirname(root), { recursive: true, force: true }));

const thereAndBack = (name: string) => () => {
  renameSync(at(name), at(`${name}.kept`));
  renameSync(at(`${name}.kept`), at(name));
};

const CHANGES: Readonly<Record<string, () => void>> = {
  'written, and written back': () => {
    writeFileSync(at('a/b/run.sh'), 'evil');
    writeFileSync(at('a/b/run.sh'), 'good');
  },
  'moved away and back': thereAndBack('a/b/run.sh'),
  'replaced by a copy': () => {
    unlinkSync(at('a/b/run.sh'));
    writeFileSync(at('a/b/run.sh'), 'good');
  },
  'given another name too': () => linkSync(at('a/b/run.sh'), at('other')),
  'made executable': () => chmodSync(at('a/b/run.sh'), 0o755),
  removed: () => unlinkSync(at('a/b/run.sh')),
  'reached by a link with another target': () => {
    unlinkSync(at('a/b/link'));
    symlinkSync('run.sh', at('a/b/link'));
  },
  'reached by a link that was moved away and back': thereAndBack('a/b/link'),
  'in a folder that was moved away and back': thereAndBack('a/b'),
  'below a folder that was moved away and back': thereAndBack('a'),
  'reached by a link to a folder that was moved away and back': thereAndBack('way'),
  'in a folder that was moved, which a new file hides': () => {
    thereAndBack('a/b')();
    writeFileSync(at('a/b/new'), '');
  },
  'in a project that was moved away and back': () => {
    renameSync(root, `${root}.kept`);
    renameSync(`${root}.kept`, root);
  },
  'no longer missing': () => writeFileSync(at('a/b/missing'), ''),
};

test.for(Object.entries(CHANGES))('a file that was %s has changed', async ([, change]) => {
  const marks = markFiles([at('way/b/link'), at('a/b/missing')], root);
  expect(marks).toMatchObject({ unsettled: undefined, bytes: 4 });
  // Other programs write files into the folders above the project.
  expect([undefined, 'entries']).toContain(marks.change());
  // As long as any hook takes to start.
  await sleep(15);
  change();
  expect(marks.change()).toEqual({ what: expect.stringMatching(/^(the folder )?`[^`]+` /) });
});

test.for(['a/b/other', 'a/other', 'other', '../other'])('a file that is written at %s is no change of the hook', async (name) => {
  const marks = markFiles([at('a/b/run.sh')], root);
  await sleep(15);
  writeFileSync(at(name), '');
  renameSync(at(name), at(`${name}.saved`));
  expect([undefined, 'entries']).toContain(marks.change());
});

test('a file that is written all the time is not settled, so its marks prove nothing', () => {
  // Its time is in the future of the clock that is asked: it is young whenever it is looked at.
  const { now } = Date;
  const ctime = now();
  writeFileSync(at('a/b/run.sh'), 'good');
  Date.now = () => ctime;
  try {
    expect(markFiles([at('a/b/run.sh')], root).unsettled).toBe('a/b/run.sh');
  } finally {
    Date.now = now;
  }
});
