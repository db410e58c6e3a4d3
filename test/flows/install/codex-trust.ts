/** Trusts every hook in the user's file of Codex as Codex's own dialog does: by the digest of each in `[hooks.state]`. */
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import type { Workspace } from '../../support/workspace.ts';

interface Handler {
  readonly type: string;
  readonly command: string;
  readonly timeout?: number;
}

export function trustInCodex(space: Workspace, file = '~/.codex/hooks.json'): void {
  const path = space.at(file);
  const { hooks } = JSON.parse(readFileSync(path, 'utf8')) as { hooks: Record<string, { hooks: Handler[] }[]> };
  for (const [event, groups] of Object.entries(hooks)) {
    const name = event.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase();
    for (const [g, group] of groups.entries()) {
      for (const [h, { type, command, timeout = 600 }] of group.hooks.entries()) {
        const text = JSON.stringify({ event_name: name, hooks: [{ async: false, command, timeout, type }] });
        const digest = createHash('sha256').update(text).digest('hex');
        appendFileSync(space.at('~/.codex/config.toml'), `[hooks.state."${path}:${name}:${g}:${h}"]\ntrusted_hash = "sha256:${digest}"\n`);
      }
    }
  }
}
