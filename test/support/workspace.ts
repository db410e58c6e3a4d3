/** A fresh project and home in a temporary folder, removed when the test is over. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type OpenHookline, openHookline } from '../../src/api/create-hookline.ts';
import { HOSTS } from '../../src/builtins.ts';
import { createHostAnswerer, type HostAnswerer, type HostAnswerOptions } from '../../src/engine/answer-host.ts';
import type { Hookline, HooklineOptions } from '../../src/index.ts';

export interface Workspace {
  readonly root: string;
  readonly home: string;
  /** Path below the root (`~/…`: below the home) → content. A file that begins with `#!` is made executable. */
  write(files: Readonly<Record<string, string | Uint8Array>>): void;
  remove(name: string): void;
  /** Returns the absolute path of a name. */
  at(name: string): string;
  /** Creates an engine for this project that runs its hooks. It is closed when the test is over. */
  open(options?: HooklineOptions): Promise<Hookline>;
}

/** A hook in the background may still be writing its end into the folder. */
async function removeAll(folder: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

const MOST_TRIES = 50;

/** Must be called within a test. */
export function createWorkspace(files: Readonly<Record<string, string | Uint8Array>> = {}): Workspace {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'hookline-test-')));
  onTestFinished(() => removeAll(base));
  const [root, home] = [path.join(base, 'project'), path.join(base, 'home')];
  mkdirSync(root);
  mkdirSync(home);
  const at = (name: string): string => (name.startsWith('~/') ? path.join(home, name.slice(2)) : path.join(root, name));
  const workspace: Workspace = {
    root,
    home,
    at,
    write(more) {
      for (const [name, content] of Object.entries(more)) {
        mkdirSync(path.dirname(at(name)), { recursive: true });
        writeFileSync(at(name), content);
        if (typeof content === 'string' && content.startsWith('#!')) chmodSync(at(name), 0o755);
      }
    },
    remove: (name) => rmSync(at(name), { recursive: true, force: true }),
    async open(options = {}) {
      const opened = await openHookline({ root, home, trust: 'all', ...options });
      const { hookline } = opened;
      engines.set(hookline, opened);
      onTestFinished(async () => void (await hookline.close(1000)));
      return hookline;
    },
  };
  workspace.write(files);
  return workspace;
}

/** Lets commands without a terminal settle, trust and prune, as the user's own settings can. For tests that are not about persons. */
export function permitScripts(workspace: Workspace): Workspace {
  const file = workspace.at(SETTINGS);
  const before: object = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  workspace.write({ [SETTINGS]: JSON.stringify({ ...before, approvals: { unattended: true } }) });
  return workspace;
}

const SETTINGS = '~/.config/hookline/settings.json';

const engines = new WeakMap<Hookline, OpenHookline>();

/** Returns the internals of an engine that a workspace has opened. */
export function insideOf(hookline: Hookline): OpenHookline {
  const opened = engines.get(hookline);
  if (!opened) throw new Error('The engine was not opened by a workspace.');
  return opened;
}

/** Answers hosts with an engine that a workspace has opened. By default it knows all hosts and no earlier calls. */
export function answererFor(hookline: Hookline, options: Partial<HostAnswerOptions> = {}): HostAnswerer {
  return createHostAnswerer(insideOf(hookline).engine, { hosts: HOSTS, ...options });
}
