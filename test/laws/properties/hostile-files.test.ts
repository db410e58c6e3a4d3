/** Whatever stands in a hook file: loading never fails, and never takes another hook down. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AGENTS } from '../../../src/builtins.ts';
import { hookFilesOf } from '../../support/hook-files.ts';
import { NATIVE, TOOL_EVENTS } from '../../support/native-hooks.ts';
import { createWorkspace } from '../../support/workspace.ts';

/** One good hook of every dialect; the hostile file stands beside them. */
const GOOD = Object.entries(NATIVE).map(([dialect, write]) =>
  write({ event: TOOL_EVENTS[dialect]?.before ?? '', command: 'exit 0', name: 'good' }),
);

const PLACES: readonly string[] = [
  'skills/bad/SKILL.md',
  '.claude/settings.local.json',
  '.claude/skills/bad/SKILL.md',
  '.claude/agents/bad.md',
  '.agents/hooks/bad/HOOK.md',
  'hooks/bad/HOOK.toml',
  'plugins/bad/.claude-plugin/plugin.json',
  'plugins/good2/hooks/hooks.json',
  '~/.claude/settings.json',
  '.cursor/hooks.json',
  '.windsurf/hooks.json',
  '.gemini/settings.json',
  '.github/hooks/bad.json',
  '.github/copilot/settings.json',
  '~/.config/hookline/settings.json',
  ...AGENTS.flatMap(({ id }) => Object.keys(hookFilesOf(id)?.project ?? {})),
];

/** Bytes, texts, and texts that begin as the formats begin. */
const bytes = fc.uint8Array({ maxLength: 400 });
const text = fc.string({ unit: 'binary', maxLength: 300 }).map((value) => Buffer.from(value));
const frontmatter = fc
  .tuple(fc.constantFrom('hooks:', 'hooks: {PreToolUse: ', 'name: bad\ntrigger: ', '- &a [*a', '? !!set {', 'a: |\n'), text)
  .map(([head, tail]) => Buffer.concat([Buffer.from(`---\n${head}`), tail, Buffer.from('\n---\n')]));
const json = fc
  .jsonValue({ maxDepth: 4 })
  .map((value) => Buffer.from(JSON.stringify({ hooks: value, name: value, PreToolUse: value, version: value })));
const toml = fc
  .tuple(fc.constantFrom('[hook]\n', '[hook]\nname = ', '[[hook]]\n', 'hook = '), text)
  .map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part))));
const content = fc.oneof(bytes, text, frontmatter, json, toml);

describe.each(PLACES)('anything as %s', (place) => {
  test('loads into diagnostics, and every good hook is still there', async () => {
    const workspace = createWorkspace(Object.assign({}, ...GOOD));
    workspace.write({ 'plugins/good2/.claude-plugin/plugin.json': '{"name": "good2"}' });
    await fc.assert(
      fc.asyncProperty(content, async (written) => {
        workspace.write({ [place]: written });
        const hookline = await workspace.open();
        const { hooks } = await hookline.list();
        const good = hooks.filter(({ source }) => source.file !== workspace.at(place));
        expect(good.map(({ dialect }) => dialect).sort()).toEqual(['agenthooks', 'arawn', 'claude-agent', 'hooktoml', 'skillkit']);
        await hookline.close(10);
      }),
      { numRuns: 40 },
    );
  });
});
