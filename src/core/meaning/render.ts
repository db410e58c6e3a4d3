/** Renders a verdict as the reply that a script of this dialect would have printed: `interpret` in reverse. */

import type { Dialect } from '../contracts/dialect.ts';
import { limit, NO_OPINION, type Verdict } from '../decision/decision.ts';
import type { Reply } from '../decision/reply.ts';
import type { HookEvent } from '../event/event.ts';
import { ownValue } from '../values/json.ts';
import type { Meaning } from './profile.ts';

/** Returns undefined if the dialect cannot express the verdict on this event. */
export function render(
  verdict: Verdict,
  nativeEvent: string,
  dialect: Dialect,
  event?: HookEvent,
): (Reply & { kind: 'process' }) | undefined {
  const rule = ownValue(dialect.profile.events, nativeEvent);
  if (!rule || (verdict !== NO_OPINION && limit(verdict, rule.grants).dropped.length > 0)) return undefined;
  const rows = rule.read?.exit ?? dialect.profile.read.exit;
  const codeFor = (test: (means: Meaning) => boolean): number | undefined => {
    const row = rows.find(({ means }) => test(means));
    return row && (row.exit === 'other' ? 1 : row.exit[0]);
  };
  const silent = verdict.decision.kind === 'pass' && verdict.effects.length === 0;
  if (silent)
    return processReply(
      codeFor(({ say }) => say === 'pass' || say === 'parse' || say === 'notice'),
      '',
    );

  const json = dialect.wire.encodeReply(verdict, nativeEvent, event);
  // A code that denies by itself also denies if the text is lost on the way.
  const parsed = (verdict.decision.kind === 'deny' ? codeFor(deniesAnyway) : undefined) ?? codeFor(({ say }) => say === 'parse');
  if (json !== undefined && parsed !== undefined) return processReply(parsed, JSON.stringify(json));

  const [only, ...more] = verdict.effects;
  if (only?.kind === 'notice' && more.length === 0 && verdict.decision.kind === 'pass')
    return processReply(
      codeFor(({ say }) => say === 'notice'),
      only.text,
    );
  if (only?.kind === 'context' && only.at !== 'start' && more.length === 0 && verdict.decision.kind === 'pass' && isPlain(only.text))
    return processReply(
      codeFor(
        (means) =>
          means.say === 'parse' && typeof means.notJson === 'object' && 'text' in means.notJson && means.notJson.text === 'context',
      ),
      only.text,
    );
  if (verdict.decision.kind === 'deny' && verdict.effects.length === 0) return deny(verdict.decision.reason, rows);
  return undefined;
}

function deny(
  reason: string,
  rows: readonly { readonly exit: readonly number[] | 'other'; readonly means: Meaning }[],
): (Reply & { kind: 'process' }) | undefined {
  for (const { exit, means } of rows) {
    if (means.say !== 'deny' || means.reason.length === 0) continue;
    const code = exit === 'other' ? 1 : (exit[0] as number);
    const stream = means.reason[0] === 'stderr' ? 'stderr' : 'stdout';
    return { kind: 'process', exit: code, stdout: '', stderr: '', output: reason, [stream]: reason };
  }
  return undefined;
}

function deniesAnyway(means: Meaning): boolean {
  if (means.say !== 'parse' || typeof means.notJson !== 'object' || !('means' in means.notJson)) return false;
  return means.notJson.always === true && means.notJson.means.say === 'deny';
}

/** Whether a text cannot be mistaken for JSON. */
function isPlain(text: string): boolean {
  if (text.trim() !== text || text === '' || /^[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

function processReply(exit: number | undefined, stdout: string): (Reply & { kind: 'process' }) | undefined {
  return exit === undefined ? undefined : { kind: 'process', exit, stdout, stderr: '', output: stdout };
}
