/** `hookline init` on the built program, as a person runs it: a terminal, a home with a space, an empty folder, and an agent that is there. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PROTECTIONS } from '../../../src/cli/init/protections.ts';
import { POLL } from '../../support/patience.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { type Ended, hookline, WITHOUT_PERSON } from '../cli/program.ts';

const SETTINGS = '{ "model": "opus" }\n';
const TSC = path.join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');

/** An empty project, and a home with a space in which one agent is used. */
function empty(hasAgent = true): Workspace {
  const workspace = createWorkspace();
  const home = path.join(workspace.home, 'a home');
  mkdirSync(home);
  if (hasAgent) {
    mkdirSync(path.join(home, '.claude'));
    writeFileSync(path.join(home, '.claude/settings.json'), SETTINGS);
  }
  return { ...workspace, home };
}

const settingsOf = ({ home }: Workspace): string => readFileSync(path.join(home, '.claude/settings.json'), 'utf8');
const asPerson = (workspace: Workspace, argv: readonly string[]): Promise<Ended> =>
  hookline(workspace, ['init', '--no-serve', ...argv], { terminal: true });

const status = async (workspace: Workspace): Promise<string> => (await hookline(workspace, ['serve', 'status'])).stdout;

const event = (command: string): string =>
  JSON.stringify({ hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_input: { command } });

test.skipIf(WITHOUT_PERSON)('a person gets a tested, trusted and installed hook, and can take everything back', async () => {
  const workspace = empty();
  const made = await asPerson(workspace, ['--yes']);
  expect(made.stdout).toContain('3 of 3 cases passed.');
  expect(made.stdout).toContain('The hook is trusted.');
  expect(made.stdout).toContain('Claude Code asks Hookline.');
  expect(made.stdout).toContain('came back denied.');
  expect(made.exit).toBe(0);
  expect(settingsOf(workspace)).toContain('hookline');
  const denied = await hookline(workspace, ['hook', 'claude-code', 'PreToolUse'], { stdin: event('git push --force') });
  expect(denied.stdout).toContain('"permissionDecision":"deny"');
  const passed = await hookline(workspace, ['hook', 'claude-code', 'PreToolUse'], { stdin: event('ls') });
  expect(passed).toMatchObject({ exit: 0, stdout: '' });
  expect(await hookline(workspace, ['test'])).toMatchObject({ exit: 0 });
  expect(await asPerson(workspace, ['--yes'])).toMatchObject({ exit: 1 });
  const undone = await asPerson(workspace, ['--undo']);
  expect(undone.exit).toBe(0);
  expect(readdirSync(workspace.root)).toEqual([]);
  expect(settingsOf(workspace)).toBe(SETTINGS);
  const trust = JSON.parse((await hookline(workspace, ['trust', 'list', '--json'])).stdout);
  expect(trust.trusted).toEqual([]);
});

test('undo switches on-demand serving off if init had switched it on, and stops the server of the probe', async () => {
  const workspace = empty();
  const auto = path.join(workspace.home, '.local/state/hookline/serve/auto');
  await hookline(workspace, ['init', '--yes']);
  expect(existsSync(auto)).toBe(true);
  await expect.poll(() => status(workspace), POLL).toContain('Running');
  const undone = await hookline(workspace, ['init', '--undo']);
  expect(undone).toMatchObject({ exit: 0 });
  expect(undone.stdout).toContain('Events no longer start a server.');
  expect(existsSync(auto)).toBe(false);
  expect(await status(workspace)).toContain('No server is running.');
  expect(readdirSync(workspace.root)).toEqual([]);
  expect(settingsOf(workspace)).toBe(SETTINGS);
});

test.each([
  ['before init', ['serve', 'auto'], []],
  ['after init', [], ['serve', 'auto']],
])('undo leaves serving on if a person switched it on %s', async (_, before, after) => {
  const workspace = empty();
  const auto = path.join(workspace.home, '.local/state/hookline/serve/auto');
  if (before.length > 0) await hookline(workspace, before);
  await hookline(workspace, ['init', '--yes']);
  if (after.length > 0) await hookline(workspace, after);
  const undone = await hookline(workspace, ['init', '--undo']);
  expect(undone).toMatchObject({ exit: 0 });
  expect(undone.stdout).not.toContain('server');
  expect(existsSync(auto)).toBe(true);
  await expect.poll(() => status(workspace), POLL).toContain('Running');
  await hookline(workspace, ['serve', 'stop']);
});

test.skipIf(WITHOUT_PERSON)('a person is asked about the protection, the trust and each agent', async () => {
  const workspace = empty();
  const typed = [
    { at: '[1] ', keys: '2\n' },
    { at: 'Trust it?', keys: 'y\n' },
    { at: 'before it acts?', keys: 'n\n' },
  ];
  const made = await hookline(workspace, ['init', '--no-serve'], { terminal: true, typed });
  expect(made.stdout).toContain('Protect one thing first:');
  expect(existsSync(workspace.at('.hookline/hooks/no-secrets.ts'))).toBe(true);
  expect(made.stdout).toContain('The hook is trusted.');
  expect(made.stdout).toContain('Claude Code does not ask Hookline.');
  expect(made.stdout).toContain('hookline install claude-code');
  expect(made.exit).toBe(1);
  expect(settingsOf(workspace)).toBe(SETTINGS);
});

test.skipIf(WITHOUT_PERSON)('an answer that names nothing is asked again, and never stands for another one', async () => {
  const workspace = empty(false);
  const typed = [
    { at: '[1] ', keys: '9\n' },
    { at: '[1] ', keys: 'branch\n' },
    { at: 'Trust it?', keys: 'y\n' },
  ];
  const made = await hookline(workspace, ['init', '--no-serve'], { terminal: true, typed });
  expect(made.stdout).toContain('`9` is none of these.');
  expect(readdirSync(workspace.at('.hookline/hooks'))).toEqual(['protected-branch.hooktest.yaml', 'protected-branch.ts']);
});

test.skipIf(WITHOUT_PERSON).each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s at the first question writes nothing', async (_, keys) => {
  const workspace = empty();
  const left = await hookline(workspace, ['init', '--no-serve'], { terminal: true, typed: [{ at: '[1] ', keys }] });
  expect(left.exit).toBe(1);
  expect(left.stdout).toMatch(/\nhookline: Nothing was written/);
  expect(readdirSync(workspace.root)).toEqual([]);
  expect(settingsOf(workspace)).toBe(SETTINGS);
});

test.skipIf(WITHOUT_PERSON).each([
  ['the trust', [{ at: 'Trust it?', keys: '\u0003' }], ['hookline trust add', 'hookline install claude-code']],
  [
    'an agent',
    [
      { at: 'Trust it?', keys: 'y\n' },
      { at: 'before it acts?', keys: '\u0003' },
    ],
    ['hookline install claude-code'],
  ],
])('Ctrl-C at the question about %s ends the questions, and the steps that remain are named', async (_, answers, remain) => {
  const workspace = empty();
  const typed = [{ at: '[1] ', keys: '1\n' }, ...answers];
  const left = await hookline(workspace, ['init', '--no-serve'], { terminal: true, typed });
  expect(left.exit).toBe(1);
  const steps = left.stdout.slice(left.stdout.indexOf('These steps remain'));
  for (const step of remain) expect(steps).toContain(step);
  expect(settingsOf(workspace)).toBe(SETTINGS);
  expect(await asPerson(workspace, ['--undo'])).toMatchObject({ exit: 0 });
  expect(readdirSync(workspace.root)).toEqual([]);
});

test.skipIf(WITHOUT_PERSON)('undo takes back a denial too', async () => {
  const workspace = empty(false);
  const typed = [
    { at: '[1] ', keys: '1\n' },
    { at: 'Trust it?', keys: 'n\n' },
  ];
  await hookline(workspace, ['init', '--no-serve'], { terminal: true, typed });
  const file = path.join(workspace.home, '.local/state/hookline/trust.json');
  expect(JSON.parse(readFileSync(file, 'utf8')).denied).toHaveLength(1);
  expect(await asPerson(workspace, ['--undo'])).toMatchObject({ exit: 0 });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ trusted: [] });
});

test('an agent whose settings are broken is named with the place and the problem, and its file stays', async () => {
  const workspace = empty();
  const broken = '{ "model": "opus",\n';
  writeFileSync(path.join(workspace.home, '.claude/settings.json'), broken);
  const made = await hookline(workspace, ['init', '--no-serve'], { env: { FORCE_COLOR: '1' } });
  expect(made.exit).toBe(1);
  const said = made.stdout.replace(/\s+/g, ' ');
  expect(said).toMatch(/Claude Code does not ask Hookline: \S.* \(.*settings\.json:2:1\)/);
  expect(said).not.toContain('␛');
  expect(settingsOf(workspace)).toBe(broken);
});

test('without a terminal the steps that need a person remain, and are named', async () => {
  const workspace = empty();
  const made = await hookline(workspace, ['init', '--yes', '--no-serve']);
  expect(made.exit).toBe(1);
  expect(made.stdout).toContain('3 of 3 cases passed.');
  expect(made.stdout).toMatch(/These steps remain, in your own terminal:\n {2}hookline trust add \S/);
  expect(made.stdout).toContain('came back denied.');
  expect(await hookline(workspace, ['test'])).toMatchObject({ exit: 1 });
});

test('an agent may neither trust nor install, and nothing of it is done', async () => {
  const workspace = empty();
  const made = await hookline(workspace, ['init', '--yes', '--no-serve'], { env: { CLAUDECODE: '1' } });
  expect(made.exit).toBe(1);
  expect(made.stdout).toContain('An agent may not change trust.');
  expect(made.stdout).toContain('An agent may not install Hookline.');
  expect(settingsOf(workspace)).toBe(SETTINGS);
});

test('an agent that cannot be proven yet is named with its own remedy, and the others are proven', async () => {
  const workspace = empty();
  mkdirSync(path.join(workspace.home, '.codex'));
  writeFileSync(path.join(workspace.home, '.codex/config.toml'), 'model = "x"\n');
  const made = await hookline(workspace, ['init', '--no-serve'], { terminal: false });
  const said = made.stdout.replace(/\s+/g, ' ');
  expect(said).toContain('A probe through Claude Code came back denied.');
  expect(said).toMatch(/These steps remain.* Start Codex, look at the hooks with `\/hooks`, and trust them\./);
});

test('on a machine without an agent the last step remains', async () => {
  const made = await hookline(empty(false), ['init', '--yes', '--no-serve']);
  expect(made.exit).toBe(1);
  expect(made.stdout).toContain('There is no agent to install into.');
});

test.each(['no-dangerous-commands.ts', 'no-dangerous-commands.hooktest.yaml'])(
  'undo keeps a hook and its test if a person has changed %s, and says so',
  async (changed) => {
    const workspace = empty(false);
    await hookline(workspace, ['init', '--no-serve']);
    const file = workspace.at(`.hookline/hooks/${changed}`);
    const mark = changed.endsWith('.ts') ? '// mine\n' : '# mine\n';
    writeFileSync(file, `${readFileSync(file, 'utf8')}${mark}`);
    const before = readdirSync(workspace.at('.hookline'), { recursive: true });
    const undone = await hookline(workspace, ['init', '--undo']);
    expect(undone).toMatchObject({ exit: 0 });
    const other = changed.endsWith('.ts') ? 'no-dangerous-commands.hooktest.yaml' : 'no-dangerous-commands.ts';
    expect(undone.stdout).toContain(`Kept .hookline/hooks/${changed}, because you have changed it.`);
    expect(undone.stdout).toContain(`Kept .hookline/hooks/${other}, because it belongs to a hook that stays.`);
    expect(readdirSync(workspace.at('.hookline'), { recursive: true })).toEqual(before);
    expect(await hookline(workspace, ['init', '--undo'])).toMatchObject({ exit: 1 });
  },
);

test('undo keeps the files for the editor as long as another hook needs them, and a changed one of them alone', async () => {
  const workspace = empty(false);
  await hookline(workspace, ['init', '--no-serve']);
  const files = readdirSync(workspace.at('.hookline'));
  await hookline(workspace, ['new', 'hookline', 'another']);
  expect(await hookline(workspace, ['init', '--undo'])).toMatchObject({ exit: 0 });
  expect(readdirSync(workspace.at('.hookline'))).toEqual(files);
  expect(readdirSync(workspace.at('.hookline/hooks'))).toEqual(['another.hooktest.yaml', 'another.ts']);

  const alone = empty(false);
  await hookline(alone, ['init', '--no-serve']);
  alone.write({ '.hookline/tsconfig.json': '{}' });
  expect(await hookline(alone, ['init', '--undo'])).toMatchObject({ exit: 0 });
  expect(readdirSync(alone.at('.hookline'))).toEqual(['tsconfig.json']);
});

test('undo in a folder that had hooks leaves it byte for byte as it was', async () => {
  const workspace = empty(false);
  workspace.write({ '.hookline/hooks/mine.ts': 'mine', '.hookline/hooks/lib/word.ts': 'export const word = 1;\n' });
  const before = readdirSync(workspace.root, { recursive: true });
  await hookline(workspace, ['init', '--no-serve']);
  expect(await hookline(workspace, ['init', '--undo'])).toMatchObject({ exit: 0 });
  expect(readdirSync(workspace.root, { recursive: true })).toEqual(before);
});

test('nothing that exists is overwritten', async () => {
  const workspace = empty(false);
  workspace.write({ '.hookline/hooks/no-secrets.ts': 'mine' });
  const made = await hookline(workspace, ['init', '--protect', 'secrets', '--no-serve']);
  expect(made.exit).toBe(1);
  expect(made.stderr).toContain('exists, so nothing was written');
  expect(readFileSync(workspace.at('.hookline/hooks/no-secrets.ts'), 'utf8')).toBe('mine');
  expect(existsSync(workspace.at('.hookline/tsconfig.json'))).toBe(false);
});

test.each(PROTECTIONS.map(({ id, name }) => ({ id, name })))(
  'the hook for $id passes its test, `check`, and the compiler in an editor',
  async ({ id, name }) => {
    const workspace = empty(false);
    const made = await hookline(workspace, ['init', '--protect', id, '--no-serve']);
    expect(made.stdout).toMatch(/(\d) of \1 cases passed\./);
    expect(await hookline(workspace, ['check'])).toMatchObject({ exit: 0 });
    const run = JSON.parse((await hookline(workspace, ['test', '--trust-all', '--json'])).stdout);
    expect(run).toMatchObject({ failed: 0, coverage: [{ name, seen: ['pass', 'deny'] }] });
    execFileSync(process.execPath, [TSC, '-p', workspace.at('.hookline/tsconfig.json')], { stdio: 'pipe' });
  },
);

test.each([
  [['init', '--protect', 'secret'], 'Did you mean `secrets`?'],
  [['init', 'now'], 'init'],
])('wrong usage is 64: %s', async (argv, says) => {
  const run = await hookline(createWorkspace(), argv);
  expect(run.exit).toBe(64);
  expect(run.stderr).toContain(says);
});
