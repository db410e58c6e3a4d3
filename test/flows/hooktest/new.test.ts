/** `hookline new`: in every format, the hook that it writes is sound, and its test holds. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { AGENTS } from '../../../src/builtins.ts';
import { schema } from '../../../src/hooktest/schema.ts';
import { createWorkspace, permitScripts } from '../../support/workspace.ts';
import { hookline } from '../cli/program.ts';

const FORMATS = AGENTS.filter(({ dialect }) => dialect.scaffold !== null).map(({ id }) => id);

test('every format that has hooks in files has a new hook', () => {
  const inFiles = AGENTS.filter(({ places }) => places.some(({ kind }) => kind !== 'code')).map(({ id }) => id);
  expect(FORMATS).toEqual(inFiles);
});

describe.each(FORMATS)('%s', (format) => {
  test('a new hook passes `check`, and once it is trusted its test passes', async () => {
    const workspace = permitScripts(createWorkspace());
    const made = await hookline(workspace, ['new', format, 'no-force-push', '--json']);
    expect(made).toMatchObject({ exit: 0, stderr: '' });
    const { files } = JSON.parse(made.stdout) as { files: string[] };
    const ofUser = files.every((file) => file.startsWith(workspace.home));
    const check = await hookline(workspace, ['check', '--json', ...(ofUser ? ['--home', workspace.home] : [])]);
    const { diagnostics } = JSON.parse(check.stdout) as { diagnostics: { severity: string }[] };
    expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
    if (!ofUser) expect(await hookline(workspace, ['trust', 'add', '--yes'])).toMatchObject({ exit: 0 });
    const own = files.find((file) => file.endsWith('.hooktest.yaml')) as string;
    const run = await hookline(workspace, ['test', own, '--json']);
    expect(JSON.parse(run.stdout)).toMatchObject({ passed: 2, failed: 0, coverage: [{ seen: expect.arrayContaining(['deny']) }] });
    expect(run.exit).toBe(0);
  });

  test('nothing is overwritten, and then nothing is written at all', async () => {
    const workspace = createWorkspace();
    const { files } = JSON.parse((await hookline(workspace, ['new', format, 'gate', '--json'])).stdout) as { files: string[] };
    const [first = ''] = files;
    workspace.write({ [path.relative(workspace.root, first)]: 'mine' });
    const again = await hookline(workspace, ['new', format, 'gate']);
    expect(again).toMatchObject({ exit: 1, stdout: '' });
    expect(again.stderr).toContain('exists, so nothing was written');
    expect(readFileSync(first, 'utf8')).toBe('mine');
  });
});

const SHARED = ['claude-agent', 'claude-code', 'codex', 'qwen', 'gemini-cli', 'cursor', 'windsurf', 'kimi', 'droid'];

describe.each(SHARED)('a second hook in the file of %s', (format) => {
  test('leaves every other byte as it was, says its place, and the test of each asks it alone', async () => {
    const workspace = permitScripts(createWorkspace());
    const first = JSON.parse((await hookline(workspace, ['new', format, 'gate', '--json'])).stdout) as { files: string[] };
    const [file = ''] = first.files;
    const isToml = file.endsWith('.toml');
    const before = `${isToml ? '# mine' : '// mine'}\n${readFileSync(file, 'utf8')}`;
    writeFileSync(file, before);
    const made = await hookline(workspace, ['new', format, 'second', '--json']);
    expect(made).toMatchObject({ exit: 0, stderr: '' });
    const { files, entry } = JSON.parse(made.stdout);
    const after = readFileSync(file, 'utf8');
    expect(withoutInsertion(before, after)).toBe(before);
    expect(entry).toEqual({ file, added: true, line: expect.any(Number), column: expect.any(Number) });
    expect(
      after
        .split('\n')
        .slice(entry.line - 1)
        .join('\n'),
    ).toContain('second');
    if (!isToml) await hookline(workspace, ['trust', 'add', '--yes']);
    const own = (files as string[]).find((one) => one.endsWith('second.hooktest.yaml')) as string;
    const run = JSON.parse((await hookline(workspace, ['test', own, '--json'])).stdout);
    expect(run).toMatchObject({ passed: 2, failed: 0 });
    expect(run.files[0].cases[0].outcome.hooks).toHaveLength(1);
    const other = first.files.find((one) => one.endsWith('gate.hooktest.yaml')) as string;
    const again = JSON.parse((await hookline(workspace, ['test', other, '--json'])).stdout);
    expect(again).toMatchObject({ passed: 2, failed: 0 });
    expect(again.files[0].cases[0].outcome.hooks).toHaveLength(1);
  });

  test('is printed to paste if the file is broken, with the place, and the file stays as it is', async () => {
    const workspace = createWorkspace();
    const { files } = JSON.parse((await hookline(workspace, ['new', format, 'gate', '--json'])).stdout) as { files: string[] };
    const [file = ''] = files;
    const broken = file.endsWith('.toml') ? 'hooks = [\n' : '{\n  "hooks": [,\n';
    writeFileSync(file, broken);
    const made = await hookline(workspace, ['new', format, 'second']);
    expect(made.exit).toBe(1);
    expect(made.stderr).toMatch(new RegExp(`cannot be added to ${file.replaceAll('.', '\\.')}:\\d+:\\d+: `));
    expect(made.stderr).toContain('second.sh');
    expect(readFileSync(file, 'utf8')).toBe(broken);
  });
});

test('a second script of an event is next to the first one, and each test asks its own', async () => {
  const workspace = permitScripts(createWorkspace());
  const made = async (name: string): Promise<readonly string[]> => {
    const { stdout } = await hookline(workspace, ['new', 'cline', name, '--json']);
    return (JSON.parse(stdout) as { files: string[] }).files.map((file) => path.relative(workspace.root, file));
  };
  expect(await made('gate')).toContain('.clinerules/hooks/PreToolUse');
  // The first one is changed to deny everything, so a test that asks both would fail.
  workspace.write({ '.clinerules/hooks/PreToolUse': `#!/bin/sh\necho '{"cancel":true,"errorMessage":"No."}'\n` });
  expect(await made('second')).toContain('.clinerules/hooks/PreToolUse.sh');
  expect(await made('third')).toContain('.clinerules/hooks/PreToolUse.bash');
  expect(await hookline(workspace, ['trust', 'add', '--yes'])).toMatchObject({ exit: 0 });
  const run = await hookline(workspace, ['test', '.clinerules/hooks/second.hooktest.yaml', '--json']);
  expect(JSON.parse(run.stdout)).toMatchObject({ passed: 2, failed: 0 });
  workspace.write({ '.clinerules/hooks/PreToolUse.sh': `#!/bin/sh\necho '{"cancel":true,"errorMessage":"No."}'\n` });
  expect(await hookline(workspace, ['trust', 'add', '--yes'])).toMatchObject({ exit: 0 });
  const third = await hookline(workspace, ['test', '.clinerules/hooks/third.hooktest.yaml', '--json']);
  expect(JSON.parse(third.stdout)).toMatchObject({ passed: 2, failed: 0 });
});

test('an entry whose place is taken by something else is printed to paste', async () => {
  const workspace = createWorkspace();
  workspace.write({ '.claude/settings.json': '{ "hooks": { "PreToolUse": "none" } }' });
  const made = await hookline(workspace, ['new', 'claude-code', 'gate']);
  expect(made.exit).toBe(1);
  expect(made.stderr).toContain('.claude/settings.json:1:28: `hooks.PreToolUse` must be a list, found string.');
  expect(readFileSync(workspace.at('.claude/settings.json'), 'utf8')).toBe('{ "hooks": { "PreToolUse": "none" } }');
});

/** Returns the longer text without the one part that the shorter text lacks. */
function withoutInsertion(before: string, after: string): string {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  return after.slice(0, start) + after.slice(after.length - (before.length - start));
}

test('the schemas that the files name are there, and the test has the form of its schema', async () => {
  const workspace = createWorkspace();
  await hookline(workspace, ['new', 'hooktoml', 'gate']);
  const toml = readFileSync(workspace.at('hooks/gate/HOOK.toml'), 'utf8');
  const named = /^#:schema (.+)$/m.exec(toml)?.[1] ?? '';
  expect(existsSync(path.resolve(workspace.at('hooks/gate'), named))).toBe(true);
  const yaml = readFileSync(workspace.at('hooks/gate.hooktest.yaml'), 'utf8');
  const ofTest = /\$schema=(.+)$/m.exec(yaml)?.[1] ?? '';
  const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(path.resolve(workspace.at('hooks'), ofTest), 'utf8')));
  expect(validate(parse(yaml))).toBe(true);
  expect(validate({ cases: [{ event: 'tool.before', expect: {} }] })).toBe(false);
  expect(JSON.parse((await hookline(workspace, ['schema', 'hooktest'])).stdout)).toEqual(schema());
});

test.each([
  [['new', 'agenthook', 'gate'], 'Did you mean `agenthooks`?'],
  [['new', 'opencode', 'gate'], 'are code of that agent'],
  [['new', 'codex', '../gate'], 'cannot be the name of a hook'],
  [['new', 'codex', 'x'.repeat(300)], 'at most 64'],
  [['new', 'codex'], 'missing'],
])('wrong usage is 64: %s', async (argv, says) => {
  const run = await hookline(createWorkspace(), argv);
  expect(run.exit).toBe(64);
  expect(run.stderr).toContain(says);
});
