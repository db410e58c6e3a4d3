/** A fresh project and home in a temporary folder, removed when the test is over. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createHookline, type Hookline, type HooklineOptions } from '../../src/index.ts';

export interface Workspace {
  readonly root: string;
  readonly home: string;
  /** Path below the root (`~/…`: below the home) → content. What begins with `#!` is made executable. */
  write(files: Readonly<Record<string, string | Uint8Array>>): void;
  remove(name: string): void;
  /** Where a name is, absolute. */
  at(name: string): string;
  /** An engine for this project that runs its hooks; closed when the test is over. */
  open(options?: HooklineOptions): Promise<Hookline>;
}

/** To be called within a test. */
export function createWorkspace(files: Readonly<Record<string, string | Uint8Array>> = {}): Workspace {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'hookline-test-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
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
      const hookline = await createHookline({ root, home, trust: 'all', ...options });
      onTestFinished(async () => void (await hookline.close(1000)));
      return hookline;
    },
  };
  workspace.write(files);
  return workspace;
}
