/** Trust: nothing is trusted unseen, a change asks anew, and taking it back works at once. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createWorkspace, permitScripts, type Workspace } from '../../support/workspace.ts';
import { eventually, hookline, WITHOUT_PERSON } from './program.ts';

const HOOK = '---\nname: gate\ndescription: Keeps the gate.\ntrigger: before_tool\n---\n';
const FILES = {
  '.agents/hooks/gate/HOOK.md': HOOK,
  '.agents/hooks/gate/scripts/run.sh': '#!/bin/sh\necho closed >&2\nexit 2\n',
};
const FIRE = ['fire', 'tool.before', '--tool', 'Bash'];

async function json(workspace: Workspace, ...argv: string[]): Promise<Record<string, { name: string }[]>> {
  return JSON.parse((await hookline(workspace, [...argv, '--json'])).stdout);
}

/** Scripts may change trust there. */
const permittedWorkspace = (files: Parameters<typeof createWorkspace>[0]): Workspace => permitScripts(createWorkspace(files));

test('add, list and remove are a round trip', async () => {
  const workspace = permittedWorkspace(FILES);
  expect((await hookline(workspace, FIRE)).exit).toBe(0);
  expect((await json(workspace, 'trust', 'list'))['untrusted']).toMatchObject([{ name: 'gate', handler: 'command', event: 'before_tool' }]);

  const added = await hookline(workspace, ['trust', 'add', '--yes']);
  expect(added.exit).toBe(0);
  for (const shown of ['Keeps the gate.', 'scripts/run.sh', 'no findings', '1 hook trusted']) expect(added.stdout).toContain(shown);
  expect(await hookline(workspace, FIRE)).toMatchObject({ exit: 2, stderr: 'closed\n' });
  expect(await json(workspace, 'trust', 'list')).toMatchObject({ trusted: [{ name: 'gate', root: workspace.root }], untrusted: [] });

  expect(await json(workspace, 'trust', 'remove')).toMatchObject({ removed: [{ name: 'gate' }] });
  expect((await hookline(workspace, FIRE)).exit).toBe(0);
});

test('a changed script is not trusted any more: it does not run, and its gate denies', async () => {
  const workspace = permittedWorkspace(FILES);
  await hookline(workspace, ['trust', 'add', '--yes']);
  workspace.write({ '.agents/hooks/gate/scripts/run.sh': '#!/bin/sh\necho other >&2\nexit 2\n' });
  const fired = await hookline(workspace, FIRE);
  expect(fired.exit).toBe(2);
  expect(`${fired.stdout}${fired.stderr}`).not.toContain('other');
  expect((await json(workspace, 'trust', 'list'))['untrusted']).toHaveLength(1);
});

test('without a terminal and without --yes nothing is trusted, and it is said what to pass', async () => {
  const workspace = permittedWorkspace(FILES);
  const refused = await hookline(workspace, ['trust', 'add']);
  expect(refused.exit).toBe(1);
  expect(refused.stdout).toContain('scripts/run.sh');
  expect(refused.stderr).toContain('--yes');
  expect((await hookline(workspace, ['trust', 'add', '--json'])).exit).toBe(1);
  expect((await json(workspace, 'trust', 'list'))['trusted']).toEqual([]);
});

test('a path narrows it down', async () => {
  const other = Object.fromEntries(
    Object.entries(FILES).map(([name, text]) => [name.replace('gate', 'wall'), text.replace('name: gate', 'name: wall')]),
  );
  const workspace = permittedWorkspace({ ...FILES, ...other });
  await hookline(workspace, ['trust', 'add', '.agents/hooks/wall', '--yes']);
  const listed = await json(workspace, 'trust', 'list');
  expect([listed['trusted'], listed['untrusted']]).toMatchObject([[{ name: 'wall' }], [{ name: 'gate' }]]);
  expect((await hookline(workspace, ['trust', 'remove', '.agents/hooks/gate'])).exit).toBe(1);
  expect((await hookline(workspace, ['trust', 'remove', '.agents/hooks/wall'])).exit).toBe(0);
});

test('what the audit found is shown before anything is trusted', async () => {
  const workspace = permittedWorkspace({ ...FILES, '.agents/hooks/gate/scripts/run.sh': '#!/bin/sh\nrm -rf /\n' });
  const { stdout } = await hookline(workspace, ['trust', 'add', '--yes']);
  expect(stdout).toContain('catastrophic');
  expect(stdout).toContain('The audit blocks this hook');
  expect((await hookline(workspace, FIRE)).stdout).toContain('audit');
});

test('list says of each hook what it runs, when, from which files, and its digest; the JSON has its state', async () => {
  const workspace = permittedWorkspace({
    ...FILES,
    '.agents/hooks/gate/HOOK.md': HOOK.replace('before_tool\n', 'before_tool\nmatcher:\n  tool: Bash\n'),
  });
  const { stdout } = await hookline(workspace, ['trust', 'list']);
  for (const shown of ['before_tool', 'tool has /Bash/', 'scripts/run.sh', 'no findings', 'sha256:']) expect(stdout).toContain(shown);
  expect(await json(workspace, 'trust', 'list')).toMatchObject({
    untrusted: [{ name: 'gate', trust: 'untrusted', matcher: 'tool has /Bash/' }],
    denied: [],
  });
  expect((await json(workspace, 'list'))['hooks']).toMatchObject([{ trusted: false, trust: 'untrusted' }]);
  await hookline(workspace, ['trust', 'add', '--yes']);
  expect((await json(workspace, 'list'))['hooks']).toMatchObject([{ trusted: true, trust: 'trusted' }]);
  expect(await json(workspace, 'trust', 'list')).toMatchObject({
    trusted: [{ via: 'yes', by: expect.any(String), kept: {} }],
    hooks: [{ trust: 'trusted' }],
  });
});

test('diff shows what has changed since it was trusted, and adding shows it before it is trusted again', async () => {
  const workspace = permittedWorkspace(FILES);
  await hookline(workspace, ['trust', 'add', '--yes']);
  expect(await hookline(workspace, ['trust', 'diff'])).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('No trusted hook has changed'),
  });
  workspace.write({
    '.agents/hooks/gate/scripts/run.sh': '#!/bin/sh\necho open\nexit 2\n',
    '.agents/hooks/gate/HOOK.md': HOOK.replace('before_tool', 'before_stop'),
  });
  const changed = ['-  "event": "before_tool",', '+  "event": "before_stop",', '-echo closed >&2', '+echo open', ' exit 2'];
  const diff = await hookline(workspace, ['trust', 'diff']);
  expect(diff.exit).toBe(1);
  for (const line of changed) expect(diff.stdout).toContain(line);
  expect((await json(workspace, 'trust', 'diff'))['hooks']).toMatchObject([
    { name: 'gate', changes: [{ what: 'definition' }, { what: 'scripts/run.sh', how: 'changed' }] },
  ]);
  const again = await hookline(workspace, ['trust', 'add', '--yes']);
  for (const line of changed) expect(again.stdout).toContain(line);
  expect((await json(workspace, 'trust', 'list'))['trusted']).toMatchObject([{ previous: expect.stringMatching(/^sha256:/) }]);
  expect((await hookline(workspace, ['trust', 'diff'])).exit).toBe(0);
});

test('that a hook is not active is said once in a session, also by one process after the other', async () => {
  const workspace = permittedWorkspace(FILES);
  const codes = async (session: string) =>
    (await json(workspace, ...FIRE, '--session', session))['diagnostics']?.map((said) => (said as unknown as { code: string }).code);
  expect([await codes('a'), await codes('a'), await codes('b')]).toEqual([['untrusted-hook'], [], ['untrusted-hook']]);
});

test('a pin, and a lock from outside, let a hook run where nobody can be asked; a lock in the checkout is refused', async () => {
  const workspace = permittedWorkspace(FILES);
  const [hook] = (await json(workspace, 'trust', 'list'))['untrusted'] as unknown as { digest: string }[];
  expect(await hookline(workspace, [...FIRE, '--trust-hook', `gate=${hook?.digest}`])).toMatchObject({ exit: 2, stderr: 'closed\n' });
  expect((await hookline(workspace, [...FIRE, '--trust-hook', 'gate=sha256:12'])).exit).toBe(64);

  expect((await hookline(workspace, ['trust', 'lock'])).exit).toBe(1);
  const lock = await hookline(workspace, ['trust', 'lock', '--yes']);
  expect(lock).toMatchObject({ exit: 0, stderr: expect.stringContaining('scripts/run.sh') });
  expect(JSON.parse(lock.stdout)).toEqual({
    version: 1,
    hooks: [{ name: 'gate', dialect: 'agenthooks', file: '.agents/hooks/gate/HOOK.md', digest: hook?.digest }],
  });
  await hookline(workspace, ['trust', 'add', '--yes']);
  expect((await hookline(workspace, ['trust', 'lock'])).stdout).toBe(lock.stdout);
  await hookline(workspace, ['trust', 'remove']);

  workspace.write({ '~/lock.json': lock.stdout, 'lock.json': lock.stdout });
  expect(await hookline(workspace, [...FIRE, '--trust-lock', workspace.at('~/lock.json')])).toMatchObject({ exit: 2, stderr: 'closed\n' });
  expect(await hookline(workspace, ['list', '--trust-lock', 'lock.json'])).toMatchObject({
    exit: 78,
    stderr: expect.stringContaining('is in the project'),
  });
  expect(await hookline(workspace, [...FIRE, '--trust-lock', 'lock.json'])).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('is in the project'),
  });
});

test.each(['CLAUDECODE', 'HOOKLINE_DEPTH', 'GEMINI_CLI', 'AI_AGENT'])(
  'what an agent or a hook starts (%s) changes no trust',
  async (marker) => {
    const workspace = permittedWorkspace(FILES);
    const env = { [marker]: '1' };
    const refused = await hookline(workspace, ['trust', 'add', '--yes'], { env });
    expect(refused).toMatchObject({ exit: 1, stderr: expect.stringContaining(marker) });
    expect((await hookline(workspace, ['trust', 'add', '--yes', '--json'], { env })).exit).toBe(1);
    expect((await json(workspace, 'trust', 'list'))['trusted']).toEqual([]);
    await hookline(workspace, ['trust', 'add', '--yes']);
    expect((await hookline(workspace, ['trust', 'remove'], { env })).exit).toBe(1);
    expect((await json(workspace, 'trust', 'list'))['trusted']).toHaveLength(1);
    expect((await hookline(workspace, ['trust', 'list'], { env })).exit).toBe(0);
  },
);

test('a machine whose policy permits no project hooks refuses to trust one, and a broken policy is said by list and check', async () => {
  const workspace = permittedWorkspace({ ...FILES, '~/policy.json': '{"trust": "never"}', '~/broken.json': '{"trust": "nevr"}' });
  const [never, broken] = ['never', 'broken'].map((name) => [
    '--policy',
    workspace.at(name === 'never' ? '~/policy.json' : '~/broken.json'),
  ]) as [string[], string[]];
  expect(await hookline(workspace, ['trust', 'add', '--yes', ...never])).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining('does not permit project hooks'),
  });
  expect((await hookline(workspace, [...FIRE, '--trust-all', ...never])).exit).toBe(0);
  expect(await hookline(workspace, [...FIRE, ...broken])).toMatchObject({ exit: 2, stderr: expect.stringContaining('policy') });
  expect((await hookline(workspace, ['list', ...broken])).stdout).toContain('broken-policy');
  expect(await hookline(workspace, ['check', ...broken])).toMatchObject({ exit: 1, stdout: expect.stringContaining('broken-policy') });
  expect((await hookline(workspace, ['check'])).exit).toBe(0);
});

test('a trusted hook runs in the background too', async () => {
  const workspace = permittedWorkspace({
    ...FILES,
    '.agents/hooks/gate/HOOK.md': HOOK.replace('before_tool\n', 'before_tool\nasync: true\n'),
  });
  workspace.write({ '.agents/hooks/gate/scripts/run.sh': `#!/bin/sh\ntouch ${workspace.at('~/ran')}\n` });
  await hookline(workspace, ['trust', 'add', '--yes']);
  expect((await hookline(workspace, FIRE)).exit).toBe(0);
  expect(await eventually(() => existsSync(workspace.at('~/ran')))).toBe(true);
});

test.skipIf(WITHOUT_PERSON)(
  'a no at the prompt is remembered until somebody names the hook; an agent in a terminal is no person',
  async () => {
    const workspace = permittedWorkspace(FILES);
    const typed = (answer: string, ...argv: string[]) => hookline(workspace, argv, { terminal: true, stdin: answer });
    const byAgent = await hookline(workspace, ['trust', 'add'], { terminal: true, stdin: 'y\n', env: { CLAUDECODE: '1' } });
    expect(byAgent).toMatchObject({ exit: 1, stdout: expect.stringContaining('may not change trust') });
    const refused = await typed('n\n', 'trust', 'add');
    expect(refused.stdout).toContain('Trust it?');
    expect(refused.stdout).toContain('1 denied');
    expect(await json(workspace, 'trust', 'list')).toMatchObject({
      trusted: [],
      denied: [{ name: 'gate', via: 'prompt' }],
      hooks: [{ trust: 'denied' }],
    });
    expect((await hookline(workspace, ['trust', 'list'])).stdout).toContain('1 hook denied');
    expect((await json(workspace, ...FIRE))['hooks']).toMatchObject([{ skip: 'its trust was refused' }]);
    expect((await typed('y\n', 'trust', 'add')).stdout).toContain('No untrusted hook was found');
    expect((await hookline(workspace, ['trust', 'add', '--yes'])).stdout).toContain('No untrusted hook was found');
    expect((await typed('y\n', 'trust', 'add', '.agents/hooks/gate')).stdout).toContain('1 hook trusted');
    expect((await hookline(workspace, FIRE)).exit).toBe(2);
    expect(await json(workspace, 'trust', 'list')).toMatchObject({ trusted: [{ name: 'gate', via: 'prompt' }], denied: [] });
  },
);
