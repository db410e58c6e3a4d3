/** What must not happen to a file: be overwritten broken, be written through a link that leaves, lose what others wrote, lose its rights. */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import type { Reach } from '../../../src/core/contracts/entry-line.ts';
import type { Host } from '../../../src/core/contracts/host.ts';
import { duplicateEntries } from '../../../src/install/double-readers.ts';
import { type Change, carryOut, type FileChange, type InstallTask, planInstall, planUninstall } from '../../../src/install/install.ts';
import { installedFiles, isFound } from '../../../src/install/installed.ts';
import { flat, grouped, plugged } from '../../flows/install/sample-hosts.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';

const SETTINGS = '~/.grouped/settings.json';
const command: Reach = { via: 'command', program: ['hookline'] };

describe('a file that can not be used', () => {
  test.each([
    ['is not JSON', '{\n  "a": [1,\n  "b": 2\n}', 'invalid-json', 3, 6],
    ['holds no map', '[1]', 'wrong-type', 1, 1],
    ['has hooks that are no map', '{\n  "hooks": "hooks.json"\n}', 'wrong-type', 2, 12],
    ['has an event that is no list', '{"hooks": {"PreToolUse": {"a": 1}}}', 'wrong-type', 1, 26],
  ])('because it %s is left alone, with the place', (_, text, code, line, column) => {
    const space = createWorkspace({ [SETTINGS]: text });
    const [problem] = problemsOf(planInstall(taskFor(grouped, space)));
    expect(problem).toMatchObject({ severity: 'error', code, line, column, file: space.at(SETTINGS) });
    expect(readFileSync(space.at(SETTINGS), 'utf8')).toBe(text);
  });

  test('because it is not UTF-8, or is a folder, is left alone', () => {
    const space = createWorkspace({ [SETTINGS]: new Uint8Array([0x7b, 0xff, 0x7d]), '~/.flat/hooks.json/inside': '' });
    expect(problemsOf(planInstall(taskFor(grouped, space)))).toMatchObject([{ code: 'not-text' }]);
    expect(problemsOf(planInstall(taskFor(flat, space)))).toMatchObject([{ code: 'unreadable-file' }]);
  });

  test('of somebody else in the place of a file that would be ours is left alone', () => {
    const space = createWorkspace({ '.plugged/hooks/Stop': '#!/bin/sh\nchime\n' });
    expect(problemsOf(planInstall(taskFor(plugged, space, 'project')))).toMatchObject([{ code: 'wrong-type' }]);
  });
});

describe('a link', () => {
  test('that leaves the home is not followed', () => {
    const space = createWorkspace({ 'elsewhere.json': '{}' });
    mkdirSync(space.at('~/.grouped'));
    symlinkSync(space.at('elsewhere.json'), space.at(SETTINGS));
    expect(problemsOf(planInstall(taskFor(grouped, space)))).toMatchObject([{ code: 'outside-folder' }]);
    expect(readFileSync(space.at('elsewhere.json'), 'utf8')).toBe('{}');
  });

  test('of a folder that leaves the home is not followed either', () => {
    const space = createWorkspace();
    symlinkSync(space.root, space.at('~/.grouped'));
    expect(problemsOf(planInstall(taskFor(grouped, space)))).toMatchObject([{ code: 'outside-folder' }]);
  });

  test('that leads nowhere is not written through', () => {
    const space = createWorkspace();
    mkdirSync(space.at('~/.grouped'));
    symlinkSync(space.at('~/gone.json'), space.at(SETTINGS));
    expect(problemsOf(planInstall(taskFor(grouped, space)))).toMatchObject([{ code: 'outside-folder' }]);
  });

  test('within the home stays a link, and its file is written', () => {
    const space = createWorkspace({ '~/dotfiles/settings.json': '{}' });
    mkdirSync(space.at('~/.grouped'));
    symlinkSync('../dotfiles/settings.json', space.at(SETTINGS));
    done(planInstall(taskFor(grouped, space)));
    expect(readFileSync(space.at('~/dotfiles/settings.json'), 'utf8')).toContain('hookline hook grouped');
  });
});

test('what an agent wrote between reading and writing is not lost', () => {
  const space = createWorkspace({ [SETTINGS]: '{}' });
  const files = filesOf(planInstall(taskFor(grouped, space)));
  writeFileSync(space.at(SETTINGS), '{"new": 1}');
  expect(carryOut(files)).toBe(false);
  expect(readFileSync(space.at(SETTINGS), 'utf8')).toBe('{"new": 1}');
  expect(existsSync(`${space.at(SETTINGS)}.hookline-backup`)).toBe(false);
});

test('the file as it was is kept beside it once, and its rights stay', () => {
  const space = createWorkspace({ [SETTINGS]: '{"a": 1}' });
  chmodSync(space.at(SETTINGS), 0o640);
  done(planInstall(taskFor(grouped, space)));
  done(planInstall(taskFor(grouped, space, 'user', { via: 'command', program: ['/other/hookline'] })));
  expect(readFileSync(`${space.at(SETTINGS)}.hookline-backup`, 'utf8')).toBe('{"a": 1}');
  expect(statSync(space.at(SETTINGS)).mode & 0o777).toBe(0o640);
});

test('a backup of what others have changed since stays', () => {
  const space = createWorkspace({ [SETTINGS]: '{\n  "a": 1\n}\n' });
  done(planInstall(taskFor(grouped, space)));
  const text = readFileSync(space.at(SETTINGS), 'utf8');
  writeFileSync(space.at(SETTINGS), text.replace('"a": 1', '"a": 2'));
  done(planUninstall(taskFor(grouped, space)));
  expect(readFileSync(space.at(SETTINGS), 'utf8')).toBe('{\n  "a": 2\n}\n');
  expect(existsSync(`${space.at(SETTINGS)}.hookline-backup`)).toBe(true);
});

test('over http the entry has the address and the token, and the file is for its owner alone', () => {
  const space = createWorkspace({ [SETTINGS]: '{}' });
  const headers = { 'x-hookline-token': 'secret' };
  const reach = { via: 'http', base: 'http://127.0.0.1:4680', headers, program: ['hookline'], failOpen: false } as const;
  done(planInstall(taskFor(grouped, space, 'user', reach)));
  const { hooks } = parse(readFileSync(space.at(SETTINGS), 'utf8')) as { hooks: Record<string, { hooks: unknown[] }[]> };
  const url = 'http://127.0.0.1:4680/v1/hook/grouped/PreToolUse';
  expect(hooks['PreToolUse']?.[0]?.hooks).toEqual([{ type: 'http', url, headers, timeout: 60 }]);
  expect(statSync(space.at(SETTINGS)).mode & 0o077).toBe(0);
  done(planUninstall(taskFor(grouped, space)));
  expect(readFileSync(space.at(SETTINGS), 'utf8')).toBe('{}');
});

test('an event that can be denied stays a command where a dead server would be consent, unless that is accepted', () => {
  const open: Host = { ...grouped, entry: { ...grouped.entry, http: { blocksWhenDead: () => false } } };
  const reach = { via: 'http', base: 'http://127.0.0.1:4680', headers: {}, program: ['hookline'], failOpen: false } as const;
  const linesFor = (failOpen: boolean): string => {
    const space = createWorkspace();
    done(planInstall(taskFor(open, space, 'user', { ...reach, failOpen })));
    return readFileSync(space.at(SETTINGS), 'utf8');
  };
  expect(linesFor(false)).toContain('"hookline hook grouped PreToolUse || exit 2"');
  expect(linesFor(false)).toContain('/v1/hook/grouped/Stop"');
  expect(linesFor(true)).toContain('/v1/hook/grouped/PreToolUse"');
});

test('an event for which no address is asked stays a command', () => {
  const deaf: Host = { ...grouped, entry: { ...grouped.entry, http: { blocksWhenDead: () => true, never: ['Stop'] } } };
  const space = createWorkspace();
  const reach = { via: 'http', base: 'http://127.0.0.1:4680', headers: {}, program: ['hookline'], failOpen: true } as const;
  done(planInstall(taskFor(deaf, space, 'user', reach)));
  expect(readFileSync(space.at(SETTINGS), 'utf8')).toContain('"hookline hook grouped Stop"');
});

test('a file that must say its version says it, and no longer does when it is ours no more', () => {
  const files = { user: '.cursor/hooks.json' };
  const cursor: Host = { ...grouped, id: 'cursor', fileHead: { version: 1 }, entry: { ...grouped.entry, files } };
  const space = createWorkspace();
  done(planInstall(taskFor(cursor, space)));
  expect(parse(readFileSync(space.at('~/.cursor/hooks.json'), 'utf8'))).toMatchObject({ version: 1 });
  done(planUninstall(taskFor(cursor, space)));
  expect(existsSync(space.at('~/.cursor/hooks.json'))).toBe(false);
});

describe('what is installed', () => {
  test('is found, and what is missing is named', () => {
    const space = createWorkspace();
    const folders = { home: space.home, root: space.root };
    expect(isFound(grouped, folders)).toBe(false);
    done(planInstall(taskFor(grouped, space)));
    expect(isFound(grouped, folders)).toBe(true);
    const fewer = { ...grouped, entry: { ...grouped.entry, events: [...grouped.entry.events, 'SessionEnd'] } };
    const [user, project] = installedFiles(fewer, folders);
    expect(user).toMatchObject({ scope: 'user', missing: ['SessionEnd'], lines: [{ event: 'PreToolUse' }, { event: 'Stop' }, {}] });
    expect(project).toMatchObject({ scope: 'project', lines: [], missing: [] });
  });

  test('in the files of the user and of the project fires twice, and both are named', () => {
    const space = createWorkspace();
    const folders = { home: space.home, root: space.root };
    done(planInstall(taskFor(grouped, space)));
    expect(duplicateEntries([grouped, flat], [], folders)).toEqual([]);
    done(planInstall(taskFor(grouped, space, 'project')));
    const [warning, ...more] = duplicateEntries([grouped, flat], [], folders);
    expect(more).toEqual([]);
    expect(warning?.message).toContain(space.at(SETTINGS));
    expect(warning?.message).toContain(path.join(space.root, '.grouped/settings.json'));
  });

  test('in a file that another agent reads besides its own fires twice there', () => {
    const claude: Host = {
      ...grouped,
      id: 'claude-code',
      title: 'Claude Code',
      entry: { ...grouped.entry, files: { project: '.claude/settings.json' } },
    };
    const cursor: Host = {
      ...flat,
      id: 'cursor',
      title: 'Cursor',
      alsoReads: [{ host: 'claude-code', scopes: ['user', 'project'] }],
      entry: { ...flat.entry, files: { user: '.cursor/hooks.json' } },
    };
    const space = createWorkspace();
    done(planInstall(taskFor(claude, space, 'project')));
    done(planInstall(taskFor(cursor, space)));
    expect(duplicateEntries([claude, cursor], [], { home: space.home, root: space.root })).toMatchObject([
      {
        severity: 'info',
        code: 'duplicate-entry',
        message: expect.stringMatching(
          /^Cursor reads .*\.cursor\/hooks\.json and .*\.claude\/settings\.json, so Hookline is called twice.* answers\.$/,
        ),
      },
    ]);
  });
});

function taskFor(host: Host, { home, root }: Workspace, scope: InstallTask['scope'] = 'user', reach: Reach = command): InstallTask {
  return { host, scope, folders: { home, root }, reach };
}

function filesOf(change: Change): readonly FileChange[] {
  if ('problems' in change) throw new Error(JSON.stringify(change.problems));
  return change.files;
}

function done(change: Change): void {
  expect(carryOut(filesOf(change))).toBe(true);
}

function problemsOf(change: Change) {
  return 'problems' in change ? change.problems : [];
}
