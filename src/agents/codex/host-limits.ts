/**
 * The calls that Codex keeps from its hooks, and whether it runs them: it skips every hook that its user has not trusted, in silence. It remembers a
 * digest of what was trusted, so that one changed letter makes a hook unknown again.
 */

import {
  type HostLimits,
  type HostLook,
  nodeAt,
  type Objection,
  offWhere,
  switchedOff,
  valueAt,
} from '../../core/contracts/host-limits.ts';
import { type Node, toJson } from '../../core/values/document.ts';
import { isObject, type Json, type JsonObject, textOf } from '../../core/values/json.ts';
import { hookKey } from './profile.ts';

const CONFIG = '~/.codex/config.toml';
const REQUIREMENTS = '/etc/codex/requirements.toml';

function objections(look: HostLook): readonly Objection[] {
  const { read, scope, root } = look;
  const off = offWhere(look, [CONFIG], ['features', 'hooks'], false);
  const managed = read(REQUIREMENTS);
  const only = valueAt(managed, 'allow_managed_hooks_only') === true;
  const config = read(CONFIG);
  const isTrusted = valueAt(config, 'projects', root, 'trust_level') === 'trusted';
  if (off.length > 0) return off;
  if (only) return [switchedOff('`allow_managed_hooks_only` is true: only managed hooks are asked, and ours is none.', REQUIREMENTS)];
  if (scope === 'project' && !isTrusted) return [untrusted('Codex does not read the hooks of this project: it does not trust it.', START)];
  return entries(look);
}

const START = 'Start Codex in the project, and trust it.';
const TRUST = 'Start Codex, look at the hooks with `/hooks`, and trust them.';

/** How our entries stand, each told by the name under which Codex remembers it. */
function entries({ read, file, realFile, lines, sha256 }: HostLook): readonly Objection[] {
  const states = toObject(nodeAt(read(CONFIG), 'hooks', 'state'));
  const standing = new Map<string, string[]>();
  for (const entry of entriesIn(toObject(nodeAt(read(file), 'hooks')))) {
    if (!lines.includes(entry.command)) continue;
    const [state] = [file, realFile].flatMap((name) => states[hookKey(name, entry.event, entry.group, entry.handler)] ?? []);
    const word = standingOf(isObject(state) ? state : {}, `sha256:${sha256(entry.identity)}`);
    if (word) standing.set(word, [...(standing.get(word) ?? []), entry.event]);
  }
  return [...standing].map(([word, events]) => untrusted(`Codex does not run our entry for ${events.join(', ')}: ${word}.`, TRUST));
}

function standingOf(state: JsonObject, digest: string): string | undefined {
  if (state['enabled'] === false) return 'it is switched off there';
  const trusted = textOf(state['trusted_hash']);
  if (trusted === undefined) return 'it is not trusted there yet';
  return trusted === digest ? undefined : 'it has changed since it was trusted there';
}

function untrusted(because: string, fix: string): Objection {
  return { severity: 'error', code: 'not-trusted-there', because, fix };
}

interface Entry {
  readonly event: string;
  readonly group: number;
  readonly handler: number;
  readonly command: string;
  /** The text of which Codex takes the digest. */
  readonly identity: string;
}

function entriesIn(hooks: JsonObject): readonly Entry[] {
  return Object.entries(hooks).flatMap(([event, groups]) =>
    listOf(groups).flatMap((one, group) =>
      listOf(isObject(one) ? one['hooks'] : []).flatMap((item, handler): Entry[] => {
        const command = isObject(item) ? textOf(item['command']) : undefined;
        if (!isObject(one) || !isObject(item) || command === undefined) return [];
        return [{ event, group, handler, command, identity: identityOf(event, textOf(one['matcher']), item) }];
      }),
    ),
  );
}

/** With its keys in order, and what is not written filled in: so Codex writes it down before it takes the digest. */
function identityOf(event: string, matcher: string | undefined, { type, command, timeout, async = false }: JsonObject): string {
  const least = event === 'SessionEnd' ? Math.min(numberOf(timeout) ?? 1, 3) : (numberOf(timeout) ?? 600);
  const name = hookKey('', event, 0, 0).split(':')[1] ?? '';
  const matched = matcher !== undefined && !UNMATCHED.includes(event) ? { matcher } : {};
  return JSON.stringify({ event_name: name, hooks: [{ async, command, timeout: Math.max(least, 1), type }], ...matched });
}

/** On these a matcher is not looked at. */
const UNMATCHED = ['Stop', 'UserPromptSubmit'];

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function toObject(node: Node | undefined): JsonObject {
  const value = node ? toJson(node) : undefined;
  return isObject(value) ? value : {};
}

export const limits: HostLimits = {
  blind: [
    {
      of: 'tools',
      what: 'web search, images, plans and most other tools of its own',
      because: 'only its shell, `apply_patch`, `spawn_agent` and the tools of MCP servers tell their hooks anything',
    },
    {
      of: 'tools',
      what: 'reading a file, as such',
      because: 'it has no tool for it: it reads with the shell, and only the command line is seen',
    },
    { of: 'surfaces', what: 'hooks that its user has not trusted', because: 'they are skipped in silence, in `codex exec` as well' },
  ],
  // 2500 tokens, of four characters each as it counts them.
  context: { most: 10_000, beyond: 'it puts the rest into a file' },
  objections,
};
