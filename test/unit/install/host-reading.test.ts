/** A file counts only if its agent's own parser reads it, and an entry only if the agent would run it for every call. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { HOSTS } from '../../../src/builtins.ts';
import type { Host } from '../../../src/core/contracts/host.ts';
import { isBlockingEvent } from '../../../src/core/meaning/profile.ts';
import { readConfig } from '../../../src/install/config-file.ts';
import { flawsOf } from '../../../src/install/entry-reading.ts';
import type { InstallScope } from '../../../src/install/host-files.ts';
import { droppedBy } from '../../../src/install/host-reading.ts';
import { carryOut, planInstall } from '../../../src/install/install.ts';
import { installedFiles } from '../../../src/install/installed.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';

const parsed = HOSTS.filter(({ entry }) => entry.files.user?.endsWith('.json'));

/** What an agent does not have to read, and whether this one does. */
const LOOSE: Readonly<Record<string, { change(text: string): string; isRead(host: Host): boolean }>> = {
  'a comment': { change: (text) => text.replace('{', '{ // mine\n'), isRead: ({ entry }) => entry.reads?.comments !== 'refused' },
  'a block comment': { change: (text) => `/* mine */${text}`, isRead: ({ entry }) => entry.reads?.comments !== 'refused' },
  'a trailing comma': { change: (text) => text.replace(/\}\s*$/, ',}'), isRead: ({ entry }) => entry.reads?.trailingCommas === true },
  'a byte order mark': { change: (text) => `\ufeff${text}`, isRead: ({ entry }) => entry.reads?.bom === true },
  'tabs and CRLF': { change: (text) => text.replaceAll('\n', '\r\n').replaceAll('  ', '\t'), isRead: () => true },
  'a comment mark in a text': {
    change: (text) => text.replace(/^\{/, '{"description": "https://a.example/",'),
    isRead: ({ entry }) => entry.reads?.comments !== 'everywhere',
  },
};

describe.each(parsed)('$title', (host) => {
  test.each(Object.entries(LOOSE))('a file with %s is dropped exactly if the agent drops it', (_, { change, isRead }) => {
    const space = createWorkspace();
    const { file } = install(host, space);
    const installed = readFileSync(file, 'utf8');
    writeFileSync(file, change(installed));
    const config = readConfig(file, space.home);
    if ('severity' in config) throw new Error(config.message);
    expect(droppedBy(host, config) === undefined).toBe(isRead(host));
    const planned = planInstall({ host, scope: 'user', folders: space, reach: { via: 'command', program: ['hookline'] } });
    expect('problems' in planned).toBe(!isRead(host));
  });
});

test('Claude Code, Codex and Copilot are as strict as they were seen to be', () => {
  const strict = Object.fromEntries(HOSTS.map(({ id, entry }) => [id, entry.reads]));
  expect(strict['claude-code']).toMatchObject({ comments: 'refused', trailingCommas: false, bom: true });
  for (const id of ['codex', 'copilot']) expect(strict[id]).toMatchObject({ comments: 'refused', trailingCommas: false, bom: false });
});

test.each([
  ['codex', (root: Root) => ({ ...root, version: 1 }), '`version` at the top'],
  [
    'codex',
    (root: Root) => ({ hooks: { ...root.hooks, Stop: [{ hooks: [{ type: 'http', url: 'http://x' }] }] } }),
    'needs a `type` of command',
  ],
  ['cursor', (root: Root) => ({ ...root, hooks: { ...root.hooks, noSuchEvent: [] } }), '`noSuchEvent`'],
])('%s drops a file that it can parse and does not know: %#', (id, change, words) => {
  const space = createWorkspace();
  const host = HOSTS.find((one) => one.id === id) as Host;
  const { file } = install(host, space);
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')))));
  const [found] = installedFiles(host, space);
  expect(found?.config && droppedBy(host, found.config)?.message).toContain(words);
});

interface Root {
  readonly hooks: Readonly<Record<string, unknown>>;
}

describe.each(HOSTS)('the entry in $title', (host) => {
  test('has no flaw as it is installed', () => {
    const space = createWorkspace();
    const { scope } = install(host, space);
    const files = installedFiles(host, space).filter((file) => file.scope === scope);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(flawsOf(host, file)).toEqual({ misplaced: [], changed: [] });
  });

  test('that was narrowed on an event that can be denied is changed', () => {
    const space = createWorkspace();
    const { file, text } = install(host, space);
    const gate = gateOf(host);
    writeFileSync(file, narrowed(host, text, gate));
    const flaws = installedFiles(host, space).map((one) => flawsOf(host, one));
    expect(flaws.flatMap(({ changed }) => changed.map(({ event }) => event))).toContain(gate);
  });
});

describe.each(parsed)('the entry in $title', (host) => {
  test('at the place of another event is misplaced', () => {
    const space = createWorkspace();
    const { file, text } = install(host, space);
    const gate = gateOf(host);
    const other = host.entry.events.find((event) => event !== gate) as string;
    const swapped = text.replace(`"${gate}": [`, '"\0": [').replace(`"${other}": [`, `"${gate}": [`).replace('"\0": [', `"${other}": [`);
    writeFileSync(file, swapped);
    const [found] = installedFiles(host, space);
    expect(found && flawsOf(host, found).misplaced).toEqual(expect.arrayContaining([gate, other]));
  });

  test('with a matcher for everything, or a remark, is as good', () => {
    const harmless = Object.entries(host.entry.reads?.harmless ?? {}).map(([key, values]) => [key, values === true ? 'x' : values[0]]);
    const space = createWorkspace();
    const { file, text } = install(host, space);
    const root = JSON.parse(text);
    const { path: keys } = host.entry.entry(gateOf(host), '');
    Object.assign(keys.reduce((node, key) => node[key], root)[0], Object.fromEntries(harmless));
    writeFileSync(file, JSON.stringify(root));
    const [found] = installedFiles(host, space);
    expect(found && flawsOf(host, found)).toEqual({ misplaced: [], changed: [] });
  });
});

function gateOf({ entry, dialect }: Host): string {
  return entry.events.find((event) => {
    const rule = dialect.profile.events[event];
    return rule?.kinds.includes('tool.before') === true && isBlockingEvent(rule);
  }) as string;
}

/** Asks for one tool only, or, in a program, returns before it asks. */
function narrowed(host: Host, text: string, gate: string): string {
  if (host.entry.reads === null) return text.replace('\n', '\n// changed\n');
  if (host.entry.files.user?.endsWith('.toml')) return text.replace(`event = "${gate}"`, `event = "${gate}"\nmatcher = "Write"`);
  const root = JSON.parse(text);
  const { path: keys } = host.entry.entry(gate, '');
  keys.reduce((node, key) => node[key], root)[0].matcher = 'Write';
  return JSON.stringify(root);
}

function install(host: Host, space: Workspace): { readonly file: string; readonly text: string; readonly scope: InstallScope } {
  const scope = host.entry.files.user === undefined ? 'project' : 'user';
  const change = planInstall({ host, scope, folders: space, reach: { via: 'command', program: ['/usr/bin/hookline'] } });
  if ('problems' in change) throw new Error(JSON.stringify(change.problems));
  expect(carryOut(change.files)).toBe(true);
  const gate = gateOf(host);
  const file = (change.files.find(({ config }) => path.basename(config.file) === gate) ?? change.files[0])?.config.file as string;
  return { file, text: readFileSync(file, 'utf8'), scope };
}
