/** Installing changes nothing but what it adds, and uninstalling gives the bytes back: for every file a person could have. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import type { Reach } from '../../../src/core/contracts/entry-line.ts';
import type { Host } from '../../../src/core/contracts/host.ts';
import { hostFiles } from '../../../src/install/host-files.ts';
import { carryOut, type InstallTask, isChanged, planInstall, planUninstall } from '../../../src/install/install.ts';
import { addKey } from '../../../src/install/shapes/json-edit.ts';
import { jsonShape } from '../../../src/install/shapes/json-shape.ts';
import { type Edited, isUnfit, type Wanted } from '../../../src/install/shapes/shape.ts';
import { messyFile } from '../../flows/install/messy-file.ts';
import { flat, grouped, plugged, tabled } from '../../flows/install/sample-hosts.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';

const reach: Reach = { via: 'command', program: ['/opt/my tools/node', "/home/ann's/bin/hookline"] };
const folders = { home: '/home', root: '/project' };

describe('a file on the disk', () => {
  test('has its very bytes again after install and uninstall', () => {
    fc.assert(
      fc.property(messyFile, fc.constantFrom(grouped, flat), (text, host) => {
        const space = createWorkspace({ [`~/${host.entry.files.user}`]: text });
        const file = space.at(`~/${host.entry.files.user}`);
        const task = taskFor(host, space);
        done(planInstall(task));
        expect(readFileSync(file, 'utf8')).not.toBe(text);
        done(planUninstall(task));
        expect(readFileSync(file, 'utf8')).toBe(text);
        expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['an empty file', grouped, ''],
    ['an empty map', grouped, '{}'],
    ['a map with a line in it', flat, '{\n}\n'],
    ['nothing but a comment', grouped, '// nothing yet'],
    ['TOML of others', tabled, '# mine\n[a]\nb = 1\n'],
    ['TOML without a last line end', tabled, 'a = 1'],
    ['an empty TOML file', tabled, ''],
  ])('%s is given back', (_, host, text) => {
    const space = createWorkspace({ [`~/${host.entry.files.user}`]: text });
    const task = taskFor(host, space);
    done(planInstall(task));
    done(planUninstall(task));
    expect(readFileSync(space.at(`~/${host.entry.files.user}`), 'utf8')).toBe(text);
  });

  test.each([[grouped], [flat], [tabled], [plugged]])('that was not there is gone again ($id)', (host) => {
    const space = createWorkspace();
    const task = taskFor(host, space);
    done(planInstall(task));
    const files = hostFiles(host, task.scope, task.folders, reach).map(({ file }) => file);
    expect(files.every((file) => existsSync(file))).toBe(true);
    done(planUninstall(task));
    expect(files.some((file) => existsSync(file))).toBe(false);
  });

  test.each([[grouped], [flat], [tabled], [plugged]])('is not written again by a second install ($id)', (host) => {
    const task = taskFor(host, createWorkspace());
    done(planInstall(task));
    const again = planInstall(task);
    expect('files' in again && again.files.some(isChanged)).toBe(false);
    expect('files' in again && again.files.flatMap(({ entries }) => entries).every(({ state }) => state === 'kept')).toBe(true);
  });
});

describe('a text', () => {
  const host = grouped;
  const wanted = hostFiles(host, 'user', folders, reach).flatMap((file) => file.wanted);
  const plain = messyFile.map((text) => text.replace(/^\ufeff/, ''));

  test('holds everything it held, comments included, and one entry for each event', () => {
    fc.assert(
      fc.property(plain, (text) => {
        const { text: after = '' } = installed(text, wanted);
        expect(jsonShape.own(after, host.id).map(({ event }) => event)).toEqual(expect.arrayContaining([...host.entry.events]));
        expect(withoutOurs(parse(after))).toEqual(withoutOurs(parse(text)));
        expect(remarks(after)).toEqual(remarks(text));
      }),
    );
  });

  test('that others have changed since is as if we had never been there', () => {
    fc.assert(
      fc.property(plain, fc.jsonValue({ maxDepth: 1 }), (text, value) => {
        const { text: after = '' } = installed(text, wanted);
        const changed = addKey(after, 'since', value);
        const { text: left } = jsonShape.uninstall(String(changed), host.id, text);
        expect(left).toBe(addKey(text, 'since', value));
      }),
    );
  });

  test.each(['[]', '[ ]', '[\n    ]', '[ /* none yet */ ]'])('has an empty list again as it was written: %j', (list) => {
    const before = `{\n  "hooks": {\n    "Stop": ${list}\n  }\n}\n`;
    const { text: after = '' } = installed(before, wanted);
    const { text: left } = jsonShape.uninstall(String(addKey(after, 'since', 1)), host.id, before);
    expect(left).toBe(addKey(before, 'since', 1));
  });

  test('keeps a hook that somebody put beside ours, and only that', () => {
    const beside = {
      matcher: '*',
      hooks: [
        { type: 'command', command: 'hookline hook grouped Stop' },
        { type: 'command', command: 'mine' },
      ],
    };
    const { text } = jsonShape.uninstall(JSON.stringify({ hooks: { Stop: [beside] } }, null, 2), host.id, undefined);
    expect(parse(text ?? '')).toEqual({ hooks: { Stop: [{ matcher: '*', hooks: [{ type: 'command', command: 'mine' }] }] } });
  });

  test('keeps what calls hookline in another way, or for another host', () => {
    const others = ['hookline guard', 'hookline hook other Stop', 'hookline hook grouped Stop || true', 'echo hookline hook grouped'];
    const text = JSON.stringify({ hooks: { Stop: others.map((command) => ({ hooks: [{ type: 'command', command }] })) } });
    expect(jsonShape.uninstall(text, host.id, undefined)).toEqual({ text, entries: [] });
  });

  test('has an entry of an older version brought up to date in its place, and doubles taken out', () => {
    const old = { matcher: '*', hooks: [{ type: 'command', command: 'hookline hook grouped Stop' }] };
    const mine = { hooks: [{ type: 'command', command: 'mine' }] };
    const text = JSON.stringify({ hooks: { Stop: [old, mine, old], Gone: [old] } }, null, 2);
    const { text: after = '', entries } = installed(text, wanted);
    const { hooks } = parse(after) as { hooks: Record<string, readonly unknown[]> };
    expect(hooks['Stop']).toEqual([wanted.find(({ event }) => event === 'Stop')?.value, mine]);
    expect(hooks['Gone']).toBeUndefined();
    expect(entries).toContainEqual({ event: 'Stop', state: 'updated' });
  });
});

function taskFor(host: Host, { home, root }: Workspace): InstallTask {
  return { host, scope: host.entry.files.user === undefined ? 'project' : 'user', folders: { home, root }, reach };
}

function done(change: ReturnType<typeof planInstall>): void {
  if ('problems' in change) throw new Error(JSON.stringify(change.problems));
  expect(carryOut(change.files)).toBe(true);
}

function installed(text: string, wanted: readonly Wanted[]): Edited {
  const edited = jsonShape.install(text, grouped.id, wanted);
  if (isUnfit(edited)) throw new Error(edited.unfit);
  return edited;
}

/** Without our groups, and without the containers that would be empty then. */
function withoutOurs(value: { hooks?: Record<string, { hooks: { command: string }[] }[]> }): unknown {
  const hooks = Object.entries(value.hooks ?? {}).flatMap(([event, groups]) => {
    const left = groups.filter((group) => !group.hooks.some(({ command }) => command.includes('hook grouped')));
    return left.length === 0 ? [] : [[event, left]];
  });
  return { ...value, hooks: Object.fromEntries(hooks) };
}

function remarks(text: string): readonly string[] {
  const found = text.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/\/\/[^\r\n]*|\/\*.*?\*\//g) ?? [];
  return found.map((remark) => remark.trim());
}
