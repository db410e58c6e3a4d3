/** The program an entry names: found again after an upgrade, and by an agent that knows no PATH. */
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { launcherFor, whyNotStarted } from '../../../src/install/launcher.ts';
import { createWorkspace } from '../../support/workspace.ts';

function machine() {
  const space = createWorkspace();
  const at = (name: string): string => path.join(space.root, name);
  const program = (name: string): string => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), '#!/bin/sh\n');
    chmodSync(at(name), 0o755);
    return at(name);
  };
  mkdirSync(at('bin'));
  return { at, program, link: (name: string, to: string) => symlinkSync(to, at(name)), path: at('bin') };
}

test('a link that stays is preferred to the versioned place it leads to', () => {
  const { at, program, link, path: PATH } = machine();
  const node = program('cellar/node/22.1.0/node');
  const script = program('lib/hookline/bin/hookline.js');
  link('bin/node', node);
  link('bin/hookline', script);
  expect(launcherFor('user', { script, node, path: PATH })).toEqual({ program: [at('bin/node'), at('bin/hookline')], absolute: true });
});

test('files of a project name the program by its bare name, if it is on the PATH', () => {
  const { program, link, path: PATH } = machine();
  const [node, script] = [program('node'), program('lib/hookline.js')];
  expect(launcherFor('project', { script, node, path: PATH }).absolute).toBe(true);
  link('bin/hookline', script);
  expect(launcherFor('project', { script, node, path: PATH })).toEqual({ program: ['hookline'], absolute: false });
});

const BASH = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/opt/homebrew/bin/bash']
  .filter((file) => existsSync(file))
  .slice(0, 1)
  .flatMap((file) => [file, '-p']);

test('the small client beside the program is taken where it is, and an entry of the user starts its bash at once', () => {
  const { program, path: PATH } = machine();
  const [node, script, client] = [program('node'), program('lib/hookline.js'), program('lib/hookline-hook')];
  expect(launcherFor('user', { script, node, path: PATH })).toEqual({ program: [...BASH, client], absolute: true });
});

test('a program that is gone, may not be executed, or is not on the PATH is said', () => {
  const { at, program, path: PATH } = machine();
  const file = program('bin/hookline');
  expect(whyNotStarted([file], PATH)).toBeUndefined();
  expect(whyNotStarted(['hookline'], PATH)).toBeUndefined();
  expect(whyNotStarted(['hookline'], at('none'))).toContain('PATH');
  expect(whyNotStarted([file, at('gone.js')], PATH)).toContain('does not exist');
  chmodSync(file, 0o644);
  expect(whyNotStarted([file], PATH)).toContain('may not be executed');
});
