/** What a run loads of the program: an agent starts it for every tool call, so that nothing may be loaded that nobody asked for. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { hookline } from './program.ts';

const START = fileURLToPath(new URL('../../../dist/cli/start.js', import.meta.url));
const FIRE = ['fire', 'tool.before', '--tool', 'Bash', '--input', '{"command":"ls"}'];
const CALL = {
  hook_event_name: 'PreToolUse',
  session_id: 's',
  cwd: '/tmp',
  tool_use_id: 'u',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
};

const GATE = '---\nname: gate\ndescription: A gate.\ntrigger: before_tool\nmatcher:\n  tool: Write\n---\n';
const settings = (matcher: string, command: string): string =>
  JSON.stringify({ hooks: { PreToolUse: [{ matcher, hooks: [{ type: 'command', command }] }] } });

/** The bundles, in the order in which they were loaded. */
async function loadedBy(workspace: Workspace, argv: readonly string[], stdin = ''): Promise<string[]> {
  workspace.write({
    'bin.cjs': `const { load, scripts } = require(${JSON.stringify(START)});
      const names = () => [...scripts.keys()].map((file) => require('node:path').basename(file, '.js'));
      process.on('exit', () => require('node:fs').writeFileSync('loaded.json', JSON.stringify(names())));
      load('main.js');`,
  });
  const { exit, stderr } = await hookline(workspace, argv, { stdin, bin: workspace.at('bin.cjs') });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return JSON.parse(readFileSync(workspace.at('loaded.json'), 'utf8'));
}

test('without a hook, nothing but the command is loaded', async () => {
  expect(await loadedBy(createWorkspace(), FIRE)).toEqual(['main', 'cli-run-fire']);
  expect(await loadedBy(createWorkspace(), ['hook', 'claude-code'], JSON.stringify(CALL))).toEqual(['main', 'cli-run-hook']);
});

test('what reads a format is loaded where one of its files is, and of no other', async () => {
  const reading = ['load-formats-frontmatter', 'agents-agenthooks-load'];
  const files = { '~/.config/agents/hooks/gate/HOOK.md': GATE };
  expect(await loadedBy(createWorkspace(files), FIRE)).toEqual(['main', 'cli-run-fire', ...reading]);
  expect(await loadedBy(createWorkspace(files), ['hook', 'codex'], JSON.stringify(CALL))).toEqual(['main', 'cli-run-hook', ...reading]);
});

test('of two formats that share a file, only the one that has entries in it is loaded', async () => {
  const reading = ['load-formats-json', 'agents-claude-code-load'];
  expect(await loadedBy(createWorkspace({ '~/.claude/settings.json': settings('Write', 'true') }), FIRE)).toEqual([
    ...['main', 'cli-run-fire'],
    ...reading,
  ]);
  const both = JSON.stringify({ hooks: { ...JSON.parse(settings('Write', 'true')).hooks, stop: ['true'] } });
  expect(await loadedBy(createWorkspace({ '~/.claude/settings.json': both }), FIRE)).toContain('agents-claude-agent-load');
});

test('the guard is loaded by the hook that is it, and by none that does not match', async () => {
  const guarded = (matcher: string) => createWorkspace({ '~/.claude/settings.json': settings(matcher, 'hookline guard') });
  expect(await loadedBy(guarded('Bash'), FIRE)).toContain('guard-judge-event');
  expect((await loadedBy(guarded('Write'), FIRE)).filter((name) => name.startsWith('guard'))).toEqual([]);
});

test('the regex engine is loaded by the first pattern that needs it', async () => {
  const pattern = (matcher: string) => createWorkspace({ '~/.claude/settings.json': settings(matcher, 'true') });
  expect(await loadedBy(pattern('^Task_[a-z]+_\\d{1,3}$'), FIRE)).toContain('re2js');
  expect(await loadedBy(pattern('^(Write|Edit)$'), FIRE)).not.toContain('re2js');
});
