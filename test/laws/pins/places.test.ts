/** Which agent owns which place: the pinned table. The page of an agent that is added later lists its places. Every other row of `places` is read only where its dialect is chosen. */
import { expect, test } from 'vitest';
import { AGENTS } from '../../../src/builtins.ts';
import { locationKey } from '../../../src/core/contracts/agent.ts';

const OWNERS: Readonly<Record<string, readonly string[]>> = {
  skillkit: ['root:skills deep SKILL.md', 'skills: deep SKILL.md'],
  'claude-agent': [
    'home:.claude file settings.json (rest)',
    'root:.claude file settings.json (rest)',
    'root:.claude file settings.local.json (rest)',
  ],
  agenthooks: ['config:agents/hooks each HOOK.md', 'root:.agents/hooks each HOOK.md', 'hooks: each HOOK.md'],
  hooktoml: ['root:hooks each HOOK.toml', 'hooks: each HOOK.toml'],
  arawn: [
    'config:arawn/plugins each .claude-plugin/plugin.json',
    'root:plugins each .claude-plugin/plugin.json',
    'plugins: each .claude-plugin/plugin.json',
  ],
  'claude-code': [
    'system:etc/claude-code file managed-settings.json',
    'system:etc/claude-code/managed-settings.d ending .json',
    'system:Library/Application Support/ClaudeCode file managed-settings.json',
    'home:.claude file settings.json (groups)',
    'root:.claude file settings.json (groups)',
    'root:.claude file settings.local.json (groups)',
    'root:.claude/skills each SKILL.md',
    'root:.claude/agents ending .md',
    'home:.claude/plugins each .claude-plugin/plugin.json',
    'root: file .claude-plugin/plugin.json',
  ],
  codex: [
    'system:etc/codex file requirements.toml',
    'home:.codex file hooks.json',
    'home:.codex file config.toml',
    'root:.codex file hooks.json',
    'root:.codex file config.toml',
  ],
  qwen: ['home:.qwen file settings.json', 'root:.qwen file settings.json'],
  'gemini-cli': ['home:.gemini file settings.json', 'root:.gemini file settings.json'],
  copilot: [
    'home:.copilot/hooks ending .json',
    'home:.copilot file settings.json',
    'root:.github/hooks ending .json',
    'root:.github/copilot file settings.json',
    'root:.github/copilot file settings.local.json',
  ],
  cursor: ['system:etc/cursor file hooks.json', 'home:.cursor file hooks.json', 'root:.cursor file hooks.json'],
  windsurf: ['system:etc/windsurf file hooks.json', 'home:.codeium/windsurf file hooks.json', 'root:.windsurf file hooks.json'],
  droid: [
    'home:.factory file hooks.json',
    'home:.factory/hooks file hooks.json',
    'home:.factory file settings.json',
    'root:.factory file hooks.json',
    'root:.factory/hooks file hooks.json',
    'root:.factory file settings.json',
    'root:.factory file settings.local.json',
  ],
  opencode: [
    'config:opencode/plugin ending .js',
    'config:opencode/plugin ending .ts',
    'config:opencode/plugins ending .js',
    'config:opencode/plugins ending .ts',
    'root:.opencode/plugin ending .js',
    'root:.opencode/plugin ending .ts',
    'root:.opencode/plugins ending .js',
    'root:.opencode/plugins ending .ts',
    'config:opencode file opencode.json',
    'config:opencode file opencode.jsonc',
    'root: file opencode.json',
    'root: file opencode.jsonc',
    'root:.opencode file opencode.json',
    'root:.opencode file opencode.jsonc',
  ],
  hookline: ['config:hookline/hooks endings .ts', 'root:.hookline/hooks endings .ts'],
  kimi: ['home:.kimi-code file config.toml'],
  cline: [
    'home:Documents/Cline/Hooks named PreToolUse',
    'home:.cline/hooks named PreToolUse',
    'root:.clinerules/hooks named PreToolUse',
    'root:.cline/hooks named PreToolUse',
  ],
};

test('each agent owns exactly these places, in this order', () => {
  const owners = AGENTS.map(({ id, places }): [string, string[]] => [
    id,
    places
      .filter(({ read }) => read === 'always')
      .map(
        ({ base, path, find, sharedWith }) => `${base}:${path} ${find.kind} ${find.file}${sharedWith ? ` (${sharedWith.entries})` : ''}`,
      ),
  ]);
  const pinned = new Set(Object.keys(OWNERS));
  expect(Object.fromEntries(owners.filter(([id, rows]) => pinned.has(id) && rows.length > 0))).toEqual(OWNERS);
});

test('a place has one owner, or owners that share it by the form of its entries', () => {
  for (const { id, places } of AGENTS) {
    for (const place of places) {
      const others = AGENTS.filter((other) => other.id !== id).flatMap((other) =>
        other.places.filter((one) => locationKey(one) === locationKey(place)).map((one) => ({ agent: other.id, place: one })),
      );
      const owners = others.filter((other) => other.place.read === 'always');
      if (place.read === 'chosen') expect(owners.length, `${id} ${place.id}`).toBeGreaterThan(0);
      else expect(owners.map(({ agent }) => agent)).toEqual(place.sharedWith ? [place.sharedWith.agent] : []);
      for (const other of owners.filter(() => place.sharedWith !== null)) {
        expect(other.place.sharedWith?.agent).toBe(id);
        expect(other.place.sharedWith?.entries).not.toBe(place.sharedWith?.entries);
      }
      // The same location means the same to all who name it.
      for (const { place: other } of others) expect([other.id, other.scope, other.kind]).toEqual([place.id, place.scope, place.kind]);
    }
  }
});
