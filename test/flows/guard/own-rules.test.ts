/** Rules of one's own in the whole program: as a hook, inside the engine, and in `guard test`. Real processes. */
import { expect, test } from 'vitest';
import { createWorkspace } from '../../support/workspace.ts';
import { hookline } from '../cli/program.ts';

const RULES = `rules:
  - id: deploy
    severity: high
    match: { effect: command, command: deployctl }
    reason: Deploys ({words}).
    instead: Open a pull request.
    tests:
      block: [deployctl apply]
      allow:
        - deployctl apply --help
`;
const settings = (guard: unknown): string => JSON.stringify({ guard });
const call = (command: string): string =>
  JSON.stringify({ hook_event_name: 'PreToolUse', session_id: 's', cwd: '/', tool_name: 'Bash', tool_input: { command } });

test('the settings of a project protect in `hookline guard`, with the words of their author', async () => {
  const workspace = createWorkspace({
    '.hookline/settings.json': settings({
      protect: { '/data/**': { write: 'deny', reason: 'The data is frozen.' } },
      rules: ['rules.yaml'],
    }),
    '.hookline/rules.yaml': RULES,
  });
  const { exit, stderr } = await hookline(workspace, ['guard'], { stdin: call('touch /data/a') });
  expect([exit, stderr]).toEqual([2, expect.stringContaining('The data is frozen.')]);
  expect(await hookline(workspace, ['guard'], { stdin: call('deployctl apply') })).toMatchObject({ exit: 2 });
  expect(await hookline(workspace, ['guard'], { stdin: call('cat /data/a') })).toMatchObject({ exit: 0 });
});

test('a broken rule blocks where nobody can be asked, and says where it is', async () => {
  const workspace = createWorkspace({ '.hookline/settings.json': settings({ protect: { a: { write: 'no' } } }) });
  const { exit, stderr } = await hookline(workspace, ['guard'], { stdin: JSON.stringify({ tool: 'Bash', input: { command: 'ls' } }) });
  expect([exit, stderr]).toEqual([2, expect.stringMatching(/settings\.json:1:\d+: .*broken-rules/s)]);
});

test('`guard test` prints each failed example with file, line and column, and exits with 1', async () => {
  const workspace = createWorkspace({ '.hookline/settings.json': settings({ rules: ['rules.yaml'] }), '.hookline/rules.yaml': RULES });
  const { exit, stdout } = await hookline(workspace, ['guard', 'test']);
  expect([exit, stdout]).toEqual([1, expect.stringContaining('rules.yaml:10:11')]);
  workspace.write({ '.hookline/rules.yaml': RULES.replace('deployctl apply --help', 'deploy apply') });
  expect(await hookline(workspace, ['guard', 'test'])).toMatchObject({ exit: 0, stdout: expect.stringContaining('2 examples') });
});

test('`guard test` fails on a rule that cannot be used', async () => {
  const workspace = createWorkspace({ '~/.config/hookline/settings.json': settings({ rules: [{ id: 'a' }] }) });
  const { exit, stdout } = await hookline(workspace, ['guard', 'test', '--json']);
  expect([exit, JSON.parse(stdout).problems[0].code]).toEqual([1, 'bad-rule']);
});

test('an engine that runs applies a rule as soon as the project has it', async () => {
  const workspace = createWorkspace();
  const engine = await workspace.open();
  engine.on('tool.before', 'hookline guard');
  const fire = async (): Promise<string> =>
    (await engine.fire('tool.before', { tool: 'Read', input: { file_path: workspace.at('vault/a') } })).decision;
  expect(await fire()).toBe('pass');
  workspace.write({ '.hookline/settings.json': settings({ protect: { 'vault/**': { read: 'deny' } } }) });
  expect(await fire()).toBe('deny');
});

test('an agent is not free to change the rules of a project', async () => {
  const workspace = createWorkspace();
  for (const command of [
    'rm .hookline/settings.json',
    'echo {} > .hookline/settings.json',
    'rm -rf .hookline',
    'sed -i d .hookline/rules.yaml',
  ])
    expect([command, (await hookline(workspace, ['guard', 'explain', command])).exit]).toEqual([command, 1]);
});
