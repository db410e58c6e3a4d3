/** What a person must see before trusting a hook: when it runs, what it runs, from which files, and what the audit says about it. */
import { type FindOptions, findHooks } from '../api/check-files.ts';
import { DIALECTS } from '../builtins.ts';
import { hookDigest } from '../config/hook-digest.ts';
import type { Trust, TrustEntry } from '../config/trust.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { Hook } from '../core/hook.ts';
import type { Json } from '../core/json.ts';
import type { AuditedFinding } from '../guard/index.ts';

export interface Review {
  readonly digest: string;
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly dialect: string;
  readonly event: string;
  readonly handler: string;
  /** What would be run or called. */
  readonly runs: Json;
  /** The script files it runs, as far as they are found. */
  readonly files: readonly string[];
  readonly source: Hook['source'];
  readonly findings: readonly AuditedFinding[];
  /** Kept out by the audit even if it is trusted. */
  readonly keptOut: boolean;
  readonly trusted: boolean;
}

/** The hooks of a project that need trust, in the order they are found. */
export async function reviewHooks(
  options: FindOptions,
  trust: Trust,
): Promise<{ readonly reviews: readonly Review[]; readonly diagnostics: readonly Diagnostic[] }> {
  const { hooks, diagnostics } = await findHooks(options);
  const guard = await import('../guard/index.ts');
  const reviews = hooks.map(({ hook }): Review => {
    const dialect = DIALECTS.find(({ id }) => id === hook.dialect);
    const audit = guard.auditHook(hook, { cwd: options.root, folder: dialect?.profile.load.auditFolder ?? false });
    const { files } = audit;
    const digest = hookDigest(hook, files);
    const { id, name, description, event, handler, source } = hook;
    return {
      digest,
      id,
      name,
      ...(description !== undefined && { description }),
      dialect: hook.dialect,
      event,
      handler: handler.type,
      runs: whatRuns(hook),
      files,
      source,
      findings: audit.findings,
      keptOut: guard.isKeptOut(audit),
      trusted: trust.has(digest, options.root),
    };
  });
  return { reviews, diagnostics };
}

export function entryFor({ digest, name, dialect, source }: Review, root: string): TrustEntry {
  return { digest, name, dialect, file: source.file, root, at: new Date().toISOString() };
}

function whatRuns({ handler: { config } }: Hook): Json {
  return config['command'] ?? config['script'] ?? config['url'] ?? config;
}
