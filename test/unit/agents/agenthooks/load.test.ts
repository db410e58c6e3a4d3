import { describe, expect, test } from 'vitest';
import { load } from '../../../../src/agents/agenthooks/load.ts';
import { profile } from '../../../../src/agents/agenthooks/profile.ts';
import type { FileFact, LoadContext, Loaded } from '../../../../src/core/contracts/dialect.ts';
import { parseFrontmatter } from '../../../../src/load/formats/frontmatter.ts';

const RUNNABLE: FileFact = { kind: 'file', executable: true };

function contextFor(folderName: string, files: Record<string, FileFact>): LoadContext {
  return {
    scope: 'user',
    folder: `/home/u/hooks/${folderName}`,
    folderName,
    idPrefix: `agenthooks:${folderName}/HOOK.md`,
    checkPattern: (source) => (source.includes('(?<') ? 'look-behind can not be used' : undefined),
    read: () => undefined,
    stat: (path) => files[path],
  };
}

async function loadText(
  text: string,
  folderName = 'gate',
  files: Record<string, FileFact> = { 'scripts/run.sh': RUNNABLE },
): Promise<Loaded> {
  const document = await parseFrontmatter('HOOK.md', text);
  const { hooks, diagnostics } = load(document, contextFor(folderName, files));
  return { hooks, diagnostics: [...document.diagnostics, ...diagnostics] };
}

function md(extra = '', trigger = 'before_tool'): string {
  return `---\nname: gate\ndescription: A gate.\ntrigger: ${trigger}\n${extra}---\n# Notes\n`;
}

test('a minimal HOOK.md is a hook with every default', async () => {
  const { hooks, diagnostics } = await loadText(md());
  expect(diagnostics).toEqual([]);
  expect(hooks).toEqual([
    {
      id: 'agenthooks:gate/HOOK.md#gate',
      name: 'gate',
      description: 'A gate.',
      dialect: 'agenthooks',
      event: 'before_tool',
      when: [],
      handler: { type: 'command', config: { script: '/home/u/hooks/gate/scripts/run.sh' } },
      timeoutMs: 30_000,
      priority: 100,
      detach: false,
      enabled: true,
      source: { file: 'HOOK.md', line: 2, column: 1, scope: 'user' },
      folder: '/home/u/hooks/gate',
      env: { AGENT_HOOK_DIR: '/home/u/hooks/gate' },
    },
  ]);
});

test('every field of the appendix is read', async () => {
  const { hooks, diagnostics } = await loadText(
    md('matcher:\n  tool: Shell\n  pattern: rm -rf\ntimeout: 600000\nasync: true\npriority: 0\nmetadata:\n  team: ops\n'),
  );
  expect(diagnostics).toEqual([]);
  expect(hooks[0]).toMatchObject({ timeoutMs: 600_000, priority: 0, detach: true });
  expect(hooks[0]?.when).toEqual([
    { facet: 'tool', test: { kind: 'pattern', source: 'Shell', anchor: 'search' }, missing: 'holds' },
    { facet: 'input', test: { kind: 'pattern', source: 'rm -rf', anchor: 'search' }, missing: 'holds' },
  ]);
});

test.each(Object.keys(profile.events))('the trigger %s loads as itself', async (trigger) => {
  expect((await loadText(md('', trigger))).hooks[0]?.event).toBe(trigger);
});

const RENAMES = [
  'pre-session=session_start post-session=session_end pre-agent-turn=before_agent post-agent-turn=after_agent pre-agent-turn-stop=before_stop',
  'pre-tool-call=before_tool post-tool-call=after_tool post-tool-call-failure=after_tool_failure pre-subagent=subagent_start',
  'post-subagent=subagent_stop pre-context-compact=pre_compact',
].flatMap((line) => line.split(' ').map((pair) => pair.split('=') as [string, string]));
test.each(RENAMES)('the renamed trigger %s loads as %s', async (renamed, trigger) => {
  expect((await loadText(md('', renamed))).hooks[0]?.event).toBe(trigger);
});

describe('a field that breaks its rule is an error where it stands, and the hook is not loaded', () => {
  test.each([
    ['timeout above the range', md('timeout: 600001\n'), 'out-of-range', 5, 10, 'timeout'],
    ['timeout below the range', md('timeout: 99\n'), 'out-of-range', 5, 10, 'timeout'],
    ['timeout with a fraction', md('timeout: 100.5\n'), 'out-of-range', 5, 10, 'timeout'],
    ['timeout as text', md('timeout: "5000"\n'), 'wrong-type', 5, 10, 'timeout'],
    ['priority above the range', md('priority: 1001\n'), 'out-of-range', 5, 11, 'priority'],
    ['negative priority', md('priority: -1\n'), 'out-of-range', 5, 11, 'priority'],
    ['async that is no boolean', md('async: maybe\n'), 'wrong-type', 5, 8, 'async'],
    ['metadata that is no map', md('metadata: [a]\n'), 'wrong-type', 5, 11, 'metadata'],
    ['matcher that is no map', md('matcher: Shell\n'), 'wrong-type', 5, 10, 'matcher'],
    ['matcher field that is no text', md('matcher:\n  tool: 5\n'), 'wrong-type', 6, 9, 'tool'],
    ['pattern that can not be used', md('matcher:\n  pattern: (?<=a)b\n'), 'bad-pattern', 6, 12, 'look-behind'],
    ['field of another format that runs something', md('command: ls\n'), 'unknown-field', 5, 1, 'command'],
    ['unknown trigger', md('', 'before_tols'), 'unknown-event', 4, 10, 'before_tols'],
    ['trigger that is no text', md('', '[a]'), 'wrong-type', 4, 10, 'trigger'],
    ['missing name', '---\ndescription: d\ntrigger: before_tool\n---\n', 'missing-field', 2, 1, 'name'],
    ['missing description', '---\nname: gate\ntrigger: before_tool\n---\n', 'missing-field', 2, 1, 'description'],
    ['missing trigger', '---\nname: gate\ndescription: d\n---\n', 'missing-field', 2, 1, 'trigger'],
    ['description without a value', '---\nname: gate\ndescription:\ntrigger: before_tool\n---\n', 'missing-field', 3, 1, 'description'],
    ['empty description', '---\nname: gate\ndescription: ""\ntrigger: before_tool\n---\n', 'out-of-range', 3, 14, 'description'],
    [
      'long description',
      `---\nname: gate\ndescription: ${'x'.repeat(1025)}\ntrigger: before_tool\n---\n`,
      'out-of-range',
      3,
      14,
      'description',
    ],
    ['empty name', '---\nname: ""\ndescription: d\ntrigger: before_tool\n---\n', 'bad-name', 2, 7, 'name'],
    ['blank name', '---\nname: "  "\ndescription: d\ntrigger: before_tool\n---\n', 'bad-name', 2, 7, 'name'],
    ['name that cannot be printed', '---\nname: "a\\tb"\ndescription: d\ntrigger: before_tool\n---\n', 'bad-name', 2, 7, 'name'],
    ['name of 65', `---\nname: ${'a'.repeat(65)}\ndescription: d\ntrigger: before_tool\n---\n`, 'bad-name', 2, 7, 'name'],
  ])('%s', async (_, text, code, line, column, word) => {
    const { hooks, diagnostics } = await loadText(text);
    expect(hooks).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: 'error', code, file: 'HOOK.md', line, column }]);
    expect(diagnostics[0]?.message).toContain(word);
  });
});

describe('what the document does not forbid is a warning where it stands, and the hook runs', () => {
  const named = (name: string) => `---\nname: ${name}\ndescription: d\ntrigger: before_tool\n---\n`;
  test.each([
    ['unknown matcher field', md('matcher:\n  tools: Shell\n'), 'gate', 'unknown-field', 6, 3],
    ['unknown field', md('colour: red\n'), 'gate', 'unknown-field', 5, 1],
    ['name with upper case', named('Gate'), 'Gate', 'bad-name', 2, 7],
    ['name with an underscore', named('my_gate'), 'my_gate', 'bad-name', 2, 7],
    ['name with a space', named('my gate'), 'my gate', 'bad-name', 2, 7],
    ['name with double hyphen', named('a--b'), 'a--b', 'bad-name', 2, 7],
    ['name with a hyphen at its end', named('a-'), 'a-', 'bad-name', 2, 7],
    ['name of 64 letters beyond ASCII', named('ü'.repeat(64)), 'ü'.repeat(64), 'bad-name', 2, 7],
    ['name of another folder', named('other'), 'gate', 'name-mismatch', 2, 7],
  ])('%s', async (_, text, folder, code, line, column) => {
    const { hooks, diagnostics } = await loadText(text, folder);
    expect(hooks).toMatchObject([{ enabled: true }]);
    expect(diagnostics).toMatchObject([{ severity: 'warning', code, file: 'HOOK.md', line, column }]);
  });
});

test('a misspelt trigger or field is told its nearest name', async () => {
  expect((await loadText(md('', 'before_tols'))).diagnostics[0]?.hint).toContain('before_tool');
  expect((await loadText(md('', 'pre-tool-cal'))).diagnostics[0]?.hint).toContain('pre-tool-call');
  expect((await loadText(md('prioritty: 3\n'))).diagnostics[0]?.hint).toContain('priority');
});

test('all errors of a file are said at once, in one go', async () => {
  const { diagnostics } = await loadText('---\nname: ""\ntrigger: x\ntimeout: 1\npriority: 5000\nfoo: 1\n---\n', 'gate', {});
  expect(diagnostics.map(({ code }) => code).sort()).toEqual(
    ['bad-name', 'missing-field', 'no-script', 'out-of-range', 'out-of-range', 'unknown-event', 'unknown-field'].sort(),
  );
});

test.each([
  ['no frontmatter', '# Just text\n'],
  ['empty frontmatter', '---\n---\n'],
  ['a list', '---\n- a\n---\n'],
])('a file with %s is an error with a position', async (_, text) => {
  const { hooks, diagnostics } = await loadText(text);
  expect(hooks).toEqual([]);
  expect(diagnostics).toMatchObject([{ severity: 'error', code: 'no-frontmatter', line: expect.any(Number) }]);
});

test('frontmatter that is not YAML is said once, by the format', async () => {
  const { hooks, diagnostics } = await loadText('---\nname: gate\ndescription: [x\ntrigger: before_tool\n---\n');
  expect(hooks).toEqual([]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toHaveLength(1);
});

test('the entry script is run, else run.sh, else run.py, and a folder of that name is none', async () => {
  const all = { 'scripts/run': RUNNABLE, 'scripts/run.sh': RUNNABLE };
  const script = async (files: Record<string, FileFact>) => (await loadText(md(), 'gate', files)).hooks[0]?.handler.config['script'];
  expect(await script(all)).toMatch(/scripts\/run$/);
  expect(await script({ ...all, 'scripts/run': { kind: 'folder', executable: true } })).toMatch(/run\.sh$/);
  expect(await script({ 'scripts/run.py': RUNNABLE })).toMatch(/run\.py$/);
});

test('a hook without entry script is listed as having nothing to run, with a warning', async () => {
  const { hooks, diagnostics } = await loadText(md(), 'gate', {});
  expect(hooks).toMatchObject([{ name: 'gate', enabled: false, nothingToRun: true }]);
  expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'no-script', line: 2, column: 1 }]);
});
