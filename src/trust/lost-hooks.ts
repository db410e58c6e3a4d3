/**
 * Finds hooks that were trusted in this project and are no longer loaded. A gate whose file is still there, but is broken or has another hook in
 * its place, has changed: it denies the events that it judged until a person decides. A gate whose file is gone is reported.
 */
import { existsSync } from 'node:fs';
import type { Dialect } from '../core/contracts/dialect.ts';
import type { Hook, MissingProtection } from '../core/contracts/hook.ts';
import type { EventKind } from '../core/event/event.ts';
import { isBlockingEvent } from '../core/meaning/profile.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { isObject, textOf } from '../core/values/json.ts';
import { openKeptTexts } from './kept-texts.ts';
import { isEntryOf, type TrustEntry } from './trust-file.ts';

export interface LostHooks {
  readonly missing: readonly MissingProtection[];
  readonly diagnostics: readonly Diagnostic[];
}

/** @param problems those of the hook files as they were just loaded */
export function lostHooks(
  lost: readonly TrustEntry[],
  known: readonly TrustEntry[],
  hooks: readonly Hook[],
  problems: readonly Diagnostic[],
  { dialects, stateFolder }: { readonly dialects: readonly Dialect[]; readonly stateFolder: string },
): LostHooks {
  const broken = new Set(problems.flatMap(({ severity, file }) => (severity === 'error' && file !== undefined ? [file] : [])));
  const isReplaced = (lostOne: TrustEntry): boolean =>
    hooks.some((hook) => hook.id === lostOne.id && (hook.nothingToRun || !known.some((entry) => isEntryOf(entry, hook))));
  const missing: MissingProtection[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const entry of lost) {
    const kinds = gatedKinds(entry, dialects, stateFolder);
    const isThere = existsSync(entry.file);
    if (isThere && kinds?.length !== 0 && (broken.has(entry.file) || isReplaced(entry))) {
      const diagnostic = {
        ...gone(entry, 'has changed or lost a file since it was trusted, so it cannot judge this'),
        hint: fixFor(entry),
      };
      missing.push({ by: `the trusted hook ${entry.name}`, diagnostic, ...(kinds && { kinds }) });
    } else {
      const why = isThere
        ? 'was trusted and is no longer in its file, so it does not run'
        : 'was trusted and its file is gone, so it does not run';
      diagnostics.push({ ...gone(entry, why), severity: kinds?.length === 0 ? 'warning' : 'error', hint: fixFor(entry) });
    }
  }
  return { missing, diagnostics };
}

function gone({ name, file }: TrustEntry, why: string): Diagnostic {
  return { severity: 'error', code: 'lost-hook', file, message: `Protection not active: hook \`${name}\` ${why}.` };
}

function fixFor({ file }: TrustEntry): string {
  return `Restore it, review it as it is now with \`hookline trust add\`, or remove its trust with \`hookline trust remove ${file}\`.`;
}

/** Returns the kinds of events that the hook gated when it was trusted; undefined if that is not known. */
function gatedKinds({ kept, dialect }: TrustEntry, dialects: readonly Dialect[], stateFolder: string): readonly EventKind[] | undefined {
  const text = kept && openKeptTexts(stateFolder).read(kept.definition);
  if (text === undefined) return undefined;
  const definition: unknown = JSON.parse(text);
  if (!isObject(definition)) return undefined;
  const rule = dialects.find(({ id }) => id === dialect)?.profile.events[textOf(definition['event']) ?? ''];
  return rule && definition['detach'] !== true && isBlockingEvent(rule) ? rule.kinds : [];
}
