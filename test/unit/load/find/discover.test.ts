import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AGENTS } from '../../../../src/builtins.ts';
import { type Agent, locationKey, type Place } from '../../../../src/core/contracts/agent.ts';
import type { Dialect, Format } from '../../../../src/core/contracts/dialect.ts';
import { discover, type Places } from '../../../../src/load/find/discover.ts';
import { locationsOf } from '../../../../src/load/find/places.ts';

let top: string;
let places: Places;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'discover-'));
  places = {
    root: join(top, 'root'),
    home: join(top, 'home'),
    configFolder: join(top, 'home/.config'),
    skills: [],
    plugins: [],
    hooks: [],
  };
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const ALL = locationsOf(AGENTS);

function formatOf(place: string): Format {
  if (place.includes('toml')) return 'toml';
  return place.includes('plugin') || place === 'claude-settings' ? 'json' : 'frontmatter';
}

/** An agent as far as finding files goes. The places belong to `d`, whoever else names them. */
function agent(id: string, named: readonly string[] = ALL.map((location) => location.id)): Agent {
  const places = ALL.filter((location) => named.includes(location.id)).map(
    (location): Place => ({ ...location, format: formatOf(location.id), read: id === 'd' ? 'always' : 'chosen', sharedWith: null }),
  );
  return { id, title: id, dialect: { id } as Dialect, places, host: null };
}

function write(...files: string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(top, file)), { recursive: true });
    writeFileSync(join(top, file), 'x');
  }
}

function found(agents: readonly Agent[] = [agent('d')], only?: readonly string[]) {
  return discover(places, agents, { only }).sources.map((source) => ({
    ...source,
    file: relative(top, source.file),
    folder: relative(top, source.folder),
  }));
}

test('every place is searched, the user before the project, files sorted by path', () => {
  write(
    'root/skills/b/SKILL.md',
    'root/skills/a/deep/er/SKILL.md',
    'root/skills/node_modules/x/SKILL.md',
    'root/skills/.git/SKILL.md',
    'root/.claude/settings.json',
    'root/.claude/settings.local.json',
    'home/.claude/settings.json',
    'root/.claude/skills/s/SKILL.md',
    'root/.claude/skills/s/deeper/SKILL.md',
    'root/.claude/agents/helper.md',
    'root/.claude/agents/notes.txt',
    'home/.claude/plugins/p/.claude-plugin/plugin.json',
    'root/.claude-plugin/plugin.json',
    'home/.config/agents/hooks/z/HOOK.md',
    'root/.agents/hooks/b/HOOK.md',
    'root/.agents/hooks/a/HOOK.md',
    'root/.agents/hooks/HOOK.md',
    'root/hooks/t/HOOK.toml',
    'root/hooks/t/HOOK.md',
    'home/.config/arawn/plugins/q/.claude-plugin/plugin.json',
    'root/plugins/r/.claude-plugin/plugin.json',
    'root/plugins/empty/readme.md',
  );
  const sources = found();
  expect(sources.map(({ file, scope }) => `${scope} ${file}`)).toEqual([
    'project root/skills/a/deep/er/SKILL.md',
    'project root/skills/b/SKILL.md',
    'user home/.claude/settings.json',
    'project root/.claude/settings.json',
    'project root/.claude/settings.local.json',
    'project root/.claude/skills/s/SKILL.md',
    'project root/.claude/agents/helper.md',
    'user home/.claude/plugins/p/.claude-plugin/plugin.json',
    'project root/.claude-plugin/plugin.json',
    'user home/.config/arawn/plugins/q/.claude-plugin/plugin.json',
    'project root/plugins/r/.claude-plugin/plugin.json',
    'user home/.config/agents/hooks/z/HOOK.md',
    'project root/.agents/hooks/a/HOOK.md',
    'project root/.agents/hooks/b/HOOK.md',
    'project root/hooks/t/HOOK.toml',
  ]);
  expect(sources.filter(({ trusted }) => trusted).every(({ scope }) => scope === 'user')).toBe(true);
  expect(sources.filter(({ trusted }) => !trusted).every(({ scope }) => scope === 'project')).toBe(true);
});

test('a hook lives in its folder, a plugin in its root, and ids name both from where they are seen', () => {
  write('root/.agents/hooks/gate/HOOK.md', 'home/.config/agents/hooks/gate/HOOK.md', 'root/plugins/p/.claude-plugin/plugin.json');
  expect(found()).toMatchObject([
    { folder: 'root/plugins/p', folderName: 'p', idPrefix: 'd:plugins/p/.claude-plugin/plugin.json', format: 'json' },
    {
      folder: 'home/.config/agents/hooks/gate',
      folderName: 'gate',
      idPrefix: 'd:~/.config/agents/hooks/gate/HOOK.md',
      format: 'frontmatter',
    },
    { folder: 'root/.agents/hooks/gate', folderName: 'gate', idPrefix: 'd:.agents/hooks/gate/HOOK.md' },
  ]);
});

test('named folders are searched too and are trusted; each may be the hook or plugin itself', () => {
  write(
    'n/skills/a/b/SKILL.md',
    'n/hooks/x/HOOK.md',
    'n/hooks/y/HOOK.toml',
    'n/one/HOOK.md',
    'n/plugin/.claude-plugin/plugin.json',
    'n/plugins/p/.claude-plugin/plugin.json',
  );
  places = {
    ...places,
    skills: [join(top, 'n/skills')],
    hooks: [join(top, 'n/hooks'), join(top, 'n/one')],
    plugins: [join(top, 'n/plugin'), join(top, 'n/plugins')],
  };
  const sources = found();
  expect(sources.map(({ file }) => file)).toEqual([
    'n/skills/a/b/SKILL.md',
    'n/plugin/.claude-plugin/plugin.json',
    'n/plugins/p/.claude-plugin/plugin.json',
    'n/hooks/x/HOOK.md',
    'n/one/HOOK.md',
    'n/hooks/y/HOOK.toml',
  ]);
  expect(sources.every(({ trusted, scope }) => trusted && scope === 'runtime')).toBe(true);
  expect(sources[4]).toMatchObject({ folder: 'n/one', folderName: 'one' });
});

test('a named folder that is missing, or no folder, is an error; other missing places are nothing', () => {
  write('n/file');
  places = { ...places, skills: [join(top, 'gone')], hooks: [join(top, 'n/file')] };
  const { sources, diagnostics } = discover(places, [agent('d')]);
  expect(sources).toEqual([]);
  expect(diagnostics).toMatchObject([
    { severity: 'error', code: 'missing-folder', file: join(top, 'gone') },
    { severity: 'error', code: 'missing-folder', file: join(top, 'n/file') },
  ]);
});

test('without `only` a place is read by its owner alone', () => {
  write('root/hooks/t/HOOK.toml', 'root/.claude/settings.json');
  expect(found([agent('e'), agent('d', ['toml-hooks'])]).map(({ file, dialect: { id } }) => [id, file])).toEqual([
    ['d', 'root/hooks/t/HOOK.toml'],
  ]);
});

test('with `only` a place is read by its owner if given, else by the first given that names it', () => {
  write('root/hooks/t/HOOK.toml', 'root/.claude/settings.json');
  const all = [agent('f'), agent('d', ['toml-hooks']), agent('e', ['claude-settings'])];
  const readers = (only: readonly string[]) => found(all, only).map(({ dialect: { id }, format }) => `${id} ${format}`);
  expect(readers(['f', 'e', 'd'])).toEqual(['f json', 'd toml']);
  expect(readers(['e', 'f'])).toEqual(['e json', 'f toml']);
  expect(readers(['e'])).toEqual(['e json']);
  expect(readers([])).toEqual([]);
});

test('a file that is found twice is loaded once, as the user’s', () => {
  write('root/.claude/settings.json', 'root/.agents/hooks/a/HOOK.md');
  places = { ...places, home: places.root, configFolder: join(top, 'home/.config') };
  mkdirSync(join(top, 'home/.config/agents/hooks'), { recursive: true });
  symlinkSync(join(places.root, '.agents/hooks/a'), join(top, 'home/.config/agents/hooks/linked'));
  expect(found().map(({ file, scope }) => `${scope} ${file}`)).toEqual([
    'user root/.claude/settings.json',
    'user home/.config/agents/hooks/linked/HOOK.md',
  ]);
});

test('a project file in a folder the caller names is trusted', () => {
  write('root/skills/a/SKILL.md', 'root/skills/b/SKILL.md');
  places = { ...places, skills: [join(places.root, 'skills/a')] };
  expect(found().map(({ file, trusted }) => [file, trusted])).toEqual([
    ['root/skills/b/SKILL.md', false],
    ['root/skills/a/SKILL.md', true],
  ]);
});

test('links between skills are followed once; links out of the project are not, and are said', () => {
  write('root/skills/a/SKILL.md', 'root/elsewhere/c/SKILL.md', 'outside/s/SKILL.md');
  symlinkSync(join(places.root, 'skills'), join(places.root, 'skills/a/loop'));
  symlinkSync(join(places.root, 'elsewhere'), join(places.root, 'skills/in'));
  symlinkSync(join(top, 'outside'), join(places.root, 'skills/out'));
  symlinkSync(join(top, 'nowhere'), join(places.root, 'skills/dangling'));
  symlinkSync('self', join(places.root, 'skills/self'));
  expect(found().map(({ file }) => file)).toEqual(['root/skills/a/SKILL.md', 'root/skills/in/c/SKILL.md']);
  expect(discover(places, [agent('d')]).diagnostics).toMatchObject([
    { severity: 'warning', code: 'link-outside', file: join(places.root, 'skills/out') },
  ]);
});

test('what whoever manages the machine put there is found where the system is named, as managed and trusted', () => {
  write('sys/etc/claude-code/managed-settings.json', 'sys/etc/claude-code/managed-settings.d/a.json');
  expect(found()).toEqual([]);
  places = { ...places, system: join(top, 'sys') };
  expect(found().map(({ file, scope, trusted }) => [file, scope, trusted])).toEqual([
    ['sys/etc/claude-code/managed-settings.json', 'managed', true],
    ['sys/etc/claude-code/managed-settings.d/a.json', 'managed', true],
  ]);
});

test('those that share a place each find its files, with their form; alone, one of them has the whole of it', () => {
  write('root/.claude/settings.json');
  const sharing = (['groups', 'rest'] as const).map((entries, i): Agent => {
    const one = agent(`s${i}`, ['claude-settings']);
    const sharedWith = { agent: `s${1 - i}`, entries };
    return { ...one, places: one.places.map((place) => ({ ...place, read: 'always', sharedWith })) };
  });
  const readers = (only?: readonly string[]) =>
    discover(places, sharing, { only }).sources.map(({ dialect: { id }, entries }) => [id, entries]);
  expect(readers()).toEqual([
    ['s0', 'groups'],
    ['s1', 'rest'],
  ]);
  expect(readers(['s1'])).toEqual([['s1', undefined]]);
  expect(readers(['s1', 's0'])).toEqual([
    ['s1', 'rest'],
    ['s0', 'groups'],
  ]);
});

test('the order of each agent’s own list holds, and a place that several name is there once', () => {
  const [a, b, c] = (['skills', 'claude-settings', 'toml-hooks'] as const).map((id) => agent('d', [id]).places);
  const ids = (...lists: readonly (readonly Place[] | undefined)[][]) => [
    ...new Set(locationsOf(lists.map((parts) => ({ places: parts.flatMap((part) => part ?? []) }))).map(({ id }) => id)),
  ];
  expect(ids([a], [b], [c])).toEqual(['skills', 'claude-settings', 'toml-hooks']);
  expect(ids([a, c], [b, c])).toEqual(['skills', 'claude-settings', 'toml-hooks']);
  expect(ids([c], [a, b, c], [c, b])).toEqual(['skills', 'claude-settings', 'toml-hooks']);
  expect(locationsOf([agent('d'), agent('e')]).map(locationKey)).toEqual(ALL.map(locationKey));
});
