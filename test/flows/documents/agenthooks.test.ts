/** The document of agenthooks as it stands: its tree, its quality gate, its notes and its background hooks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { POLL } from '../../support/patience.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { hookline as command, eventually } from '../cli/program.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/agenthooks/block-dangerous-commands');
const hookMd = (name: string, trigger: string, more = '') =>
  `---\nname: ${name}\ndescription: A hook.\ntrigger: ${trigger}\n${more}---\n# Notes\n`;
const shell = (line: string) => ({ tool: 'Shell', input: { command: line } });

/** The directory structure of section 10.1, with the files of 10.2 and 10.3 and nothing else. */
const TREE = {
  '~/.config/agents/hooks/security-check/HOOK.md': readFileSync(join(FIXTURES, 'HOOK.md'), 'utf8'),
  '~/.config/agents/hooks/security-check/scripts/run.sh': readFileSync(join(FIXTURES, 'scripts/run.sh'), 'utf8'),
  '~/.config/agents/hooks/notify-slack/HOOK.md': hookMd('notify-slack', 'session_end'),
  '.agents/hooks/project-specific/HOOK.md': hookMd('project-specific', 'before_tool'),
};

test('the tree of the document loads as it stands: one gate, and two hooks that have nothing to run', async () => {
  const hookline = await createWorkspace(TREE).open({ strict: true });
  const { hooks, diagnostics } = await hookline.list();
  expect(hooks.map(({ name, state }) => `${name}: ${state}`)).toEqual([
    'block-dangerous-commands: active',
    'notify-slack: nothing to run',
    'project-specific: nothing to run',
  ]);
  expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`).sort()).toEqual([
    'warning name-mismatch',
    'warning no-script',
    'warning no-script',
  ]);
  const denied = await hookline.fire('tool.before', shell('mkfs /dev/sdb'));
  expect(denied).toMatchObject({ decision: 'deny', reason: 'Dangerous command blocked: mkfs would destroy the system' });
  expect(await hookline.fire('tool.before', shell('ls'))).toMatchObject({
    decision: 'pass',
    hooks: [{ name: 'project-specific', status: 'skipped', skip: 'nothing to run' }],
  });
  expect((await hookline.fire('session.end', {})).decision).toBe('pass');
});

test('a hook that is required and has nothing to run denies', async () => {
  const required = { '.agents/hooks/a/HOOK.md': hookMd('a', 'before_tool', 'metadata:\n  required: true\n') };
  const outcome = await (await createWorkspace(required).open()).fire('tool.before', shell('ls'));
  expect(outcome).toMatchObject({ decision: 'deny', reason: expect.stringContaining('nothing to run') });
});

test.each(['hook.md', 'Hook.md'])('%s is not read, and the right spelling is named', async (name) => {
  const hookline = await createWorkspace({ [`.agents/hooks/a/${name}`]: hookMd('a', 'before_tool') }).open();
  expect((await hookline.list()).hooks).toEqual([]);
  expect(hookline.diagnostics).toMatchObject([{ severity: 'warning', code: 'misspelt-file', hint: expect.stringContaining('HOOK.md') }]);
});

const gate = (script: string) => ({
  '.agents/hooks/quality/HOOK.md': hookMd('quality', 'before_stop'),
  '.agents/hooks/quality/scripts/run.sh': `#!/bin/sh\n${script}\n`,
});
const OUTPUTS = ['12 tests passed', 'Object {\n  "a": 1,\n}', 'ok { "x": 1 } done', 'function () { return 1 }', '100%'];
const all = OUTPUTS.flatMap((text) => [[text, false] as const, [text, true] as const]);

test.each(all)('a gate whose tests print %j and pass lets the agent stop, with a warning (strict: %s)', async (text, strict) => {
  const hookline = await createWorkspace(gate(`cat >/dev/null\ncat <<'END'\n${text}\nEND`)).open({ strict });
  const outcome = await hookline.fire('stop.before', { reason: 'no_tool_calls' });
  expect(outcome).toMatchObject({ decision: 'pass', hooks: [{ status: 'answered' }], diagnostics: [{ code: 'ignored-output' }] });
});

test('a broken denial is still a fault, which strict mode denies', async () => {
  for (const text of ['{"decision": "deny"', 'hello {"decision": "deny"} bye', "{'decision': 'deny'}"]) {
    const files = gate(`cat <<'END'\n${text}\nEND`);
    expect(await (await createWorkspace(files).open()).fire('stop.before', {})).toMatchObject({
      decision: 'pass',
      hooks: [{ fault: { kind: 'malformed' } }],
    });
    expect((await (await createWorkspace(files).open({ strict: true })).fire('stop.before', {})).decision).toBe('deny');
  }
});

test('the log of a reply is kept, and why shows it', async () => {
  const workspace = createWorkspace({
    '~/.config/agents/hooks/a/HOOK.md': hookMd('a', 'before_tool'),
    '~/.config/agents/hooks/a/scripts/run.sh': '#!/bin/sh\necho \'{"decision": "allow", "log": "Command validated"}\'\n',
  });
  const fired = await command(workspace, ['fire', 'tool.before', '--tool', 'Shell', '--input', '{"command":"ls"}', '--json']);
  const { id, hooks } = JSON.parse(fired.stdout);
  expect(hooks).toMatchObject([{ decision: 'allow', log: 'Command validated' }]);
  expect((await command(workspace, ['why', id])).stdout).toContain('Command validated');
});

const background = (script: string) => ({
  '~/.config/agents/hooks/fmt/HOOK.md': hookMd('fmt', 'after_tool', 'async: true\n'),
  '~/.config/agents/hooks/fmt/scripts/run.sh': `#!/bin/sh\n${script}\n`,
});

test.each([
  ['a success', 'echo formatted; echo one file >&2', { status: 'answered', exit: 0, stdout: 'formatted', stderr: 'one file' }],
  ['silence', 'exit 0', { status: 'answered', exit: 0 }],
  ['a block, which blocks nothing', 'echo no >&2; exit 2', { status: 'faulted', exit: 2, stderr: 'no', fault: { kind: 'exit' } }],
  ['a death', 'kill -9 $$', { status: 'faulted', fault: { kind: 'signal' } }],
])('the end of a background hook is recorded: %s', async (_, script, report) => {
  const hookline = await createWorkspace(background(script)).open({ store: 'default' });
  const { id, decision } = await hookline.fire('tool.after', { ...shell('ls'), result: 'x' });
  expect(decision).toBe('pass');
  const last = async () => (await hookline.log.list({})).map(({ outcome }) => outcome).at(-1);
  await expect.poll(last, POLL).toMatchObject({ lateOf: id, hooks: [report] });
});

test('why tells of the background hooks of a decision when they have ended', async () => {
  const workspace = createWorkspace(background('echo formatted; exit 3'));
  const payload = JSON.stringify({ ...shell('ls'), result: 'x' });
  const { id } = JSON.parse((await command(workspace, ['fire', 'tool.after', '--payload', payload, '--json'])).stdout);
  let story = '';
  const isTold = async () => {
    story = (await command(workspace, ['why', id])).stdout.replace(/\s+/g, ' ');
    return story.includes('formatted');
  };
  for (let tries = 0; tries < 40 && !(await isTold()); tries++) await eventually(() => false, 250);
  expect(story).toMatch(/background hook 'fmt' .* exit code 3.* It wrote to stdout: formatted/);
});
