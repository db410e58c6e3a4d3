/** A hook in shadow runs and its verdict is recorded, but neither a later hook nor the agent sees anything of it. */
import { describe, expect, test } from 'vitest';
import type { HookAnswer, Hookline, HooklineOptions } from '../../../src/index.ts';
import { explain, explainHook } from '../../../src/index.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';

const tool = { tool: 'Bash', input: { command: 'ls' } };
const DENY = { decision: 'deny', reason: 'No.' } as const;

const skill = (name: string, exit = 2): Record<string, string> => ({
  [`skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: s\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: "echo ${name}; exit ${exit}"\n---\n`,
});

/** Returns an engine whose user has these settings. */
async function withSettings(workspace: Workspace, settings: object, options: HooklineOptions = {}): Promise<Hookline> {
  workspace.write({ '~/.config/hookline/settings.json': JSON.stringify(settings) });
  return workspace.open(options);
}

describe('a function in shadow', () => {
  test.each<[HookAnswer, object]>([
    [DENY, { decision: 'deny', reason: 'No.' }],
    [
      { decision: 'hold', reason: 'Wait.', state: { secret: 1 } },
      { decision: 'hold', reason: 'Wait.' },
    ],
    [
      { decision: 'ask', reason: 'Sure?' },
      { decision: 'ask', reason: 'Sure?' },
    ],
    [{ decision: 'allow' }, { decision: 'allow' }],
    [
      { rewrite: { command: 'rm' }, context: 'c', notice: 'n', quiet: true, halt: 'stop' },
      { decision: 'pass', effects: ['rewrite', 'context', 'notice', 'quiet', 'halt'] },
    ],
    [{}, { decision: 'pass' }],
  ])('that returns %j has no effect, and its report tells what it would have been', async (answer, wouldHave) => {
    const hookline = await createWorkspace().open();
    const judged: unknown[] = [];
    hookline.on('tool.before', () => answer, { name: 'trial', shadow: true, priority: 1 });
    hookline.on('tool.before', ({ data }) => void judged.push(data.input));
    const outcome = await hookline.fire('tool.before', tool);
    const { id: _, hooks, ...rest } = outcome;
    expect(rest).toEqual({
      kind: 'tool.before',
      decision: 'pass',
      reason: null,
      context: [],
      contextSources: [],
      notices: [],
      quiet: false,
      unmatched: 0,
      diagnostics: [],
    });
    expect(hooks[0]).toMatchObject({ name: 'trial', status: 'answered', decision: 'pass', wouldHave });
    expect(hooks[0]).not.toHaveProperty('state');
    expect(judged).toEqual([tool.input]);
    expect(await hookline.approvals.list({})).toEqual([]);
  });

  test('alone says the same', async () => {
    const hookline = await createWorkspace().open();
    hookline.on('tool.before', () => undefined, { shadow: true });
    hookline.on('prompt.submit', () => DENY, { name: 'trial', shadow: true });
    expect((await hookline.fire('tool.before', tool)).hooks).toMatchObject([{ decision: 'pass', wouldHave: { decision: 'pass' } }]);
    const outcome = await hookline.fire('prompt.submit', { prompt: 'hi' });
    expect(explain(outcome)).toBe('Only hooks in shadow were asked: nothing objects.');
    expect(outcome.hooks.map(explainHook)).toEqual(['is in shadow and would have denied it: No.']);
  });

  test('that fails is recorded and does not deny', async () => {
    const hookline = await createWorkspace().open({ strict: true });
    hookline.on('tool.before', () => Promise.reject(new Error('broken')), { name: 'trial', shadow: true });
    const outcome = await hookline.fire('tool.before', tool);
    expect(outcome).toMatchObject({
      decision: 'pass',
      hooks: [{ status: 'faulted', decision: 'pass', fault: { kind: 'threw' }, wouldHave: { decision: 'deny' } }],
    });
  });

  test('that would send the agent back does not count against the stop cap', async () => {
    const hookline = await createWorkspace().open({ stopCap: 1 });
    hookline.on('stop.before', () => ({ decision: 'deny', reason: 'Go on.' }), { shadow: true });
    for (let i = 0; i < 3; i++) {
      const outcome = await hookline.fire('stop.before', {});
      expect(outcome).toMatchObject({ decision: 'pass', diagnostics: [] });
      expect(outcome).not.toHaveProperty('continue');
    }
  });

  test('that is required counts, and the outcome and the list say so', async () => {
    const hookline = await createWorkspace().open();
    hookline.on('tool.before', () => DENY, { name: 'gate', shadow: true, required: true });
    const outcome = await hookline.fire('tool.before', tool);
    expect(outcome).toMatchObject({ decision: 'deny', diagnostics: [{ code: 'shadow-required' }] });
    const { hooks, diagnostics } = await hookline.list();
    expect(hooks[0]).not.toHaveProperty('shadow');
    expect(diagnostics.map(({ code }) => code)).toContain('shadow-required');
  });
});

describe('the engine in shadow', () => {
  test('asks every hook and follows none, but for those that are required', async () => {
    const workspace = createWorkspace({ ...skill('one'), ...skill('two') });
    const hookline = await workspace.open({ shadow: true });
    hookline.on('tool.before', () => DENY);
    const outcome = await hookline.fire('tool.before', tool);
    expect(outcome.decision).toBe('pass');
    expect(outcome.hooks.map(({ wouldHave }) => wouldHave?.decision)).toEqual(['deny', 'deny', 'deny']);
    const { hooks } = await hookline.list();
    expect(hooks.every(({ shadow }) => shadow)).toBe(true);
    const required = await withSettings(workspace, { required: [hooks[1]?.name] }, { shadow: true });
    expect(await required.fire('tool.before', tool)).toMatchObject({ decision: 'deny', diagnostics: [{ code: 'shadow-required' }] });
  });

  test('follows a managed hook', async () => {
    const workspace = createWorkspace({ ...skill('one'), 'policy.json': JSON.stringify({ hooks: ['skills/one'] }) });
    const hookline = await workspace.open({ shadow: true, policy: workspace.at('policy.json') });
    expect((await hookline.fire('tool.before', tool)).decision).toBe('deny');
  });
});

describe('shadow in settings', () => {
  test('names hooks by name or file, and only those are in shadow', async () => {
    const workspace = createWorkspace({ ...skill('one'), ...skill('two', 0) });
    const [first] = (await (await workspace.open()).list()).hooks;
    for (const shadow of [[first?.name], [workspace.at('skills/one/SKILL.md')]]) {
      const hookline = await withSettings(workspace, { shadow });
      const outcome = await hookline.fire('tool.before', tool);
      expect(outcome.decision).toBe('pass');
      expect(outcome.hooks.map(({ wouldHave }) => wouldHave?.decision)).toEqual(['deny', undefined]);
      expect((await hookline.list()).hooks.map(({ shadow: is }) => is)).toEqual([true, undefined]);
    }
  });

  test('of the user leave a managed hook in force, and those of the policy do not', async () => {
    const workspace = createWorkspace({ ...skill('one') });
    const file = workspace.at('skills/one/SKILL.md');
    const policy = workspace.at('policy.json');
    workspace.write({ 'policy.json': JSON.stringify({ hooks: ['skills/one'] }) });
    const hookline = await withSettings(workspace, { shadow: [file] }, { policy });
    expect(await hookline.fire('tool.before', tool)).toMatchObject({ decision: 'deny', diagnostics: [{ code: 'shadow-required' }] });
    workspace.write({ 'policy.json': JSON.stringify({ hooks: ['skills/one'], shadow: [file] }) });
    const trial = await withSettings(workspace, {}, { policy });
    expect(await trial.fire('tool.before', tool)).toMatchObject({ decision: 'pass', hooks: [{ wouldHave: { decision: 'deny' } }] });
  });

  test('in a file of the project have no meaning', async () => {
    const workspace = createWorkspace({
      ...skill('one'),
      '.config/hookline/settings.json': JSON.stringify({ shadow: ['one'] }),
      '.claude/settings.json': JSON.stringify({ shadow: ['one PreToolUse[0].hooks[0]'] }),
    });
    expect((await (await workspace.open()).fire('tool.before', tool)).decision).toBe('deny');
  });
});
