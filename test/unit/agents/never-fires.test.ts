/** A matcher that can match nothing in its agent is reported, and one that can is not. */
import { describe, expect, test } from 'vitest';
import { AGENTS } from '../../../src/builtins.ts';
import { findHooks } from '../../../src/load/check-files.ts';
import { createWorkspace } from '../../support/workspace.ts';

const HOOK = { type: 'command', command: './a.sh' };
const group = (event: string, matcher: string) => JSON.stringify({ hooks: { [event]: [{ matcher, hooks: [HOOK] }] } });
const flat = (event: string, matcher: string) => JSON.stringify({ version: 1, hooks: { [event]: [{ ...HOOK, matcher }] } });

/** Where each agent keeps hooks on tools. */
const PLACES: readonly (readonly [file: string, text: (matcher: string) => string])[] = [
  ['.claude/settings.json', (matcher) => group('PreToolUse', matcher)],
  ['.codex/hooks.json', (matcher) => group('PreToolUse', matcher)],
  ['.gemini/settings.json', (matcher) => group('BeforeTool', matcher)],
  ['.qwen/settings.json', (matcher) => group('PreToolUse', matcher)],
  ['.cursor/hooks.json', (matcher) => flat('preToolUse', matcher)],
];

async function reported(file: string, text: string): Promise<number> {
  const workspace = createWorkspace({ [file]: text });
  const { diagnostics } = await findHooks({ agents: AGENTS, root: workspace.root, settingsHome: workspace.home, paths: [] });
  return diagnostics.filter(({ code }) => code === 'matcher-never-fires').length;
}

describe.each(PLACES)('%s', (file, text) => {
  test.each([
    'Shell(gh pr create*)',
    'Bash(git push *)',
    'Bash\\(git push\\)',
    'Bash\\(.*\\)',
    'tools:Write AND path:src',
    'tool == "Bash"',
    '^(?:Bash |Shell )x',
    'Bash\\s+git',
    'Bash(git:*)',
    'Bash(git:*)|Write',
    'Write|Edit(src/main.ts)',
    'Read(~/.ssh/id)',
    'WebFetch(domain:example.com)',
  ])('%s never fires, which is said once', async (matcher) => expect(await reported(file, text(matcher))).toBe(1));

  test.each([
    'Bash|Edit',
    '^Bash$',
    'mcp__.*',
    'Edit(or)?',
    '(Bash|Edit)',
    'mcp__a__(get|set)_.*',
    '[^ ]+',
    'Bash( x)?',
    'Bash\\b',
    '.*',
    'Bash(.*)',
    'mcp__a__(.*)',
    'mcp__a__(get_.*|set_.*)',
    'mcp__(a|b)__(get|set)',
    'Bash(Output)?',
    '(Notebook)?Edit',
    'Edit(|or)',
    'mcp__my-server__(?:get|set)',
  ])('%s may fire', async (matcher) => expect(await reported(file, text(matcher))).toBe(0));
});

describe('the cause of an event', () => {
  test.each([
    ['.gemini/settings.json', 'SessionStart', 'startup|resume|clear', 1],
    ['.gemini/settings.json', 'SessionStart', 'compact', 1],
    ['.gemini/settings.json', 'SessionEnd', 'exit|logout', 1],
    ['.gemini/settings.json', 'SessionStart', 'startup', 0],
    ['.gemini/settings.json', 'SessionEnd', 'exit', 0],
    ['.claude/settings.json', 'SessionStart', 'startup|resume|clear', 0],
    ['.claude/settings.json', 'SessionStart', 'Bash', 1],
    ['.claude/settings.json', 'PreCompact', 'always', 1],
    ['.codex/hooks.json', 'SessionStart', 'begin', 1],
  ])('%s %s %s', async (file, event, matcher, count) => expect(await reported(file, group(event, matcher))).toBe(count));
});

test('a matcher of many groups is read at once', async () => {
  expect(await reported('.claude/settings.json', group('PreToolUse', `${'(a'.repeat(400)}${')'.repeat(400)}`))).toBe(0);
});
