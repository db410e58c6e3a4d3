/** Places that several formats claim: who reads them by default, who by evidence in the file, and who because somebody chose it. */
import { expect, test } from 'vitest';
import { OWN_FIELDS, OWN_PLUGIN_FIELDS } from '../../../src/agents/claude-code/evidence.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { hookline } from '../cli/program.ts';

const COMMAND = { type: 'command', command: 'echo seen; exit 1' };
const MANIFEST = '{"name": "p"}';
const hooksFile = (events: object): string => JSON.stringify({ hooks: events }, null, 1);
const gate = (more: object = {}): string => hooksFile({ PreToolUse: [{ hooks: [{ ...COMMAND, ...more }] }] });
const skill = (event: string, more = ''): string =>
  `---\nname: s\ndescription: A skill.\nhooks:\n  ${event}:\n    - hooks:\n        - type: command\n          command: "true"\n${more}---\n`;
const SETTINGS = '~/.config/hookline/settings.json';

interface Listed {
  readonly hooks: readonly { readonly dialect: string; readonly name: string; readonly event: string }[];
  readonly diagnostics: readonly { readonly code: string; readonly severity: string; readonly message: string; readonly file?: string }[];
}

/** A process of its own is started only where options are tried. */
async function list(workspace: Workspace, ...argv: string[]): Promise<Listed> {
  if (argv.length === 0) return (await workspace.open()).list();
  return JSON.parse((await hookline(workspace, ['list', '--json', ...argv])).stdout) as Listed;
}

async function dialects(workspace: Workspace, ...argv: string[]): Promise<readonly string[]> {
  return (await list(workspace, ...argv)).hooks.map(({ dialect }) => dialect);
}

test.each([
  ['below plugins/', 'plugins/p/', [], 'arawn'],
  ['as the project itself', '', [], 'claude-code'],
  ['in a folder that is named', '../named/p/', ['--plugins', '../named'], 'arawn'],
  ['as the folder that is named', '../named/', ['--plugins', '../named'], 'arawn'],
  ["in the user's folder", '~/.config/arawn/plugins/p/', [], 'arawn'],
])('a plugin %s is found without a manifest, under the ids that it has with one', async (_, folder, argv, dialect) => {
  const workspace = createWorkspace({ [`${folder}hooks/hooks.json`]: gate({ timeout: 5000 }) });
  const ids = async () => (await list(workspace, ...argv)).hooks.map((hook) => (hook as { id?: string }).id);
  expect(await dialects(workspace, ...argv)).toEqual([dialect]);
  const before = await ids();
  workspace.write({ [`${folder}.claude-plugin/plugin.json`]: MANIFEST });
  expect(await ids()).toEqual(before);
});

test('`check` finds a plugin without a manifest by its hooks file, wherever it is, and reports each problem once', async () => {
  const workspace = createWorkspace({ 'elsewhere/deep/p/hooks/hooks.json': '{"hooks": {"PreToolUse": [' });
  for (const path of ['elsewhere/deep/p/hooks/hooks.json', 'elsewhere/deep/p', 'elsewhere']) {
    const { exit, stdout } = await hookline(workspace, ['check', path, '--json']);
    const { diagnostics } = JSON.parse(stdout) as Listed;
    expect([exit, diagnostics.map(({ severity }) => severity)]).toEqual([1, ['error']]);
    expect(diagnostics[0]?.file).toBe(workspace.at('elsewhere/deep/p/hooks/hooks.json'));
  }
});

const VALUES: Readonly<Record<string, unknown>> = { args: [], shell: 'bash' };

const EVIDENCE: readonly (readonly [string, string])[] = [
  ['an event that arawn does not have', hooksFile({ PreToolUse: [{ hooks: [COMMAND] }], SubagentStart: [{ hooks: [COMMAND] }] })],
  ...[...OWN_FIELDS, ...OWN_PLUGIN_FIELDS].map((field) => [`the field ${field}`, gate({ [field]: VALUES[field] ?? 'x' })] as const),
  ['a short timeout in a list of named events', JSON.stringify({ hooks: [{ event: 'PreToolUse', ...COMMAND, timeout: 5 }] })],
  ['an event of its own in such a list', JSON.stringify({ hooks: [{ event: 'SubagentStart', command: 'a' }] })],
  ['a short timeout without a group', hooksFile({ PreToolUse: [{ ...COMMAND, timeout: 5 }] })],
  ['a short timeout in a single group', hooksFile({ PreToolUse: { hooks: [{ ...COMMAND, timeout: 5 }] } })],
  ...[1, 5, 60, 99, 0.5].map((timeout) => [`a timeout of ${timeout}`, gate({ timeout })] as const),
];

test.each(EVIDENCE)('a plugin below plugins/ is read as claude-code for %s', async (_, text) => {
  const workspace = createWorkspace({ 'plugins/p/hooks/hooks.json': text, 'plugins/q/hooks/hooks.json': gate() });
  const { hooks, diagnostics } = await list(workspace);
  expect(new Set(hooks.filter(({ name }) => name.startsWith('p/')).map(({ dialect }) => dialect))).toEqual(new Set(['claude-code']));
  // Another plugin is not affected.
  expect(hooks.filter(({ name }) => name.startsWith('q/')).map(({ dialect }) => dialect)).toEqual(['arawn']);
  const said = diagnostics.filter(({ code }) => code === 'read-as');
  expect(said).toHaveLength(2);
  expect(said[0]).toMatchObject({ severity: 'info', message: expect.stringMatching(/^Read as `claude-code`, because .*`arawn`/) });
});

test.each([
  ['nothing special', gate()],
  ['a timeout of 100', gate({ timeout: 100 })],
  ['an event that nobody has', hooksFile({ PreToolUse: [{ hooks: [COMMAND] }], BeforeLunch: [{ hooks: [COMMAND] }] })],
  ['an unknown field', gate({ colour: 'red' })],
])('a plugin below plugins/ with %s stays with arawn', async (_, text) => {
  expect(await dialects(createWorkspace({ 'plugins/p/hooks/hooks.json': text }))).toEqual(['arawn']);
});

test.each([
  ['Stop', '', 'claude-code'],
  ['UserPromptSubmit', '', 'claude-code'],
  ['PreToolUse', '          once: true\n', 'claude-code'],
  ['PreToolUse', '          statusMessage: Checking\n', 'claude-code'],
  ['PreToolUse', '          timeout: 5\n', 'skillkit'],
  ['PreToolUse', '', 'skillkit'],
])('a skill with %s %j is read as it was written', async (event, more, dialect) => {
  const workspace = createWorkspace({ 'skills/deep/s/SKILL.md': skill(event, more), '../named/s/SKILL.md': skill(event, more) });
  expect(await dialects(workspace)).toEqual([dialect]);
  expect(await dialects(workspace, '--skills', '../named')).toEqual([dialect, dialect]);
});

test.each([
  ['plugins', 'arawn'],
  ['plugins', 'claude-agent'],
  ['root-plugin', 'arawn'],
])('the setting `readAs.%s` gives the project as a plugin to %s', async (place, dialect) => {
  const workspace = createWorkspace({
    'hooks/hooks.json': gate({ timeout: 5 }),
    [SETTINGS]: JSON.stringify({ readAs: { [place]: dialect } }),
  });
  const { hooks, diagnostics } = await list(workspace);
  expect(hooks.map((hook) => hook.dialect)).toEqual([dialect]);
  expect(diagnostics).toContainEqual(expect.objectContaining({ code: 'read-as', message: expect.stringContaining(`readAs.${place}`) }));
  const checked = JSON.parse((await hookline(workspace, ['check', '--json'])).stdout) as Listed;
  expect(checked.diagnostics.map(({ code }) => code)).toContain('read-as');
});

test('what is chosen for one place leaves others alone', async () => {
  const workspace = createWorkspace({
    'hooks/hooks.json': gate(),
    'plugins/p/hooks/hooks.json': gate(),
    [SETTINGS]: '{"readAs": {"root-plugin": "arawn", "plugins": "claude-code"}}',
  });
  expect((await dialects(workspace)).toSorted()).toEqual(['arawn', 'claude-code']);
});

test.each([
  [{ plugins: 'cursor' }, 'bad-read-as'],
  [{ plugin: 'arawn' }, 'bad-read-as'],
  [{ plugins: 'arwan' }, 'unknown-dialect'],
  [{ plugins: 5 }, 'wrong-type'],
])('a choice that decides nothing is a warning: %j', async (readAs, code) => {
  const workspace = createWorkspace({ 'plugins/p/hooks/hooks.json': gate(), [SETTINGS]: JSON.stringify({ readAs }) });
  const { hooks, diagnostics } = await list(workspace);
  expect(hooks).toMatchObject([{ dialect: 'arawn' }]);
  expect(diagnostics).toContainEqual(expect.objectContaining({ severity: 'warning', code }));
});

test("a firing with `--as` reads the document's plugin as that document, with its event and its payload", async () => {
  const workspace = createWorkspace({ '.claude-plugin/plugin.json': MANIFEST, 'hooks/hooks.json': gate() });
  const fire = async (
    as: string,
    payload: object,
  ): Promise<{ decision: string; reason: string | null; diagnostics: { code: string }[] }> => {
    const argv = ['fire', 'PreToolUse', '--as', as, '--payload', JSON.stringify(payload), '--trust-all', '--json'];
    return JSON.parse((await hookline(workspace, argv)).stdout);
  };
  expect(await fire('arawn', { tool: 'shell', params: {} })).toMatchObject({ decision: 'deny', reason: 'seen' });
  expect(await fire('claude-code', { tool_name: 'Bash', tool_input: {} })).toMatchObject({ decision: 'pass' });
  // How a file was read is told by `list` and `check`, and not again for every event.
  expect((await fire('arawn', { tool: 'shell', params: {} })).diagnostics.map(({ code }) => code)).not.toContain('read-as');
  expect(await dialects(workspace, '--as', 'arawn')).toEqual(['arawn']);
});

test('`--only` leaves nothing to evidence', async () => {
  const workspace = createWorkspace({ 'plugins/p/hooks/hooks.json': gate({ statusMessage: 'x' }) });
  expect(await dialects(workspace, '--only', 'arawn')).toEqual(['arawn']);
  expect(await dialects(workspace, '--only', 'arawn', '--only', 'claude-code')).toEqual(['arawn']);
  expect(await dialects(workspace, '--only', 'claude-agent')).toEqual(['claude-agent']);
});

test('settings that two formats share: each form keeps its reader, unless the caller names the one that reads both', async () => {
  const hooks = { PreToolUse: [{ hooks: [COMMAND] }], stop: { note: 'true' } };
  const workspace = createWorkspace({ '.claude/settings.json': JSON.stringify({ hooks }) });
  expect((await dialects(workspace)).toSorted()).toEqual(['claude-agent', 'claude-code']);
  expect((await dialects(workspace, '--as', 'claude-code')).toSorted()).toEqual(['claude-agent', 'claude-code']);
  expect(await dialects(workspace, '--as', 'claude-agent')).toEqual(['claude-agent', 'claude-agent']);
});

test.each([
  ['a plugin', 'plugins/p/hooks/hooks.json', hooksFile({ PreToolUse: [{ hooks: [{ ...COMMAND, once: true, timeout: 100_000 }] }] })],
  ['a plugin of arawn', 'plugins/p/hooks/hooks.json', gate({ timeout: 100_000_000 })],
  ['a skill', 'skills/s/SKILL.md', skill('PreToolUse', '          timeout: 100000\n')],
])('%s whose hook may take more than a day denies, with an error at the line', async (_, file, text) => {
  const workspace = createWorkspace({ [file]: text });
  const engine = await workspace.open({ trust: 'all' });
  const outcome = await engine.fire('tool.before', { tool: 'shell', input: {} });
  expect(outcome).toMatchObject({ decision: 'deny', reason: expect.stringContaining('28 hours'), hooks: [{ status: 'faulted' }] });
  expect((await engine.list()).diagnostics).toContainEqual(
    expect.objectContaining({ severity: 'error', code: 'long-timeout', line: expect.any(Number) }),
  );
});

test('in settings of Claude Code itself a long timeout is a warning, because the agent keeps it', async () => {
  const workspace = createWorkspace({ '.claude/settings.json': gate({ timeout: 120_000 }) });
  const engine = await workspace.open({ trust: 'all' });
  expect(await engine.fire('tool.before', { tool: 'Bash', input: {} })).toMatchObject({ hooks: [{ fault: { kind: 'exit' } }] });
  expect((await engine.list()).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
});
