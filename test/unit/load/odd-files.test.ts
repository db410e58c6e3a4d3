/** Files as people really have them: empty, misplaced, misspelt, nested without end. None is passed over in silence, and none harms another. */
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { AGENTS } from '../../../src/builtins.ts';
import { findHooks } from '../../../src/load/check-files.ts';
import { createWorkspace } from '../../support/workspace.ts';

const SKILL = '.claude/skills/a/SKILL.md';
const SETTINGS = '.claude/settings.json';
const HOOKS = 'hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./guard.sh\n';
const skill = (hooks = HOOKS) => `---\nname: a\ndescription: d\n${hooks}---\nBody\n`;
const GATE = JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './gate.sh' }] }] } });

async function read(files: Readonly<Record<string, string>>) {
  const workspace = createWorkspace(files);
  const { hooks, diagnostics } = await findHooks({ agents: AGENTS, root: workspace.root, settingsHome: workspace.home, paths: [] });
  return { hooks: hooks.map(({ hook }) => hook), said: diagnostics.map(({ severity, code }) => `${severity} ${code}`), diagnostics };
}

describe('no file with hooks that are not in force is passed over', () => {
  test.each<[shape: string, files: Record<string, string>, said: string]>([
    ['a blank line before the frontmatter', { [SKILL]: `\n${skill()}` }, 'error no-frontmatter'],
    ['spaces before the frontmatter', { [SKILL]: `  ${skill()}` }, 'error no-frontmatter'],
    ['two dashes', { [SKILL]: skill().replaceAll('---', '--') }, 'error no-frontmatter'],
    ['four dashes', { [SKILL]: skill().replaceAll('---', '----') }, 'error no-frontmatter'],
    ['carriage returns alone', { [SKILL]: skill().replaceAll('\n', '\r') }, 'error no-frontmatter'],
    ['a blank line, in another format', { 'skills/a/SKILL.md': `\n${skill()}` }, 'error no-frontmatter'],
    ['a subagent with a blank line', { '.claude/agents/a.md': `\n${skill()}` }, 'error no-frontmatter'],
    ['a title before the frontmatter', { [SKILL]: `# Title\n${skill()}` }, 'error no-frontmatter'],
    ['a title, a blank line and a comment', { [SKILL]: `# Title\n\n<!-- a -->\n${skill()}` }, 'error no-frontmatter'],
    ['frontmatter in a code block', { [SKILL]: `\`\`\`yaml\n${skill()}\`\`\`\n` }, 'error no-frontmatter'],
    [
      'an event outside of `hooks`',
      { 'skills/a/SKILL.md': skill(HOOKS.replace('hooks:\n', '').replace(/^ {2}/gm, '')) },
      'error missing-field',
    ],
    ['`skill.md`', { '.claude/skills/a/skill.md': skill() }, 'warning misspelt-file'],
    ['`skill.md`, in another format', { 'skills/a/b/skill.md': skill() }, 'warning misspelt-file'],
    ['`hook`', { [SKILL]: skill(HOOKS.replace('hooks:', 'hook:')) }, 'error unknown-field'],
    ['`Hooks`', { [SKILL]: skill(HOOKS.replace('hooks:', 'Hooks:')) }, 'error unknown-field'],
    ['`hoks`', { [SKILL]: skill(HOOKS.replace('hooks:', 'hoks:')) }, 'error unknown-field'],
    ['events under another key', { [SKILL]: skill(HOOKS.replace('hooks:', 'gates:')) }, 'error unknown-field'],
    ['a misspelt key in settings', { [SETTINGS]: GATE.replace('hooks', 'hook') }, 'error unknown-field'],
    ['a skill of 0 bytes', { [SKILL]: '' }, 'warning empty-file'],
    ['settings of 0 bytes', { [SETTINGS]: '' }, 'warning empty-file'],
    ['settings of blanks', { [SETTINGS]: ' \n' }, 'warning empty-file'],
    ['a plugin that names the usual file, which is missing', plugin('./hooks/hooks.json'), 'error missing-file'],
    ['a plugin that names another file, which is missing', plugin('./config/h.json'), 'error missing-file'],
    ['an empty hooks file of a plugin', { ...plugin('./hooks/hooks.json'), 'hooks/hooks.json': '' }, 'warning empty-file'],
    ...(['.cursor/hooks.json', '.windsurf/hooks.json'] as const).flatMap((file): [string, Record<string, string>, string][] =>
      ['beforeShellExecution', 'pre_run_command', 'PreToolUse'].flatMap((event): [string, Record<string, string>, string][] => [
        [`${event} at the top of ${file}`, { [file]: JSON.stringify({ [event]: [{ command: './a.sh' }] }) }, 'error missing-field'],
        [
          `${event} next to hooks in ${file}`,
          { [file]: JSON.stringify({ hooks: {}, [event]: [{ command: 'a' }] }) },
          'error missing-field',
        ],
      ]),
    ),
    ['an event next to `hooks`', { [SETTINGS]: JSON.stringify({ hooks: {}, PreToolUse: [] }) }, 'error missing-field'],
  ])('%s', async (_shape, files, expected) => {
    const { hooks, said } = await read(files);
    expect([hooks.length, said]).toEqual([0, [expected]]);
  });
});

test('links that lead nowhere and pipes are errors of their own files, and the others load', async () => {
  const workspace = createWorkspace({ [SETTINGS]: GATE, 'skills/x/y.md': '', '.claude/skills/x/y.md': '', '.qwen/y.md': '' });
  const links = ['skills/x/SKILL.md', SKILL.replace('/a/', '/x/'), '.qwen/settings.json'];
  for (const link of links) symlinkSync('nowhere', workspace.at(link));
  symlinkSync('settings.local.json', workspace.at('.claude/settings.local.json'));
  workspace.write({ 'skills/pipe/x.md': '', 'skills/dir/SKILL.md/x': '' });
  execFileSync('mkfifo', [workspace.at('skills/pipe/SKILL.md')]);
  const { hooks, diagnostics } = await findHooks({ agents: AGENTS, root: workspace.root, settingsHome: workspace.home, paths: [] });
  expect(hooks).toHaveLength(1);
  const wrong = [...links, '.claude/settings.local.json', 'skills/pipe/SKILL.md', 'skills/dir/SKILL.md'].map((file) => workspace.at(file));
  expect(diagnostics.map(({ code }) => code)).toEqual(wrong.map(() => 'unreadable-file'));
  expect(diagnostics.map(({ file }) => file).sort()).toEqual(wrong.sort());
});

function plugin(hooks: string): Record<string, string> {
  return { '.claude-plugin/plugin.json': JSON.stringify({ name: 'p', hooks }) };
}

describe('a text without hooks has nothing to protect, so its form is not reported', () => {
  test.each([
    ['loose YAML', '---\nname: a\ndescription: does: this: and [that\n---\nBody\n'],
    ['an example in the description', '---\nname: a\ndescription: Use when <x>\nuser: "a": b\n---\n'],
    ['no end', '---\nname: a\n\nBody\n'],
    ['a tab', '---\nname: a\n\tdescription: b\n---\n'],
    ['a line of dashes in the prose', '\n---\nSome prose about hooks.\n---\n'],
    ['a key that is written twice', '---\nname: a\nname: b\n---\nhooks:\n'],
    ['text instead of keys', '---\njust text\n---\n'],
    ['a list', '---\n- a\n---\n'],
    ['a title and a line of dashes', '# Hooks\n\n---\nwords about hooks\n---\n'],
    ['tools, which is near to hooks', '---\nname: a\ntools: [Bash]\nmcp: {a: b}\n---\n'],
  ])('%s', async (_shape, text) => {
    for (const file of [SKILL, '.claude/agents/a.md', 'skills/a/SKILL.md']) expect((await read({ [file]: text })).said).toEqual([]);
  });

  test('the same with hooks is reported', async () => {
    const broken = `---\nname: a\ndescription: does: this: and [that\n${HOOKS}---\n`;
    for (const file of [SKILL, '.claude/agents/a.md', 'skills/a/SKILL.md'])
      expect((await read({ [file]: broken })).said).toContainEqual(expect.stringContaining('invalid-yaml'));
  });
});

describe('data that is nested without end is an error of its file, and the other files load', () => {
  const units = ['- ', '? ', ': ', '- ? ', 'a: ', '- a: ', '[', '{a: ', '[? ', '{? ', '? - : ', '- [', '? {', '&a ', '!x '];
  const leads = ['hooks: ', 'hooks:\n  - ', 'hooks:\n   x: 1\n ', 'hooks:\n - a\n   '];
  test.each(units)('YAML of many `%s`', async (unit) => {
    for (const lead of leads) {
      const { hooks, said } = await read({ [SKILL]: `---\n${lead}${unit.repeat(3000)}\n---\n`, [SETTINGS]: GATE });
      expect(hooks.map(({ name }) => name)).toEqual(['gate.sh']);
      expect(said).not.toEqual([]);
    }
  });

  test.each([
    ['.cursor/hooks.json', '['],
    ['.cursor/hooks.json', '{"a":'],
    ['.codex/config.toml', 'a = [\n['],
    ['.codex/config.toml', 'a={'],
  ])('%s of many `%s`', async (file, unit) => {
    const { hooks, said } = await read({ [file]: unit.repeat(50_000), [SETTINGS]: GATE });
    expect(hooks.map(({ name }) => name)).toEqual(['gate.sh']);
    expect(said).toHaveLength(1);
  });
});

describe('a list of hooks that name their event', () => {
  const list = (...items: unknown[]) => ({ [SETTINGS]: JSON.stringify({ hooks: items }) });

  test('is read as groups, with one warning', async () => {
    const { hooks, said } = await read(
      list(
        { event: 'PreToolUse', matcher: 'Bash', command: './a.sh' },
        { event: 'Stop', type: 'command', command: './b.sh' },
        { event: 'PreToolUse', matcher: 'Edit', hooks: [{ type: 'command', command: './c.sh' }] },
      ),
    );
    expect(hooks.map(({ dialect, event, name, id }) => [dialect, event, name, id.replace(/.*#/, '')])).toEqual([
      ['claude-code', 'PreToolUse', 'a.sh', 'PreToolUse[0].hooks[0]'],
      ['claude-code', 'PreToolUse', 'c.sh', 'PreToolUse[1].hooks[0]'],
      ['claude-code', 'Stop', 'b.sh', 'Stop[0].hooks[0]'],
    ]);
    expect(hooks[0]?.when).toEqual([expect.objectContaining({ test: { kind: 'oneOf', values: ['Bash'] } })]);
    expect(said).toEqual(['warning loose-shape']);
  });

  test('names an unknown event once', async () => {
    const { said } = await read(list({ event: 'Nothing', command: 'a' }, { event: 'Nothing', command: 'b' }));
    expect(said).toEqual(['warning loose-shape', 'warning unknown-event']);
  });
});

test('the known events are listed once in a file', async () => {
  const { diagnostics } = await read({ [SETTINGS]: JSON.stringify({ hooks: { Foo: [], Bar: [], Baz: [] } }) });
  expect(diagnostics.map(({ code }) => code)).toEqual(['unknown-event', 'unknown-event', 'unknown-event']);
  expect(diagnostics.filter(({ hint }) => hint?.startsWith('Known events'))).toHaveLength(1);
});

test('notes are comments in every format with groups or lists', async () => {
  const notes = { _comment: 'x', _description: 'y', id: 'z', '//': 'w' };
  const group = { ...notes, matcher: 'Bash', hooks: [{ ...notes, type: 'command', command: './a.sh' }] };
  const { said } = await read({
    [SETTINGS]: JSON.stringify({ hooks: { ...notes, PreToolUse: [group] } }),
    '.cursor/hooks.json': JSON.stringify({ version: 1, ...notes, hooks: { ...notes, stop: [{ ...notes, command: './a.sh' }] } }),
    '.windsurf/hooks.json': JSON.stringify({ ...notes, hooks: { ...notes, pre_run_command: [{ ...notes, command: './a.sh' }] } }),
    '.qwen/settings.json': JSON.stringify({ hooks: { ...notes, PreToolUse: [group] } }),
  });
  expect(said).toEqual([]);
});
