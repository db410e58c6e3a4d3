/** The files that hold hooks are guarded, in every format that is known: the list of paths comes from the agents themselves. */
import { describe, expect, test } from 'vitest';
import { AGENTS } from '../../../../src/builtins.ts';
import type { Place } from '../../../../src/core/contracts/agent.ts';
import { guardCommand } from '../../../../src/guard/guard.ts';

const START: Readonly<Record<Place['base'], string>> = {
  root: '',
  home: '~/',
  config: '~/.config/',
  system: '/',
  skills: 'named/',
  plugins: 'named/',
  hooks: 'named/',
};

function sampleOf({ base, path, find: { kind, file } }: Place): string {
  const below = { file, each: `one/${file}`, deep: `one/two/${file}`, ending: `one${file}`, endings: `one${file}`, named: file }[kind];
  return `${START[base]}${path === '' ? '' : `${path}/`}${below}`.replaceAll(' ', '\\ ');
}

const tampers = (file: string): boolean => guardCommand(`echo x > ${file}`).findings.some(({ rule }) => rule === 'tamper');

describe.each(AGENTS.filter(({ places }) => places.length > 0))('$id', ({ places }) => {
  test.each(places.map((place) => [sampleOf(place), place.kind] as const))('%s (%s)', (sample, kind) => {
    // To write a skill or a subagent is ordinary work.
    expect(tampers(sample)).toBe(kind !== 'skill' && kind !== 'subagent');
  });
});

test.each(AGENTS.flatMap(({ host }) => Object.entries(host?.entry.files ?? {})))('the %s entry of an agent: %s', (scope, file) => {
  const written = /\.\w+$/.test(file) ? file : `${file}/PreToolUse`;
  expect(tampers(scope === 'user' ? `~/${written}` : written)).toBe(true);
});

test('other files with such names are not guarded', () => {
  for (const file of ['hooks.json', 'settings.json', 'src/hooks/use-x.json', 'plugins/a/plugin.json', 'docs/HOOK.txt', 'config.toml']) {
    expect(tampers(file), file).toBe(false);
  }
});
