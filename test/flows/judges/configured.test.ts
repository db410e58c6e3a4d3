/** Judges by configuration: the program opens the model that the user or the machine names, and counts and remembers across processes. */
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SCRIPTED, scriptedProvider } from '../../support/scripted-provider.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { hookline } from '../cli/program.ts';

const OK = '{"ok": true, "reason": ""}';
const NO = '{"ok": false, "reason": "not on a Friday"}';

const judge = { type: 'prompt', prompt: 'Never on a Friday. $ARGUMENTS' };
const hooks = (...list: readonly object[]): Record<string, string> => ({
  '~/.claude/settings.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks: list }] } }),
});

interface Fired {
  readonly id: string;
  readonly decision: string;
  readonly reason: string | null;
  readonly hooks: readonly {
    readonly status: string;
    readonly fault?: { readonly kind: string; readonly detail: string };
    readonly judge?: { readonly cached: boolean; readonly digest: string; readonly model: string; readonly money?: number };
  }[];
}

async function fire(
  workspace: Workspace,
  env: Readonly<Record<string, string>>,
  command = 'ls',
  ...more: readonly string[]
): Promise<Fired> {
  const input = JSON.stringify({ command });
  const session = more.includes('--session') ? [] : ['--session', 'session-one'];
  const argv = ['fire', 'tool.before', '--tool', 'Bash', '--input', input, '--json', ...session, ...more];
  const { stdout } = await hookline(workspace, argv, { env });
  return JSON.parse(stdout) as Fired;
}

test('the model of the settings judges, and `why`, `log` and `--json` show it with its cost', async () => {
  const workspace = createWorkspace(hooks(judge));
  const provider = scriptedProvider(workspace, { prices: { input: 3, output: 15 } });
  provider.answer(NO);
  const fired = await fire(workspace, provider.env);
  expect(fired).toMatchObject({ decision: 'deny', reason: 'not on a Friday' });
  const note = {
    model: SCRIPTED,
    cached: false,
    inputTokens: 100,
    outputTokens: 20,
    money: 0.0006,
    digest: expect.stringMatching(/^sha256:/),
  };
  expect(fired.hooks[0]?.judge).toEqual(note);
  const { digest = '' } = fired.hooks[0]?.judge ?? {};
  const why = (await hookline(workspace, ['why', fired.id])).stdout.replace(/\s+/g, ' ');
  expect(why).toContain(`The model was ${SCRIPTED}, 100 tokens in and 20 out, 0.0006 (question ${digest})`);
  expect((await hookline(workspace, ['log'])).stdout).toContain(`judged by ${SCRIPTED}, 100 tokens in and 20 out`);
  expect((await hookline(workspace, ['log', '--json'])).stdout).toContain(`"digest": "${digest}"`);
});

test('a verdict is remembered for the next process, and another input is asked about', async () => {
  const workspace = createWorkspace(hooks(judge));
  const provider = scriptedProvider(workspace);
  provider.answer(NO, OK);
  const [first, again, other] = [
    await fire(workspace, provider.env),
    await fire(workspace, provider.env),
    await fire(workspace, provider.env, 'pwd'),
  ];
  expect([first, again, other].map(({ decision }) => decision)).toEqual(['deny', 'deny', 'pass']);
  expect([first, again, other].map((fired) => fired.hooks[0]?.judge?.cached)).toEqual([false, true, false]);
  expect(provider.asked()).toHaveLength(2);
});

test('the budget of a session is counted across processes, and a spent one is a fault that says so', async () => {
  const workspace = createWorkspace(hooks(judge));
  const provider = scriptedProvider(workspace, { maxTokens: 100, budget: { tokens: 1000 } });
  provider.answer(OK);
  const outcomes: Fired[] = [];
  for (let i = 0; i < 8; i++) outcomes.push(await fire(workspace, provider.env, `ls ${i}`));
  const asked = provider.asked().length;
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThan(8);
  const faults = outcomes.flatMap((fired) => fired.hooks[0]?.fault ?? []);
  expect(faults).toHaveLength(8 - asked);
  expect(faults[0]).toMatchObject({
    kind: 'unavailable',
    detail: expect.stringMatching(/the budget of this session is spent: \d+ of 1000 tokens/),
  });
  expect((await fire(workspace, provider.env, 'ls 9', '--session', 'another')).hooks[0]?.fault).toBeUndefined();
});

test('processes that ask at the same time do not spend the same tokens', async () => {
  const workspace = createWorkspace(hooks(judge));
  // Each question reserves more than half of it.
  const provider = scriptedProvider(workspace, { maxTokens: 900, budget: { tokens: 1700 } });
  provider.answer(OK);
  const outcomes = await Promise.all([0, 1, 2].map((i) => fire(workspace, provider.env, `ls ${i}`)));
  const faulted = outcomes.filter((fired) => fired.hooks[0]?.fault !== undefined).length;
  expect(provider.asked().length + faulted).toBe(3);
  expect(outcomes.every(({ hooks: [one] }) => one?.status === 'answered' || one?.fault?.detail.includes('budget'))).toBe(true);
});

test("the machine's policy chooses the model and the budget, whatever the user's settings say", async () => {
  const workspace = createWorkspace(hooks(judge));
  const provider = scriptedProvider(workspace, { model: 'ollama:of-the-user', budget: { tokens: 1 } });
  provider.answer(OK);
  const policy = workspace.at('~/policy.json');
  writeFileSync(policy, JSON.stringify({ judge: { model: 'ollama:of-the-machine' } }));
  expect((await fire(workspace, provider.env, 'ls', '--policy', policy)).hooks[0]?.judge?.model).toBe('ollama:of-the-machine');
  expect((await fire(workspace, provider.env)).hooks[0]?.fault?.detail).toContain('budget');
});

test('a project chooses neither model nor budget: settings in it are not read, and a model that its hook names is not asked', async () => {
  const workspace = createWorkspace({
    ...hooks({ ...judge, model: 'ollama:of-the-hook' }),
    'hookline/settings.json': '{"judge": {"model": "ollama:of-the-project"}}',
    '.config/hookline/settings.json': '{"judge": {"model": "ollama:of-the-project"}}',
    '.hookline/settings.json': '{"judge": {"model": "ollama:of-the-project"}}',
  });
  const provider = scriptedProvider(workspace);
  provider.answer(OK);
  expect((await fire(workspace, provider.env)).hooks[0]?.judge?.model).toBe(SCRIPTED);
});

test.each([
  ['no model', '{}', 'Set `judge.model`'],
  ['no package', '{"judge": {"model": "mistral:large"}}', 'npm install --prefix'],
  ['no such provider', '{"judge": {"model": "nobody:large"}}', 'Providers: '],
  ['a budget in money without prices', '{"judge": {"model": "ollama:x", "budget": {"money": 1}}}', '`budget.money` needs `prices`'],
])('%s is a fault that names the fix, and `list` and `doctor` name it beforehand', async (_, settings, says) => {
  const workspace = createWorkspace({ ...hooks(judge), '~/.config/hookline/settings.json': settings });
  const fired = await fire(workspace, {});
  expect(fired.hooks[0]).toMatchObject({ status: 'faulted', fault: { kind: 'unavailable', detail: expect.stringContaining(says) } });
  const listed = JSON.parse((await hookline(workspace, ['list', '--json'])).stdout);
  expect(listed.hooks).toMatchObject([{ handler: 'prompt', judgedBy: null }]);
  expect(listed.diagnostics).toContainEqual(
    expect.objectContaining({ code: 'no-judge', severity: 'error', message: expect.stringContaining(says) }),
  );
  const doctor = await hookline(workspace, ['doctor', '--json']);
  const report = JSON.parse(doctor.stdout);
  expect([doctor.exit, report.hooks.judged]).toEqual([1, [{ hook: expect.any(String), model: null }]]);
  expect(report.findings).toContainEqual(expect.objectContaining({ code: 'no-judge' }));
});

test('`list`, `check` and `doctor` show the hooks that a model answers, and which model', async () => {
  const workspace = createWorkspace(hooks(judge, { type: 'command', command: 'true' }));
  const provider = scriptedProvider(workspace);
  const list = await hookline(workspace, ['list'], { env: provider.env });
  expect(list.stdout).toContain(SCRIPTED);
  const listed = JSON.parse((await hookline(workspace, ['list', '--json'], { env: provider.env })).stdout);
  expect(listed.hooks.map(({ judgedBy }: { judgedBy?: string }) => judgedBy)).toEqual([undefined, SCRIPTED]);
  expect((await hookline(workspace, ['doctor'], { env: provider.env })).stdout).toContain(`${SCRIPTED} answers`);
  const checked = JSON.parse((await hookline(workspace, ['check', '--home', workspace.home, '--json'])).stdout);
  expect(checked.diagnostics).toContainEqual(expect.objectContaining({ code: 'judged', severity: 'info' }));
  expect(provider.asked()).toEqual([]);
});

test('an agent that calls the program is answered by the judge in its own format', async () => {
  const workspace = createWorkspace({
    '~/.config/arawn/plugins/p/.claude-plugin/plugin.json': '{"name": "p"}',
    '~/.config/arawn/plugins/p/hooks/hooks.json': JSON.stringify({
      hooks: { PreToolUse: [{ hooks: [{ type: 'prompt', prompt: 'No.', timeout: 30_000 }] }] },
    }),
  });
  const provider = scriptedProvider(workspace);
  provider.answer(NO);
  const call = {
    hook_event_name: 'PreToolUse',
    session_id: 's',
    cwd: workspace.root,
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: 't',
  };
  const { stdout } = await hookline(workspace, ['hook', 'claude-code'], { env: provider.env, stdin: JSON.stringify(call) });
  expect(JSON.parse(stdout)).toMatchObject({
    hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: expect.stringContaining('not on a Friday') },
  });
});
