import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AGENTS } from '../../../../src/builtins.ts';
import { type Location, locationKey } from '../../../../src/core/contracts/agent.ts';
import type { SourceFile } from '../../../../src/load/find/discover.ts';
import { allAt, choose, createFindHooks } from '../../../../src/load/find/hook-paths.ts';

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'hook-paths-'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const find = createFindHooks(AGENTS);

function write(file: string): string {
  const path = join(top, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '{}');
  return path;
}

function readersOf(file: string): string[] {
  const chosen = choose(write(file), [], find);
  return 'severity' in chosen ? [chosen.code] : chosen.sources.map((source: SourceFile) => source.dialect.id);
}

/** A file that a search of this location would find, as seen from its base. */
function sampleOf({ path, find: { kind, file } }: Location): string {
  const below = { file, each: `one/${file}`, deep: `one/two/${file}`, ending: `one${file}`, endings: `one${file}`, named: file }[kind];
  return path === '' ? below : `${path}/${below}`;
}

describe.each(AGENTS.filter(({ places }) => places.length > 0))('$id', ({ id, places }) => {
  const own = places.filter(({ read, base }) => read === 'always' && base !== 'system');
  // A plugin on its own is the project's, whoever else reads folders of plugins.
  test.each(own.filter(({ id: place }) => place !== 'named-plugins').map((place) => [sampleOf(place), place] as const))(
    'a file at %s is read by its owner, wherever the folder lies',
    (sample, place) => {
      const owners = AGENTS.filter((agent) =>
        agent.places.some((one) => locationKey(one) === locationKey(place) && one.read === 'always'),
      ).map((agent) => agent.id);
      expect(readersOf(`elsewhere/${sample}`)).toEqual(owners);
      expect(owners).toContain(id);
    },
  );
});

test('a file of the administrator counts at the root of the system alone', () => {
  expect(find.placesOf('/etc/codex/requirements.toml')).toEqual({ system: '/' });
  expect(readersOf('project/etc/codex/requirements.toml')).toEqual(['unknown-file']);
});

test('a file that only resembles one is not known, and the hint names those that are', () => {
  expect(readersOf('a/codex/hooks.json')).toEqual(['unknown-file']);
  expect(readersOf('a/.codex/deeper/hooks.json')).toEqual(['unknown-file']);
  expect(readersOf('a/x.codex/hooks.json')).toEqual(['unknown-file']);
  expect(readersOf('a/.claude/agents/notes.txt')).toEqual(['unknown-file']);
  expect(readersOf('a/MY-SKILL.md')).toEqual(['unknown-file']);
  const chosen = choose(write('README.md'), [], find);
  for (const known of ['SKILL.md', 'HOOK.toml', '.claude/agents/*.md', '.codex/config.toml', '.github/hooks/*.json']) {
    expect('severity' in chosen && chosen.hint).toContain(` ${known},`);
  }
});

test('a file that a plugin names leads to the plugin, which is read in part', () => {
  const manifest = write('p/.claude-plugin/plugin.json');
  const named = write('p/more/own.json');
  expect(choose(named, [], find)).toMatchObject({ sources: [{ file: manifest }], keep: named });
});

test('the project’s own view of a file comes first', () => {
  const file = write('.agents/hooks/gate/HOOK.md');
  const [source] = find.in({ root: top }).sources;
  expect(choose(file, [source as SourceFile], find)).toEqual({ sources: [source] });
});

test('every file below a folder is found, of whatever format', () => {
  const files = ['a/.codex/hooks.json', 'b/c/.cursor/hooks.json', 'd/.qwen/settings.json', 'e/x/HOOK.toml'].map(write);
  write('node_modules/m/.codex/hooks.json');
  const found = allAt(top, AGENTS);
  expect('severity' in found ? found.code : found.map(({ file }) => file).sort()).toEqual(files);
});
